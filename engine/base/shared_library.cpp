// SPDX-License-Identifier: Apache-2.0
#include "engine/base/shared_library.h"

#include <dlfcn.h>

namespace accrue {

// "NAME: cannot open shared object file: No such file or directory"
std::string missingLibrary(std::string_view reason, const std::filesystem::path& library)
{
    const auto end = reason.find(": cannot open shared object file");
    // If the library itself is missing, dlopen's text has the same form.
    if (end == std::string_view::npos || reason.substr(0, end) == library.string())
        return {};
    return std::string(reason.substr(0, end));
}

// RTLD_NOW: a missing symbol is reported here, instead of ending the process later.
SharedLibrary openShared(const std::filesystem::path& library)
{
    void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    return { handle, handle == nullptr ? ::dlerror() : std::string() };
}

// dladdr returns the name that was passed to the linker, which may be relative to the working
// folder.
std::filesystem::path libraryOf(const void* address)
{
    Dl_info found {};
    if (::dladdr(address, &found) == 0 || found.dli_fname == nullptr)
        return {};
    std::error_code error;
    return std::filesystem::absolute(found.dli_fname, error);
}

} // namespace accrue
