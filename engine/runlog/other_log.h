// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/unfinished.h"
#include "engine/logfile/log_damage.h"
#include "engine/logfile/log_snapshot.h"
#include "engine/runs/log_progress.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace SQLite {
class Transaction;
}

namespace accrue {

// A log whose runs are imported into another one: in the state in which it was when it was opened,
// whatever is written to it meanwhile, and in the format of this program. One of an earlier format
// is copied into a temporary folder and migrated there; the file itself is never changed. Throws
// RunLogError.
class OtherLog {
public:
    explicit OtherLog(const std::filesystem::path& file, const LogProgress& progress = {});
    ~OtherLog();
    OtherLog(const OtherLog&) = delete;
    OtherLog& operator=(const OtherLog&) = delete;

    SQLite::Database& database() { return m_snapshot->database(); }
    const std::filesystem::path& file() const { return m_file; } // the one that was named
    // Of all its runs. Ends early, with some of it, once `stop` is requested.
    std::vector<LogDamage> damage(
        const LogProgress& progress = {}, const std::stop_token& stop = {});

    struct Run {
        std::string token; // of the same run in every log
        std::string name;
        std::int64_t step = 0;
        bool begun = true; // false: it waits in the queue, and nobody has begun it
    };
    std::vector<Run> runs(); // in the order of their numbers

private:
    void copyAndMigrate(const LogProgress& progress);

    const std::filesystem::path m_file;
    std::optional<Unfinished> m_folder; // outlives what is open in it
    std::unique_ptr<LogSnapshot> m_snapshot;
    std::unique_ptr<SQLite::Transaction> m_state;
};

} // namespace accrue
