// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/keys.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Values as people write them. What an experiment's members make of them is for this room only.
namespace accrue {

struct WrittenField;

// A value as it was written in a recipe or on the command line.
struct WrittenValue {
    // monostate: a section, a date, or anything else that no key takes
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<WrittenValue>,
        std::vector<WrittenField>>
        value;
    std::string shown; // for messages, cut as `shortened` does: 16, "many", [1, 2]
    std::optional<std::string> bare; // command line: the text itself, whatever it looks like
};

// One entry of an inline table: {from_epoch = 4, steps = 2}.
struct WrittenField {
    std::string name;
    WrittenValue value;
};

// Text of the command line: true, 16, 0.04, nan or, when it is none of these, text.
WrittenValue writtenFromText(std::string_view text);
// The elements of a list: [512, 256] in a recipe, 512, 256 on the command line (whose empty text
// is the empty list). Nullopt: no list.
std::optional<std::vector<WrittenValue>> elementsOf(const WrittenValue& written);
// Cut at `separator`, without the blanks around each part; empty text has no parts.
std::vector<std::string_view> partsOf(std::string_view text, char separator);

// False when `written` is of another kind; then `to` is unchanged. Ranges are not checked, but a
// fraction is no count, and a whole number beyond 64 bits is none either.
bool read(const WrittenValue& written, bool& to);
bool read(const WrittenValue& written, std::int64_t& to);
bool read(const WrittenValue& written, std::uint64_t& to); // negative numbers are of another kind
bool read(const WrittenValue& written, double& to);
bool read(const WrittenValue& written, std::string& to);
bool read(const WrittenValue& written, BatchNumber& to); // a number or "auto"
bool read(const WrittenValue& written, std::optional<std::int64_t>& to); // a number or "auto"
bool read(const WrittenValue& written, Span& to); // "1 epoch"
// "4GiB", "1.5 GB" (a thousand million bytes each), "none".
bool read(const WrittenValue& written, std::optional<Bytes>& to);
// {from_epoch = 4, steps = 2}, on the command line 2 from epoch 4
bool read(const WrittenValue& written, StepsFrom& to);
bool read(const WrittenValue& written, BatchNormMomentum& to); // a number or "corrected"
bool read(const WrittenValue& written, HeldOut& to); // a count, or a share with a decimal point
// 64, [64, 96] (height and width) or "auto".
bool read(const WrittenValue& written, std::optional<PictureSize>& to);
// "auto", {mean = [0.5], std = [0.25]} or, as text, "mean 0.5 std 0.25".
bool read(const WrittenValue& written, Normalization& to);
// A list of "crop:4", "flip" and "cutout:8" in any order, each at most once, no number below 1.
bool read(const WrittenValue& written, AugmentSettings& to);
// Every element must be of the kind of the list's.
template <typename Value> bool read(const WrittenValue& written, std::vector<Value>& to)
{
    const auto elements = elementsOf(written);
    if (!elements)
        return false;
    std::vector<Value> values(elements->size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!read((*elements)[i], values[i]))
            return false;
    to = std::move(values);
    return true;
}

SettingValue show(bool value);
SettingValue show(std::int64_t value);
SettingValue show(std::uint64_t value); // text beyond 63 bits, which `validate` refuses
SettingValue show(double value);
SettingValue show(const std::string& value);
SettingValue show(const std::optional<std::int64_t>& value);
SettingValue show(const Span& span);
SettingValue show(const std::optional<Bytes>& bytes); // in the largest unit that keeps it whole
SettingValue show(const StepsFrom& entry); // "2 from epoch 4"
SettingValue show(const BatchNormMomentum& momentum);
SettingValue show(const HeldOut& heldOut);
SettingValue show(const std::optional<PictureSize>& size); // a square by its side
SettingValue show(const Normalization& normalization);
SettingValue show(const AugmentSettings& augment);
// 512, 256: a list is shown, stored and compared as the text that the command line takes.
template <typename Value> SettingValue show(const std::vector<Value>& values)
{
    std::string text;
    for (const Value& value : values)
        text += (text.empty() ? "" : ", ") + settingText(show(value));
    return text;
}

// As TOML writes it.
std::string tomlText(const SettingValue& value);
std::string tomlOf(const StepsFrom& entry); // {from_epoch = 4, steps = 2}
template <typename Value> std::string tomlOf(const Value& value)
{
    return tomlText(show(value));
}
template <typename Value> std::string tomlOf(const std::vector<Value>& values)
{
    std::string text;
    for (const Value& value : values)
        text += (text.empty() ? "" : ", ") + tomlOf(value);
    return "[" + text + "]";
}
std::string tomlOf(const std::optional<PictureSize>& size);
std::string tomlOf(const Normalization& normalization);
std::string tomlOf(const AugmentSettings& augment);
std::string tomlQuoted(std::string_view text);

} // namespace accrue
