// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/input_file.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// What stands before the tensors of a safetensors file. No torch, so that it can be tried alone on
// any bytes.
namespace accrue {

inline constexpr std::uint64_t kLongestSafetensorsHeader = std::uint64_t { 16 } << 20; // bytes
inline constexpr std::size_t kMostTensorDimensions = 64;

// Those that are read and written, in the words of the format.
enum class ElementType { F32, F64, F16, BF16, I64, I32, U8, BOOL };
std::string_view nameOf(ElementType type); // "F32"
std::uint64_t bytesOf(ElementType type); // of one element

// One tensor of the header.
struct TensorEntry {
    std::string name;
    ElementType type = ElementType::F32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0; // bytes behind the header
    std::uint64_t end = 0;
};

// Reads `file` from its beginning to its tensors, and gives those in the order of their bytes.
// Checked: the header's length, its JSON, names given once, known types, shapes that fit their
// bytes and whose products fit 63 bits, bytes that cover the file exactly. Blocks. Throws
// EngineError naming `path` and what is wrong, DataError where the file cannot be read.
std::vector<TensorEntry> readSafetensorsHeader(InputFile& file, const std::filesystem::path& path);

// "… is not a whole safetensors file: …"
[[noreturn]] void failSafetensors(const std::filesystem::path& path, const std::string& problem);

} // namespace accrue
