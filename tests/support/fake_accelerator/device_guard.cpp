// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <memory>

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "tests/support/fake_accelerator/card.h"

namespace accrue::fake {
namespace {

using Clock = std::chrono::steady_clock;

struct Event {
    Card* card = nullptr;
    bool timed = false;
    std::uint64_t number = 0; // on the card's stream
    Clock::time_point time {};
    bool wasAsked = false; // since it was recorded
};

Event& eventAt(void* event)
{
    return *static_cast<Event*>(event);
}

class DeviceGuardImpl final : public c10::impl::DeviceGuardImplInterface {
public:
    c10::DeviceType type() const override { return c10::kPrivateUse1; }
    c10::Device getDevice() const override { return at(currentDevice()); }
    c10::Device exchangeDevice(c10::Device device) const override
    {
        return at(fake::exchangeDevice(device.index()));
    }
    void setDevice(c10::Device device) const override { fake::exchangeDevice(device.index()); }
    void uncheckedSetDevice(c10::Device device) const noexcept override
    {
        fake::exchangeDevice(device.index());
    }
    c10::DeviceIndex deviceCount() const noexcept override
    {
        return static_cast<c10::DeviceIndex>(cards().size());
    }

    c10::Stream getStream(c10::Device device) const override { return streamOf(device); }
    c10::Stream getDefaultStream(c10::Device device) const override { return streamOf(device); }
    c10::Stream exchangeStream(c10::Stream stream) const override { return stream; } // the one
    bool queryStream(const c10::Stream& stream) const override
    {
        return card(stream.device()).stream.copiesUnderWay() == 0;
    }
    void synchronizeStream(const c10::Stream& stream) const override
    {
        card(stream.device()).stream.waitForAll();
    }
    void synchronizeDevice(c10::DeviceIndex index) const override
    {
        card(at(index)).stream.waitForAll();
    }

    void record(void** event, const c10::Stream& stream, c10::DeviceIndex,
        c10::EventFlag flag) const override
    {
        Card& owner = card(stream.device());
        owner.use();
        const std::uint64_t number = owner.stream.mark();
        if (*event == nullptr)
            *event = new Event;
        eventAt(*event) = { .card = &owner,
            .timed = flag == c10::EventFlag::BACKEND_DEFAULT,
            .number = number,
            .time = Clock::now() };
    }
    void block(void*, const c10::Stream&) const override { } // streams of their own would wait
    void destroyEvent(void* event, c10::DeviceIndex) const noexcept override
    {
        delete static_cast<Event*>(event);
    }
    void synchronizeEvent(void* event) const override
    {
        if (event != nullptr)
            eventAt(event).card->stream.waitFor(eventAt(event).number);
    }
    // The device is never done at the first query, and always at the second.
    bool queryEvent(void* event) const override
    {
        if (event == nullptr)
            return true;
        Event& asked = eventAt(event);
        if (std::exchange(asked.wasAsked, true))
            asked.card->stream.waitFor(asked.number);
        return asked.card->stream.isDone(asked.number);
    }
    double elapsedTime(void* from, void* to, c10::DeviceIndex) const override
    {
        for (void* const event : { from, to }) {
            TORCH_CHECK(event != nullptr && eventAt(event).timed,
                "CUDA error: an event without timing was asked for its time");
            TORCH_CHECK(eventAt(event).card->stream.isDone(eventAt(event).number),
                "CUDA error: device not ready");
        }
        return std::chrono::duration<double, std::milli>(eventAt(to).time - eventAt(from).time)
            .count();
    }

private:
    static c10::Device at(c10::DeviceIndex index) { return { c10::kPrivateUse1, index }; }
    static c10::Stream streamOf(c10::Device device)
    {
        const c10::DeviceIndex index = device.has_index() ? device.index() : currentDevice();
        return c10::Stream(c10::Stream::DEFAULT, at(index));
    }
};

const c10::impl::DeviceGuardImplRegistrar s_registered(
    c10::kPrivateUse1, new DeviceGuardImpl); // borrowed for ever

} // namespace
} // namespace accrue::fake
