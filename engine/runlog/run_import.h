// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/foreign_rows.h"
#include "engine/runs/foreign_run.h"
#include "engine/runs/log_progress.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace accrue {

class LogConnection;
class RunLogWriter;

// Adds runs to a log, which is created if it does not exist, and migrated if it is an older one.
// Each run is one transaction: it is imported or not, and others write between two. All methods
// block, for half a minute at most while another process writes, and throw RunLogError. One thread.
class RunImport {
public:
    explicit RunImport(const std::filesystem::path& log, const LogProgress& progress = {});
    // By the writer of a process that has one, which is borrowed; it waits as RunLogWriter does.
    explicit RunImport(RunLogWriter& log);
    ~RunImport();
    RunImport(const RunImport&) = delete;
    RunImport& operator=(const RunImport&) = delete;

    ImportedRun add(const ForeignRun& run);

    // Runs `work` in one transaction.
    void inTransaction(const std::function<void(LogConnection&)>& work);

private:
    std::unique_ptr<LogConnection> m_connection; // null: the writer's is used
    RunLogWriter* m_writer = nullptr;
};

} // namespace accrue
