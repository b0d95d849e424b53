// SPDX-License-Identifier: Apache-2.0
#include "engine/training/nvml.h"

#include <dlfcn.h>

namespace accrue {
namespace {

constexpr int kSuccess = 0; // NVML_SUCCESS
constexpr unsigned kVersionSize = 80; // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE

struct Memory { // nvmlMemory_t
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
};

} // namespace

template <typename Function> Function* Nvml::find(const char* name) const
{
    return m_library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(m_library, name));
}

Nvml::Nvml()
    : m_library(::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL))
{
    const auto init = find<int()>("nvmlInit_v2");
    if (m_library == nullptr || (init != nullptr && init() == kSuccess))
        return;
    ::dlclose(m_library);
    m_library = nullptr;
}

const Nvml& Nvml::ofProcess()
{
    static const Nvml* const nvml = new Nvml; // lives until the process ends
    return *nvml;
}

std::string Nvml::driverVersion() const
{
    const auto version = find<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
    std::string text(kVersionSize, '\0');
    if (version == nullptr || version(text.data(), kVersionSize) != kSuccess)
        return {};
    return text.substr(0, text.find('\0'));
}

std::optional<std::int64_t> Nvml::freeBytes(const std::string& pciAddress) const
{
    const auto handleOf = find<int(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    const auto memoryOf = find<int(void*, Memory*)>("nvmlDeviceGetMemoryInfo");
    void* device = nullptr;
    Memory memory;
    if (handleOf == nullptr || memoryOf == nullptr
        || handleOf(pciAddress.c_str(), &device) != kSuccess
        || memoryOf(device, &memory) != kSuccess)
        return std::nullopt;
    return static_cast<std::int64_t>(memory.free);
}

} // namespace accrue
