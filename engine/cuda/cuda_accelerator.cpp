// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include "engine/accelerator/accelerator.h"
#include "engine/cuda/gather_kernels.h"

namespace accrue {
namespace {

std::string pciAddress(const cudaDeviceProp& properties)
{
    std::array<char, 32> text {};
    std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", properties.pciDomainID,
        properties.pciBusID, properties.pciDeviceID);
    return text.data();
}

// Without a context on the device, which would hold memory of cards that no run uses.
AcceleratorDevice describe(int index)
{
    AcceleratorDevice device;
    cudaDeviceProp properties {};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, index);
        status != cudaSuccess) {
        cudaGetLastError(); // or the next call that is checked would find it
        device.problem = std::string("does not answer: ") + cudaGetErrorString(status);
        return device;
    }
    device.name = properties.name;
    device.totalBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    device.major = properties.major;
    device.minor = properties.minor;
    device.pciAddress = pciAddress(properties);
    return device;
}

std::vector<AcceleratorDevice> describeAll()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    std::vector<AcceleratorDevice> devices;
    devices.reserve(static_cast<std::size_t>(count));
    for (int index = 0; index < count; ++index)
        devices.push_back(describe(index));
    return devices;
}

class CudaAccelerator final : public Accelerator {
public:
    c10::DeviceType type() const override { return c10::kCUDA; }

    const std::vector<AcceleratorDevice>& devices() const override
    {
        static const std::vector<AcceleratorDevice> all = describeAll();
        return all;
    }

    void gather(const GatherSource& source, const PixelTable<float>& table,
        const Augmentation& augmentation, float* images, std::int64_t* labels,
        c10::Device device) const override
    {
        launch(source, table, augmentation, images, labels, device);
    }

    void gather(const GatherSource& source, const PixelTable<double>& table,
        const Augmentation& augmentation, double* images, std::int64_t* labels,
        c10::Device device) const override
    {
        launch(source, table, augmentation, images, labels, device);
    }

    // The allocator takes a share of what it counts as the device's memory, totalGlobalMem.
    void limitMemory(c10::Device device, std::int64_t bytes) const override
    {
        const auto total =
            static_cast<double>(devices().at(static_cast<std::size_t>(device.index())).totalBytes);
        c10::cuda::CUDACachingAllocator::setMemoryFraction(
            static_cast<double>(bytes) / total, device.index());
    }

    void liftMemoryLimit(c10::Device device) const override
    {
        c10::cuda::CUDACachingAllocator::setMemoryFraction(1.0, device.index());
    }

    void giveBackMemory() const override
    {
        if (!c10::cuda::CUDACachingAllocator::get()->initialized())
            return; // nothing was ever computed
        at::cuda::clearCublasWorkspaces();
        c10::cuda::CUDACachingAllocator::emptyCache();
        at::getHostAllocator(c10::kCUDA)->empty_cache();
    }

    bool answers(c10::Device device) const override
    {
        int before = 0;
        cudaGetDevice(&before);
        cudaSetDevice(device.index());
        cudaDeviceSynchronize(); // an error that does not stay is told and forgotten here
        cudaGetLastError();
        const bool fine = cudaDeviceSynchronize() == cudaSuccess;
        cudaSetDevice(before);
        return fine;
    }

private:
    template <typename T>
    void launch(const GatherSource& source, const PixelTable<T>& table,
        const Augmentation& augmentation, T* images, std::int64_t* labels, c10::Device device) const
    {
        const c10::cuda::CUDAGuard guard(device);
        launchGather(source, table, augmentation, images, labels,
            c10::cuda::getCurrentCUDAStream().stream());
    }
};

} // namespace
} // namespace accrue

// The one symbol of this library (engine/accelerator/accelerator.h).
extern "C" __attribute__((visibility("default"))) const accrue::Accelerator* accrueAccelerator(
    int abi)
{
    static const accrue::CudaAccelerator accelerator;
    return abi == accrue::kAcceleratorAbi ? &accelerator : nullptr;
}
