// SPDX-License-Identifier: Apache-2.0
#include "app/findings.h"

#include "app/text_table.h"

#include <algorithm>
#include <utility>

namespace accrue {

std::string findingText(const Finding& finding, const std::string& source)
{
    std::string text = source;
    if (finding.line > 0)
        text += ":" + std::to_string(finding.line);
    text += ": ";
    if (finding.severity == Finding::Severity::Warning)
        text += "warning: ";
    if (finding.key.empty())
        return printable(text + finding.message);
    // "batch.micro is 0; allowed: …" needs its key once only.
    const std::string opening = finding.key + " is ";
    const bool repeats = finding.message.rfind(opening, 0) == 0;
    text += finding.key + ": ";
    return printable(text + (repeats ? finding.message.substr(opening.size()) : finding.message));
}

void sayFindings(Console& console, Findings findings, const std::string& source)
{
    const auto place = [](const Finding& finding) {
        return std::make_pair(finding.line == 0, finding.line);
    };
    std::stable_sort(findings.begin(), findings.end(),
        [&](const Finding& a, const Finding& b) { return place(a) < place(b); });
    for (const auto severity : { Finding::Severity::Error, Finding::Severity::Warning })
        for (const Finding& finding : findings)
            if (finding.severity == severity)
                console.say(findingText(finding, source));
}

} // namespace accrue
