// SPDX-License-Identifier: Apache-2.0
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/DeviceType.h>

#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/device_allocator.h"
#include "tests/support/fake_accelerator/pinned_allocator.h"

namespace accrue::fake {
namespace {

struct Hooks final : at::PrivateUse1HooksInterface {
    void init() const override { DeviceAllocator::instance().initialize(); }
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return !cards().empty(); }
    c10::DeviceIndex deviceCount() const override
    {
        return static_cast<c10::DeviceIndex>(cards().size());
    }
    bool hasPrimaryContext(c10::DeviceIndex index) const override
    {
        return cards().at(static_cast<std::size_t>(index)).inUse;
    }

    c10::DeviceIndex getCurrentDevice() const override { return currentDevice(); }
    void setCurrentDevice(c10::DeviceIndex index) const override { fake::exchangeDevice(index); }
    c10::DeviceIndex exchangeDevice(c10::DeviceIndex index) const override
    {
        return fake::exchangeDevice(index);
    }
    c10::DeviceIndex maybeExchangeDevice(c10::DeviceIndex index) const override
    {
        return fake::exchangeDevice(index);
    }

    bool isPinnedPtr(const void* address) const override
    {
        return PinnedAllocator::instance().contains(address);
    }
    c10::Allocator* getPinnedMemoryAllocator() const override
    {
        return &PinnedAllocator::instance();
    }
    at::Device getDeviceFromPtr(void* address) const override
    {
        const Card* const owner = cardAt(address);
        TORCH_CHECK(owner != nullptr, "not memory of a fake device: ", address);
        return { c10::kPrivateUse1, owner->index };
    }
    // Nothing draws random numbers on the device.
    const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override
    {
        return at::detail::getDefaultCPUGenerator();
    }
};

const bool s_registered = [] {
    c10::register_privateuse1_backend("fake");
    at::RegisterPrivateUse1HooksInterface(new Hooks); // borrowed for ever
    return true;
}();

} // namespace
} // namespace accrue::fake
