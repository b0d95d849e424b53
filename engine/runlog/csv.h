// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/csv_file.h"
#include "engine/runlog/run_log_reader.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace accrue {

// RFC 4180, UTF-8, CRLF. Doubles are written by shortest round trip; non-finite ones as nan, inf,
// -inf. A text cell that a spreadsheet would take for a formula gets a leading apostrophe. Written
// to a temporary file in the same folder and renamed. Blocks; `progress` (may be empty) is told
// shares 0..1 and returns false to cancel, which leaves nothing behind.
using CsvProgress = std::function<bool(double share)>;

// All that is exported of a run log is held against the log's checksums first. Damage is thrown as
// RunLogError, and no file is written (to a stream, no more); with `leftOut`, which is borrowed, it
// is added to that, and the rest is exported: of a table of a run the rows of the batches that are
// whole, and nothing of a run whose row in `runs`, settings, attempts or summaries are damaged.

// run, name, step, samples, micro_batches, epoch, seconds, metric, value: all metrics of `runs` at
// full resolution. False: cancelled. Throws RunLogError.
bool exportSeriesCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress = {}, std::vector<LogDamage>* leftOut = nullptr);

// One row a run: id, name, state, outcome, …, every setting by its dotted key, summaries.
bool exportRunsCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress = {}, std::vector<LogDamage>* leftOut = nullptr);

// run, name, step, epoch, seconds, phase, micro_batch, samples, begin_bytes, end_bytes, peak_bytes,
// peak.CATEGORY …, end.CATEGORY …, cached_bytes, other_bytes: a row for each phase of what was
// metered. False: cancelled. Throws RunLogError.
bool exportMemoryCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress = {}, std::vector<LogDamage>* leftOut = nullptr);

// A table as shown (Compare's tab): header and rows of text.
void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows);

// Throws RunLogError where a CSV file in that place would replace the run log or a file of its.
// exportSeriesCsv, exportRunsCsv and exportMemoryCsv ask this themselves.
void requireOtherFile(const std::filesystem::path& csv, const std::filesystem::path& log);

} // namespace accrue
