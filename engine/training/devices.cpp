// SPDX-License-Identifier: Apache-2.0
#include "engine/training/devices.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <thread>

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <c10/core/CachingDeviceAllocator.h>
#include <torch/cuda.h>
#include <torch/version.h>
#ifdef ACCRUE_CUDA
#include <ATen/cuda/CUDAContext.h>
#include <cuda_runtime_api.h>
#endif

#include "engine/door/engine_error.h"

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
    const auto pageBytes = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
    std::int64_t freeBytes = ::sysconf(_SC_AVPHYS_PAGES) * pageBytes;
    const std::string available = procValue("/proc/meminfo", "MemAvailable"); // "123456 kB"
    std::int64_t kibibytes = 0;
    if (std::from_chars(available.data(), available.data() + available.size(), kibibytes).ec
        == std::errc())
        freeBytes = kibibytes * 1024;
    const int cores = usableCores();
    return { .id = "cpu",
        .name = deviceName(at::kCPU),
        .totalBytes = ::sysconf(_SC_PHYS_PAGES) * pageBytes,
        .freeBytes = freeBytes,
        .detail = std::to_string(cores) + (cores == 1 ? " core" : " cores") };
}

// The driver's own version through NVML, opened at run time because machines without a driver have
// none; its types are plain enough to need no header.
std::string driverVersion()
{
    void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return {};
    const auto init = reinterpret_cast<int (*)()>(::dlsym(library, "nvmlInit_v2"));
    const auto version =
        reinterpret_cast<int (*)(char*, unsigned)>(::dlsym(library, "nvmlSystemGetDriverVersion"));
    const auto shutdown = reinterpret_cast<int (*)()>(::dlsym(library, "nvmlShutdown"));
    std::string text(80, '\0'); // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
    const bool known = init != nullptr && version != nullptr && shutdown != nullptr && init() == 0
        && version(text.data(), static_cast<unsigned>(text.size())) == 0;
    if (known)
        shutdown();
    ::dlclose(library);
    return known ? text.substr(0, text.find('\0')) : std::string();
}

#ifdef ACCRUE_CUDA
int cudaDeviceCount()
{
    return static_cast<int>(torch::cuda::device_count());
}

DeviceInfo describeCuda(int index)
{
    const cudaDeviceProp* properties =
        at::cuda::getDeviceProperties(static_cast<c10::DeviceIndex>(index));
    std::string detail =
        "sm_" + std::to_string(properties->major) + std::to_string(properties->minor);
    if (const std::string driver = driverVersion(); !driver.empty())
        detail += ", driver " + driver;
    const auto memory =
        c10::getDeviceAllocator(at::kCUDA)->getMemoryInfo(static_cast<c10::DeviceIndex>(index));
    return { .id = kCudaPrefix + std::to_string(index),
        .name = properties->name,
        .totalBytes = static_cast<std::int64_t>(memory.second),
        .freeBytes = static_cast<std::int64_t>(memory.first),
        .detail = detail };
}

std::string cudaBuilt()
{
    return std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
}
#else
int cudaDeviceCount()
{
    return 0; // without our kernels no CUDA device can be used
}

DeviceInfo describeCuda(int)
{
    return {};
}

std::string cudaBuilt()
{
    return {};
}
#endif

std::string whatWasFound()
{
    if (cudaBuilt().empty())
        return "this engine was built without CUDA";
    const int count = cudaDeviceCount();
    if (count == 0)
        return driverVersion().empty() ? "no NVIDIA driver answers on this machine"
                                       : "the driver offers no CUDA device";
    std::string found = "this machine has";
    for (int index = 0; index < count; ++index)
        found += (index == 0 ? " " : ", ") + describeCuda(index).id;
    return found;
}

} // namespace

std::vector<DeviceInfo> listDevices()
{
    std::vector<DeviceInfo> devices { describeCpu() };
    for (int index = 0; index < cudaDeviceCount(); ++index)
        devices.push_back(describeCuda(index));
    return devices;
}

at::Device resolveDevice(const std::string& name)
{
    const int count = name == "cpu" ? 0 : cudaDeviceCount();
    if (name == "cpu" || (name == "auto" && count == 0))
        return at::kCPU;
    int index = name == "auto" || name == "cuda" ? 0 : -1;
    if (name.rfind(kCudaPrefix, 0) == 0) {
        const char* digits = name.c_str() + std::string_view(kCudaPrefix).size();
        const auto parsed = std::from_chars(digits, name.c_str() + name.size(), index);
        if (parsed.ec != std::errc() || parsed.ptr != name.c_str() + name.size())
            index = -1;
    }
    if (index >= 0 && index < count)
        return { at::kCUDA, static_cast<c10::DeviceIndex>(index) };
    throw EngineError("run.device is " + name + ", but " + whatWasFound()
        + "; set run.device = cpu to train on the processor, or auto to take what there is.");
}

std::string deviceName(at::Device device)
{
    if (!device.is_cpu())
        return describeCuda(device.index()).name;
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
        .cudaDriver = driverVersion(),
        .kernels = ACCRUE_KERNELS };
}

} // namespace accrue
