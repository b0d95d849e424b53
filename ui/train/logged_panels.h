// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/follow_query.h"

#include <QString>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace accrue {

// What the charts show of a run without a recipe, whose metrics may have any name.
struct LoggedPanel {
    QString title;
    std::vector<std::string> metrics; // drawn together, in one unit; empty: nothing is left to show

    friend bool operator==(const LoggedPanel&, const LoggedPanel&) = default;
};
inline constexpr std::size_t kLoggedPanels = 4;
using LoggedPanels = std::array<LoggedPanel, kLoggedPanels>;

// First everything that is called a loss, then what is called an accuracy, then the others, as far
// as there are charts: those that Accrue knows by their order, the rest by name. Pure.
LoggedPanels loggedPanels(const std::vector<MetricSummary>& summaries);

} // namespace accrue
