// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace accrue {

// What dlopen's words say of a library that `library` needs and that is nowhere, its name; empty:
// they say something else.
std::string missingLibrary(std::string_view reason, const std::filesystem::path& library);

// The file of the library or program that has something at this address; empty: none has.
std::filesystem::path libraryOf(const void* address);

} // namespace accrue
