// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/fake_accelerator.h"

#include <sstream>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "engine/accelerator/accelerator.h"
#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/device_allocator.h"
#include "tests/support/fake_accelerator/environment.h"
#include "tests/support/fake_accelerator/fault_plan.h"
#include "tests/support/fake_accelerator/pinned_allocator.h"

namespace accrue::fake {
namespace {

std::vector<AcceleratorDevice> describeAll()
{
    const auto words = wordsOf("ACCRUE_FAKE_CAPABILITY");
    std::istringstream capability(words.empty() ? "9.0" : words.front());
    int major = 0;
    int minor = 0;
    char point = '.';
    capability >> major >> point >> minor;
    std::vector<AcceleratorDevice> all;
    for (const Card& one : cards())
        all.push_back({ .name = "Fake GPU " + std::to_string(int { one.index }),
            .totalBytes = one.cache.totalBytes(),
            .major = major,
            .minor = minor,
            .pciAddress = {},
            .problem = {} });
    return all;
}

std::vector<AcceleratorDevice>& described()
{
    static std::vector<AcceleratorDevice> all = describeAll();
    return all;
}

// The twin of the engine's on the CPU; what a kernel on CUDA would read beyond is an error here.
template <typename T> void gatherOn(const Card& card, const GatherJob<T>& job)
{
    const auto ofKernels = [&](auto* address) {
        return reinterpret_cast<decltype(address)>(card.memory.ofKernels(address));
    };
    const GatherSource& source = job.source;
    const auto* const samples = reinterpret_cast<const std::uint8_t*>(ofKernels(source.images));
    const auto* const labelOf = reinterpret_cast<const std::int64_t*>(ofKernels(source.labels));
    const auto* const indices = reinterpret_cast<const std::int64_t*>(ofKernels(source.indices));
    T* to = ofKernels(job.images);
    for (std::int64_t position = 0; position < source.count; ++position) {
        const std::int64_t sample = indices[position];
        const std::uint8_t* plane = samples + sample * source.channels * source.plane();
        TORCH_CHECK(sample >= 0
                && card.memory.contains(source.images + sample * source.channels * source.plane()),
            "CUDA error: device-side assert triggered: sample ", sample, " is gathered");
        const DrawnAugmentation drawn =
            drawAugmentation(job.augmentation, sample, source.height, source.width);
        ofKernels(job.labels)[position] = labelOf[sample];
        for (std::int64_t channel = 0; channel < source.channels; ++channel) {
            for (std::int64_t y = 0; y < source.height; ++y)
                for (std::int64_t x = 0; x < source.width; ++x)
                    *to++ = augmentedPixel(plane, job.table.values.data() + channel * kPixelValues,
                        source.height, source.width, job.augmentation.cutoutSize, drawn, y, x);
            plane += source.plane();
        }
    }
}

class FakeAccelerator final : public Accelerator {
public:
    c10::DeviceType type() const override { return c10::kPrivateUse1; }
    const std::vector<AcceleratorDevice>& devices() const override { return described(); }
    NoDevices problem() const override { return {}; }

    void gather(const GatherJob<float>& job, c10::Device device) const override
    {
        launch(job, device);
    }
    void gather(const GatherJob<double>& job, c10::Device device) const override
    {
        launch(job, device);
    }

    void limitMemory(c10::Device device, std::int64_t bytes) const override
    {
        card(device).cache.limit(bytes);
    }
    void liftMemoryLimit(c10::Device device) const override
    {
        card(device).cache.limit(card(device).cache.totalBytes());
    }

    void giveBackMemory() const override
    {
        for (Card& one : cards())
            one.stream.waitForAll();
        DeviceAllocator::instance().emptyCache();
        PinnedAllocator::instance().empty_cache();
    }

    bool answers(c10::Device device) const override
    {
        try {
            card(device).stream.waitForAll();
            return true;
        } catch (const c10::Error&) {
            return !card(device).stream.hasFailed();
        }
    }

    c10::intrusive_ptr<c10d::Backend> connect(const c10::intrusive_ptr<c10d::Store>& /*store*/,
        int /*rank*/, int /*ranks*/, c10::Device /*device*/,
        std::chrono::milliseconds /*timeout*/) const override
    {
        return {};
    }

private:
    template <typename T> static void launch(const GatherJob<T>& job, c10::Device device)
    {
        const GatherSource& source = job.source;
        Card& owner = card(device);
        owner.beginKernel();
        for (const void* const address : { static_cast<const void*>(source.images),
                 static_cast<const void*>(source.labels), static_cast<const void*>(source.indices),
                 static_cast<const void*>(job.images), static_cast<const void*>(job.labels) })
            TORCH_CHECK(owner.memory.contains(address),
                "CUDA error: an illegal memory access was encountered: ", address,
                " is no memory of ", device);
        gatherOn(owner, job);
        owner.gathered();
    }
};

} // namespace

void failAt(Fault fault, std::int64_t number, bool stays)
{
    FaultPlan::instance().set(fault, number, stays);
}

bool hasFailed(int device)
{
    return cards().at(static_cast<std::size_t>(device)).stream.hasFailed();
}

void repair()
{
    failAt(Fault::None, 0);
    for (Card& one : cards())
        one.stream.repair();
}

void refuseAllocation(std::int64_t number)
{
    FaultPlan::instance().refuseAllocation(number);
}

std::int64_t allocations()
{
    return FaultPlan::instance().allocations();
}

void setCapability(int device, int major, int minor)
{
    AcceleratorDevice& one = described().at(static_cast<std::size_t>(device));
    one.major = major;
    one.minor = minor;
}

std::int64_t releasableBytes(int device)
{
    return cards().at(static_cast<std::size_t>(device)).cache.releasableBytes();
}

std::int64_t copiesUnderWay(int device)
{
    return cards().at(static_cast<std::size_t>(device)).stream.copiesUnderWay();
}

} // namespace accrue::fake

// As engine/accelerator/accelerator.h has it.
extern "C" ACCRUE_FAKE_API const accrue::Accelerator* accrueAccelerator(int abi)
{
    static const accrue::fake::FakeAccelerator accelerator;
    return abi == accrue::kAcceleratorAbi ? &accelerator : nullptr;
}
