// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/hparams.h"

#include "engine/base/shown_text.h"
#include "engine/exchange/wire_format.h"

#include <algorithm>
#include <type_traits>

namespace accrue {

namespace {

// The numbers of fields, by message.
namespace plugin {
constexpr std::uint32_t kExperiment = 2, kSessionStart = 3, kSessionEnd = 4;
}
namespace experiment {
constexpr std::uint32_t kSettings = 4, kMetrics = 5, kName = 1, kType = 4, kMetricName = 1,
                        kTag = 2;
constexpr std::uint64_t kText = 1, kBoolean = 2, kNumber = 3;
} // namespace experiment
namespace start {
constexpr std::uint32_t kSettings = 1, kSeconds = 5, kKey = 1, kValue = 2;
}
namespace end {
constexpr std::uint32_t kStatus = 1, kSeconds = 2;
constexpr std::uint64_t kSuccess = 1, kFailure = 2, kRunning = 3;
} // namespace end
namespace json_value {
constexpr std::uint32_t kNumber = 2, kText = 3, kBoolean = 4;
}

// A message within another one.
std::string nested(std::uint32_t field, std::string_view content)
{
    std::string out;
    WireWriter(out).putBytes(field, content);
    return out;
}

std::uint64_t typeOf(const SettingValue& value)
{
    if (std::holds_alternative<bool>(value))
        return experiment::kBoolean;
    return std::holds_alternative<std::string>(value) ? experiment::kText : experiment::kNumber;
}

// google.protobuf.Value.
std::string valueData(const SettingValue& value)
{
    std::string out;
    WireWriter writer(out);
    std::visit(
        [&](const auto& each) {
            using Value = std::decay_t<decltype(each)>;
            if constexpr (std::is_same_v<Value, bool>)
                writer.putVarint(json_value::kBoolean, each ? 1 : 0);
            else if constexpr (std::is_same_v<Value, std::string>)
                writer.putBytes(json_value::kText, madeOneLine(each));
            else
                writer.putDouble(json_value::kNumber, static_cast<double>(each));
        },
        value);
    return out;
}

std::optional<SettingValue> valueIn(std::string_view data)
{
    for (WireReader field(data); field.next();) {
        if (field.field() == json_value::kNumber)
            return field.asDouble();
        if (field.field() == json_value::kBoolean)
            return field.varint() != 0;
        if (field.field() == json_value::kText)
            return std::string(field.bytes());
    }
    return std::nullopt; // null, a list, an object
}

void readSetting(Settings& to, std::string_view entry)
{
    std::string key;
    std::optional<SettingValue> value;
    for (WireReader field(entry); field.next();)
        if (field.field() == start::kKey)
            key = field.bytes();
        else if (field.field() == start::kValue)
            value = valueIn(field.bytes());
    if (key.empty() || !value)
        return;
    const auto known = std::ranges::find(to, key, &Settings::value_type::first);
    if (known != to.end())
        known->second = *value;
    else
        to.emplace_back(std::move(key), *std::move(value));
}

std::optional<RunOutcome> outcomeIn(std::string_view data)
{
    for (WireReader field(data); field.next();)
        if (field.field() == end::kStatus && field.varint() == end::kSuccess)
            return RunOutcome::Completed;
        else if (field.field() == end::kStatus && field.varint() == end::kFailure)
            return RunOutcome::Failed;
    return std::nullopt;
}

std::uint64_t statusOf(const std::optional<RunOutcome>& outcome)
{
    if (!outcome)
        return end::kRunning;
    return isFailure(*outcome) ? end::kFailure : end::kSuccess;
}

} // namespace

std::string experimentData(const HparamsColumns& columns)
{
    std::string content;
    WireWriter writer(content);
    for (const auto& [key, value] : columns.settings) {
        std::string info = nested(experiment::kName, key);
        WireWriter(info).putVarint(experiment::kType, typeOf(value));
        writer.putBytes(experiment::kSettings, info);
    }
    for (const std::string& tag : columns.metricTags)
        writer.putBytes(
            experiment::kMetrics, nested(experiment::kMetricName, nested(experiment::kTag, tag)));
    return nested(plugin::kExperiment, content);
}

std::string sessionStartData(const Settings& settings, double startSeconds)
{
    std::string content;
    WireWriter writer(content);
    for (const auto& [key, value] : settings)
        writer.putBytes(start::kSettings,
            nested(start::kKey, madeOneLine(key)) + nested(start::kValue, valueData(value)));
    writer.putDouble(start::kSeconds, startSeconds);
    return nested(plugin::kSessionStart, content);
}

std::string sessionEndData(const std::optional<RunOutcome>& outcome, double endSeconds)
{
    std::string content;
    WireWriter writer(content);
    writer.putVarint(end::kStatus, statusOf(outcome));
    writer.putDouble(end::kSeconds, endSeconds);
    return nested(plugin::kSessionEnd, content);
}

void readHparams(HparamsOfRun& to, std::string_view data)
{
    for (WireReader message(data); message.next();) {
        if (message.field() == plugin::kSessionStart)
            for (WireReader field(message.bytes()); field.next();)
                if (field.field() == start::kSettings)
                    readSetting(to.settings, field.bytes());
        if (message.field() == plugin::kSessionEnd)
            to.outcome = outcomeIn(message.bytes());
    }
}

} // namespace accrue
