// SPDX-License-Identifier: Apache-2.0
#include "engine/training/devices.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <thread>

#include <sched.h>

#include <torch/cuda.h>
#include <torch/version.h>
#ifdef ACCRUE_CUDA
#include <cuda_runtime_api.h>
#endif

#include "engine/door/engine_error.h"
#include "engine/door/host_memory.h"
#include "engine/training/nvml.h"

namespace accrue {
namespace {

constexpr const char* kCudaPrefix = "cuda:";

// The value after ':' of the first line of a /proc file that begins with `key`.
std::string procValue(const char* file, const std::string& key)
{
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const auto colon = line.find(':');
        if (line.rfind(key, 0) != 0 || colon == std::string::npos)
            continue;
        const auto begin = line.find_first_not_of(" \t", colon + 1);
        return begin == std::string::npos ? std::string() : line.substr(begin);
    }
    return {};
}

DeviceInfo describeCpu()
{
    const HostMemory memory = hostMemory();
    const int cores = usableCores();
    return { .id = "cpu",
        .name = deviceName(at::kCPU),
        .totalBytes = memory.totalBytes,
        .freeBytes = memory.freeBytes,
        .detail = std::to_string(cores) + (cores == 1 ? " core" : " cores") };
}

// A CUDA device that the driver shows, whether this engine can use it or not.
struct FoundDevice {
    DeviceInfo info;
    std::string pciAddress;
    std::string problem; // "is sm_61, older than …"; empty: it can be used
};

std::string architecture(int major, int minor)
{
    return "sm_" + std::to_string(major) + std::to_string(minor);
}

#ifdef ACCRUE_CUDA
std::string pciAddress(const cudaDeviceProp& properties)
{
    std::array<char, 32> text {};
    std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", properties.pciDomainID,
        properties.pciBusID, properties.pciDeviceID);
    return text.data();
}

// Without a context on the device, which would hold memory of cards that no run uses.
FoundDevice findCuda(int index)
{
    FoundDevice found;
    found.info.id = kCudaPrefix + std::to_string(index);
    cudaDeviceProp properties {};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, index);
        status != cudaSuccess) {
        cudaGetLastError(); // or the next call that is checked would find it
        found.problem = std::string("does not answer: ") + cudaGetErrorString(status);
        return found;
    }
    found.info.name = properties.name;
    found.info.totalBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    found.info.freeBytes = -1;
    found.info.detail = architecture(properties.major, properties.minor);
    found.pciAddress = pciAddress(properties);
    found.problem = capabilityProblem(properties.major, properties.minor);
    return found;
}

std::vector<FoundDevice> findCudaDevices()
{
    const auto count = static_cast<int>(torch::cuda::device_count());
    std::vector<FoundDevice> devices;
    for (int index = 0; index < count; ++index)
        devices.push_back(findCuda(index));
    return devices;
}

std::string cudaBuilt()
{
    return std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
}
#else
std::vector<FoundDevice> findCudaDevices()
{
    return {}; // without our kernels no CUDA device can be used
}

std::string cudaBuilt()
{
    return {};
}
#endif

// What the driver's management library knows beside.
DeviceInfo describeCuda(const FoundDevice& device, const Nvml& nvml)
{
    DeviceInfo info = device.info;
    if (const auto freeBytes = nvml.freeBytes(device.pciAddress))
        info.freeBytes = std::min(*freeBytes, info.totalBytes);
    if (const std::string driver = nvml.driverVersion(); !driver.empty())
        info.detail += ", driver " + driver;
    return info;
}

// "cuda:0 (NVIDIA TITAN Xp) is sm_61, older than sm_75, …"; empty: all can be used.
std::string cudaProblem(const std::vector<FoundDevice>& devices)
{
    std::string problem;
    for (const FoundDevice& device : devices)
        if (!device.problem.empty())
            problem += (problem.empty() ? "" : "; ") + device.info.id
                + (device.info.name.empty() ? " " : " (" + device.info.name + ") ")
                + device.problem;
    return problem;
}

std::string whatWasFound(const std::vector<FoundDevice>& devices)
{
    if (cudaBuilt().empty())
        return "this engine was built without CUDA";
    if (devices.empty())
        return Nvml().driverVersion().empty() ? "no NVIDIA driver answers on this machine"
                                              : "the driver offers no CUDA device";
    std::string found = "this machine has";
    for (const FoundDevice& device : devices)
        found += (&device == &devices.front() ? " " : ", ") + device.info.id;
    const std::string problem = cudaProblem(devices);
    return problem.empty() ? found : found + ", and " + problem;
}

// The index behind "cuda:1"; -1: it is not written so.
int indexOf(const std::string& name)
{
    const std::string_view prefix(kCudaPrefix);
    if (name.rfind(prefix, 0) != 0)
        return -1;
    int index = -1;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, index);
    return parsed.ec == std::errc() && parsed.ptr == end ? index : -1;
}

} // namespace

std::string capabilityProblem(int major, int minor)
{
    constexpr int kOldest = ACCRUE_OLDEST_ARCHITECTURE;
    if (major * 10 + minor >= kOldest)
        return {};
    return "is " + architecture(major, minor) + ", older than "
        + architecture(kOldest / 10, kOldest % 10) + ", the oldest that this engine computes on";
}

std::vector<DeviceInfo> listDevices()
{
    std::vector<DeviceInfo> devices { describeCpu() };
    const Nvml nvml;
    for (const FoundDevice& device : findCudaDevices())
        if (device.problem.empty())
            devices.push_back(describeCuda(device, nvml));
    return devices;
}

at::Device resolveDevice(const std::string& name)
{
    if (name == "cpu")
        return at::kCPU;
    const std::vector<FoundDevice> devices = findCudaDevices();
    const bool any = name == "auto" || name == "cuda";
    const int wanted = indexOf(name);
    for (std::size_t index = 0; index < devices.size(); ++index)
        if (devices[index].problem.empty() && (any || wanted == static_cast<int>(index)))
            return { at::kCUDA, static_cast<c10::DeviceIndex>(index) };
    if (name == "auto")
        return at::kCPU;
    throw EngineError("run.device is " + name + ", but " + whatWasFound(devices)
        + "; set run.device = cpu to train on the processor, or auto to take what there is.");
}

std::string deviceName(at::Device device)
{
    if (!device.is_cpu())
        return findCudaDevices().at(static_cast<std::size_t>(device.index())).info.name;
    const std::string model = procValue("/proc/cpuinfo", "model name");
    return model.empty() ? "processor" : model;
}

int usableCores()
{
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return std::max(1, CPU_COUNT(&allowed));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

EngineVersions engineVersions()
{
    return { .torch = TORCH_VERSION,
        .cudaBuilt = cudaBuilt(),
        .cudaDriver = Nvml().driverVersion(),
        .cudaProblem = cudaProblem(findCudaDevices()),
        .kernels = ACCRUE_KERNELS };
}

} // namespace accrue
