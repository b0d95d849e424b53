// SPDX-License-Identifier: Apache-2.0
#include "engine/base/message.h"

#include "engine/base/format.h"
#include "engine/base/language.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

using Json = nlohmann::ordered_json;

template <typename... Cases> struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases> Overloaded(Cases...) -> Overloaded<Cases...>; // for clang 14

// How a message that is an argument of another one is shown: Message::english or Message::text.
using Shown = std::string (Message::*)() const;

std::string shownValue(const MessageArgument::Value& value, Shown shown)
{
    return std::visit(Overloaded { [](std::int64_t count) { return formatCount(count); },
                          [](double number) { return formatNumber(number); },
                          [](const std::string& text) { return text; },
                          [](ByteCount bytes) { return formatBytes(bytes.value); },
                          [](Duration seconds) { return formatDuration(seconds.value); },
                          [](Percent share) { return formatPercent(share.value); },
                          [shown](const Message& message) { return (message.*shown)(); } },
        value);
}

const MessageArgument* find(const std::vector<MessageArgument>& arguments, std::string_view name)
{
    const auto found = std::find_if(arguments.begin(), arguments.end(),
        [name](const MessageArgument& argument) { return argument.name == name; });
    return found != arguments.end() ? &*found : nullptr;
}

// The replacement of "channels" or "channels:channel|channels"; empty: it names no argument.
std::optional<std::string> replacement(
    std::string_view hole, const std::vector<MessageArgument>& arguments, Shown shown)
{
    const std::size_t colon = hole.find(':');
    const MessageArgument* argument = find(arguments, hole.substr(0, colon));
    if (argument == nullptr)
        return std::nullopt;
    if (colon == std::string_view::npos)
        return shownValue(argument->value, shown);
    const std::string_view words = hole.substr(colon + 1);
    const std::size_t bar = words.find('|');
    const auto* count = std::get_if<std::int64_t>(&argument->value);
    const bool one = count != nullptr && *count == 1;
    return std::string(
        one || bar == std::string_view::npos ? words.substr(0, bar) : words.substr(bar + 1));
}

// Text that is not a hole stays unchanged, because text from outside may contain braces, too;
// inserted text is not scanned again.
std::string filled(
    std::string_view text, const std::vector<MessageArgument>& arguments, Shown shown)
{
    std::string result;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        result += text.substr(0, open);
        if (open == std::string_view::npos)
            break;
        const std::size_t close = text.find_first_of("{}", open + 1);
        const bool isHole = close != std::string_view::npos && text[close] == '}';
        const auto value = isHole
            ? replacement(text.substr(open + 1, close - open - 1), arguments, shown)
            : std::nullopt;
        result += value ? *value : std::string("{");
        // An unknown hole loses only its brace here, so that its text is scanned and kept like any
        // other.
        text.remove_prefix(value ? close + 1 : open + 1);
    }
    return result;
}

Json jsonOf(const MessageArgument::Value& value)
{
    return std::visit(Overloaded { [](std::int64_t count) { return Json(count); },
                          [](double number) { return Json(number); },
                          [](const std::string& text) { return Json(text); },
                          [](ByteCount bytes) {
                              return Json { { "bytes", bytes.value } };
                          },
                          [](Duration seconds) {
                              return Json { { "seconds", seconds.value } };
                          },
                          [](Percent share) {
                              return Json { { "share", share.value } };
                          },
                          [](const Message& message) {
                              return Json { { "code", message.code() },
                                  { "arguments", message.toJson() },
                                  { "text", message.english() } };
                          } },
        value);
}

bool isName(std::string_view text)
{
    constexpr std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyz0123456789_";
    return !text.empty() && text.find_first_not_of(kOfNames) == std::string_view::npos;
}

// Whether there is an argument for all that has the form of a hole.
bool fillsEachHole(std::string_view text, const std::vector<MessageArgument>& arguments)
{
    for (std::size_t open = text.find('{'); open != std::string_view::npos;
         open = text.find('{', open + 1)) {
        const std::size_t end = text.find_first_of("{}", open + 1);
        const std::string_view hole = text.substr(open + 1, end - open - 1);
        const std::string_view name = hole.substr(0, hole.find(':'));
        if (end != std::string_view::npos && text[end] == '}' && isName(name)
            && find(arguments, name) == nullptr)
            return false;
    }
    return true;
}

} // namespace

Message::Message(std::string_view code, std::initializer_list<MessageArgument> arguments)
    : m_code(code)
    , m_arguments(arguments)
{
}

Message::Message(std::string_view code, std::string_view english,
    std::initializer_list<MessageArgument> arguments)
    : m_code(code)
    , m_english(english)
    , m_arguments(arguments)
{
}

Message Message::plain(std::string text)
{
    Message message;
    message.m_english = std::move(text);
    message.m_isRendered = true;
    return message;
}

std::string Message::english() const
{
    return m_isRendered ? m_english : filled(englishTemplate(), m_arguments, &Message::english);
}

// A message from a log is translated if this version knows its code and the log has every argument,
// and otherwise shown in the English text that was stored with it.
std::string Message::text() const
{
    const bool isEnglish = &language() == &languages().front();
    const auto* found = isEnglish ? nullptr : findTranslation(language(), m_code);
    if (found != nullptr && (!m_isRendered || fillsEachHole(*found, m_arguments)))
        return filled(*found, m_arguments, &Message::text);
    return m_isRendered ? m_english : filled(englishTemplate(), m_arguments, &Message::text);
}

const std::string& Message::englishTemplate() const
{
    // An English text of its own precedes the template of en.toml.
    const auto* found = m_english.empty() ? findTranslation(languages().front(), m_code) : nullptr;
    return found != nullptr ? *found : m_english;
}

Json Message::toJson() const
{
    Json json = Json::object();
    for (const MessageArgument& argument : m_arguments)
        json[argument.name] = jsonOf(argument.value);
    return json;
}

bool operator==(const Message& one, const Message& other)
{
    return one.m_code == other.m_code && one.english() == other.english();
}

} // namespace accrue
