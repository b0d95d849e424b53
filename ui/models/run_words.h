// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/metrics.h"
#include "engine/runs/run_record.h"
#include "engine/runs/settled_settings.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// State and outcome in a word or two: "running", "completed", "out of memory", "interrupted".
QString stateText(const RunRecord& run);
QString outcomeText(RunOutcome outcome);
QStringList stateTexts(); // all texts that stateText can return

QString runNumber(RunId id); // "#12"
// "lenet5-mnist #12": a run's name and number, wherever both are shown. A name with letters that
// are written from right to left is isolated (U+2068 … U+2069), so that the number stays behind it.
QString runTitle(const std::string& name, RunId id);
QString runTitle(const RunRecord& run);
QString quotedRunTitle(const RunRecord& run); // "“lenet5-mnist” #12", within a sentence
// "run-12", "runs-3-8", "12-runs": the name of a file about these runs, without an extension.
QString fileNameOf(const std::vector<RunId>& runs);

// Of a run that has completed, in the unit that ended it: its epochs, or the steps of
// run.limit_steps.
std::int64_t lengthOf(const RunRecord& run);
// Why its settings cannot be copied to the form; empty: they can.
QString whyNoRecipe(const RunRecord& run);
QString howLongText(const RunRecord& run); // asks for the new total

// A setting as it took effect (settled_settings.h). Empty: no such key.
QString settingOf(const RunRecord& run, std::string_view key);

QString evaluationPeakTitle(); // beside that of peak_bytes, which covers training only
// Translated; the name itself for a metric that the table of metrics lacks.
QString metricTitle(const std::string& metric);
inline QString metricTitle(MetricId metric)
{
    return metricTitle(nameOf(metric));
}
// A value of that metric with its unit: share in percent, bytes in MiB, ms …
QString metricText(const std::string& metric, double value);
// "Best test accuracy", "Best validation accuracy"
QString bestTitle(const BestEvaluation& best);
QString axisTitle(Axis axis);
QString axisText(Axis axis, double value);

// Tags as they are shown and typed: "baseline, paper".
QString tagLine(const std::vector<std::string>& tags);
// Splits typed text at commas and blanks; the tags are not yet validated.
std::vector<std::string> tagsInLine(const QString& line);

} // namespace accrue
