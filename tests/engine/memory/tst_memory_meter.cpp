// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_meter.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <thread>

#include <QTest>
#include <unistd.h>

#include <ATen/ATen.h>

#include "engine/memory/host_scope.h"
#include "tests/support/accelerator_device.h"
#include <c10/core/CachingDeviceAllocator.h>

using namespace accrue;

namespace {

constexpr std::int64_t kFloats = 100'000;
constexpr std::int64_t kBytes = 4 * kFloats;

std::int64_t of(const CategoryBytes& bytes, MemoryCategory category)
{
    return bytes[static_cast<std::size_t>(category)];
}

std::int64_t sum(const CategoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t { 0 });
}

// But for scalars.
bool nearly(std::int64_t bytes, std::int64_t expected)
{
    return bytes >= expected && bytes < expected + 64;
}

// The machine's memory of this process, according to the kernel.
std::int64_t residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0;
    file >> pages >> pages;
    return pages * ::sysconf(_SC_PAGESIZE);
}

// A product of a parameter and its backward pass, as one micro-batch.
void multiply(MemoryMeter& meter, const at::Tensor& parameter, std::int64_t microBatch)
{
    meter.enter(MemoryPhase::Data, microBatch, 1);
    const at::Tensor input = at::ones_like(parameter.detach());
    meter.enter(MemoryPhase::Forward, microBatch, 1);
    const at::Tensor loss = (input * parameter).sin().sum();
    meter.enter(MemoryPhase::Backward, microBatch, 1);
    loss.backward();
}

} // namespace

