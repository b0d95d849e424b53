// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace accrue {

// The name of a library that `library` needs and that is missing, according to dlopen's text;
// empty: the text states something else.
std::string missingLibrary(std::string_view reason, const std::filesystem::path& library);

struct SharedLibrary {
    void* handle = nullptr; // null: it cannot be opened
    std::string reason {}; // why, in dlerror's words
};

// Binds all symbols at once, and locally: symbols of LibTorch and of its dependencies must not
// replace the program's own. It stays open.
SharedLibrary openShared(const std::filesystem::path& library);

// The file of the library or program that contains this address; empty: none.
std::filesystem::path libraryOf(const void* address);

} // namespace accrue
