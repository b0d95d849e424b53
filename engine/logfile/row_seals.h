// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/logfile/checked_rows.h"
#include "engine/logfile/sqlite_types.h"
#include "engine/runs/log_progress.h"
#include "engine/runs/run_record.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>

#include <SQLiteCpp/Statement.h>

namespace accrue {

// Keeps the table `checksums` up to date: code that changes rows within a transaction registers
// them by touch; write, before the commit, reads them back and writes the checksums of their
// batches. A batch is closed at the end of the step in which it reaches 64 rows; one that is still
// open is read again when rows follow it. All methods throw SQLite::Exception. Owns prepared
// statements of `database`, which must outlive it.
class RowSeals {
public:
    explicit RowSeals(SQLite::Database& database);

    // Rows of the run in this table were added, changed or removed; in a table with steps, those of
    // `attempt` from `step` on.
    void touch(RunId run, CheckedTable table, std::int64_t attempt = 0, std::int64_t step = 0);
    // The same of all tables that a file of this format has.
    void touchAll(RunId run, int format);
    // The transaction was abandoned.
    void forget() { m_touched.clear(); }
    void write();

    // Seals all existing rows, in a log that is migrated to the first format with checksums.
    void writeAll(const LogProgress& progress, const Message& what);

private:
    struct Key {
        RunId run {};
        CheckedTable table = CheckedTable::Runs;
        std::int64_t attempt = 0;
        // clang-tidy mistakes its 0 for a pointer. NOLINTNEXTLINE(modernize-use-nullptr)
        auto operator<=>(const Key&) const = default;
    };
    struct Batch {
        std::int64_t firstStep = 0;
        std::int64_t lastStep = 0;
        std::int64_t rows = 0;
        std::int64_t checksum = 0;
    };

    void seal(const Key& key, std::int64_t fromStep);
    std::int64_t openedAt(const Key& key, std::int64_t fromStep);
    void insert(const Key& key, const Batch& batch);

    SQLite::Database& m_database;
    std::map<Key, std::int64_t> m_touched; // and its first changed step
    KeptRows m_rows;
    SQLite::Statement m_open, m_remove, m_insert;
    std::function<void(std::int64_t rows)> m_onSealed; // empty mostly
};

} // namespace accrue
