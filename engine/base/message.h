// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

struct MessageArgument;

// One or more whole sentences for a person, as a code with arguments. It becomes text where it is
// shown, in the language of language.h; the log and --json store the English text beside code and
// arguments. resources/translations has the template of each code, en.toml the English one:
//
//   Message("memory.retry", { { "step", step }, { "micro", micro } })
//   "memory.retry" = "Out of memory at step {step}. Retrying with {micro}."
//
// {name} is replaced by the argument of that name; {n:channel|channels} becomes the first word if
// the argument is 1 and the second one otherwise. Braces around anything else stay. Codes are
// unique, in the form room.what_happened, and are never reused for another meaning;
// tests/layering/messages.py checks that each code has its templates, and each hole an argument.
class Message {
public:
    Message() = default; // empty
    explicit Message(std::string_view code, std::initializer_list<MessageArgument> arguments = {});
    // With its own English template, for a code that is composed at run time from a table.
    Message(std::string_view code, std::string_view english,
        std::initializer_list<MessageArgument> arguments = {});
    // Text without a code: from another library, or from a log written before codes were stored.
    static Message plain(std::string text);
    // As it was logged; arguments as toJson() wrote them. If they cannot be read, it is the English
    // text without a translation.
    static Message logged(std::string code, std::string english, std::string_view arguments);

    bool empty() const { return m_code.empty() && m_english.empty(); }
    const std::string& code() const { return m_code; } // empty: plain text
    const std::vector<MessageArgument>& arguments() const { return m_arguments; }
    std::string english() const;
    std::string text() const; // in the language of language.h
    // The arguments in their order: {"step": 3, "budget": {"bytes": 4096}}; seconds and share
    // likewise, a message as an object of code, arguments and text.
    nlohmann::ordered_json toJson() const;
    friend bool operator==(const Message& one, const Message& other); // code and English text

private:
    // Throws nlohmann::json::exception unless `arguments` are something that toJson() writes.
    static Message restored(
        std::string code, std::string english, const nlohmann::ordered_json& arguments);
    const std::string& englishTemplate() const; // of a message that is not rendered

    std::string m_code;
    std::string m_english; // if m_isRendered, the text; else the template, unless en.toml has it
    std::vector<MessageArgument> m_arguments;
    bool m_isRendered = false;
};

// Values that format.h shows with a unit.
struct ByteCount {
    std::int64_t value = 0;
    friend bool operator==(const ByteCount&, const ByteCount&) = default;
};
struct Duration {
    double value = 0;
    friend bool operator==(const Duration&, const Duration&) = default;
};
struct Percent { // 0..1, shown as per cent
    double value = 0;
    friend bool operator==(const Percent&, const Percent&) = default;
};

// A whole number is shown as by formatCount(), any other as by formatNumber(), a path as its text.
struct MessageArgument {
    using Value =
        std::variant<std::int64_t, double, std::string, ByteCount, Duration, Percent, Message>;

    MessageArgument(std::string_view itsName, Value itsValue)
        : name(itsName)
        , value(std::move(itsValue))
    {
    }
    // For any integral type, so that a size or an int needs no cast.
    template <typename Integer>
    requires std::is_integral_v<Integer> MessageArgument(std::string_view itsName, Integer itsValue)
        : name(itsName)
        , value(static_cast<std::int64_t>(itsValue))
    {
    }

    std::string name;
    Value value;
    friend bool operator==(const MessageArgument&, const MessageArgument&) = default;
};

} // namespace accrue
