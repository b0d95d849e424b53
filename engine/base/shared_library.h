// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace accrue {

// What dlopen's words say of a library that `library` needs and that is nowhere, its name; empty:
// they say something else.
std::string missingLibrary(std::string_view reason, const std::filesystem::path& library);

struct SharedLibrary {
    void* handle = nullptr; // null: it cannot be opened
    std::string reason {}; // why, in dlerror's words
};

// All of it at once, and local: symbols of LibTorch and of what it brings must not take the place
// of the program's own. It stays open.
SharedLibrary openShared(const std::filesystem::path& library);

// The file of the library or program that has something at this address; empty: none has.
std::filesystem::path libraryOf(const void* address);

} // namespace accrue
