// SPDX-License-Identifier: Apache-2.0
#include "engine/training/devices.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <sched.h>

#include <torch/version.h>

#include "engine/accelerator/accelerators.h"
#include "engine/door/engine_error.h"
#include "engine/door/host_memory.h"
#include "engine/training/nvml.h"

namespace accrue {
namespace {

constexpr std::string_view kCudaPrefix = "cuda:";
constexpr auto kCudaBuilt = std::string_view(ACCRUE_CUDA_VERSION); // empty: without

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

std::string architecture(int major, int minor)
{
    return "sm_" + std::to_string(major) + std::to_string(minor);
}

// All that the driver shows, whether this engine can use them or not.
const std::vector<AcceleratorDevice>& foundDevices()
{
    static const std::vector<AcceleratorDevice> none;
    return accelerator() == nullptr ? none : accelerator()->devices();
}

std::string problemOf(const AcceleratorDevice& device)
{
    return device.problem.empty() ? capabilityProblem(device.major, device.minor) : device.problem;
}

at::Device deviceAt(std::size_t index)
{
    return { accelerator()->type(), static_cast<c10::DeviceIndex>(index) };
}

// What the driver's management library knows beside.
DeviceInfo describeDevice(std::size_t index)
{
    const Nvml& nvml = Nvml::ofProcess();
    const AcceleratorDevice& device = foundDevices()[index];
    DeviceInfo info { .id = deviceId(deviceAt(index)),
        .name = device.name,
        .totalBytes = device.totalBytes,
        .freeBytes = -1,
        .detail = architecture(device.major, device.minor),
        .computesBFloat16 = device.major >= 8,
        .lost = isLost(deviceAt(index)) };
    if (const auto freeBytes = nvml.freeBytes(device.pciAddress))
        info.freeBytes = std::min(*freeBytes, info.totalBytes);
    if (const std::string driver = nvml.driverVersion(); !driver.empty())
        info.detail += ", driver " + driver;
    return info;
}

// "cuda:0 (NVIDIA TITAN Xp) is sm_61, older than sm_75, …"; empty: all can be used.
std::string cudaProblem()
{
    std::string problem = acceleratorProblem();
    const auto& devices = foundDevices();
    for (std::size_t index = 0; index < devices.size(); ++index)
        if (const std::string why = problemOf(devices[index]); !why.empty())
            problem += (problem.empty() ? "" : "; ") + deviceId(deviceAt(index))
                + (devices[index].name.empty() ? " " : " (" + devices[index].name + ") ") + why;
    return problem;
}

std::string whatWasFound()
{
    if (kCudaBuilt.empty())
        return "this engine was built without CUDA";
    if (!acceleratorProblem().empty())
        return acceleratorProblem();
    if (foundDevices().empty())
        return Nvml::ofProcess().driverVersion().empty()
            ? "no NVIDIA driver answers on this machine"
            : "the driver offers no CUDA device";
    std::string found;
    for (std::size_t index = 0; index < foundDevices().size(); ++index)
        found += (index == 0 ? "this machine has " : ", ") + deviceId(deviceAt(index));
    const std::string problem = cudaProblem();
    return problem.empty() ? found : found + ", and " + problem;
}

// The index behind "cuda:1"; -1: it is not written so.
int indexOf(const std::string& name)
{
    if (name.rfind(kCudaPrefix, 0) != 0)
        return -1;
    int index = -1;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + kCudaPrefix.size(), end, index);
    return parsed.ec == std::errc() && parsed.ptr == end ? index : -1;
}

// Not another one in its place: the run would compute elsewhere without a word.
at::Device requireWhole(at::Device device)
{
    if (isLost(device))
        throw EngineError(deviceId(device) + " (" + deviceName(device)
            + ") has failed and cannot be used again by this program; start Accrue again.");
    return device;
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
    for (std::size_t index = 0; index < foundDevices().size(); ++index)
        if (problemOf(foundDevices()[index]).empty())
            devices.push_back(describeDevice(index));
    return devices;
}

at::Device resolveDevice(const std::string& name)
{
    accelerator(); // before anything of this job asks LibTorch for CUDA
    if (name == "cpu")
        return at::kCPU;
    const bool any = name == "auto" || name == "cuda";
    const int wanted = indexOf(name);
    for (std::size_t index = 0; index < foundDevices().size(); ++index)
        if (problemOf(foundDevices()[index]).empty() && (any || wanted == static_cast<int>(index)))
            return requireWhole(deviceAt(index));
    if (name == "auto")
        return at::kCPU;
    throw EngineError("run.device is " + name + ", but " + whatWasFound()
        + "; set run.device = cpu to train on the processor, or auto to take what there is.");
}

std::string deviceName(at::Device device)
{
    if (!device.is_cpu())
        return foundDevices().at(static_cast<std::size_t>(device.index())).name;
    const std::string model = procValue("/proc/cpuinfo", "model name");
    return model.empty() ? "processor" : model;
}

std::string allocatorWarning()
{
    for (const char* name : { "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF" }) {
        const char* const value = std::getenv(name);
        const std::string_view set = value == nullptr ? "" : value;
        if (set.find("cudaMallocAsync") != set.npos
            || set.find("per_process_memory_fraction") != set.npos)
            return std::string(name) + " is \"" + std::string(set)
                + "\": with it the memory that is shown and memory.budget may be wrong; unset it.";
    }
    return {};
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
        .cudaBuilt = std::string(kCudaBuilt),
        .cudaDriver = Nvml::ofProcess().driverVersion(),
        .cudaProblem = cudaProblem(),
        .kernels = ACCRUE_KERNELS };
}

} // namespace accrue
