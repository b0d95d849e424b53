// SPDX-License-Identifier: Apache-2.0
// A message as a log stores it. Apart from message.cpp, because what reads JSON reports its errors
// as messages.
#include "engine/base/json_reader.h"
#include "engine/base/message.h"

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

using Json = nlohmann::ordered_json;

// Of arguments in a log: a message within another needs two levels, and lists of sentences or
// clauses are nested in each other.
constexpr int kLevels = 64;

// For everything except a message. Throws Json::exception for anything that jsonOf() does not
// write. Whole numbers first, because they are numbers, too: 1 must not become 1.0.
MessageArgument::Value valueOf(const Json& json)
{
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (!json.is_object())
        return json.get<std::string>();
    if (json.contains("bytes"))
        return ByteCount { json.at("bytes").get<std::int64_t>() };
    if (json.contains("seconds"))
        return Duration { json.at("seconds").get<double>() };
    return Percent { json.at("share").get<double>() };
}

} // namespace

Message Message::logged(std::string code, std::string english, std::string_view arguments)
{
    try {
        return restored(
            std::move(code), english, readOrderedJson(arguments, { .levels = kLevels }));
    } catch (const std::exception&) { // of another version: the text alone is shown
        return plain(std::move(english));
    }
}

Message Message::restored(std::string code, std::string english, const Json& arguments)
{
    Message message = plain(std::move(english));
    message.m_code = std::move(code);
    for (const auto& [name, value] : arguments.items())
        if (value.contains("code"))
            message.m_arguments.emplace_back(name,
                restored(value.at("code").get<std::string>(), value.at("text").get<std::string>(),
                    value.at("arguments")));
        else
            message.m_arguments.emplace_back(name, valueOf(value));
    return message;
}

} // namespace accrue
