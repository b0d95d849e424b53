// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/html_table.h"
#include "engine/compare/report_content.h"

namespace accrue {

// The tables of a report. Pure.

HtmlTable groupTable(const ReportContent& content, const ReportLooks& looks);
// A row for each run: how it ended, the settings in which the runs differ, cost.
HtmlTable runTable(const ReportContent& content, const ReportLooks& looks);
// A row for each run: final and best value of each metric.
HtmlTable resultTable(const ReportContent& content, const ReportLooks& looks);
HtmlTable importanceTable(const ReportContent& content);

} // namespace accrue
