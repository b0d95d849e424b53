// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/queue/run_queue.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace accrue {

// The one RunLogWriter of this process. It is opened at the first change, never on the GUI thread;
// changes requested by the pages wait in the queue of a thread of their own. Lives on the GUI
// thread.
class LogHost : public QObject {
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kPatience { 500 };

    // Emits `upgrading` if upgrading an older log takes longer than `patience`.
    explicit LogHost(std::filesystem::path file, std::chrono::milliseconds patience = kPatience);
    ~LogHost() override; // Blocks until everything is committed

    // Why this file cannot be a run log, as a sentence; empty: it can be, or there is no file yet.
    // Opens the file and closes it again.
    static QString problemOf(const std::filesystem::path& file);

    // Why this log can be viewed but not changed, as a sentence; empty: it can be changed, or there
    // is no file yet. Only looks at permissions.
    static QString whyNotWritable(const std::filesystem::path& file);

    const std::filesystem::path& file() const { return m_file; } // GUI thread
    // Closes the writer (off the GUI thread) and continues with another file. Call only while no
    // run is being written. Must not block.
    void switchTo(const std::filesystem::path& file);

    // The writer; opens it if it is closed. Call on any thread except the GUI thread. Blocks.
    // Throws RunLogError.
    std::shared_ptr<RunLogWriter> writer();
    // Retains `object` until this writer is closed: the writer borrows sinks. Any thread.
    void keepUntilClosed(std::shared_ptr<void> object);

    // The following must not block; changeFailed reports a failure.
    void findPrunable(); // answered by prunableFound
    void prune(std::vector<RunId> runs,
        Prunable which = Prunable::Archived); // answered by pruned
    void rename(RunId run, const QString& name);
    void setNote(RunId run, const QString& note);
    void changeTags(RunId run, std::vector<std::string> added, std::vector<std::string> removed);
    void setArchived(RunId run, bool archived);
    // Changes the queue of the log, on the worker's thread.
    void changeQueue(std::function<void(RunQueue&)> change);
    // Blocks until all changes requested so far are written or have failed; each may wait 5 s for
    // another process.
    void flushChanges();

Q_SIGNALS:
    void prunableFound(const accrue::PrunableRuns& found); // in this file
    // `notCompacted`: why the log file itself could not be made smaller; empty: it was.
    void pruned(int runs, qint64 bytesFreed, const QString& notCompacted);
    void changeFailed(const QString& problem);
    // Upgrading an older log has already taken a while. Emitted on any thread, every 5 s.
    void upgrading(const QString& what);

private:
    // On the worker's thread, after all earlier requests; an exception is reported by changeFailed.
    void onWorker(std::function<void()> work);
    void post(std::function<void(RunLogWriter&)> change);
    void close(); // on the worker's thread
    LogProgress upgradeNews();

    const std::chrono::milliseconds m_patience;
    std::filesystem::path m_file; // GUI thread: the file that was requested last
    std::mutex m_mutex;
    std::filesystem::path m_writerFile; // guarded by m_mutex
    std::shared_ptr<RunLogWriter> m_writer; // guarded by m_mutex
    std::vector<std::shared_ptr<void>> m_kept; // guarded by m_mutex
    QThread m_thread;
    QObject m_worker; // lives on m_thread
};

} // namespace accrue
