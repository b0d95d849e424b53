// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

namespace accrue::fake {

// The memory of a device: one file, mapped twice. What tensors show are addresses that nobody may
// touch, for ever; kernels reach the same bytes a constant distance away. So there is no moment in
// which a read by the host succeeds. Not thread-safe but for the const functions.
class DeviceMemory {
public:
    explicit DeviceMemory(std::size_t bytes); // of addresses; pages are taken as they are written
    ~DeviceMemory() = delete; // lives until the process ends: storages point into it
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    // A range of addresses that is not in use; null: none is left.
    char* take(std::size_t bytes);
    void giveBack(char* begin, std::size_t bytes);

    bool contains(const void* address) const
    {
        return address >= m_shown && address < m_shown + m_bytes;
    }
    // Where kernels find what tensors show at `address`.
    char* ofKernels(const void* address) const
    {
        return m_ofKernels + (static_cast<const char*>(address) - m_shown);
    }
    // Bytes that make no number of any kind.
    void spoil(const void* address, std::size_t bytes) const;

private:
    char* map(int protection) const;

    const std::size_t m_bytes;
    const int m_file;
    char* const m_shown;
    char* const m_ofKernels;
    std::map<std::size_t, std::size_t> m_free; // bytes by offset
};

} // namespace accrue::fake
