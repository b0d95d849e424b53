// SPDX-License-Identifier: Apache-2.0
#include "engine/training/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/door/engine_error.h"
#include "engine/events/json_reader.h"
#include "engine/experiment/shown_text.h"

namespace accrue {

using Json = nlohmann::json;

namespace {

constexpr int kLevels = 3; // the header, a tensor, its shape

struct TypeInfo {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::array kTypes { // as ElementType
    TypeInfo { "F32", 4 }, TypeInfo { "F64", 8 }, TypeInfo { "F16", 2 }, TypeInfo { "BF16", 2 },
    TypeInfo { "I64", 8 }, TypeInfo { "I32", 4 }, TypeInfo { "U8", 1 }, TypeInfo { "BOOL", 1 }
};

// Where it belongs: the file, and the tensor as a message quotes it.
struct Place {
    const std::filesystem::path& path;
    std::string quoted; // "\"fc1.bias\""

    [[noreturn]] void fail(const std::string& problem) const { failSafetensors(path, problem); }
};

ElementType typeOf(const Place& place, const Json& value)
{
    if (!value.is_string())
        place.fail("the type of " + place.quoted + " must be text.");
    const auto& name = value.get_ref<const std::string&>();
    for (std::size_t i = 0; i < kTypes.size(); ++i)
        if (name == kTypes.at(i).name)
            return static_cast<ElementType>(i);
    place.fail(place.quoted + " has the unknown type \"" + shortened(name) + "\".");
}

// Of a length of 0 the others count, too: torch computes strides from them.
std::uint64_t checkedBytes(const Place& place, const TensorEntry& entry)
{
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::uint64_t bytes = bytesOf(entry.type);
    bool isEmpty = false;
    for (const std::int64_t length : entry.shape) {
        const auto counted = static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1));
        if (bytes > kMost / counted)
            place.fail("the shape of " + place.quoted + " is too large.");
        bytes *= counted;
        isEmpty = isEmpty || length == 0;
    }
    return isEmpty ? 0 : bytes;
}

std::vector<std::int64_t> shapeOf(const Place& place, const Json& lengths)
{
    if (lengths.size() > kMostTensorDimensions)
        place.fail(place.quoted + " has more than " + std::to_string(kMostTensorDimensions)
            + " dimensions.");
    std::vector<std::int64_t> shape;
    for (const Json& length : lengths) {
        if (length.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
            place.fail("the shape of " + place.quoted + " is too large.");
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
        place.fail(
            "shape and data_offsets of " + place.quoted + " must be whole numbers, not negative.");
}

// One entry of a header, checked as far as it can be without its neighbours.
TensorEntry entryOf(const Place& place, const std::string& name, const Json& value)
{
    const bool complete = value.is_object() && value.contains("dtype") && value.contains("shape")
        && value.contains("data_offsets") && value.size() == 3;
    if (!complete)
        place.fail(place.quoted + " must have dtype, shape and data_offsets, and nothing else.");
    const Json& offsets = value["data_offsets"];
    requireCounts(place, value["shape"], offsets);
    TensorEntry entry { .name = name,
        .type = typeOf(place, value["dtype"]),
        .shape = shapeOf(place, value["shape"]),
        .begin = offsets[0].get<std::uint64_t>(),
        .end = offsets[1].get<std::uint64_t>() };
    if (entry.end < entry.begin || entry.end - entry.begin != checkedBytes(place, entry))
        place.fail("data_offsets of " + place.quoted + " do not fit its shape.");
    return entry;
}

Json parsed(const std::filesystem::path& path, const std::string& text)
{
    try {
        Json header = readJson(text, { kLongestSafetensorsHeader, kLevels });
        if (!header.is_object())
            failSafetensors(path, "its header is not a JSON object.");
        return header;
    } catch (const JsonError& error) {
        failSafetensors(path, "its header " + std::string(error.what()) + ".");
    }
}

void requireNoGaps(const std::filesystem::path& path, const std::vector<TensorEntry>& entries,
    std::uint64_t dataBytes)
{
    std::uint64_t covered = 0;
    for (const TensorEntry& entry : entries) {
        if (entry.begin != covered)
            failSafetensors(
                path, "there is a gap or an overlap before \"" + shortened(entry.name) + "\".");
        covered = entry.end;
    }
    if (covered != dataBytes)
        failSafetensors(path,
            "its header promises " + std::to_string(covered) + " bytes of tensors, it has "
                + std::to_string(dataBytes) + ".");
}

std::string headerText(InputFile& file, const std::filesystem::path& path)
{
    std::uint64_t length = 0;
    if (file.read(&length, sizeof length) != sizeof length)
        failSafetensors(
            path, "it has " + std::to_string(file.size()) + " bytes, too few for a header.");
    if (length > file.size() - sizeof length)
        failSafetensors(path, "its header claims " + std::to_string(length) + " bytes.");
    if (length > kLongestSafetensorsHeader)
        failSafetensors(path,
            "its header has " + std::to_string(length) + " bytes, more than the "
                + std::to_string(kLongestSafetensorsHeader) + " that are read.");
    std::string text(length, '\0');
    if (file.read(text.data(), text.size()) != text.size())
        failSafetensors(path, "its header cannot be read.");
    return text;
}

} // namespace

std::string_view nameOf(ElementType type)
{
    return kTypes.at(static_cast<std::size_t>(type)).name;
}

std::uint64_t bytesOf(ElementType type)
{
    return kTypes.at(static_cast<std::size_t>(type)).bytes;
}

void failSafetensors(const std::filesystem::path& path, const std::string& problem)
{
    throw EngineError("\"" + path.string() + "\" is not a whole safetensors file: " + problem);
}

std::vector<TensorEntry> readSafetensorsHeader(InputFile& file, const std::filesystem::path& path)
{
    const std::string text = headerText(file, path);
    const Json header = parsed(path, text);
    std::vector<TensorEntry> entries;
    for (const auto& [name, value] : header.items())
        if (name != "__metadata__")
            entries.push_back(entryOf({ path, "\"" + shortened(name) + "\"" }, name, value));
    std::sort(
        entries.begin(), entries.end(), [](const TensorEntry& left, const TensorEntry& right) {
            return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
        });
    requireNoGaps(path, entries, file.size() - sizeof(std::uint64_t) - text.size());
    return entries;
}

} // namespace accrue
