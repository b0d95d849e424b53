// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/pixel_table.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <c10/core/Device.h>
#include <c10/util/intrusive_ptr.h>

namespace c10d {
class Backend;
class Store;
} // namespace c10d

namespace accrue {

// A device that the driver offers, whether this engine can use it or not.
struct AcceleratorDevice {
    std::string name; // "NVIDIA H100 80GB HBM3"
    std::int64_t totalBytes = 0; // as its caching allocator counts them
    int major = 0; // compute capability
    int minor = 0;
    std::string pciAddress; // "0000:3b:00.0", for freeBytesOfCard
    std::string problem; // why it does not answer, in the library's words; empty: it answers
};

// Why a library that was loaded for the driver's devices finds none. The versions of CUDA must fit
// each other, so a person needs both.
struct NoDevices {
    std::string reason; // in the library's words; empty: there are devices
    std::string driverVersion; // "12.4", the newest CUDA that the driver supports
    std::string engineVersion; // "13.0", the CUDA that the engine was built for
};

// What a kind of device needs beside LibTorch's own interfaces. It is implemented in a library of
// its own, which is opened only if the driver offers such a device, so that the engine loads
// without CUDA's libraries. That library does not link the engine's base, so no Message crosses
// this interface. Any thread; throws what LibTorch throws.
class Accelerator {
public:
    virtual ~Accelerator() = default;

    virtual c10::DeviceType type() const = 0;
    // In the driver's order. Queried once per process; allocates nothing on them.
    virtual const std::vector<AcceleratorDevice>& devices() const = 0;
    virtual NoDevices problem() const = 0;

    // The counterpart of the gather on the CPU (gather.h). All pointers are memory of `device`,
    // `job.source.indices` are in range and `job.source.count` is at least 1. Enqueued on the
    // device's current stream; must not block.
    virtual void gather(const GatherJob<float>& job, c10::Device device) const = 0;
    virtual void gather(const GatherJob<double>& job, c10::Device device) const = 0;

    // From now on the caching allocator reserves at most `bytes` ≥ 0 of the device.
    virtual void limitMemory(c10::Device device, std::int64_t bytes) const = 0;
    virtual void liftMemoryLimit(c10::Device device) const = 0;

    // Returns to the driver what allocators and libraries cache: blocks of every device,
    // workspaces, pinned host memory. Blocks until the devices are done.
    virtual void giveBackMemory() const = 0;

    // Returns false if the device has failed with an error that stays for as long as the process
    // lives. Blocks until the device is idle. Never throws.
    virtual bool answers(c10::Device device) const = 0;

    // What exchanges tensors of this device with those of other ranks without the host, between
    // all that meet at `store`. Null: there is nothing. All ranks call it.
    virtual c10::intrusive_ptr<c10d::Backend> connect(const c10::intrusive_ptr<c10d::Store>& store,
        int rank, int ranks, c10::Device device, std::chrono::milliseconds timeout) const = 0;
};

// The one symbol of such a library. The number is raised with every change above, so that a library
// of another build is refused with a message instead of a crash.
inline constexpr int kAcceleratorAbi = 4;
inline constexpr const char* kAcceleratorSymbol =
    "accrueAccelerator"; // extern "C" Accelerator* accrueAccelerator(int abi); null: other abi

} // namespace accrue
