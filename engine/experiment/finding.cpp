// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/finding.h"

#include "engine/base/sentences.h"

#include <algorithm>
#include <utility>

namespace accrue {

Finding errorAbout(std::string key, Message message, std::optional<Fix> fix)
{
    return { Finding::Severity::Error, std::move(key), 0, std::move(message), std::move(fix) };
}

Finding warningAbout(std::string key, Message message, std::optional<Fix> fix)
{
    return { Finding::Severity::Warning, std::move(key), 0, std::move(message), std::move(fix) };
}

Finding noteAbout(std::string key, Message message)
{
    return { Finding::Severity::Note, std::move(key), 0, std::move(message) };
}

bool hasErrors(const Findings& findings)
{
    return std::any_of(findings.begin(), findings.end(),
        [](const Finding& each) { return each.severity == Finding::Severity::Error; });
}

// Line and fix are left out: the same problem is found by several checks, of which only one may
// know the line or a fix.
bool contains(const Findings& findings, const Finding& wanted)
{
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& each) {
        return each.severity == wanted.severity && each.key == wanted.key
            && each.message == wanted.message;
    });
}

void append(Findings& findings, const Findings& more)
{
    findings.insert(findings.end(), more.begin(), more.end());
}

// A list in words is a template, because languages place and spell "or" differently.
Message oneOf(std::vector<std::string> words)
{
    const std::string last = std::move(words.back());
    words.pop_back();
    if (words.empty())
        return Message::plain(last);
    return Message("setting.one_of", { { "words", commaList(words) }, { "last", last } });
}

Message notAllowed(
    const std::string& name, const MessageArgument::Value& value, const Message& allowed)
{
    return Message(
        "setting.not_allowed", { { "key", name }, { "value", value }, { "allowed", allowed } });
}

Message usedOnlyWith(const std::string& key, const Message& value)
{
    return Message("setting.used_only_with", { { "key", key }, { "value", value } });
}

} // namespace accrue
