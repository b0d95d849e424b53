// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runlog/logged_progress.h"

#include <memory>

namespace accrue {

class RowSeals;

// Turns events into rows, and registers the rows with `seals`. Must be called within a transaction;
// throws SQLite::Exception. Owns prepared statements of `database`, which must outlive it, as must
// `seals`.
class EventRows {
public:
    EventRows(SQLite::Database& database, RowSeals& seals);
    ~EventRows();

    void write(RunId run, LoggedProgress& progress, const Event& event);
    // The marker that the run resumes from `progress`, as the attempt in it.
    void writeContinued(RunId run, const LoggedProgress& progress, RunMessage::Severity severity,
        const Message& text);
    // The columns of `runs` that repeat values of other tables, and the touched rows of
    // `summaries`: once per transaction.
    void writeSummary(RunId run, LoggedProgress& progress);
    // before the commit: writes rows that were still held back to be written together
    void finish();
    void forget(); // discards what a failed transaction has held back

private:
    class Statements;
    std::unique_ptr<Statements> m_statements;
};

} // namespace accrue
