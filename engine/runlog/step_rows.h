// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/run_record.h"

#include <array>
#include <cstddef>

#include <SQLiteCpp/Statement.h>

namespace accrue {

// Writes the table `steps`, several rows per statement, because beginning and ending a statement is
// a quarter of the time of an INSERT of one row. Must be called within a transaction; throws
// SQLite::Exception. Owns prepared statements of `database`, which must outlive it.
class StepRows {
public:
    explicit StepRows(SQLite::Database& database);

    void write(RunId run, int attempt, const StepDone& step); // in the table after finish()
    void finish();
    void forget(); // discards the rows of a failed transaction

private:
    static constexpr std::size_t kTogether = 8;
    struct Row {
        RunId run {};
        int attempt = 0;
        StepDone step;
    };

    std::array<Row, kTogether> m_rows;
    std::size_t m_waiting = 0; // of m_rows
    SQLite::Statement m_one, m_all;
};

} // namespace accrue
