// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/chart_panel.h"

#include <string>
#include <vector>

namespace accrue {

// Line charts as SVG, for files and for pages: no script, nothing from elsewhere, light or dark as
// the reader's system is. All functions are pure.

// The rules that pictures of this unit need, for the style element of a page.
std::string chartStyle();

// One panel, <svg …>…</svg>, for a page that has chartStyle().
std::string svgOfPanel(const ChartPanel& panel);

// Panels in two columns above one legend, as a file of its own. `madeBy` is its description.
std::string svgFile(const std::vector<ChartPanel>& panels, const std::vector<ChartLine>& legend,
    const std::string& madeBy);

// The line of a legend, <svg …>, for a page that has chartStyle().
std::string svgOfSwatch(const RunLook& look);

} // namespace accrue
