// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace accrue {

// One thing that is wrong, or worth knowing, about a recipe. `message` is a whole sentence that
// names what was found and what is allowed; it is shown as it stands on the command line and beside
// the field in the window.
struct Finding {
    enum class Severity { Error, Warning };
    Severity severity = Severity::Error;
    std::string key; // dotted key, "batch.micro"; empty when it concerns the whole recipe
    int line = 0; // 1-based line in the recipe; 0 when it has none (set by --set or in the form)
    std::string message;
    friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

inline bool hasErrors(const Findings& findings)
{
    for (const Finding& finding : findings)
        if (finding.severity == Finding::Severity::Error)
            return true;
    return false;
}

} // namespace accrue
