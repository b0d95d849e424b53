// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/driver.h"

#include <dlfcn.h>

// The libraries are opened without their headers, which only a machine that develops for CUDA has,
// so the few types and numbers that their functions need are repeated here.
namespace accrue {
namespace {

constexpr int kSuccess = 0; // CUDA_SUCCESS, NVML_SUCCESS
constexpr int kNoDevice = 100; // CUDA_ERROR_NO_DEVICE
constexpr unsigned kVersionSize = 80; // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE

struct Memory { // nvmlMemory_t
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

// Null: the library is missing, or has no such function.
template <typename Function> Function* find(void* library, const char* name)
{
    return library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library, name));
}

// No device is a normal answer; every other status is worth a message.
DriverAnswer failed(void* driver, int status)
{
    if (status == kNoDevice)
        return {};
    const char* text = nullptr;
    if (const auto textOf = find<int(int, const char**)>(driver, "cuGetErrorString"))
        textOf(status, &text);
    return { .problem = Message("accelerator.driver_silent",
                 { { "reason", text == nullptr ? "unknown" : text }, { "status", status } }) };
}

// A management library that is there but cannot be initialised, as in a container without a driver,
// is closed again and treated as missing.
void* openManagement()
{
    void* const library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto init = find<int()>(library, "nvmlInit_v2");
    if (library == nullptr || (init != nullptr && init() == kSuccess))
        return library;
    ::dlclose(library);
    return nullptr;
}

// Opened once, which costs some ms; it stays until the process ends.
void* management()
{
    static void* const library = openManagement();
    return library;
}

} // namespace

DriverAnswer askDriver()
{
    void* const driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (driver == nullptr)
        return {};
    // The library stays open, because the CUDA runtime uses it from here on.
    const auto init = find<int(unsigned)>(driver, "cuInit");
    const auto count = find<int(int*)>(driver, "cuDeviceGetCount");
    if (init == nullptr || count == nullptr)
        return { .problem = Message("accelerator.no_driver") };
    DriverAnswer answer;
    int status = init(0);
    if (status == kSuccess)
        status = count(&answer.devices);
    return status == kSuccess ? answer : failed(driver, status);
}

std::string driverVersion()
{
    const auto version = find<int(char*, unsigned)>(management(), "nvmlSystemGetDriverVersion");
    std::string text(kVersionSize, '\0');
    if (version == nullptr || version(text.data(), kVersionSize) != kSuccess)
        return {};
    return text.substr(0, text.find('\0'));
}

std::optional<std::int64_t> freeBytesOfCard(const std::string& pciAddress)
{
    const auto handleOf =
        find<int(const char*, void**)>(management(), "nvmlDeviceGetHandleByPciBusId_v2");
    const auto memoryOf = find<int(void*, Memory*)>(management(), "nvmlDeviceGetMemoryInfo");
    void* device = nullptr;
    Memory memory;
    if (handleOf == nullptr || memoryOf == nullptr
        || handleOf(pciAddress.c_str(), &device) != kSuccess
        || memoryOf(device, &memory) != kSuccess)
        return std::nullopt;
    return static_cast<std::int64_t>(memory.free);
}

} // namespace accrue
