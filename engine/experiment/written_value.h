// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/experiment/keys.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Inside this room only: values as people write them, and the members of an experiment that they
// become.
namespace accrue {

// A value as it was written in a recipe or on the command line.
struct WrittenValue {
    // monostate: a list, a table, a date, or anything else that no key takes
    std::variant<std::monostate, bool, std::int64_t, double, std::string> value;
    std::string shown; // for messages: 16, "many", a list
    std::optional<std::string> bare; // command line: the text itself, whatever it looks like
};

// Text of the command line: true, 16, 0.04, nan or, when it is none of these, text.
WrittenValue writtenFromText(std::string_view text);

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

SettingValue show(bool value);
SettingValue show(std::int64_t value);
SettingValue show(std::uint64_t value); // text beyond 63 bits, which `validate` refuses
SettingValue show(double value);
SettingValue show(const std::string& value);
SettingValue show(const std::optional<std::int64_t>& value);
SettingValue show(const Span& span);

// As TOML writes it.
std::string tomlText(const SettingValue& value);
std::string tomlQuoted(std::string_view text);
// What a TOML file may consist of: no stray byte, no over-long form, no surrogate.
bool isUtf8(std::string_view text);
// With ? for every byte that is no UTF-8 and every control character.
std::string madeOneLine(std::string_view text);

} // namespace accrue
