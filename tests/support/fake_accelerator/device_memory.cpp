// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/device_memory.h"

#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace accrue::fake {
namespace {

int sparseFile(std::size_t bytes)
{
    const int file = ::memfd_create("fake accelerator", MFD_CLOEXEC);
    if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0)
        throw std::system_error(errno, std::generic_category(), "memory of a fake device");
    return file;
}

} // namespace

DeviceMemory::DeviceMemory(std::size_t bytes)
    : m_bytes(bytes)
    , m_file(sparseFile(bytes))
    , m_shown(map(PROT_NONE))
    , m_ofKernels(map(PROT_READ | PROT_WRITE))
    , m_free { { 0, bytes } }
{
}

char* DeviceMemory::map(int protection) const
{
    void* const begin = ::mmap(nullptr, m_bytes, protection, MAP_SHARED | MAP_NORESERVE, m_file, 0);
    if (begin == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), "addresses of a fake device");
    return static_cast<char*>(begin);
}

char* DeviceMemory::take(std::size_t bytes)
{
    for (auto range = m_free.begin(); range != m_free.end(); ++range) {
        if (range->second < bytes)
            continue;
        const auto [begin, size] = *range;
        m_free.erase(range);
        if (size > bytes)
            m_free.emplace(begin + bytes, size - bytes);
        return m_shown + begin;
    }
    return nullptr;
}

void DeviceMemory::giveBack(char* begin, std::size_t bytes)
{
    const auto offset = static_cast<std::size_t>(begin - m_shown);
    ::fallocate(m_file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
        static_cast<off_t>(bytes));
    auto range = m_free.emplace(offset, bytes).first;
    if (const auto next = std::next(range); next != m_free.end() && offset + bytes == next->first) {
        range->second += next->second;
        m_free.erase(next);
    }
    if (range == m_free.begin())
        return;
    if (const auto before = std::prev(range); before->first + before->second == offset) {
        before->second += range->second;
        m_free.erase(range);
    }
}

void DeviceMemory::spoil(const void* address, std::size_t bytes) const
{
    std::memset(ofKernels(address), 0xFF, bytes);
}

} // namespace accrue::fake