class TestMemoryMeter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { acceleratorDevice(); }

    void countsLiveBytesAndTheirPeak()
    {
        const MemoryMeter meter(at::kCPU);
        const at::Tensor kept = at::empty({ kFloats });
        QCOMPARE(meter.liveBytes(), kBytes);
        {
            const at::Tensor passing = at::empty({ kFloats });
            QCOMPARE(meter.liveBytes(), 2 * kBytes);
        }
        QCOMPARE(meter.liveBytes(), kBytes);
        QCOMPARE(meter.peakBytes(), 2 * kBytes);
    }

    // The driver and the allocator are not queried at the same instant.
    void whatOthersHoldIsNeverNegative()
    {
        QCOMPARE(heldByOthers(1000, 400, 250), 350);
        QCOMPARE(heldByOthers(1000, 900, 250), 0);
        QCOMPARE(heldByOthers(1000, 1100, 0), 0);
    }

    void peakStartsAgainFromWhatIsLive()
    {
        MemoryMeter meter(at::kCPU);
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
        const MemoryMeter meter(at::kCPU);
        before.reset();
        QCOMPARE(meter.liveBytes(), 0);
    }

    // The block is reported as released by nobody, and its address is given out again later.
    void survivesBlocksThatOtherThreadsRelease()
    {
        const MemoryMeter meter(at::kCPU);
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
        const MemoryMeter meter(at::kCPU);
        leaf.sin().sum().backward();
        QVERIFY(meter.peakBytes() >= 2 * kBytes);
        QCOMPARE(meter.liveBytes(), kBytes); // the gradient
    }

    // sin keeps its input, which the product made; its output goes with the sum.
    void aWindowIsToldByPhaseAndCategory()
    {
        MemoryMeter meter(at::kCPU, Metering::Full);
        const at::Tensor parameter = at::ones({ kFloats }).requires_grad_();
        parameter.mutable_grad() = at::zeros({ kFloats });
        ownMemory(parameter, MemoryCategory::Parameters, "weight");
        ownMemory(parameter.grad(), MemoryCategory::Gradients, "gradients");
        meter.beginWindow(1, 1);
        multiply(meter, parameter, 1);
        meter.enter(MemoryPhase::Optimizer, 0, 1);
        const std::vector<PhaseMemory> phases = meter.endWindow();

        QCOMPARE(phases.size(), std::size_t { 4 });
        for (const PhaseMemory& phase : phases) {
            QCOMPARE(sum(phase.atPeak), phase.peakBytes);
            QCOMPARE(sum(phase.atEnd), phase.endBytes);
            QCOMPARE(of(phase.atPeak, MemoryCategory::Parameters), kBytes);
            QCOMPARE(of(phase.atPeak, MemoryCategory::Gradients), kBytes);
        }
        const PhaseMemory& forward = phases[1];
        QCOMPARE(forward.beginBytes, 3 * kBytes); // with the input
        QVERIFY(nearly(forward.peakBytes, 5 * kBytes));
        QVERIFY(nearly(of(forward.atPeak, MemoryCategory::Workspace), 2 * kBytes)); // and the sine
        QVERIFY(nearly(of(forward.atPeak, MemoryCategory::Activations), kBytes));
        QVERIFY(nearly(forward.endBytes, 4 * kBytes));
        const PhaseMemory& backward = phases[2];
        QVERIFY(of(backward.atPeak, MemoryCategory::Workspace) >= 2 * kBytes);
        QCOMPARE(of(backward.atEnd, MemoryCategory::Activations), 0);
    }

    void aWindowKeepsTheHighestOfItsMicroBatchesUnlessAllAreAskedFor()
    {
        const auto phasesOf = [](Metering metering) {
            MemoryMeter meter(at::kCPU, metering);
            meter.beginWindow(1, 1);
            for (const std::int64_t size : { 1, 3, 2 }) {
                meter.enter(MemoryPhase::Data, size, size);
                const at::Tensor input = at::empty({ size * kFloats });
            }
            meter.enter(MemoryPhase::Optimizer);
            return meter.endWindow();
        };
        const std::vector<PhaseMemory> window = phasesOf(Metering::Window);
        QCOMPARE(window.size(), std::size_t { 2 });
        QCOMPARE(window[0].microBatch, 3);
        QCOMPARE(window[0].peakBytes, 3 * kBytes);
        QCOMPARE(phasesOf(Metering::Full).size(), std::size_t { 4 });
        QVERIFY(phasesOf(Metering::Off).empty());
    }

    void anEvaluationInsideAWindowStandsApart()
    {
        MemoryMeter meter(at::kCPU, Metering::Full);
        meter.beginWindow(1, 1);
        meter.enter(MemoryPhase::Data, 1, 8);
        const at::Tensor kept = at::empty({ kFloats });
        meter.beginEvaluation();
        {
            const at::Tensor scratch = at::empty({ 4 * kFloats });
        }
        const std::vector<PhaseMemory> evaluation = meter.endEvaluation(512);
        QCOMPARE(evaluation.size(), std::size_t { 1 });
        QCOMPARE(evaluation.front().peakBytes, 5 * kBytes);
        QCOMPARE(evaluation.front().samples, 512);
        meter.enter(MemoryPhase::Forward, 1, 8);
        const std::vector<PhaseMemory> phases = meter.endWindow();
        QCOMPARE(phases.size(), std::size_t { 2 });
        QCOMPARE(phases[0].peakBytes, kBytes);
        QVERIFY(meter.endEvaluation(512).empty());
    }

    void aWindowThatDidNotEndIsForgotten()
    {
        MemoryMeter meter(at::kCPU, Metering::Full);
        meter.beginWindow(1, 1);
        meter.enter(MemoryPhase::Forward, 1, 8);
        meter.enter(MemoryPhase::Backward, 1, 8);
        meter.beginWindow(1, 1);
        meter.enter(MemoryPhase::Data, 1, 4);
        QCOMPARE(meter.endWindow().size(), std::size_t { 1 });
    }

    // Of one size but the fifth, in which an operator takes more.
    void windowsAlikeAreToldAlikeAndOthersLookedAtAgain()
    {
        MemoryMeter meter(at::kCPU, Metering::Window);
        std::vector<std::vector<PhaseMemory>> windows;
        for (const std::int64_t scratch : { 2, 2, 2, 2, 3, 3, 3, 3, 2, 2 }) {
            meter.beginWindow(8, 8);
            meter.enter(MemoryPhase::Data, 1, 8);
            const at::Tensor input = at::empty({ kFloats });
            meter.enter(MemoryPhase::Forward, 1, 8);
            {
                const at::Tensor taken = at::empty({ scratch * kFloats });
            }
            meter.enter(MemoryPhase::Optimizer, 0, 8);
            windows.push_back(meter.endWindow());
        }
        std::vector<std::int64_t> peaks;
        peaks.reserve(windows.size());
        for (const std::vector<PhaseMemory>& phases : windows)
            peaks.push_back(phases.empty() ? 0 : phases[1].peakBytes / kBytes);
        QCOMPARE(peaks, std::vector<std::int64_t>({ 3, 3, 3, 3, 0, 4, 4, 4, 0, 3 }));
        QCOMPARE(windows[3].size(), windows[0].size());
        for (std::size_t phase = 0; phase < windows[0].size(); ++phase)
            QCOMPARE(windows[3][phase].owners.size(), windows[0][phase].owners.size());
    }

    void whatIsHeldFromWindowToWindowIsNotOverlooked()
    {
        MemoryMeter meter(at::kCPU, Metering::Window);
        std::vector<at::Tensor> held;
        for (int window = 0; window < 6; ++window) {
            meter.beginWindow(8, 8);
            meter.enter(MemoryPhase::Data, 1, 8);
            held.push_back(at::empty({ kFloats }));
            const std::vector<PhaseMemory> phases = meter.endWindow();
            QCOMPARE(phases.size(), std::size_t { 1 });
            QCOMPARE(phases.front().endBytes, (window + 1) * kBytes);
        }
    }

    void theHostsMemoryIsNotMetered()
    {
        const MemoryMeter meter(at::kCPU);
        at::Tensor block = at::empty({ kFloats });
        at::Tensor snapshot;
        {
            const HostScope onHost;
            snapshot = at::empty({ 4 * kFloats });
            block.reset(); // the device's, wherever it is released
        }
        QCOMPARE(meter.liveBytes(), 0);
        QCOMPARE(meter.peakBytes(), kBytes);
        snapshot.reset();
        QCOMPARE(meter.liveBytes(), 0);
    }

    void agreesWithWhatTheProcessHolds()
    {
        const MemoryMeter meter(at::kCPU);
        const std::int64_t before = residentBytes();
        std::vector<at::Tensor> blocks;
        blocks.reserve(8);
        for (int block = 0; block < 8; ++block)
            blocks.push_back(at::ones({ std::int64_t { 10 } << 20 }));
        const auto held = static_cast<double>(residentBytes() - before);
        const auto metered = static_cast<double>(meter.liveBytes());
        QCOMPARE(metered, 320.0 * (1 << 20));
        QVERIFY2(std::abs(held / metered - 1) < 0.03, std::to_string(held).c_str());
    }

    void onADeviceCategoriesAddUpToTheAllocatorsOwnPeak()
    {
        if (!acceleratorDevice())
            QSKIP("no CUDA device here");
        const at::Device device = *acceleratorDevice();
        const auto options = at::TensorOptions(device);
        const at::Tensor before = at::ones({ kFloats }, options);
        MemoryMeter meter(device, Metering::Full);
        const at::Tensor parameter = at::ones({ kFloats }, options).requires_grad_();
        ownMemory(parameter, MemoryCategory::Parameters, "weight");
        meter.beginWindow(1, 1);
        multiply(meter, parameter, 1);
        multiply(meter, parameter, 2);
        meter.enter(MemoryPhase::Optimizer);
        const std::vector<PhaseMemory> phases = meter.endWindow();

        std::int64_t peak = 0;
        for (const PhaseMemory& phase : phases) {
            QCOMPARE(sum(phase.atPeak), phase.peakBytes);
            QCOMPARE(sum(phase.atEnd), phase.endBytes);
            QVERIFY(of(phase.atPeak, MemoryCategory::Parameters) >= kBytes);
            QVERIFY(*std::min_element(phase.atPeak.begin(), phase.atPeak.end()) >= 0);
            QVERIFY(phase.cachedBytes >= 0);
            QVERIFY(phase.otherBytes > 0);
            peak = std::max(peak, phase.peakBytes);
        }
        QCOMPARE(peak, meter.peakBytes()); // by the allocator's statistics
        QCOMPARE(phases.back().endBytes, meter.liveBytes());
    }
};

QTEST_GUILESS_MAIN(TestMemoryMeter)
#include "tst_memory_meter.moc"
