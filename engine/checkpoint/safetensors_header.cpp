// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/json_reader.h"
#include "engine/base/shown_text.h"

namespace accrue {

using Json = nlohmann::json;

namespace {

// Far more than is ever written, and few enough for the parser; the format allows 100 MB.
constexpr std::uint64_t kLongestHeader = std::uint64_t { 16 } << 20; // bytes
constexpr std::size_t kMostDimensions = 64;
constexpr int kLevels = 3; // the header, a tensor, its shape

struct TypeInfo {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::array kTypes { // as ElementType
    TypeInfo { "F32", 4 }, TypeInfo { "F64", 8 }, TypeInfo { "F16", 2 }, TypeInfo { "BF16", 2 },
    TypeInfo { "I64", 8 }, TypeInfo { "I32", 4 }, TypeInfo { "U8", 1 }, TypeInfo { "BOOL", 1 }
};

// The file and the tensor that a message names.
struct Place {
    const std::filesystem::path& path;
    std::string tensor; // shortened

    [[noreturn]] void fail(const Message& problem) const { failSafetensors(path, problem); }
};

Message tooLarge(const Place& place)
{
    return Message("checkpoint.tensor_too_large", { { "tensor", place.tensor } });
}

ElementType typeOf(const Place& place, const Json& value)
{
    if (!value.is_string())
        place.fail(Message("checkpoint.tensor_type_no_text", { { "tensor", place.tensor } }));
    const auto& name = value.get_ref<const std::string&>();
    for (std::size_t i = 0; i < kTypes.size(); ++i)
        if (name == kTypes.at(i).name)
            return static_cast<ElementType>(i);
    place.fail(Message("checkpoint.tensor_type_unknown",
        { { "tensor", place.tensor }, { "type", shortened(name) } }));
}

// If one length is 0, the others still must fit, because torch computes strides from them.
std::uint64_t checkedBytes(const Place& place, const TensorEntry& entry)
{
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::uint64_t bytes = kTypes.at(static_cast<std::size_t>(entry.type)).bytes;
    bool isEmpty = false;
    for (const std::int64_t length : entry.shape) {
        const auto counted = static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1));
        if (bytes > kMost / counted)
            place.fail(tooLarge(place));
        bytes *= counted;
        isEmpty = isEmpty || length == 0;
    }
    return isEmpty ? 0 : bytes;
}

std::vector<std::int64_t> shapeOf(const Place& place, const Json& lengths)
{
    if (lengths.size() > kMostDimensions)
        place.fail(Message("checkpoint.tensor_dimensions",
            { { "tensor", place.tensor }, { "most", kMostDimensions } }));
    std::vector<std::int64_t> shape;
    for (const Json& length : lengths) {
        if (length.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
            place.fail(tooLarge(place));
        shape.push_back(length.get<std::int64_t>());
    }
    return shape;
}

void requireCounts(const Place& place, const Json& shape, const Json& offsets)
{
    const auto isCount = [](const Json& number) { return number.is_number_unsigned(); };
    const bool fits = shape.is_array() && std::all_of(shape.begin(), shape.end(), isCount)
        && offsets.is_array() && offsets.size() == 2
        && std::all_of(offsets.begin(), offsets.end(), isCount);
    if (!fits)
        place.fail(Message("checkpoint.tensor_no_counts", { { "tensor", place.tensor } }));
}

// One entry of a header. requireNoGaps compares it with its neighbours later.
TensorEntry entryOf(const Place& place, const std::string& name, const Json& value)
{
    // The format has exactly these keys.
    const bool complete = value.is_object() && value.contains("dtype") && value.contains("shape")
        && value.contains("data_offsets") && value.size() == 3;
    if (!complete)
        place.fail(Message("checkpoint.tensor_keys", { { "tensor", place.tensor } }));
    const Json& offsets = value["data_offsets"];
    requireCounts(place, value["shape"], offsets);
    TensorEntry entry { .name = name,
        .type = typeOf(place, value["dtype"]),
        .shape = shapeOf(place, value["shape"]),
        .begin = offsets[0].get<std::uint64_t>(),
        .end = offsets[1].get<std::uint64_t>() };
    // The order is checked first, because the difference of unsigned numbers would wrap.
    if (entry.end < entry.begin || entry.end - entry.begin != checkedBytes(place, entry))
        place.fail(Message("checkpoint.tensor_offsets", { { "tensor", place.tensor } }));
    return entry;
}

Json parsed(const std::filesystem::path& path, const std::string& text)
{
    try {
        Json header = readJson(text, { kLongestHeader, kLevels });
        if (!header.is_object())
            failSafetensors(path, Message("checkpoint.header_no_object"));
        return header;
    } catch (const JsonError& error) {
        failSafetensors(
            path, Message("checkpoint.header_no_json", { { "problem", error.message() } }));
    }
}

// The format demands it: bytes that no tensor covers could be another file within this one.
void requireNoGaps(const std::filesystem::path& path, const std::vector<TensorEntry>& entries,
    std::uint64_t dataBytes)
{
    std::uint64_t covered = 0;
    for (const TensorEntry& entry : entries) {
        if (entry.begin != covered)
            failSafetensors(
                path, Message("checkpoint.tensor_gap", { { "tensor", shortened(entry.name) } }));
        covered = entry.end;
    }
    if (covered != dataBytes)
        failSafetensors(path,
            Message(
                "checkpoint.tensor_bytes", { { "described", covered }, { "found", dataBytes } }));
}

// The length is compared with the file before it is allocated: eight bytes of a damaged file can
// claim any number.
std::string headerText(InputFile& file, const std::filesystem::path& path)
{
    std::uint64_t length = 0;
    if (file.read(&length, sizeof length) != sizeof length)
        failSafetensors(path, Message("checkpoint.header_missing", { { "bytes", file.size() } }));
    // Eight bytes were read, so the difference cannot wrap.
    if (length > file.size() - sizeof length)
        failSafetensors(
            path, Message("checkpoint.header_longer_than_file", { { "bytes", length } }));
    if (length > kLongestHeader)
        failSafetensors(path,
            Message(
                "checkpoint.header_too_long", { { "bytes", length }, { "most", kLongestHeader } }));
    std::string text(length, '\0');
    if (file.read(text.data(), text.size()) != text.size())
        failSafetensors(path, Message("checkpoint.header_unreadable"));
    return text;
}

} // namespace

std::string_view nameOf(ElementType type)
{
    return kTypes.at(static_cast<std::size_t>(type)).name;
}

void failSafetensors(const std::filesystem::path& path, const Message& problem)
{
    throw Error(Message("checkpoint.no_safetensors", { { "file", path }, { "problem", problem } }));
}

std::vector<TensorEntry> readSafetensorsHeader(InputFile& file, const std::filesystem::path& path)
{
    const std::string text = headerText(file, path);
    const Json header = parsed(path, text);
    std::vector<TensorEntry> entries;
    for (const auto& [name, value] : header.items())
        if (name != "__metadata__")
            entries.push_back(entryOf({ path, shortened(name) }, name, value));
    // By both ends, because a tensor without values begins where the next one does.
    std::sort(
        entries.begin(), entries.end(), [](const TensorEntry& left, const TensorEntry& right) {
            return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
        });
    requireNoGaps(path, entries, file.size() - sizeof(std::uint64_t) - text.size());
    return entries;
}

} // namespace accrue
