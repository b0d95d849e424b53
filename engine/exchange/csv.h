// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/exchange/csv_file.h"
#include "engine/runlog/run_log_reader.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace accrue {

// RFC 4180, UTF-8, CRLF. Doubles are written by shortest round trip; non-finite ones as nan, inf,
// -inf. A text cell that a spreadsheet would interpret as a formula gets a leading apostrophe.
// Written to a temporary file in the same folder and renamed. Blocks; `progress` (may be empty)
// receives shares 0..1 and returns false to cancel, which leaves nothing behind.
using CsvProgress = std::function<bool(double share)>;

// Compares all that is exported with the log's checksums first. Damage is thrown as RunLogError,
// and no file is written (to a stream, nothing more); with `leftOut`, which is borrowed, damage is
// added to it, and the rest is exported: of a table of a run the rows of the undamaged batches, and
// nothing of a run whose row in `runs`, settings, attempts or summaries are damaged.

// run, name, step, samples, micro_batches, epoch, seconds, metric, value, rank: all metrics of
// `runs` at full resolution. False: cancelled. Throws RunLogError.
bool exportSeriesCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress = {}, std::vector<LogDamage>* leftOut = nullptr);

// One row per run: id, name, state, outcome, …, every setting by its dotted key, summaries.
bool exportRunsCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress = {}, std::vector<LogDamage>* leftOut = nullptr);

// run, name, step, epoch, seconds, phase, micro_batch, samples, begin_bytes, end_bytes, peak_bytes,
// peak.CATEGORY …, end.CATEGORY …, cached_bytes, other_bytes: a row for each metered phase. False:
// cancelled. Throws RunLogError.
bool exportMemoryCsv(RunLogReader& log, const std::vector<RunId>& runs, const CsvTarget& target,
    const CsvProgress& progress = {}, std::vector<LogDamage>* leftOut = nullptr);

// A table as shown (Compare's tab): header and rows of text.
void writeCsv(const std::filesystem::path& file, const std::vector<std::vector<std::string>>& rows);

// Throws RunLogError if a CSV file in that place would replace the run log or one of its
// companions. exportSeriesCsv, exportRunsCsv and exportMemoryCsv call it themselves.
void requireOtherFile(const std::filesystem::path& csv, const std::filesystem::path& log);

} // namespace accrue
