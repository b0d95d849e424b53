// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/safetensors.h"

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/shown_text.h"
#include "engine/checkpoint/durable_file.h"
#include "engine/checkpoint/safetensors_header.h"

namespace accrue {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

using Json = nlohmann::json;

constexpr std::array kScalarTypes { at::kFloat, at::kDouble, at::kHalf, at::kBFloat16, at::kLong,
    at::kInt, at::kByte, at::kBool }; // as ElementType

std::string_view typeName(const std::filesystem::path& file, at::ScalarType type)
{
    for (std::size_t i = 0; i < kScalarTypes.size(); ++i)
        if (kScalarTypes.at(i) == type)
            return nameOf(static_cast<ElementType>(i));
    throw Error(Message(
        "checkpoint.type_unsupported", { { "file", file }, { "type", at::toString(type) } }));
}

std::string makeHeader(const std::filesystem::path& file, const NamedTensors& tensors,
    const SafetensorsMetadata& metadata)
{
    Json header = Json::object(); // lists its keys by name, not by the place of the bytes
    if (!metadata.empty())
        header["__metadata__"] = metadata;
    std::uint64_t begin = 0;
    for (const auto& [name, tensor] : tensors) {
        const std::uint64_t end = begin + tensor.nbytes();
        header[name] = { { "dtype", typeName(file, tensor.scalar_type()) },
            { "shape", tensor.sizes().vec() }, { "data_offsets", { begin, end } } };
        begin = end;
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' '); // tensors begin at a multiple of 8 bytes
    return text;
}

} // namespace

void writeSafetensors(const std::filesystem::path& file, const NamedTensors& tensors,
    const SafetensorsMetadata& metadata)
{
    const std::string header = makeHeader(file, tensors, metadata);
    const std::uint64_t length = header.size();
    OutputFile out = durableFile(file);
    out.write(&length, sizeof length);
    out.write(header.data(), header.size());
    for (const auto& [name, tensor] : tensors) {
        // The format knows no strides: channels_last is stored in the order of the shape.
        const at::Tensor bytes = tensor.detach().cpu().contiguous();
        out.write(bytes.const_data_ptr(), bytes.nbytes());
    }
    out.close();
}

// The entries are in the order of their bytes and leave none out, so the file is read in one go.
NamedTensors readSafetensors(const std::filesystem::path& file)
{
    InputFile in(file);
    NamedTensors tensors;
    for (const TensorEntry& entry : readSafetensorsHeader(in, file)) {
        at::Tensor tensor =
            at::empty(entry.shape, kScalarTypes.at(static_cast<std::size_t>(entry.type)));
        if (in.read(tensor.mutable_data_ptr(), tensor.nbytes()) != tensor.nbytes())
            failSafetensors(file,
                Message("checkpoint.tensor_unreadable", { { "tensor", shortened(entry.name) } }));
        tensors.emplace_back(entry.name, std::move(tensor));
    }
    return tensors;
}

} // namespace accrue
