// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/fake_accelerator.h"

#include <array>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include <QTest>
#include <sys/mman.h>

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/utils.h>

#include "engine/accelerator/accelerators.h"
#include "tests/support/child_process.h"

using namespace accrue;
using namespace accrue::test;

// What the fake device promises to the tests that train on it.
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

at::Device device(int index = 0)
{
    return { accelerator()->type(), static_cast<c10::DeviceIndex>(index) };
}

at::TensorOptions floats(int index = 0)
{
    return at::TensorOptions().dtype(at::kFloat).device(device(index));
}

at::TensorOptions bytes(int index = 0)
{
    return floats(index).dtype(at::kByte);
}

at::Tensor pinned(std::int64_t count)
{
    return at::empty({ count }, at::TensorOptions().dtype(at::kFloat).pinned_memory(true));
}

c10::CachingDeviceAllocator::DeviceStats stats(int index = 0)
{
    return c10::getDeviceAllocator(device().type())
        ->getDeviceStats(static_cast<c10::DeviceIndex>(index));
}

std::int64_t allocated(int index = 0)
{
    return stats(index).allocated_bytes[0].current;
}

std::int64_t reserved(int index = 0)
{
    return stats(index).reserved_bytes[0].current;
}

void emptyCache()
{
    c10::getDeviceAllocator(device().type())->emptyCache();
}

c10::Stream streamOf(int index = 0)
{
    return c10::impl::VirtualGuardImpl(device().type()).getStream(device(index));
}

float valueOf(const at::Tensor& onHost)
{
    return onHost.const_data_ptr<float>()[0];
}

template <typename Error> std::string sentenceOf(const std::function<void()>& call)
{
    try {
        call();
    } catch (const Error& error) {
        return error.what_without_backtrace();
    }
    return {};
}

bool isLostError(const std::function<void()>& call)
{
    try {
        call();
    } catch (const c10::AcceleratorError& error) {
        return error.get_error_code() == 700;
    }
    return false;
}

// Records on which threads blocks of a device are allocated, and adds up the reported bytes.
class Reports final : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void*, std::int64_t alloc, std::size_t total, std::size_t cached,
        c10::Device where) override
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (where.is_cpu())
            return;
        threads.insert(std::this_thread::get_id());
        devices.insert(int { where.index() });
        sum += alloc;
        allocated = static_cast<std::int64_t>(total);
        reserved = static_cast<std::int64_t>(cached);
    }
    bool memoryProfilingEnabled() const override { return true; }

    std::set<std::thread::id> threads;
    std::set<int> devices;
    std::int64_t sum = 0;
    std::int64_t allocated = 0;
    std::int64_t reserved = 0;

private:
    std::mutex m_mutex;
};

at::Tensor convolved(const at::Tensor& input, const at::Tensor& weight)
{
    return at::conv2d(input, weight);
}

} // namespace

