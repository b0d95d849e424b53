// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/report_content.h"

#include <string>

namespace accrue {

// A report as one HTML page in the language of the program: groups with intervals and the sentence
// of each comparison, curves, runs and their results in tables that can be sorted, what explains
// the number, and each run's recipe. It needs nothing from elsewhere, and its content security
// policy allows it nothing: the only script that runs is the page's own. Pure.
std::string reportPage(const ReportContent& content);

} // namespace accrue
