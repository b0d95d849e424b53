// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"
#include "ui/run/run_log_follower.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// What a comparison says, without widgets. All functions are pure.

// One line of the comparison's table.
struct ComparisonRow {
    enum class Kind { Setting, Metric };
    enum class Mark { None, Best, Worst };
    Kind kind = Kind::Setting;
    QString title; // dotted key, or "Test accuracy, best"
    QString help;
    QStringList values; // one a run, as shown
    QStringList exact; // the same without units and rounding; empty where there is none, and where
                       // the run does not read the setting
    QStringList steps; // of best values; no elements in other lines
    std::vector<Mark> marks; // one a run
    bool identical = false; // all values are the same, of a setting those of runs that read it
    bool unread = false; // a setting that has no effect in any of the runs
};

// Every setting and what it ran on, in the order of docs/recipes.md; batch numbers as solved,
// threads as used. A run that does not read a setting has a dash there.
std::vector<ComparisonRow> settingRows(const std::vector<RunRecord>& runs);

// final, best (with its step), min and max of each metric that any of the runs has. The best and
// worst of a line are marked where the metric has a direction and the values differ; a value that
// is not finite is the worst. Then what the highest peak of memory was for, by category.
std::vector<ComparisonRow> metricRows(
    const std::vector<RunRecord>& runs, const std::vector<SeriesBatch::Summaries>& summaries);

// The whole comparison for writeCsv: a line of run titles, then settings and results by their exact
// values; the step of a best value has a line of its own. Settings that no run reads are left out,
// and with `identicalHidden` those in which the runs do not differ, as in the table.
std::vector<std::vector<std::string>> comparisonCsv(const std::vector<RunRecord>& runs,
    const std::vector<SeriesBatch::Summaries>& summaries, bool identicalHidden);

// Names that tell the runs apart by the settings in which they differ, and by nothing else:
// "#12 mnist, norm=group, b=32". A setting that a run does not read is no difference. Runs that
// differ in no setting are told apart by their number and name. Threads that the program chose are
// named only where nothing else differs.
QStringList legendTexts(const std::vector<RunRecord>& runs);

// In which settings `run` differs from `first`, for beside its name: "b=128, N=1"; empty: in none.
// At most four, then "…". Threads that the program chose are no difference.
QString variantText(const RunRecord& run, const RunRecord& first);
// The oldest run of the name of `run` that is not archived; null: that is `run` itself. `recordOf`
// reads the record of an element of `runs`.
template <class Runs, class RecordOf = std::identity>
const RunRecord* firstOfItsName(const Runs& runs, const RunRecord& run, RecordOf recordOf = {})
{
    const RunRecord* first = &run;
    for (const auto& one : runs)
        if (const RunRecord& other = std::invoke(recordOf, one);
            !other.archived && other.name == run.name && other.id < first->id)
            first = &other;
    return first != &run ? first : nullptr;
}

// What the peak of memory is shown over.
enum class PeakSetting {
    Micro, // b
    Steps, // N; where it changes while the run trains, the first one
    Norm,
};

QString overSettingText(PeakSetting setting); // "over micro-batch b"
QString settingTitle(PeakSetting setting); // "micro-batch b"
// Of a place on that axis: norms by their names; empty between two of them.
QString settingValueText(PeakSetting setting, double value);
struct PeakRange {
    double low = 0;
    double high = 0;
};
bool isCounted(PeakSetting setting); // in numbers, which powers of two are usual for
// With room beside the outermost of these points; of a logarithmic axis where it is counted.
PeakRange rangeOf(PeakSetting setting, const std::vector<SeriesPoint>& points);

// The setting and the bytes of the highest peak of a run's windows; empty: it has told of none.
std::optional<SeriesPoint> peakOver(PeakSetting setting, const RunRecord& run);

// Pixels by which each of these points stands beside its place, so that those at one place (the
// same x, and y hardly apart) are seen side by side, in their order, about it.
std::vector<double> shiftsOf(const std::vector<SeriesPoint>& points);

} // namespace accrue
