// SPDX-License-Identifier: Apache-2.0
#include "engine/training/durable_file.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "engine/door/engine_error.h"

namespace accrue {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what)
{
    const int number = errno;
    throw EngineError("\"" + path.string() + "\" cannot be " + what + ": "
        + std::generic_category().message(number)
        + "; free some space or choose another folder for checkpoints.");
}

} // namespace

DurableFile::DurableFile(const std::filesystem::path& file)
    : m_file(file)
    , m_descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644))
{
    if (m_descriptor < 0)
        fail(m_file, "made");
}

DurableFile::~DurableFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void DurableFile::write(const void* bytes, std::size_t size)
{
    const char* next = static_cast<const char*>(bytes);
    while (size > 0) {
        const ::ssize_t written = ::write(m_descriptor, next, size);
        if (written < 0 && errno != EINTR)
            fail(m_file, "written");
        if (written > 0) {
            next += written;
            size -= static_cast<std::size_t>(written);
        }
    }
}

void DurableFile::close()
{
    if (::fsync(m_descriptor) != 0)
        fail(m_file, "written");
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    if (::close(descriptor) != 0)
        fail(m_file, "written");
}

void syncFolder(const std::filesystem::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        fail(folder, "opened");
    const bool synced = ::fsync(descriptor) == 0;
    ::close(descriptor);
    if (!synced)
        fail(folder, "written");
}

void replaceFolder(const std::filesystem::path& made, const std::filesystem::path& target)
{
    std::error_code unknown; // what cannot be looked at cannot be replaced either, which is said
    if (!std::filesystem::exists(target, unknown)) {
        if (::rename(made.c_str(), target.c_str()) != 0)
            fail(target, "made");
    } else {
        if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) != 0)
            fail(target, "replaced");
        std::error_code ignored; // an old folder that stays costs space, not correctness
        std::filesystem::remove_all(made, ignored);
    }
    syncFolder(target.parent_path());
}

} // namespace accrue
