// SPDX-License-Identifier: Apache-2.0
#include "engine/training/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <limits>
#include <set>
#include <system_error>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "engine/door/engine_error.h"
#include "engine/training/durable_file.h"

namespace accrue {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

using Json = nlohmann::json;
constexpr std::uint64_t kLongestHeader = 100'000'000; // bytes; the format's own limit

struct ElementType {
    const char* name;
    at::ScalarType type;
};
constexpr ElementType kTypes[] = {
    { "F32", at::kFloat },
    { "F64", at::kDouble },
    { "F16", at::kHalf },
    { "BF16", at::kBFloat16 },
    { "I64", at::kLong },
    { "I32", at::kInt },
    { "U8", at::kByte },
    { "BOOL", at::kBool },
};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& problem)
{
    throw EngineError("\"" + file.string() + "\" is not a whole safetensors file: " + problem);
}

std::string typeName(const std::filesystem::path& file, at::ScalarType type)
{
    for (const ElementType& known : kTypes)
        if (known.type == type)
            return known.name;
    throw EngineError("\"" + file.string() + "\" cannot hold tensors of type "
        + std::string(at::toString(type)) + ".");
}

std::string makeHeader(const std::filesystem::path& file, const NamedTensors& tensors)
{
    Json header = Json::object();
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

// One entry of a header, checked as far as it can be without its neighbours.
struct Entry {
    std::string name;
    at::ScalarType type = at::kFloat;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

std::uint64_t bytesOf(const std::filesystem::path& file, const Entry& entry)
{
    auto bytes = static_cast<std::uint64_t>(at::elementSize(entry.type));
    for (const std::int64_t length : entry.shape) {
        if (length != 0
            && bytes
                > std::numeric_limits<std::int64_t>::max() / static_cast<std::uint64_t>(length))
            fail(file, "the shape of \"" + entry.name + "\" is too large.");
        bytes *= static_cast<std::uint64_t>(length);
    }
    return bytes;
}

at::ScalarType typeOf(const std::filesystem::path& file, const std::string& name, const Json& value)
{
    for (const ElementType& known : kTypes)
        if (value == known.name)
            return known.type;
    fail(file, "\"" + name + "\" has the unknown type " + value.dump() + ".");
}

Entry parseEntry(const std::filesystem::path& file, const std::string& name, const Json& value)
{
    const bool complete = value.is_object() && value.contains("dtype") && value.contains("shape")
        && value.contains("data_offsets") && value.size() == 3;
    if (!complete)
        fail(file, "\"" + name + "\" must have dtype, shape and data_offsets, and nothing else.");
    const Json& offsets = value["data_offsets"];
    const auto isCount = [](const Json& number) { return number.is_number_unsigned(); };
    if (!value["shape"].is_array()
        || !std::all_of(value["shape"].begin(), value["shape"].end(), isCount)
        || !offsets.is_array() || offsets.size() != 2
        || !std::all_of(offsets.begin(), offsets.end(), isCount))
        fail(file,
            "shape and data_offsets of \"" + name + "\" must be whole numbers, not negative.");
    Entry entry;
    entry.name = name;
    entry.type = typeOf(file, name, value["dtype"]);
    for (const Json& length : value["shape"]) {
        if (length.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
            fail(file, "the shape of \"" + name + "\" is too large.");
        entry.shape.push_back(length.get<std::int64_t>());
    }
    entry.begin = offsets[0].get<std::uint64_t>();
    entry.end = offsets[1].get<std::uint64_t>();
    if (entry.end < entry.begin || entry.end - entry.begin != bytesOf(file, entry))
        fail(file, "data_offsets of \"" + name + "\" do not fit its shape.");
    return entry;
}

Json parseHeader(const std::filesystem::path& file, const std::string& text)
{
    std::set<std::string> names;
    bool twice = false;
    const auto watch = [&](int depth, Json::parse_event_t event, const Json& parsed) {
        if (depth == 1 && event == Json::parse_event_t::key)
            twice = !names.insert(parsed.get<std::string>()).second || twice;
        return true;
    };
    Json header = Json::parse(text, watch, /*allow_exceptions=*/false);
    if (!header.is_object())
        fail(file, "its header is not a JSON object.");
    if (twice)
        fail(file, "its header names a tensor twice.");
    return header;
}

std::vector<Entry> checkedEntries(
    const std::filesystem::path& file, const std::string& headerText, std::uint64_t dataBytes)
{
    const Json header = parseHeader(file, headerText);
    std::vector<Entry> entries;
    for (const auto& [name, value] : header.items())
        if (name != "__metadata__")
            entries.push_back(parseEntry(file, name, value));
    std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
        return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
    });
    std::uint64_t covered = 0;
    for (const Entry& entry : entries) {
        if (entry.begin != covered)
            fail(file, "there is a gap or an overlap before \"" + entry.name + "\".");
        covered = entry.end;
    }
    if (covered != dataBytes)
        fail(file,
            "its header promises " + std::to_string(covered) + " bytes of tensors, it has "
                + std::to_string(dataBytes) + ".");
    return entries;
}

std::string readHeader(
    const std::filesystem::path& file, std::ifstream& stream, std::uint64_t fileBytes)
{
    std::uint64_t length = 0;
    if (fileBytes < sizeof length || !stream.read(reinterpret_cast<char*>(&length), sizeof length))
        fail(file, "it has " + std::to_string(fileBytes) + " bytes, too few for a header.");
    if (length > kLongestHeader || length > fileBytes - sizeof length)
        fail(file, "its header claims " + std::to_string(length) + " bytes.");
    std::string text(length, '\0');
    if (!stream.read(text.data(), static_cast<std::streamsize>(length)))
        fail(file, "its header cannot be read.");
    return text;
}

} // namespace

void writeSafetensors(const std::filesystem::path& file, const NamedTensors& tensors)
{
    const std::string header = makeHeader(file, tensors);
    const std::uint64_t length = header.size();
    DurableFile out(file);
    out.write(&length, sizeof length);
    out.write(header.data(), header.size());
    for (const auto& [name, tensor] : tensors) {
        const at::Tensor bytes = tensor.detach().cpu().contiguous();
        out.write(bytes.const_data_ptr(), bytes.nbytes());
    }
    out.close();
}

NamedTensors readSafetensors(const std::filesystem::path& file)
{
    std::error_code error;
    const std::uint64_t fileBytes = std::filesystem::file_size(file, error);
    std::ifstream stream(file, std::ios::binary);
    if (error || !stream)
        throw EngineError("\"" + file.string() + "\" cannot be read"
            + (error ? ": " + error.message() : std::string()) + ".");
    const std::string header = readHeader(file, stream, fileBytes);
    NamedTensors tensors;
    for (const Entry& entry :
        checkedEntries(file, header, fileBytes - sizeof(std::uint64_t) - header.size())) {
        at::Tensor tensor = at::empty(entry.shape, entry.type);
        if (!stream.read(static_cast<char*>(tensor.mutable_data_ptr()),
                static_cast<std::streamsize>(tensor.nbytes())))
            fail(file, "the bytes of \"" + entry.name + "\" cannot be read.");
        tensors.emplace_back(entry.name, std::move(tensor));
    }
    return tensors;
}

} // namespace accrue
