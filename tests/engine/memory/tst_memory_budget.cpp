// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_budget.h"

#include <atomic>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include <QTest>

#include <ATen/ATen.h>

#include "engine/base/error.h"
#include "engine/memory/host_scope.h"
#include "engine/memory/memory_meter.h"
#include "tests/support/accelerator_device.h"

using namespace accrue;

namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

at::Tensor bytes(std::int64_t count, at::Device device = at::kCPU)
{
    return at::empty({ count }, at::TensorOptions().dtype(at::kByte).device(device));
}

bool isRefused(std::int64_t count, at::Device device = at::kCPU)
{
    try {
        bytes(count, device);
        return false;
    } catch (const c10::OutOfMemoryError&) {
        return true;
    }
}

template <typename Call> std::string sentenceOf(const Call& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

at::Tensor convolved()
{
    const at::Tensor images = at::ones({ 16, 8, 32, 32 }).requires_grad_();
    const at::Tensor weights = at::ones({ 16, 8, 3, 3 }).requires_grad_();
    at::conv2d(images, weights, {}, /*stride=*/1, /*padding=*/1).sum().backward();
    return weights.grad();
}

} // namespace

class TestMemoryBudget : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { acceleratorDevice(); }

    void givesWhatFitsToTheLastByteAndRefusesOneMore()
    {
        const MemoryBudget budget(at::kCPU, kMiB);
        const at::Tensor half = bytes(kMiB / 2);
        QVERIFY(!isRefused(kMiB / 2));
        QVERIFY(isRefused(kMiB / 2 + 1));
    }

    void whatIsReleasedCanBeGivenAgain()
    {
        const MemoryBudget budget(at::kCPU, kMiB);
        for (int round = 0; round < 100; ++round)
            QVERIFY(!isRefused(kMiB));
    }

    void aRefusalSaysWhatIsHeldAndWhatWasAskedFor()
    {
        const MemoryBudget budget(at::kCPU, 4 * kMiB);
        const at::Tensor held = bytes(3 * kMiB);
        try {
            bytes(2 * kMiB);
            QFAIL("more than the budget was given");
        } catch (const c10::OutOfMemoryError& error) {
            const std::string said = error.what_without_backtrace();
            QVERIFY2(said.find("The memory budget of 4.00 MiB is used up: 3.00 MiB are in use, and "
                               "2.00 MiB more were requested.")
                    != std::string::npos,
                said.c_str());
        }
    }

    void endsWithItsLife()
    {
        {
            const MemoryBudget budget(at::kCPU, kMiB);
            QVERIFY(isRefused(2 * kMiB));
        }
        QVERIFY(!isRefused(2 * kMiB));
        const MemoryBudget larger(at::kCPU, 3 * kMiB);
        QVERIFY(!isRefused(2 * kMiB));
    }

    void blocksFromBeforeItMayBeReleasedWithinItAndOthersAfterIt()
    {
        at::Tensor before = bytes(8 * kMiB);
        at::Tensor within;
        {
            const MemoryBudget budget(at::kCPU, kMiB);
            within = bytes(kMiB);
            before.reset();
            QVERIFY(isRefused(1));
        }
        QVERIFY(!isRefused(8 * kMiB));
        {
            const MemoryBudget budget(at::kCPU, 2 * kMiB); // `within` lives on, and counts
            QVERIFY(isRefused(kMiB + 1));
            within.reset();
            QVERIFY(!isRefused(2 * kMiB));
        }
    }

    void countsAllThreads()
    {
        const MemoryBudget budget(at::kCPU, kMiB);
        at::Tensor held;
        std::thread([&] { held = bytes(kMiB - 100); }).join();
        QVERIFY(isRefused(101));
        std::thread([taken = std::move(held)]() mutable { taken.reset(); }).join();
        QVERIFY(!isRefused(kMiB));
    }

    void isNeverExceededByThreadsThatAskAtOnce()
    {
        const MemoryBudget budget(at::kCPU, 8 * kMiB);
        std::atomic<int> given { 0 };
        std::atomic<int> most { 0 };
        std::vector<std::thread> threads;
        threads.reserve(4);
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] {
                for (int round = 0; round < 100; ++round) {
                    try {
                        const at::Tensor block = bytes(3 * kMiB);
                        const int now = ++given;
                        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);)
                            ;
                        --given;
                    } catch (const c10::OutOfMemoryError&) {
                    }
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        QVERIFY(most <= 2);
        QVERIFY(!isRefused(8 * kMiB));
    }

    void theHostsMemoryIsNotCounted()
    {
        const MemoryBudget budget(at::kCPU, kMiB);
        at::Tensor snapshot;
        {
            const HostScope host;
            snapshot = bytes(4 * kMiB);
            const HostScope nested;
        }
        QVERIFY(isRefused(kMiB + 1));
        QVERIFY(!isRefused(kMiB));
        snapshot.reset();
        QVERIFY(isRefused(kMiB + 1));
    }

    void theHostScopeIsOfItsThreadOnly()
    {
        const MemoryBudget budget(at::kCPU, kMiB);
        const HostScope host;
        bool refused = false;
        std::thread([&] { refused = isRefused(kMiB + 1); }).join();
        QVERIFY(refused);
    }

    void reportersSeeTheSameWithinIt()
    {
        std::int64_t without = 0;
        {
            const MemoryMeter meter(at::kCPU);
            const at::Tensor gradient = convolved();
            without = meter.peakBytes();
            QVERIFY(without > 0);
        }
        const MemoryBudget budget(at::kCPU, 1024 * kMiB);
        const MemoryMeter meter(at::kCPU);
        const at::Tensor gradient = convolved();
        QCOMPARE(meter.peakBytes(), without);
        QCOMPARE(meter.liveBytes(), static_cast<std::int64_t>(gradient.nbytes()));
    }

    // oneDNN allocates its scratch in another way than tensors do, and may do without it.
    void resultsAreRightOrRefusedAtEveryBudgetOfAConvolution()
    {
        const at::Tensor reference = convolved();
        std::int64_t peak = 0;
        {
            const MemoryMeter meter(at::kCPU);
            convolved();
            peak = meter.peakBytes();
        }
        int refused = 0;
        for (std::int64_t limit = peak / 10; limit < peak; limit += peak / 10) {
            const MemoryBudget budget(at::kCPU, limit);
            try {
                const at::Tensor gradient = convolved();
                QVERIFY(at::allclose(gradient, reference, 1e-5, 1e-5));
            } catch (const c10::OutOfMemoryError&) {
                ++refused;
            }
            QVERIFY(!isRefused(limit)); // nothing stayed behind
        }
        QVERIFY(refused > 0);
        const MemoryBudget enough(at::kCPU, peak);
        QVERIFY(at::equal(convolved(), reference));
    }

    void aBudgetLargerThanTheMachineIsRefusedInASentence()
    {
        const std::string sentence = sentenceOf(
            [] { const MemoryBudget budget(at::kCPU, std::numeric_limits<std::int64_t>::max()); });
        QVERIFY2(sentence.find("memory.budget is 8.00 EiB, but cpu has ") == 0, sentence.c_str());
        QVERIFY2(sentence.find("give a smaller budget") != std::string::npos, sentence.c_str());
        QVERIFY(!isRefused(kMiB)); // nothing was begun
    }

    void onADeviceTheContextCountsAsTheCards()
    {
        if (!acceleratorDevice())
            QSKIP("no CUDA device here");
        const at::Device device = *acceleratorDevice();
        const std::string sentence = sentenceOf([&] { const MemoryBudget budget(device, kMiB); });
        QVERIFY2(sentence.find("hold") != std::string::npos, sentence.c_str());
        {
            const MemoryBudget budget(device, 2048 * kMiB);
            QVERIFY(isRefused(2048 * kMiB, device));
            QVERIFY(!isRefused(64 * kMiB, device));
        }
        QVERIFY(!isRefused(2048 * kMiB, device));
    }
};

QTEST_GUILESS_MAIN(TestMemoryBudget)
#include "tst_memory_budget.moc"
