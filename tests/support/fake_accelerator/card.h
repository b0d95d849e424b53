// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fake_accelerator/block_cache.h"
#include "tests/support/fake_accelerator/device_memory.h"
#include "tests/support/fake_accelerator/stream.h"

#include <atomic>
#include <cstdint>
#include <deque>

#include <c10/core/Device.h>

namespace accrue::fake {

// One fake device.
struct Card {
    Card(c10::DeviceIndex number, std::int64_t totalBytes);

    // Before a kernel of any kind; `expects` the c10::AcceleratorError of a fault that is due.
    void beginKernel();
    // A kernel that computes, where a micro-batch's forward and a node's work may fail.
    void beginComputing();
    void gathered() { justGathered = true; }
    void use(); // makes the context

    const c10::DeviceIndex index;
    DeviceMemory& memory;
    Stream stream;
    BlockCache cache;
    std::atomic<bool> inUse { false }; // there is a context
    std::atomic<bool> justGathered { false };
};

// Made at the first call, and never unmade.
std::deque<Card>& cards();
Card& card(c10::Device device);
Card* cardAt(const void* address); // whose memory it is; null: none's

// The thread's current device.
c10::DeviceIndex currentDevice();
c10::DeviceIndex exchangeDevice(c10::DeviceIndex index); // returns the one before

} // namespace accrue::fake
