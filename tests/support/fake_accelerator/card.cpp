// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/card.h"

#include <c10/util/Exception.h>
#include <torch/csrc/autograd/function.h>

#include "tests/support/fake_accelerator/environment.h"
#include "tests/support/fake_accelerator/fault_plan.h"
#include "tests/support/fake_accelerator/host_access.h"

namespace accrue::fake {
namespace {

thread_local c10::DeviceIndex t_current = 0;

std::deque<Card>& madeCards()
{
    auto* const made = new std::deque<Card>; // storages are freed after static objects
    const std::int64_t total = numberOf("ACCRUE_FAKE_TOTAL", std::int64_t { 4 } << 30);
    for (std::int64_t index = 0; index < numberOf("ACCRUE_FAKE_DEVICES", 2); ++index)
        made->emplace_back(static_cast<c10::DeviceIndex>(index), total);
    return *made;
}

} // namespace

Card::Card(c10::DeviceIndex number, std::int64_t totalBytes)
    : index(number)
    , memory(*new DeviceMemory(2 * static_cast<std::size_t>(totalBytes)))
    , cache(memory, c10::Device(c10::kPrivateUse1, number), totalBytes)
{
}

void Card::use()
{
    if (!inUse.exchange(true))
        cache.takeContext();
}

void Card::beginKernel()
{
    use();
    stream.beginKernel();
}

void Card::beginComputing()
{
    FaultPlan& plan = FaultPlan::instance();
    if (justGathered.exchange(false) && plan.happens(Fault::Forward))
        stream.fail();
    if (torch::autograd::get_current_node() != nullptr && plan.happens(Fault::Node))
        stream.fail();
    beginKernel();
}

std::deque<Card>& cards()
{
    static std::deque<Card>& all = []() -> std::deque<Card>& {
        std::deque<Card>& made = madeCards();
        watchHostAccess();
        return made;
    }();
    return all;
}

Card& card(c10::Device device)
{
    TORCH_CHECK(device.is_privateuseone(), "expected a fake device, but got ", device);
    return cards().at(static_cast<std::size_t>(device.index()));
}

Card* cardAt(const void* address)
{
    for (Card& one : cards())
        if (one.memory.contains(address))
            return &one;
    return nullptr;
}

c10::DeviceIndex currentDevice()
{
    return t_current;
}

c10::DeviceIndex exchangeDevice(c10::DeviceIndex index)
{
    if (index < 0)
        return t_current;
    TORCH_CHECK(
        static_cast<std::size_t>(index) < cards().size(), "CUDA error: invalid device ordinal");
    return std::exchange(t_current, index);
}

} // namespace accrue::fake
