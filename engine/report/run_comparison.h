// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/experiment/keys.h"
#include "engine/report/equivalence.h"
#include "engine/runlog/run_log_reader.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// What `accrue compare` and the window's Compare page show about runs: both get the same data from
// here, so they cannot disagree about what differs. comparison_rows.h turns it into text.

// The log's summaries of one run.
struct RunSummaries {
    RunId run {};
    std::vector<MetricSummary> metrics;
    CategoryBytes highestPeak {}; // of training, by category; all 0 if memory was not metered
};

// Runs side by side. Each `values` has one element per run, in the order of `runs`.
struct RunComparison {
    struct Setting {
        std::string key;
        // As it took effect (settled_settings.h). Empty: the run does not read the setting, so it
        // is no difference, whatever its recipe sets.
        std::vector<std::optional<SettingValue>> values;
        bool differs() const;
        bool isRead() const; // by one run at least
    };
    struct Metric {
        MetricInfo info;
        std::vector<std::optional<MetricSummary>> values; // empty: the run has none
    };
    std::vector<RunRecord> runs;
    std::vector<Setting> settings; // all but the name, in the order of docs/recipes.md
    // Metrics of at least one run: in the order of the table of metrics, then by name.
    std::vector<Metric> metrics;
    std::vector<CategoryBytes> highestPeaks; // of training; all 0 if memory was not metered
    std::optional<Equivalence> equivalence; // of two runs
};

// Pure; without an equivalence, which needs the losses. Runs that `summaries` lacks have no
// metrics.
RunComparison compareRuns(
    const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries);
// Reads everything except the peaks by category. Blocks. Throws RunLogError.
RunComparison compareRuns(RunLogReader& log, const std::vector<RunId>& ids);

// As `compare --json` prints it.
nlohmann::ordered_json jsonOf(const RunComparison& comparison);
// The verdict with both differences, as `compare --json` and `equivalence --json` print it.
nlohmann::ordered_json jsonOf(const Equivalence& equivalence);

// ---- names ------------------------------------------------------------------------------------

// For each run, the settings in which it differs from the others: "norm=group, b=32"; empty if the
// runs do not differ. Threads that the program chose are named only if nothing else differs: they
// follow the machine, nobody chose them.
std::vector<std::string> distinguishingSettings(const std::vector<RunRecord>& runs);
// The settings in which `run` differs from `first`, to be shown beside its name: "b=128, N=1";
// empty: none. At most four, then "…". Threads that the program chose are no difference.
std::string differenceFrom(const RunRecord& first, const RunRecord& run);

// The oldest run with the name of `run` that is not archived; null: that is `run` itself.
// `recordOf` reads the record of an element of `runs`.
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

} // namespace accrue
