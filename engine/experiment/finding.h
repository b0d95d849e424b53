// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// A change that settles a finding, where it is plain what that would be; fixes.h applies it.
struct Fix {
    std::string label; // what it does, for a button: "Set steps to 4"
    std::vector<std::string> assignments; // "batch.steps=4", as applySetting reads them
    friend bool operator==(const Fix&, const Fix&) = default;
};

// One thing that is wrong, or worth knowing, about a recipe. `message` is a whole sentence that
// names what was found and what is allowed; it is shown as it stands on the command line and beside
// the field in the window.
struct Finding {
    enum class Severity {
        Error, // nothing is trained while it stands
        Warning, // it can be trained, but it is probably not meant so
        Note, // worth knowing; there is nothing to change
    };
    Severity severity = Severity::Error;
    std::string key; // dotted key, "batch.micro"; empty when it concerns the whole recipe
    int line = 0; // 1-based line in the recipe; 0 when it has none (set by --set or in the form)
    std::string message;
    std::optional<Fix> fix = {};
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
