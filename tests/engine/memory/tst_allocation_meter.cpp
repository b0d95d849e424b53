// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/allocation_meter.h"

#include <thread>

#include <QTest>

#include <ATen/ATen.h>

using accrue::AllocationMeter;

namespace {
constexpr std::int64_t kFloats = 100'000;
constexpr std::int64_t kBytes = 4 * kFloats;
} // namespace

class TestAllocationMeter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsLiveBytesAndTheirPeak()
    {
        const AllocationMeter meter(at::kCPU);
        const at::Tensor kept = at::empty({ kFloats });
        QCOMPARE(meter.liveBytes(), kBytes);
        {
            const at::Tensor passing = at::empty({ kFloats });
            QCOMPARE(meter.liveBytes(), 2 * kBytes);
        }
        QCOMPARE(meter.liveBytes(), kBytes);
        QCOMPARE(meter.peakBytes(), 2 * kBytes);
    }

    void peakStartsAgainFromWhatIsLive()
    {
        AllocationMeter meter(at::kCPU);
        const at::Tensor kept = at::empty({ kFloats });
        {
            const at::Tensor passing = at::empty({ 3 * kFloats });
        }
        meter.resetPeak();
        QCOMPARE(meter.peakBytes(), kBytes);
    }

    void ignoresWhatWasAllocatedBeforeIt()
    {
        at::Tensor before = at::empty({ kFloats });
        const AllocationMeter meter(at::kCPU);
        before.reset();
        QCOMPARE(meter.liveBytes(), 0);
    }

    // The block is reported as released by nobody, and its address is given out again later.
    void survivesBlocksThatOtherThreadsRelease()
    {
        const AllocationMeter meter(at::kCPU);
        for (int round = 0; round < 100; ++round) {
            at::Tensor block = at::empty({ kFloats });
            std::thread([taken = std::move(block)]() mutable { taken.reset(); }).join();
        }
        QVERIFY(meter.liveBytes() <= 100 * kBytes);
        QVERIFY(meter.liveBytes() >= 0);
    }

    void seesTheBackwardPass()
    {
        const at::Tensor leaf = at::ones({ kFloats }).requires_grad_();
        const AllocationMeter meter(at::kCPU);
        leaf.sin().sum().backward();
        QVERIFY(meter.peakBytes() >= 2 * kBytes);
        QCOMPARE(meter.liveBytes(), kBytes); // the gradient
    }
};

QTEST_GUILESS_MAIN(TestAllocationMeter)
#include "tst_allocation_meter.moc"
