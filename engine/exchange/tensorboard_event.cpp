// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_event.h"

#include "engine/exchange/record_file.h"
#include "engine/exchange/wire_format.h"

#include <cstring>

namespace accrue {

namespace {

// The numbers of fields.
namespace event {
constexpr std::uint32_t kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7;
}
namespace summary {
constexpr std::uint32_t kValue = 1;
}
namespace value {
constexpr std::uint32_t kTag = 1, kSimpleValue = 2, kHistogram = 5, kTensor = 8, kMetadata = 9;
}
namespace metadata {
constexpr std::uint32_t kPluginData = 1, kPluginName = 1, kContent = 2;
}
namespace tensor {
constexpr std::uint32_t kType = 1, kContent = 4, kFloats = 5, kDoubles = 6, kInts = 7, kInt64s = 10;
constexpr std::uint64_t kFloat = 1, kDouble = 2, kInt32 = 3, kInt64 = 9;
} // namespace tensor
namespace session {
constexpr std::uint32_t kStatus = 1;
constexpr std::uint64_t kStart = 1;
} // namespace session

constexpr std::string_view kFileVersion = "brain.Event:2"; // of all writers since 2015

template <typename Number> std::optional<double> onlyOne(std::string_view bytes)
{
    Number number = 0;
    if (bytes.size() != sizeof number)
        return std::nullopt;
    std::memcpy(&number, bytes.data(), sizeof number);
    return static_cast<double>(number);
}

// Of the bytes of a tensor's content.
std::optional<double> contentOf(std::uint64_t type, std::string_view bytes)
{
    switch (type) {
    case tensor::kFloat:
        return onlyOne<float>(bytes);
    case tensor::kDouble:
        return onlyOne<double>(bytes);
    case tensor::kInt32:
        return onlyOne<std::int32_t>(bytes);
    case tensor::kInt64:
        return onlyOne<std::int64_t>(bytes);
    default:
        return std::nullopt;
    }
}

// A repeated number is packed into bytes, or stands alone.
std::optional<double> integerIn(const WireReader& field)
{
    if (!field.isBytes())
        return static_cast<double>(static_cast<std::int64_t>(field.varint()));
    std::string alone("\x08"); // field 1, a varint
    alone += field.bytes();
    WireReader packed(alone);
    const bool isOne = packed.next() && varintSize(packed.varint()) == field.bytes().size();
    return isOne ? std::optional(static_cast<double>(static_cast<std::int64_t>(packed.varint())))
                 : std::nullopt;
}

std::optional<double> numberIn(const WireReader& field, std::uint64_t type)
{
    switch (field.field()) {
    case tensor::kContent:
        return contentOf(type, field.bytes());
    case tensor::kFloats:
        return field.isBytes() ? onlyOne<float>(field.bytes())
                               : std::optional<double>(field.asFloat());
    case tensor::kDoubles:
        return field.isBytes() ? onlyOne<double>(field.bytes()) : field.asDouble();
    case tensor::kInts:
    case tensor::kInt64s:
        return integerIn(field);
    default:
        return std::nullopt;
    }
}

// Of a tensor of one number. Its type precedes its values, as all writers write fields in order.
std::optional<double> numberOfTensor(std::string_view bytes)
{
    std::uint64_t type = 0;
    std::optional<double> number;
    int found = 0;
    WireReader field(bytes);
    while (field.next()) {
        if (field.field() == tensor::kType)
            type = field.varint();
        else if (const std::optional<double> one = numberIn(field, type)) {
            number = one;
            ++found;
        }
    }
    return field.isWhole() && found == 1 ? number : std::nullopt;
}

void readPlugin(EventValue& to, std::string_view bytes)
{
    for (WireReader field(bytes); field.next();) {
        if (field.field() != metadata::kPluginData)
            continue;
        for (WireReader plugin(field.bytes()); plugin.next();)
            if (plugin.field() == metadata::kPluginName)
                to.plugin = plugin.bytes();
            else if (plugin.field() == metadata::kContent)
                to.pluginContent = plugin.bytes();
    }
}

bool readValue(EventValue& to, std::string_view bytes)
{
    WireReader field(bytes);
    while (field.next()) {
        switch (field.field()) {
        case value::kTag:
            to.tag = field.bytes();
            break;
        case value::kSimpleValue:
            to.number = field.asFloat();
            break;
        case value::kHistogram:
            to.histogram = field.bytes();
            break;
        case value::kTensor:
            to.tensor = field.bytes();
            to.number = numberOfTensor(to.tensor);
            to.isTensor = true;
            break;
        case value::kMetadata:
            readPlugin(to, field.bytes());
            break;
        default:
            break;
        }
    }
    return field.isWhole();
}

bool readSummary(EventRecord& to, std::string_view bytes)
{
    WireReader field(bytes);
    while (field.next())
        if (field.field() == summary::kValue && !readValue(to.values.emplace_back(), field.bytes()))
            return false;
    return field.isWhole();
}

bool isSessionStart(std::string_view bytes)
{
    for (WireReader field(bytes); field.next();)
        if (field.field() == session::kStatus)
            return field.varint() == session::kStart;
    return false;
}

void putPlace(WireWriter& writer, double wallTime, std::int64_t step)
{
    writer.putDouble(event::kWallTime, wallTime);
    if (step != 0)
        writer.putVarint(event::kStep, static_cast<std::uint64_t>(step));
}

// An event of one value, which has the message `content` in this field.
void appendMessage(std::string& out, double wallTime, std::int64_t step, std::string_view tag,
    std::uint32_t field, std::string_view content)
{
    std::string one;
    WireWriter both(one);
    both.putBytes(value::kTag, tag);
    both.putBytes(field, content);
    std::string all;
    WireWriter(all).putBytes(summary::kValue, one);
    const std::size_t begin = beginRecord(out);
    WireWriter writer(out);
    putPlace(writer, wallTime, step);
    writer.putBytes(event::kSummary, all);
    endRecord(out, begin);
}

} // namespace

std::optional<EventRecord> eventIn(std::string_view record)
{
    EventRecord read;
    WireReader field(record);
    while (field.next()) {
        switch (field.field()) {
        case event::kWallTime:
            read.wallTime = field.asDouble();
            break;
        case event::kStep:
            read.step = static_cast<std::int64_t>(field.varint());
            break;
        case event::kFileVersion:
            read.isVersion = true;
            break;
        case event::kSummary:
            if (!readSummary(read, field.bytes()))
                return std::nullopt;
            break;
        case event::kSessionLog:
            read.isSessionStart = isSessionStart(field.bytes());
            break;
        default:
            break;
        }
    }
    return field.isWhole() ? std::optional(std::move(read)) : std::nullopt;
}

void appendVersion(std::string& out, double wallTime)
{
    const std::size_t begin = beginRecord(out);
    WireWriter writer(out);
    putPlace(writer, wallTime, 0);
    writer.putBytes(event::kFileVersion, kFileVersion);
    endRecord(out, begin);
}

// In place: a run may have millions.
void appendScalar(
    std::string& out, double wallTime, std::int64_t step, std::string_view tag, double number)
{
    constexpr std::size_t kFloatField = 5;
    const std::size_t size = bytesFieldSize(tag.size()) + kFloatField;
    const std::size_t begin = beginRecord(out);
    WireWriter writer(out);
    putPlace(writer, wallTime, step);
    writer.putBeginning(event::kSummary, bytesFieldSize(size));
    writer.putBeginning(summary::kValue, size);
    writer.putBytes(value::kTag, tag);
    writer.putFloat(value::kSimpleValue, static_cast<float>(number));
    endRecord(out, begin);
}

void appendHistogram(std::string& out, double wallTime, std::int64_t step, std::string_view tag,
    std::string_view proto)
{
    appendMessage(out, wallTime, step, tag, value::kHistogram, proto);
}

void appendHparams(std::string& out, double wallTime, std::string_view tag, std::string_view data)
{
    std::string plugin;
    WireWriter named(plugin);
    named.putBytes(metadata::kPluginName, kHparamsPlugin);
    named.putBytes(metadata::kContent, data);
    std::string about;
    WireWriter(about).putBytes(metadata::kPluginData, plugin);
    appendMessage(out, wallTime, 0, tag, value::kMetadata, about);
}

} // namespace accrue
