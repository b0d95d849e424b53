// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/devices.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

#include <sched.h>

#include <torch/version.h>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/driver.h"
#include "engine/base/error.h"
#include "engine/base/host_memory.h"
#include "engine/base/sentences.h"

namespace accrue {
namespace {

constexpr std::string_view kCudaPrefix = "cuda:";
constexpr auto kCudaBuilt = std::string_view(ACCRUE_CUDA_VERSION); // empty: built without CUDA

// The CPU is a device like the others, so that the command line and the workbench list one kind.
DeviceInfo describeCpu()
{
    const HostMemory memory = hostMemory();
    const int cores = usableCores();
    return { .id = "cpu",
        .name = deviceName(at::kCPU),
        .totalBytes = memory.totalBytes,
        .freeBytes = memory.freeBytes,
        .detail = Message("accelerator.cores", { { "cores", cores } }) };
}

std::string architecture(int major, int minor)
{
    return "sm_" + std::to_string(major) + std::to_string(minor);
}

// All devices that the driver offers, whether this engine can use them or not.
const std::vector<AcceleratorDevice>& foundDevices()
{
    static const std::vector<AcceleratorDevice> none;
    return accelerator() == nullptr ? none : accelerator()->devices();
}

at::Device deviceAt(std::size_t index)
{
    return { accelerator()->type(), static_cast<c10::DeviceIndex>(index) };
}

// "cuda:0 (NVIDIA TITAN Xp)"; a device that does not answer has no name.
std::string titleOf(std::size_t index)
{
    const std::string& name = foundDevices()[index].name;
    return deviceId(deviceAt(index)) + (name.empty() ? "" : " (" + name + ")");
}

// Empty: the device can be used.
Message problemOf(std::size_t index)
{
    const AcceleratorDevice& device = foundDevices()[index];
    if (device.problem.empty())
        return capabilityProblem(titleOf(index), device.major, device.minor);
    return Message("accelerator.device_silent",
        { { "device", titleOf(index) }, { "reason", device.problem } });
}

// Adds what only the driver's management library knows: free memory and the driver's version.
DeviceInfo describeDevice(std::size_t index)
{
    const AcceleratorDevice& device = foundDevices()[index];
    DeviceInfo info { .id = deviceId(deviceAt(index)),
        .name = device.name,
        .totalBytes = device.totalBytes,
        .freeBytes = -1,
        .detail = Message::plain(architecture(device.major, device.minor)),
        .capability = architecture(device.major, device.minor),
        .computesBFloat16 = device.major >= 8,
        .lost = isLost(deviceAt(index)) };
    if (const auto freeBytes = freeBytesOfCard(device.pciAddress))
        info.freeBytes = std::min(*freeBytes, info.totalBytes);
    if (const std::string driver = driverVersion(); !driver.empty())
        info.detail = Message("accelerator.capability_and_driver",
            { { "capability", info.capability }, { "driver", driver } });
    return info;
}

// Empty: all devices can be used.
Message cudaProblem()
{
    Message problem = acceleratorProblem();
    for (std::size_t index = 0; index < foundDevices().size(); ++index)
        problem = followedBy(problem, problemOf(index));
    return problem;
}

// For a person whose choice of a device failed: each case has another remedy.
Message whatWasFound()
{
    if (kCudaBuilt.empty())
        return Message("accelerator.built_without_cuda");
    if (!acceleratorProblem().empty())
        return acceleratorProblem();
    if (foundDevices().empty())
        return driverVersion().empty() ? Message("accelerator.driver_missing")
                                       : Message("accelerator.driver_offers_none");
    std::string found;
    for (std::size_t index = 0; index < foundDevices().size(); ++index)
        found += (index == 0 ? "" : ", ") + deviceId(deviceAt(index));
    return followedBy(Message("accelerator.found", { { "devices", found } }), cudaProblem());
}

// The index in "cuda:1"; -1: the name has another form.
int indexOf(const std::string& name)
{
    if (name.rfind(kCudaPrefix, 0) != 0)
        return -1;
    int index = -1;
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + kCudaPrefix.size(), end, index);
    return parsed.ec == std::errc() && parsed.ptr == end ? index : -1;
}

// Throws instead of choosing another device: the run would silently compute elsewhere.
at::Device requireWhole(at::Device device)
{
    if (isLost(device))
        throw Error(Message("accelerator.device_lost",
            { { "device", deviceId(device) }, { "name", deviceName(device) } }));
    return device;
}

} // namespace

Message capabilityProblem(const std::string& device, int major, int minor)
{
    constexpr int kOldest = ACCRUE_OLDEST_ARCHITECTURE;
    if (major * 10 + minor >= kOldest)
        return {};
    return Message("accelerator.too_old",
        { { "device", device }, { "architecture", architecture(major, minor) },
            { "oldest", architecture(kOldest / 10, kOldest % 10) } });
}

std::vector<DeviceInfo> listDevices()
{
    std::vector<DeviceInfo> devices { describeCpu() };
    for (std::size_t index = 0; index < foundDevices().size(); ++index)
        if (problemOf(index).empty())
            devices.push_back(describeDevice(index));
    return devices;
}

// The first usable device, not the freest: a run must be on the same device each time it is
// resumed.
at::Device resolveDevice(const std::string& name)
{
    accelerator(); // before this job uses CUDA through LibTorch
    if (name == "cpu")
        return at::kCPU;
    const bool any = name == "auto" || name == "cuda";
    const int wanted = indexOf(name);
    for (std::size_t index = 0; index < foundDevices().size(); ++index)
        if (problemOf(index).empty() && (any || wanted == static_cast<int>(index)))
            return requireWhole(deviceAt(index));
    if (name == "auto")
        return at::kCPU;
    throw Error(
        Message("accelerator.no_such_device", { { "wanted", name }, { "found", whatWasFound() } }));
}

// Some processors, such as ARM ones, have no model name in /proc/cpuinfo.
std::string deviceName(at::Device device)
{
    if (!device.is_cpu())
        return foundDevices().at(static_cast<std::size_t>(device.index())).name;
    const std::string model = valueIn("/proc/cpuinfo", "model name");
    return model.empty() ? "processor" : model;
}

Message allocatorWarning()
{
    for (const char* name : { "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF" }) {
        const char* const value = std::getenv(name);
        const std::string_view set = value == nullptr ? "" : value;
        if (set.find("cudaMallocAsync") != set.npos
            || set.find("per_process_memory_fraction") != set.npos)
            return Message(
                "accelerator.allocator", { { "variable", name }, { "value", std::string(set) } });
    }
    return {};
}

// The cores of the machine would be wrong in a container or under taskset.
int usableCores()
{
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return std::max(1, CPU_COUNT(&allowed));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// What accrue doctor prints.
EngineVersions engineVersions()
{
    return { .torch = TORCH_VERSION,
        .cudaBuilt = std::string(kCudaBuilt),
        .cudaDriver = driverVersion(),
        .cudaProblem = cudaProblem(),
        .kernels = ACCRUE_KERNELS };
}

} // namespace accrue
