// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/input_file.h"
#include "engine/base/message.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// The header of a safetensors file. This unit needs no torch, so that a fuzzer can feed it any
// bytes.
namespace accrue {

// The types that are read and written, as the format names them.
enum class ElementType { F32, F64, F16, BF16, I64, I32, U8, BOOL };
std::string_view nameOf(ElementType type); // "F32"

// One tensor of the header.
struct TensorEntry {
    std::string name;
    ElementType type = ElementType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0; // bytes behind the header
    std::uint64_t end = 0;
};

// Reads `file` up to its tensors and returns their entries in the order of their bytes. Checks the
// header's length, its JSON, that names are unique, types known, that shapes fit their bytes and
// their products 63 bits, and that the bytes cover the file exactly. Blocks. Throws Error naming
// `path` and what is wrong.
std::vector<TensorEntry> readSafetensorsHeader(InputFile& file, const std::filesystem::path& path);

// Throws Error: `path` is not a valid safetensors file. `problem` is a sentence that says why.
[[noreturn]] void failSafetensors(const std::filesystem::path& path, const Message& problem);

} // namespace accrue
