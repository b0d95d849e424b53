// SPDX-License-Identifier: Apache-2.0
#include "app/findings.h"

#include "app/text_table.h"
#include "engine/base/shown_text.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

// A file that is no recipe at all may have a finding for every line.
constexpr std::size_t kMostFindings = 20;

// How a sentence about a file or a key begins.
std::string openingOf(const std::string& subject)
{
    return Message("cli.finding_opening", { { "subject", subject } }).text();
}

// "recipe.toml is not TOML: line 1, column 6: …" needs neither its file nor its line twice.
std::string withoutPlace(std::string message, const std::string& source, int line)
{
    const std::string opening = openingOf(source);
    if (!message.starts_with(opening))
        return message;
    message.erase(0, opening.size());
    const std::string place = Message("cli.finding_line", { { "line", line } }).text();
    if (const std::size_t at = message.find(place); at != std::string::npos)
        message.erase(at, place.size());
    return message;
}

std::string severityText(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Warning:
        return Message("cli.finding_warning").text();
    case Finding::Severity::Note:
        return Message("cli.finding_note").text();
    case Finding::Severity::Error:
        break;
    }
    return {};
}

} // namespace

std::string findingText(const Finding& finding, const std::string& source)
{
    const std::string place =
        source + (finding.line > 0 ? ":" + std::to_string(finding.line) : "") + ": ";
    std::string text = place + severityText(finding.severity);
    if (finding.key.empty())
        return printable(text + withoutPlace(finding.message.text(), source, finding.line));
    // "batch.micro is 0; allowed: …" needs its key only once.
    const std::string key = shortened(finding.key);
    const std::string opening = openingOf(key);
    const std::string message = finding.message.text();
    const bool repeats = message.starts_with(opening);
    text += key + ": ";
    return printable(text + (repeats ? message.substr(opening.size()) : message));
}

void printFindings(Console& console, Findings findings, const std::string& source)
{
    const auto place = [](const Finding& finding) {
        return std::make_pair(finding.line == 0, finding.line);
    };
    // Two stable sorts: by line, then by severity, so lines stay in order within a severity.
    std::stable_sort(findings.begin(), findings.end(),
        [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
    std::stable_sort(findings.begin(), findings.end(),
        [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    const std::size_t most = findings.size() > kMostFindings ? kMostFindings : findings.size();
    for (std::size_t i = 0; i < most; ++i)
        console.say(findingText(findings[i], source));
    if (most < findings.size())
        console.say(Message(
            "cli.more_findings", { { "source", source }, { "count", findings.size() - most } }));
}

} // namespace accrue