class TestFakeAccelerator : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY2(accelerator() != nullptr, acceleratorProblem().english().c_str());
        QVERIFY(!sentenceOf<c10::Error>([] { stats(); }).empty()); // before it was initialised
        at::globalContext().lazyInitDevice(device().type());
        QCOMPARE(allocated(), 0);
    }

    void cleanup()
    {
        fake::repair();
        fake::refuseAllocation(0);
        fake::setWorkspace(0, fake::ShortWorkspace::Throws);
        for (const int index : { 0, 1 })
            accelerator()->liftMemoryLimit(device(index));
        accelerator()->giveBackMemory();
    }

    void isTwoDevicesUnderTheNamesOfTheEngine()
    {
        QCOMPARE(accelerator()->devices().size(), std::size_t { 2 });
        QCOMPARE(accelerator()->devices()[1].name, std::string("Fake GPU 1"));
        QCOMPARE(accelerator()->devices()[0].totalBytes, std::int64_t { 4 } << 30);
        QCOMPARE(deviceId(device(1)), std::string("cuda:1"));
    }

    void theContextTakesMemoryAtTheFirstUse()
    {
        const at::Tensor some = at::ones({ 1 }, floats());
        const auto [left, total] =
            c10::getDeviceAllocator(device().type())->getMemoryInfo(/*device=*/0);
        QCOMPARE(static_cast<std::int64_t>(total - left) - reserved(), 64 * kMiB);
    }

    void whoTouchesItsMemoryOnTheHostEnds()
    {
        const at::Tensor there = at::ones({ 256 }, floats());
        const ChildEnd reads = inChild([&] {
            if (valueOf(there) > 0)
                ::_exit(1);
        });
        QCOMPARE(reads.exitCode, fake::kHostAccess);
        QVERIFY2(reads.errors.find("fake device 0: a block of 1024 bytes, 0 allocations old")
                != std::string::npos,
            reads.errors.c_str());
        const ChildEnd writes = inChild([&] { there.mutable_data_ptr<float>()[255] = 1; });
        QCOMPARE(writes.exitCode, fake::kHostAccess);
        QCOMPARE(inChild([&] { QVERIFY(there.sum().item<float>() == 256); }).exitCode, 0);
    }

    void otherFaultsAreNotItsOwn()
    {
        void* const page =
            ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, /*offset=*/0);
        const ChildEnd ended = inChild([&] { *static_cast<volatile int*>(page) = 1; });
        QVERIFY(ended.exitCode != 0 && ended.exitCode != fake::kHostAccess);
    }

    void aLateCopyToTheHostIsThereOnceItsEventIsWaitedFor()
    {
        const at::Tensor there = at::full({ 4 }, 7, floats());
        const at::Tensor here = pinned(4).zero_();
        c10::Event copied(device().type());
        here.copy_(there, /*non_blocking=*/true);
        there.fill_(8); // comes after it
        copied.record(streamOf());
        QVERIFY(std::isnan(valueOf(here)));
        copied.synchronize();
        QCOMPARE(valueOf(here), 7.0F);
    }

    void anEventBeforeTheCopyDoesNotWaitForIt()
    {
        const at::Tensor there = at::full({ 4 }, 7, floats());
        const at::Tensor here = pinned(4);
        c10::Event before(device().type());
        before.record(streamOf());
        here.copy_(there, /*non_blocking=*/true);
        before.synchronize();
        QVERIFY(std::isnan(valueOf(here)));
        QCOMPARE(fake::copiesUnderWay(0), 1);
        streamOf().synchronize();
        QCOMPARE(valueOf(here), 7.0F);
    }

    void aLateCopyToTheDeviceReadsItsSourceLater()
    {
        at::Tensor here = at::ones({ 4 });
        const at::Tensor there = at::empty({ 4 }, floats());
        there.copy_(here, /*non_blocking=*/true);
        here.fill_(2);
        QCOMPARE(there.sum().item<float>(), 8.0F);
        there.copy_(here);
        here.fill_(3);
        QCOMPARE(there.sum().item<float>(), 8.0F);
    }

    void anEventIsNotDoneWhenItIsFirstAsked()
    {
        c10::Event from(device().type(), c10::EventFlag::BACKEND_DEFAULT);
        c10::Event to(device().type(), c10::EventFlag::BACKEND_DEFAULT);
        from.record(streamOf());
        to.record(streamOf());
        QVERIFY(!to.query());
        QVERIFY(!sentenceOf<c10::Error>([&] { from.elapsedTime(to); }).empty());
        to.synchronize();
        QVERIFY(from.query());
        QVERIFY(from.elapsedTime(to) >= 0);
        c10::Event untimed(device().type());
        untimed.record(streamOf());
        untimed.synchronize();
        QVERIFY(!sentenceOf<c10::Error>([&] { from.elapsedTime(untimed); }).empty());
    }

    void freshAndFreedBlocksHoldNoNumbers()
    {
        at::Tensor first = at::empty({ 100 }, floats());
        QVERIFY(at::isnan(first.cpu()).all().item<bool>());
        first.fill_(1);
        const void* const block = first.const_data_ptr();
        first.reset();
        const at::Tensor second = at::empty({ 100 }, floats());
        QCOMPARE(second.const_data_ptr(), block);
        QVERIFY(at::isnan(second.cpu()).all().item<bool>());
    }

    void allocatesInTheSizesOfCuda()
    {
        emptyCache();
        QCOMPARE(reserved(), 0);
        const at::Tensor one = at::empty({ 1 }, bytes());
        QCOMPARE(allocated(), 512);
        QCOMPARE(reserved(), 2 * kMiB);
        const at::Tensor small = at::empty({ kMiB }, bytes());
        QCOMPARE(reserved(), 2 * kMiB);
        const at::Tensor large = at::empty({ kMiB + 1 }, bytes());
        QCOMPARE(reserved(), 22 * kMiB);
        QCOMPARE(allocated(), 512 + kMiB + kMiB + 512);
        const at::Tensor second = at::empty({ 9 * kMiB }, bytes());
        QCOMPARE(reserved(), 22 * kMiB);
        const at::Tensor own = at::empty({ 11 * kMiB }, bytes());
        QCOMPARE(reserved(), 34 * kMiB);
        QCOMPARE(stats().segment[0].current, 3);
        QCOMPARE(stats().requested_bytes[0].current, 1 + kMiB + kMiB + 1 + 20 * kMiB);
    }

    void whatIsFreeBecomesOneBlockAgain()
    {
        emptyCache();
        {
            std::array<at::Tensor, 4> blocks;
            for (at::Tensor& block : blocks)
                block = at::empty({ 512 * 1024 }, bytes());
            QCOMPARE(reserved(), 2 * kMiB);
            for (const std::size_t order : { 1, 3, 0, 2 })
                blocks[order].reset();
        }
        QCOMPARE(allocated(), 0);
        QCOMPARE(fake::releasableBytes(0), 2 * kMiB);
        const at::Tensor whole = at::empty({ kMiB }, bytes());
        QCOMPARE(reserved(), 2 * kMiB);
    }

    void shortMemoryIsTakenBackFromTheCacheFirst()
    {
        emptyCache();
        const auto before = stats();
        accelerator()->limitMemory(device(), 48 * kMiB);
        {
            const at::Tensor passing = at::empty({ 30 * kMiB }, bytes());
        }
        const at::Tensor larger = at::empty({ 40 * kMiB }, bytes());
        QCOMPARE(stats().num_alloc_retries, before.num_alloc_retries + 1);
        QCOMPARE(stats().num_ooms, before.num_ooms);
        const std::string sentence =
            sentenceOf<c10::OutOfMemoryError>([] { at::empty({ 10 * kMiB }, bytes()); });
        QVERIFY2(
            sentence.starts_with("CUDA out of memory. Tried to allocate 10"), sentence.c_str());
        QCOMPARE(stats().num_ooms, before.num_ooms + 1);
        accelerator()->liftMemoryLimit(device());
        const at::Tensor fits = at::empty({ 10 * kMiB }, bytes());
    }

    void oneAllocationIsRefusedOnRequest()
    {
        fake::refuseAllocation(2);
        const at::Tensor first = at::empty({ 10 }, floats());
        QVERIFY(!sentenceOf<c10::OutOfMemoryError>([] { at::empty({ 10 }, floats()); }).empty());
        const at::Tensor third = at::empty({ 10 }, floats());
        QCOMPARE(fake::allocations(), 3);
    }

    void theTwoDevicesAreApart()
    {
        const at::Tensor first = at::ones({ 2 }, floats(0));
        const at::Tensor second = at::ones({ 2 }, floats(1));
        QCOMPARE(second.device(), device(1));
        QCOMPARE(allocated(1), 512);
        QVERIFY(!sentenceOf<c10::Error>([&] { first.add(second); }).empty());
        QVERIFY(!sentenceOf<c10::Error>([&] { first.add(at::ones({ 2 })); }).empty());
        QCOMPARE(first.add(second.to(device(0))).sum().item<float>(), 4.0F);
    }

    void theCurrentDeviceIsTheThreads()
    {
        const c10::DeviceGuard guard(device(1));
        const auto anywhere = at::TensorOptions().device(device().type());
        QCOMPARE(at::empty({ 1 }, anywhere).device(), device(1));
        std::thread([&] { QCOMPARE(at::empty({ 1 }, anywhere).device(), device(0)); }).join();
    }

    void blocksOfABackwardPassAreReportedOnItsThread()
    {
        const auto reports = std::make_shared<Reports>();
        const std::int64_t before = allocated(1);
        {
            const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, reports);
            const at::Tensor input = at::ones({ 1, 1, 8, 8 }, floats(1));
            const at::Tensor weight = at::ones({ 2, 1, 3, 3 }, floats(1)).set_requires_grad(true);
            convolved(input, weight).sum().backward();
            QCOMPARE(allocated(1), before + reports->sum);
            QCOMPARE(reports->allocated, allocated(1));
            QCOMPARE(reports->reserved, reserved(1));
        }
        QCOMPARE(reports->threads.size(), std::size_t { 2 });
        QCOMPARE(reports->devices, std::set<int> { 1 });
    }

    void aConvolutionGoesOnWithoutItsWorkspaceOrDoesNot()
    {
        const at::Tensor input = at::ones({ 1, 1, 8, 8 }, floats());
        const at::Tensor weight = at::ones({ 2, 1, 3, 3 }, floats());
        const double expected = convolved(input, weight).sum().item<double>();
        const auto before = stats();
        accelerator()->limitMemory(device(), reserved());
        fake::setWorkspace(32 * kMiB, fake::ShortWorkspace::GoesOn);
        QCOMPARE(convolved(input, weight).sum().item<double>(), expected);
        QCOMPARE(stats().num_ooms, before.num_ooms + 1);
        fake::setWorkspace(32 * kMiB, fake::ShortWorkspace::Throws);
        const std::string sentence = sentenceOf<c10::Error>([&] { convolved(input, weight); });
        QVERIFY(sentence.starts_with("GET was unable to find an engine"));
        accelerator()->liftMemoryLimit(device());
        QCOMPARE(convolved(input, weight).sum().item<double>(), expected);
    }

    void aLostDeviceAnswersWithNothingButItsError()
    {
        const at::Tensor there = at::ones({ 1, 1, 8, 8 }, floats());
        at::Tensor block = at::ones({ 3 }, floats());
        const at::Tensor weight = at::ones({ 2, 1, 3, 3 }, floats()).set_requires_grad(true);
        c10::Event event(device().type());
        event.record(streamOf());
        fake::failAt(fake::Fault::Backward, 2);
        convolved(there, weight).sum().backward();
        QVERIFY(accelerator()->answers(device()));
        QVERIFY(isLostError([&] { convolved(there, weight).sum().backward(); }));
        QVERIFY(fake::hasFailed(0));
        QVERIFY(!accelerator()->answers(device()));
        QVERIFY(isLostError([&] { there.add(1); }));
        QVERIFY(isLostError([&] { there.cpu(); }));
        QVERIFY(isLostError([&] { event.synchronize(); }));
        QVERIFY(isLostError([&] { emptyCache(); }));
        QVERIFY(isLostError([&] { streamOf().synchronize(); }));
        block.reset(); // needs nothing of the device
        QVERIFY(accelerator()->answers(device(1)));
    }

    void pinnedMemoryOfALostDeviceCannotBeFreed()
    {
        const ChildEnd ended = inChild([] {
            const at::Tensor there = at::ones({ 4 }, floats());
            const at::Tensor here = pinned(4);
            here.copy_(there, /*non_blocking=*/true);
            fake::failAt(fake::Fault::Copy, 1);
            isLostError([] { streamOf().synchronize(); });
        });
        QCOMPARE(ended.signal, SIGABRT);
    }

    void aPassingErrorPasses()
    {
        const at::Tensor there = at::ones({ 1, 1, 8, 8 }, floats());
        const at::Tensor weight = at::ones({ 2, 1, 3, 3 }, floats()).set_requires_grad(true);
        fake::failAt(fake::Fault::Node, 1, /*stays=*/false);
        const std::string sentence =
            sentenceOf<c10::AcceleratorError>([&] { convolved(there, weight).sum().backward(); });
        QVERIFY2(
            sentence.starts_with("CUDA error: invalid configuration argument"), sentence.c_str());
        QVERIFY(accelerator()->answers(device()));
        convolved(there, weight).sum().backward();
    }

    void pinnedMemoryIsKeptUntilItsCopiesAreDone()
    {
        const at::Tensor there = at::ones({ 1000 }, floats());
        at::Tensor here = pinned(1000);
        const void* const block = here.const_data_ptr();
        here.copy_(there, /*non_blocking=*/true);
        here.reset();
        QVERIFY(pinned(1000).const_data_ptr() != block);
        streamOf().synchronize();
        at::Tensor again = pinned(1000);
        QVERIFY(again.is_pinned());
        QVERIFY(!there.cpu().is_pinned());
    }
};

QTEST_GUILESS_MAIN(TestFakeAccelerator)
#include "tst_fake_accelerator.moc"
