// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/sqlite_types.h"
#include "engine/runlog/logged_progress.h"

#include <memory>

namespace accrue {

class RowSeals;

// Turns events into rows, and names them to `seals`. To be called within a transaction; throws
// SQLite::Exception. Owns prepared statements of `database`, which must outlive it as `seals` must.
class EventRows {
public:
    EventRows(SQLite::Database& database, RowSeals& seals);
    ~EventRows();

    void write(RunId run, LoggedProgress& progress, const Event& event);
    // That the run goes on from `progress`, as its attempt.
    void writeContinued(RunId run, const LoggedProgress& progress, RunMessage::Severity severity,
        const Message& text);
    // The columns of `runs` that repeat what other tables say, and the touched rows of `summaries`:
    // once per transaction.
    void writeSummary(RunId run, LoggedProgress& progress);
    void finish(); // before the commit: rows that were still held back to be written together
    void forget(); // what a transaction that failed has held back

private:
    class Statements;
    std::unique_ptr<Statements> m_statements;
};

} // namespace accrue
