// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/checked_rows.h"
#include "engine/runs/parameter_histograms.h"
#include "engine/runs/run_record.h"

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace accrue {

class LogSnapshot;

// The histograms of a run log (trace.histograms), beside RunLogReader: a connection of its own,
// read-only, for one question or a few. Without rows that a later attempt superseded. A run without
// histograms, and a log of a format that has none, has no names and no histograms. Not thread-safe:
// one reader per thread. All methods block and throw RunLogError.
class HistogramReader {
public:
    // How many a chart of one parameter shows at most.
    static constexpr std::size_t kMost = 300;
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

    explicit HistogramReader(const std::filesystem::path& file);
    ~HistogramReader();

    HistogramNames names(RunId run);
    // By step, each step once. If there are more than `most` (2 or more), as many with about equal
    // distances, the first and the last among them. `whole`: only those of these attempts and
    // steps; null: all.
    std::vector<HistogramAtStep> histograms(RunId run, const std::string& parameter, HistogramOf of,
        std::size_t most = kMost, const std::vector<RowRange>* whole = nullptr);

private:
    std::filesystem::path m_file;
    std::unique_ptr<LogSnapshot> m_snapshot;
};

} // namespace accrue
