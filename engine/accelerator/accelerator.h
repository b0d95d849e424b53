// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/augmentation.h"
#include "engine/data/pixel_table.h"

#include <cstdint>
#include <string>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// A device of an accelerator that the driver shows, whether this engine can use it or not.
struct AcceleratorDevice {
    std::string name; // "NVIDIA H100 80GB HBM3"
    std::int64_t totalBytes = 0; // as its caching allocator counts them
    int major = 0; // compute capability
    int minor = 0;
    std::string pciAddress; // "0000:3b:00.0", as Nvml takes it
    std::string problem; // why it does not answer, "does not answer: …"; empty: it does
};

// What a kind of device needs beside LibTorch's own interfaces. It stands behind a library of its
// own, which is opened only where there is such a device, so that the engine loads without CUDA's
// libraries. Any thread; throws what LibTorch throws.
class Accelerator {
public:
    virtual ~Accelerator() = default;

    virtual c10::DeviceType type() const = 0;
    // As the driver numbers them. Looked up once a process; takes no memory of them.
    virtual const std::vector<AcceleratorDevice>& devices() const = 0;
    // Why there are none, though the driver offers some, a sentence without its full stop; empty:
    // there are.
    virtual std::string problem() const = 0;

    // The twin of the gather on the CPU (gather.h). All pointers are memory of `device`,
    // `source.indices` are in range and `source.count` is at least 1. Enqueued on the device's
    // current stream; must not block.
    virtual void gather(const GatherSource& source, const PixelTable<float>& table,
        const Augmentation& augmentation, float* images, std::int64_t* labels,
        c10::Device device) const = 0;
    virtual void gather(const GatherSource& source, const PixelTable<double>& table,
        const Augmentation& augmentation, double* images, std::int64_t* labels,
        c10::Device device) const = 0;

    // From now on the caching allocator reserves at most `bytes` ≥ 0 of the device.
    virtual void limitMemory(c10::Device device, std::int64_t bytes) const = 0;
    virtual void liftMemoryLimit(c10::Device device) const = 0;

    // Gives back all that allocators and libraries keep for later: cached blocks of every device,
    // workspaces, pinned host memory. Blocks until the devices are done.
    virtual void giveBackMemory() const = 0;

    // False: the device has failed with an error that stays for as long as the process lives.
    // Blocks until it is done. Never throws.
    virtual bool answers(c10::Device device) const = 0;
};

// The one symbol of such a library. The number is raised with every change above, so that a library
// of another build is refused in a sentence.
inline constexpr int kAcceleratorAbi = 1;
inline constexpr const char* kAcceleratorSymbol =
    "accrueAccelerator"; // extern "C" Accelerator* accrueAccelerator(int abi); null: other abi

} // namespace accrue
