// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/named_tensors.h"

#include <filesystem>
#include <map>
#include <string>

namespace accrue {

// Files of named tensors, in a format that cannot carry code: 8 bytes with the header's length, a
// JSON header {"name": {"dtype", "shape", "data_offsets"}}, then the bytes without gaps.
// Little-endian.

// Writes and fsyncs. Tensors of any device, of float32, float64, float16, bfloat16, int64, int32,
// uint8 or bool. `metadata` becomes the header's "__metadata__", which readers of tensors skip.
// Throws Error naming the file, also if the disk is full.
using SafetensorsMetadata = std::map<std::string, std::string>;
void writeSafetensors(const std::filesystem::path& file, const NamedTensors& tensors,
    const SafetensorsMetadata& metadata = {});

// On the CPU, in the order of their bytes. The header is checked before anything is allocated:
// lengths, names given once, known types, shapes that fit their bytes, bytes that cover the file
// exactly. Throws Error naming the file and what is wrong.
NamedTensors readSafetensors(const std::filesystem::path& file);

} // namespace accrue
