// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory_changes.h"
#include "engine/runlog/run_record.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace SQLite {
class Database;
}

namespace accrue {

class RowSeals;

// One metric of a run so far: what the table `summaries` holds.
struct MetricTally {
    bool seen = false;
    bool touched = false; // since it was last written
    double final = 0;
    double best = 0; // NaN until a value was finite; so are min and max
    std::int64_t bestStep = 0;
    double min = 0;
    double max = 0;

    void add(double value, std::int64_t step, bool higherIsBetter);
};

// What the writer remembers of a run that it writes, so that no row is read back. A value: copied
// before a transaction and put back when that fails.
struct LoggedProgress {
    int attempt = 1;
    std::int64_t step = 0;
    std::int64_t samples = 0;
    std::int64_t microBatches = 0;
    std::int64_t epoch = 0;
    double seconds = 0;
    std::int64_t peakBytes = 0;
    std::optional<double> lastLoss, finalTrainLoss, finalTrainAccuracy, finalTestLoss,
        finalTestAccuracy, bestTestAccuracy, finalValidationLoss, finalValidationAccuracy,
        bestValidationAccuracy;
    std::int64_t bestStep = 0; // by validation where there is one, otherwise by test
    bool paused = false;
    bool ended = false;
    MemoryChanges memory; // in this attempt
    std::vector<MetricTally> tallies = std::vector<MetricTally>(metrics().size());
};

// What an event of a run adds to it, as when the event is written: to take up a run whose rows are
// read back.
void note(LoggedProgress& progress, const StepDone& event);
void note(LoggedProgress& progress, const EpochDone& event);
void note(LoggedProgress& progress, const Evaluated& event);

// Turns events into rows, and names them to `seals`. To be called within a transaction; throws
// SQLite::Exception. Owns prepared statements of `database`, which must outlive it as `seals` must.
class EventRows {
public:
    EventRows(SQLite::Database& database, RowSeals& seals);
    ~EventRows();

    void write(RunId run, LoggedProgress& progress, const Event& event);
    // That the run goes on from `progress`, as its attempt.
    void writeContinued(RunId run, const LoggedProgress& progress, RunMessage::Severity severity,
        const std::string& text);
    // The cached columns of `runs` and the touched rows of `summaries`: once a transaction.
    void writeSummary(RunId run, LoggedProgress& progress);
    void finish(); // before the commit: rows that were still held back to be written together
    void forget(); // what a transaction that failed has held back

private:
    class Statements;
    std::unique_ptr<Statements> m_statements;
};

std::string_view markerWord(RunMarker::Kind kind); // "checkpoint", "learning_rate" …
RunMarker::Kind markerKind(std::string_view word);
RunMessage::Severity severityOf(std::string_view word);

} // namespace accrue
