// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exchange/csv_layout.h"
#include "engine/runlog/foreign_rows.h"
#include "engine/runlog/run_log_writer.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace accrue {

enum class ImportKind : std::uint8_t { RunLog, TensorBoard, Csv };
// By what is at that place: a folder and an event file are TensorBoard's, a database is a run log,
// and everything else is read as CSV.
ImportKind importKindOf(const std::filesystem::path& path);

struct PlannedRun {
    std::string name;
    std::int64_t length = 0; // of a run log: steps; otherwise: values
    bool isKnown = false; // the log has it, so that it is brought up to date at most
};

// What an import would do.
struct ImportPlan {
    ImportKind kind {};
    std::filesystem::path path; // a log, a CSV file, an event file or a folder with event files
    std::vector<PlannedRun> runs {};
    std::int64_t waiting = 0; // in the queue of the other log; they are not imported
    std::vector<Message> problems {}; // what cannot be read; the rest can
    std::optional<CsvLayout> layout {}; // of CSV
    Message whyNot {}; // why nothing can be imported, if the kind has a sentence for it
};

// Looks at what is at `path`, and which of it `log` has; changes neither. `layout`: the roles of
// the columns of a CSV file; empty: as the file suggests. Ends early once `stop` is requested.
// Blocks. Throws Error.
ImportPlan planImport(const std::filesystem::path& path, const std::filesystem::path& log,
    const std::optional<CsvLayout>& layout = {}, const std::stop_token& stop = {});

struct ImportWishes {
    bool checkpoints = false; // of a run log: copy them, too
    bool leavesDamagedOut = false; // otherwise a damaged log is refused
};
struct ImportOutcome {
    std::vector<RunId> runs {}; // in the log, whether they were changed or not
    std::array<std::int64_t, 3> counts {}; // by ImportResult
    std::vector<Message> problems {};
};

// Does it. What is at the plan's place is read again, because it may have grown. Once `stop` is
// requested, no further run is imported. Blocks. Throws Error.
ImportOutcome importPlanned(RunLogWriter& log, const ImportPlan& plan, const ImportWishes& wishes,
    const std::function<void(double share)>& progress = {}, const std::stop_token& stop = {});

} // namespace accrue
