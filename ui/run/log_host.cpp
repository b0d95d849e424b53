// SPDX-License-Identifier: Apache-2.0
#include "ui/run/log_host.h"

#include "engine/base/format.h"
#include "engine/logfile/log_file.h"
#include "ui/run/log_words.h"

#include <exception>
#include <system_error>
#include <utility>

namespace accrue {

// SQLite may wait for another process, for seconds while that process upgrades a log, so that
// nothing here touches the file on the GUI thread. Changes are posted to one thread of its own,
// which writes them in the order in which the user made them. The run's thread uses the same
// writer, which writer() returns.

namespace {

constexpr std::chrono::seconds kUpgradePace { 5 }; // between two progress reports

// Why `act` failed, as a sentence; empty: it did not.
template <typename Act> QString problemIn(const Act& act)
{
    try {
        act();
    } catch (const std::exception& error) {
        return inWindow(error);
    }
    return {};
}

} // namespace

LogHost::LogHost(std::filesystem::path file, std::chrono::milliseconds patience)
    : m_patience(patience)
    , m_file(std::move(file))
    , m_writerFile(m_file)
{
    m_thread.setObjectName(QStringLiteral("log changes"));
    // Calls that are queued for m_worker are executed on the thread that it belongs to.
    m_worker.moveToThread(&m_thread);
    m_thread.start();
}

LogHost::~LogHost()
{
    // Posted after the last change, so that no requested change is lost.
    onWorker([this] {
        close();
        m_thread.quit();
    });
    m_thread.wait();
}

QString LogHost::problemOf(const std::filesystem::path& file)
{
    std::error_code ignored;
    const bool isNew = !std::filesystem::exists(file, ignored)
        // An empty file is what SQLite creates for a new log before its first transaction.
        || (std::filesystem::is_regular_file(file, ignored)
            && std::filesystem::file_size(file, ignored) == 0);
    if (isNew)
        return {};
    return problemIn([&file] { RunLogReader(file).latestMarkers(1); });
}

QString LogHost::whyNotWritable(const std::filesystem::path& file)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return {};
    return problemIn([&file] { requireWritable(placeOf(file)); });
}

void LogHost::switchTo(const std::filesystem::path& file)
{
    m_file = file;
    onWorker([this, file] {
        close();
        const std::scoped_lock lock(m_mutex);
        m_writerFile = file;
    });
}

void LogHost::onWorker(std::function<void()> work)
{
    QMetaObject::invokeMethod(
        &m_worker,
        [this, work = std::move(work)] {
            if (const QString problem = problemIn(work); !problem.isEmpty())
                Q_EMIT changeFailed(problem);
        },
        Qt::QueuedConnection);
}

void LogHost::close()
{
    std::shared_ptr<RunLogWriter> writer;
    std::vector<std::shared_ptr<void>> kept;
    {
        const std::scoped_lock lock(m_mutex);
        writer = std::exchange(m_writer, nullptr);
        kept = std::exchange(m_kept, {});
    }
    // Outside the lock: the writer commits what is queued, which may take as long as another
    // process holds the log.
    writer.reset(); // before the objects that it borrows
}

LogProgress LogHost::upgradeNews()
{
    using Clock = std::chrono::steady_clock;
    return [this, due = Clock::now() + m_patience](double share, const Message& what) mutable {
        if (Clock::now() < due)
            return;
        due = Clock::now() + kUpgradePace;
        Q_EMIT upgrading(tr("%1: %2 done. This can take a while.")
                             .arg(QString::fromStdString(what.text()),
                                 QString::fromStdString(formatPercent(share))));
    };
}

std::shared_ptr<RunLogWriter> LogHost::writer()
{
    // The lock is held while the log is opened: the run's thread and the worker may call this at
    // the same time, and a process must open a log for writing only once.
    const std::scoped_lock lock(m_mutex);
    if (m_writer == nullptr)
        m_writer = std::make_shared<RunLogWriter>(m_writerFile, upgradeNews());
    return m_writer;
}

void LogHost::keepUntilClosed(std::shared_ptr<void> object)
{
    const std::scoped_lock lock(m_mutex);
    m_kept.push_back(std::move(object));
}

void LogHost::post(std::function<void(RunLogWriter&)> change)
{
    onWorker([this, change = std::move(change)] { change(*writer()); });
}

void LogHost::findPrunable()
{
    onWorker([this, file = m_file] {
        // A reader of its own: finding what can be deleted requires no writer, and a read-only log
        // has none.
        const auto tell = [this, file, found = RunLogReader(file).prunable()] {
            // The user may have opened another log meanwhile, in which these numbers identify other
            // runs.
            if (file == m_file)
                Q_EMIT prunableFound(found);
        };
        // On the GUI thread, because m_file belongs to it.
        QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
    });
}

void LogHost::prune(std::vector<RunId> runs, Prunable which)
{
    post([this, runs = std::move(runs), which](RunLogWriter& writer) {
        const PrunedRuns gone = writer.prune(runs, which);
        Q_EMIT pruned(static_cast<int>(gone.runs.size()), gone.bytesFreed,
            QString::fromStdString(gone.notCompacted.text()));
    });
}

// A blocking call without content is executed after every change that was posted before.
void LogHost::flushChanges()
{
    QMetaObject::invokeMethod(
        &m_worker, [] { /* comes behind them */ }, Qt::BlockingQueuedConnection);
}

void LogHost::rename(RunId run, const QString& name)
{
    post([run, text = name.toStdString()](RunLogWriter& writer) { writer.rename(run, text); });
}

void LogHost::setNote(RunId run, const QString& note)
{
    post([run, text = note.toStdString()](RunLogWriter& writer) { writer.setNote(run, text); });
}

void LogHost::changeTags(
    RunId run, std::vector<std::string> added, std::vector<std::string> removed)
{
    post([run, added = std::move(added), removed = std::move(removed)](
             RunLogWriter& writer) { writer.changeTags(run, added, removed); });
}

void LogHost::changeQueue(std::function<void(RunQueue&)> change)
{
    post([change = std::move(change)](RunLogWriter& writer) {
        RunQueue queue(writer);
        change(queue);
    });
}

void LogHost::setArchived(RunId run, bool archived)
{
    post([run, archived](RunLogWriter& writer) { writer.setArchived(run, archived); });
}

} // namespace accrue
