// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/written_value.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace accrue {

// The value of a key; "auto" and choices are text, and so are lists: 512, 256.
using SettingValue = std::variant<bool, std::int64_t, double, std::string>;
// As shown to a person and written in CSV: numbers by shortest round trip, text bare.
std::string settingText(const SettingValue& value);
// The same for a person alone: "none" if the text is empty.
std::string shownSetting(const SettingValue& value);

// How an experiment's members are written; only for this room. Each type has one `read`, like those
// of written_value.h, and one `asWritten`, whose TOML `read` reads back.

bool read(const WrittenValue& written, BatchNumber& to); // a number, "auto" or "all"
bool read(const WrittenValue& written, std::optional<std::int64_t>& to); // a number or "auto"
bool read(const WrittenValue& written, Span& to); // "1 epoch"
bool read(const WrittenValue& written, std::optional<Span>& to); // likewise, or "off"
bool read(const WrittenValue& written, TimeSpan& to); // "5 minutes"
// "4GiB", "1.5 GB" (a thousand million bytes each), "none".
bool read(const WrittenValue& written, std::optional<Bytes>& to);
bool read(const WrittenValue& written, ChunkSize& to);
// {from_epoch = 4, steps = 2} or, as text, "2 from epoch 4"
bool read(const WrittenValue& written, StepsFrom& to);
bool read(const WrittenValue& written, BatchNormMomentum& to); // a number or "corrected"
bool read(const WrittenValue& written, HeldOut& to); // a count, or a share with a decimal point
// 64, [64, 96] (height and width) or "auto".
bool read(const WrittenValue& written, std::optional<PictureSize>& to);
// "auto", {mean = [0.5], std = [0.25]} or, as text, "mean 0.5 std 0.25".
bool read(const WrittenValue& written, Normalization& to);
// A list of "crop:4", "flip" and "cutout:8" in any order, each at most once, no number below 1.
bool read(const WrittenValue& written, AugmentSettings& to);

// Numbers, true and false, and text are written unchanged.
template <typename Value>
requires(std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) WrittenValue
    asWritten(const Value& value)
{
    return { value };
}
WrittenValue asWritten(std::uint64_t value); // text beyond 63 bits, which `validate` refuses
WrittenValue asWritten(const std::optional<std::int64_t>& value);
WrittenValue asWritten(const Span& span);
WrittenValue asWritten(const std::optional<Span>& span);
WrittenValue asWritten(const TimeSpan& span);
WrittenValue asWritten(const ChunkSize& size);
WrittenValue asWritten(
    const std::optional<Bytes>& bytes); // in the largest unit in which it is a whole number
WrittenValue asWritten(const StepsFrom& entry);
WrittenValue asWritten(const BatchNormMomentum& momentum);
WrittenValue asWritten(const HeldOut& heldOut);
WrittenValue asWritten(const std::optional<PictureSize>& size); // a square by its side
WrittenValue asWritten(const Normalization& normalization);
WrittenValue asWritten(const AugmentSettings& augment);
template <typename Value> WrittenValue asWritten(const std::vector<Value>& values)
{
    std::vector<WrittenValue> elements;
    elements.reserve(values.size());
    for (const Value& value : values)
        elements.push_back(asWritten(value));
    return { std::move(elements) };
}

// As the run log, CSV and JSON store a value, and as fields show it: lists and tables are text
// without brackets, in the short spelling that `read` reads, too.
SettingValue settingValue(const WrittenValue& written);
// As TOML writes it.
std::string tomlText(const SettingValue& value);
template <typename Value> std::string tomlOf(const Value& value)
{
    return tomlOf(asWritten(value));
}

} // namespace accrue
