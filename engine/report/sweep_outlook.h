// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"
#include "engine/insight/memory_fit.h"
#include "engine/report/logged_times.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/sweep/sweep_runs.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// What is known about the runs of a sweep before they are trained: from the data sets that are
// found, the stored memory models, and the runs of this machine that were logged. Needs no engine,
// so the device of run.device = "auto" is taken for the first CUDA device if something is known of
// it, otherwise for the CPU. One thread.
class SweepOutlook {
public:
    // `log` is borrowed; null: there is none.
    SweepOutlook(RunLogReader* log, std::vector<std::filesystem::path> dataDirectories);

    // Adds to a run that can be trained its predictions, and what data set and memory model say
    // about it. If the data set does not allow it, it cannot be trained any more. Blocks while data
    // sets and runs are looked up, once for each that the runs need. Throws RunLogError.
    void addTo(SweepRun& run);

private:
    const DataSetStatus& dataOf(const Experiment& experiment);
    void addData(SweepRun& run);
    void addMemory(SweepRun& run);
    void addTime(SweepRun& run);
    const std::optional<MemoryFit>& fitOf(const Experiment& experiment, const std::string& device);
    const LoggedTimes& times();

    RunLogReader* m_log;
    std::vector<std::filesystem::path> m_directories;
    std::map<std::string, DataSetStatus> m_data; // by the settings that choose it
    std::map<std::string, std::optional<MemoryFit>> m_fits; // by fingerprint
    std::optional<LoggedTimes> m_times;
};

// The total of runs that can be trained, as far as it is known.
struct SweepTotals {
    std::int64_t runs = 0;
    std::int64_t withoutTime = 0; // whose time is unknown
    PredictedTime time {}; // of the others together, one after the other
    std::optional<std::int64_t> peakBytes {}; // the greatest that is known
};
SweepTotals totalsOf(const std::vector<SweepRun>& runs);

} // namespace accrue
