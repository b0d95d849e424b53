// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"
#include "engine/runlog/settled_settings.h"
#include "ui/run/run_title.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// State and outcome in a word or two: "running", "completed", "out of memory", "interrupted".
QString stateText(const RunRecord& run);
QString outcomeText(RunOutcome outcome);
QStringList stateTexts(); // all that stateText can say
QString runTitle(const RunRecord& run); // "lenet5-mnist #12"
// Of a run that has completed, in what ended it: its epochs, or the steps of run.limit_steps.
std::int64_t lengthOf(const RunRecord& run);
QString howLongText(const RunRecord& run); // asks how many of these it shall have

// A setting as it took effect (settled_settings.h). Empty: no such key.
QString settingOf(const RunRecord& run, std::string_view key);

QString evaluationPeakTitle(); // beside that of peak_bytes, which is of training
QString metricTitle(const std::string& metric); // the name itself where it is not known
// A value of that metric with its unit: share in percent, bytes in MiB, ms …
QString metricText(const std::string& metric, double value);
// "Best test accuracy", "Best validation accuracy"
QString bestTitle(const BestEvaluation& best);
QString axisTitle(Axis axis);
QString overAxisText(Axis axis); // "over step"
QString axisText(Axis axis, double value);

// Tags as they are shown and typed: "baseline, paper".
QString tagLine(const std::vector<std::string>& tags);
// Of what was typed, commas or blanks between them; each is still to be checked.
std::vector<std::string> tagsInLine(const QString& line);

} // namespace accrue
