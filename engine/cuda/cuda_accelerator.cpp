// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>

#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include "engine/accelerator/accelerator.h"
#include "engine/cuda/gather_kernels.h"
#include "engine/cuda/nccl_backend.h"

namespace accrue {
namespace {

std::string pciAddress(const cudaDeviceProp& properties)
{
    std::array<char, 32> text {};
    std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", properties.pciDomainID,
        properties.pciBusID, properties.pciDeviceID);
    return text.data();
}

// Creates no context on the device, which would occupy memory of cards that no run uses.
AcceleratorDevice describe(int index)
{
    AcceleratorDevice device;
    cudaDeviceProp properties {};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, index);
        status != cudaSuccess) {
        cudaGetLastError(); // otherwise the next checked call would report it
        device.problem = cudaGetErrorString(status);
        return device;
    }
    device.name = properties.name;
    device.totalBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    device.major = properties.major;
    device.minor = properties.minor;
    device.pciAddress = pciAddress(properties);
    return device;
}

std::string versionText(int version) // 13000
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

NoDevices whyNone(cudaError_t status)
{
    int driver = 0;
    cudaDriverGetVersion(&driver);
    cudaGetLastError();
    return { cudaGetErrorString(status), versionText(driver), versionText(CUDART_VERSION) };
}

struct Found {
    std::vector<AcceleratorDevice> devices {};
    NoDevices problem {};
};

Found findAll()
{
    int count = 0;
    if (const cudaError_t status = cudaGetDeviceCount(&count); status != cudaSuccess)
        return { .problem = whyNone(status) };
    Found all;
    for (int index = 0; index < count; ++index)
        all.devices.push_back(describe(index));
    return all;
}

const Found& found()
{
    static const Found once = findAll();
    return once;
}

// Errors after which cuda_runtime_api.h says that the context cannot be used again. Others pass,
// for example when another process has the card in exclusive mode.
bool stays(cudaError_t status)
{
    constexpr std::array kStaying { cudaErrorECCUncorrectable, cudaErrorNvlinkUncorrectable,
        cudaErrorIllegalAddress, cudaErrorLaunchTimeout, cudaErrorAssert,
        cudaErrorHardwareStackError, cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
        cudaErrorInvalidAddressSpace, cudaErrorInvalidPc, cudaErrorLaunchFailure,
        cudaErrorUnknown };
    return std::find(kStaying.begin(), kStaying.end(), status) != kStaying.end();
}

// An error that stays is returned by every call from then on, so two calls distinguish it from one
// that an earlier launch left behind.
bool hasFailed(c10::DeviceIndex device)
{
    if (stays(cudaSetDevice(device)))
        return true;
    cudaDeviceSynchronize(); // reports a passing error, which the next call then clears
    cudaGetLastError();
    return stays(cudaDeviceSynchronize());
}

class CudaAccelerator final : public Accelerator {
public:
    c10::DeviceType type() const override { return c10::kCUDA; }

    const std::vector<AcceleratorDevice>& devices() const override { return found().devices; }
    NoDevices problem() const override { return found().problem; }

    void gather(const GatherJob<float>& job, c10::Device device) const override
    {
        launch(job, device);
    }
    void gather(const GatherJob<double>& job, c10::Device device) const override
    {
        launch(job, device);
    }

    // The allocator expects a share of what it counts as the device's memory, totalGlobalMem.
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
        // First, because a workspace is a block of the allocator, which retains blocks in use.
        at::cuda::clearCublasWorkspaces();
        c10::cuda::CUDACachingAllocator::emptyCache();
        at::getHostAllocator(c10::kCUDA)->empty_cache();
    }

    bool answers(c10::Device device) const override
    {
        if (!c10::cuda::hasPrimaryContext(device.index()))
            return true; // nothing was computed on it
        int before = 0; // the caller's current device, which the check changes
        cudaGetDevice(&before);
        const bool failed = hasFailed(device.index());
        // creates no context there
        c10::cuda::MaybeSetDevice(static_cast<c10::DeviceIndex>(before));
        return !failed;
    }

    c10::intrusive_ptr<c10d::Backend> connect(const c10::intrusive_ptr<c10d::Store>& store,
        int rank, int ranks, c10::Device device, std::chrono::milliseconds timeout) const override
    {
        return ncclBackend(store, rank, ranks, device, timeout);
    }

private:
    template <typename T> static void launch(const GatherJob<T>& job, c10::Device device)
    {
        const c10::cuda::CUDAGuard guard(device);
        launchGather(job, c10::cuda::getCurrentCUDAStream().stream());
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
