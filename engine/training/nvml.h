// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

// What the driver's management library says of NVIDIA cards without a CUDA context, which would
// hold hundreds of MB on each. Opened at run time, because machines without a driver have none; its
// types are plain enough to need no header. Where it is not there, nothing is known. Any thread.
class Nvml {
public:
    static const Nvml& ofProcess(); // opened once; to open it takes some ms
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    std::string driverVersion() const; // "580.65.06"; empty: not known
    // `pciAddress` as "0000:3b:00.0".
    std::optional<std::int64_t> freeBytes(const std::string& pciAddress) const;

private:
    Nvml();
    template <typename Function> Function* find(const char* name) const;

    void* m_library = nullptr; // null: not there, or it does not answer
};

} // namespace accrue
