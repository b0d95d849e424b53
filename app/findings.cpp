// SPDX-License-Identifier: Apache-2.0
#include "app/findings.h"

#include "app/text_table.h"

namespace accrue {

std::string findingText(const Finding& finding, const std::string& source)
{
    std::string text = source;
    if (finding.line > 0)
        text += ":" + std::to_string(finding.line);
    text += ": ";
    if (finding.severity == Finding::Severity::Warning)
        text += "warning: ";
    if (!finding.key.empty())
        text += finding.key + ": ";
    return printable(text + finding.message);
}

void sayFindings(Console& console, const Findings& findings, const std::string& source)
{
    for (const auto severity : { Finding::Severity::Error, Finding::Severity::Warning })
        for (const Finding& finding : findings)
            if (finding.severity == severity)
                console.say(findingText(finding, source));
}

} // namespace accrue
