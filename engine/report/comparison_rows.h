// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/report/run_comparison.h"

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// A comparison as lines of text, which the command line and the window lay out. Texts are in the
// language of the program, except those for files. All functions are pure.

// "state.out_of_memory.name": the code under which a word of a table is translated.
std::string codeOfWord(const std::string& table, std::string word);
Message titleOf(const MetricInfo& metric); // for a metric that the table lacks: its name
Message evaluationPeak();
std::string categoryText(MemoryCategory category); // "activations"
std::string ownerText(const std::string& owner); // a layer or parameter keeps its name
std::string phaseText(MemoryPhase phase); // "forward"
// "98.71 %", "12.3 ms", "212 MiB": a metric's value for people.
std::string metricText(const MetricInfo& metric, double value);
// "out of memory", "running": the outcome of a run that has ended, otherwise its state.
std::string conditionText(const RunRecord& run);
// "a script", "TensorBoard": who trained and logged a run.
std::string textOf(RunSource source);

struct ComparisonRow {
    enum class Kind { Setting, Final, AtStep, Best, Lowest, Highest, Peak };
    enum class Mark { None, Best, Worst };
    Kind kind = Kind::Setting;
    std::string key; // the dotted key, or the name of the metric; empty: a fact, or a peak
    Message title; // dotted key, or "Test accuracy, best"
    std::string help; // for a key
    std::optional<MemoryCategory> category {}; // of a part of the peak
    std::vector<std::string> values; // one per run, as shown
    // for files: in English, without units and rounding; empty if there is none
    std::vector<std::string> exact;
    std::vector<std::string> steps; // of best values; no elements in other lines
    std::vector<std::optional<double>> numbers; // of results
    MetricInfo shownAs {}; // of results: unit, format, and which value is better
    std::vector<Mark> marks; // one per run
    bool identical = false; // all values are the same, for a setting those of runs that read it
    bool unread = false; // a setting that has no effect in any of the runs
};

// Every setting, then what the runs ran on and how they ended. A run that does not read a setting
// has a dash there; threads that the program chose are followed by "(auto)".
std::vector<ComparisonRow> settingRows(const RunComparison& comparison);

// Puts what a run is judged by before its cost.
void putResultsFirst(RunComparison& comparison);
// Best (with its step), final, lowest and highest value of each metric. Lines of best values, and
// the marks of the best and worst in a line whose values differ, exist only if the table of metrics
// has a better direction; a value that is not finite is the worst. The extreme that is the best
// value has no line of its own, and the other one has no marks: nobody is the better one by its
// worst moment. The peak of training is followed by that of evaluations and by the highest peak's
// categories.
std::vector<ComparisonRow> metricRows(const RunComparison& comparison);
// What metricRows() has of one metric, for other values of it: those at one step, say.
ComparisonRow resultRow(
    const MetricInfo& metric, const Message& part, std::vector<std::optional<double>> numbers);
// Marks the best and the worst of these values; none if what is shown of both is the same.
std::vector<ComparisonRow::Mark> marksOf(const std::vector<std::optional<double>>& values,
    const std::vector<std::string>& shown, Better better);

} // namespace accrue
