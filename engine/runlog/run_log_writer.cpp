// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_writer.h"

#include "engine/runlog/event_rows.h"
#include "engine/runlog/log_connection.h"
#include "engine/runlog/log_file.h"
#include "engine/runlog/prune.h"
#include "engine/runlog/run_rows.h"
#include "engine/runlog/this_machine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <variant>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

using Clock = std::chrono::steady_clock;
using Durability = LogConnection::Durability;
using Turn = LogConnection::Turn;

constexpr std::size_t kBatchEvents = 4096;
constexpr std::chrono::milliseconds kBatchInterval { 50 };
constexpr std::size_t kQueueBytes = std::size_t { 64 } << 20;
constexpr std::chrono::milliseconds kTurnPause { 5 };
constexpr std::chrono::milliseconds kFirstRetry { 50 };
constexpr std::chrono::milliseconds kLastRetry { 2000 };
constexpr std::chrono::seconds kPatience { 5 };

// Steps are nearly all events: kept small, the others behind a pointer.
using BoxedEvent = std::variant<StepDone, std::unique_ptr<Event>>;

BoxedEvent boxed(Event&& event)
{
    if (const StepDone* step = std::get_if<StepDone>(&event))
        return *step;
    return std::make_unique<Event>(std::move(event));
}

Event unboxed(BoxedEvent&& event)
{
    if (const StepDone* step = std::get_if<StepDone>(&event))
        return *step;
    return std::move(*std::get<std::unique_ptr<Event>>(event));
}

// What is held on the heap beside the queue's own entry.
std::size_t heapBytes(const Event& event)
{
    if (std::holds_alternative<StepDone>(event))
        return 0;
    const RunMessage* message = std::get_if<RunMessage>(&event);
    return sizeof(Event) + (message ? message->text.size() : 0);
}

Event noticeEvent(const LoggedProgress& progress, const std::string& notice)
{
    return RunMessage { RunMessage::Severity::Warning, progress.step, progress.seconds, notice };
}

std::string heldSentence(const std::filesystem::path& file)
{
    return "The run log " + file.string()
        + " has been kept busy by another process for more than 5 seconds.";
}

} // namespace

class RunLogWriter::Impl {
public:
    explicit Impl(const std::filesystem::path& file)
        : m_file(file)
        , m_connection(std::make_unique<LogConnection>(file))
        , m_thread([this] { work(); })
    {
    }
    ~Impl() { close(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    RunId beginRun(const Experiment& experiment);
    EventSink& sink(RunId run, EventSink* committed);
    void admitAll();
    bool flush();
    bool close();
    std::string problem() const;
    // Runs an UPDATE of one run; `bind` fills in all parameters.
    void update(RunId run, const char* sql, const std::function<void(SQLite::Statement&)>& bind);
    PrunedRuns prune(const std::vector<RunId>& runs);
    std::filesystem::path checkpointFolder(RunId run) const;

private:
    class Sink;
    struct Waiting {
        Sink* sink = nullptr;
        BoxedEvent event;
        std::size_t bytes = 0;
    };
    // A call of another thread that needs the connection: tried on the writer's thread until the
    // turn is had, at most kPatience long.
    struct Job {
        std::function<Turn()> attempt;
        std::promise<void> done;
        Clock::time_point deadline;
    };
    enum class Written { Yes, TurnHeld, Failed };

    void enqueue(Sink& sink, Event&& event);
    void runOnThread(std::function<Turn()> attempt);
    std::string compact();

    // The writer's thread. Those that take a lock hold m_mutex when called and when they return.
    void work();
    void waitForWork(std::unique_lock<std::mutex>& lock);
    Clock::time_point nextAction() const;
    bool shouldEnd() const;
    void runJobs(std::unique_lock<std::mutex>& lock);
    bool finishJob(Job& job);
    void fillBatch();
    void tryBatch(std::unique_lock<std::mutex>& lock);
    void noteWritten(std::size_t bytes);
    void noteStuck(Written written, const std::string& problem);
    Written commitBatch(std::string& problem);
    void writeBatch(std::map<Sink*, LoggedProgress>& progress);
    Durability batchDurability() const;
    void deliverBatch();

    // Constant after construction.
    const std::filesystem::path m_file;

    // The writer's thread only, after construction.
    std::unique_ptr<LogConnection> m_connection;
    std::vector<Waiting> m_batch; // left the queue, not committed yet
    Clock::time_point m_stuckSince;

    mutable std::mutex m_mutex;
    std::condition_variable m_wake; // the writer's thread waits here
    std::condition_variable m_space; // emitEvent waits here while 64 MiB wait
    std::condition_variable m_progressed; // flush waits here
    // Guarded by m_mutex.
    std::deque<Waiting> m_queue;
    std::deque<std::shared_ptr<Job>> m_jobs;
    std::map<std::int64_t, std::unique_ptr<Sink>> m_sinks;
    std::map<RunId, std::string> m_tokens; // of the runs begun here
    std::size_t m_waitingBytes = 0; // in the queue and in the batch
    std::uint64_t m_emitted = 0;
    std::uint64_t m_committed = 0;
    std::uint64_t m_failures = 0;
    int m_flushing = 0;
    std::string m_problem;
    bool m_admitAll = false;
    bool m_stuck = false; // the last try to write the batch did not succeed
    Clock::time_point m_firstQueued;
    Clock::time_point m_retryAt;
    Clock::time_point m_jobsAt;
    std::chrono::milliseconds m_retryPause = kFirstRetry;
    bool m_stopping = false;
    Clock::time_point m_stopDeadline;

    std::thread m_thread; // last: starts when all above is there
};

// m_progress belongs to the writer's thread.
class RunLogWriter::Impl::Sink : public EventSink {
public:
    Sink(Impl& writer, RunId run)
        : m_writer(writer)
        , m_run(run)
    {
    }
    void emitEvent(Event event) override { m_writer.enqueue(*this, std::move(event)); }

    Impl& m_writer;
    const RunId m_run;
    std::atomic<EventSink*> m_committed { nullptr };
    LoggedProgress m_progress;
};

bool RunLogWriter::Impl::close()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_stopping = true;
        m_stopDeadline = Clock::now() + kPatience;
        m_retryAt = Clock::now();
    }
    m_wake.notify_all();
    m_space.notify_all();
    if (m_thread.joinable())
        m_thread.join();
    const std::lock_guard<std::mutex> lock(m_mutex); // problem() may be asked meanwhile
    const bool allWritten = m_queue.empty() && m_batch.empty();
    if (!allWritten && m_problem.empty())
        m_problem = heldSentence(m_file);
    return allWritten;
}

RunId RunLogWriter::Impl::beginRun(const Experiment& experiment)
{
    const std::string token = randomToken();
    RunId run {};
    runOnThread([&] {
        try {
            return m_connection->tryTransaction(Durability::Power, [&] {
                run = insertRun(m_connection->database(), experiment, token);
                // Before the commit, so that no reader sees the row of a run that is not alive yet.
                m_connection->holdAlive(run, token);
            });
        } catch (...) {
            m_connection->releaseAlive(run);
            throw;
        }
    });
    sink(run, nullptr);
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_tokens[run] = token;
    m_admitAll = false;
    return run;
}

EventSink& RunLogWriter::Impl::sink(RunId run, EventSink* committed)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    std::unique_ptr<Sink>& sink = m_sinks[numberOf(run)];
    if (!sink)
        sink = std::make_unique<Sink>(*this, run);
    sink->m_committed = committed;
    return *sink;
}

void RunLogWriter::Impl::enqueue(Sink& sink, Event&& event)
{
    const std::size_t bytes = sizeof(Waiting) + heapBytes(event);
    BoxedEvent box = boxed(std::move(event));
    bool wake = false;
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        m_space.wait(lock, [&] {
            return m_waitingBytes == 0 || m_waitingBytes + bytes <= kQueueBytes || m_admitAll
                || m_stopping;
        });
        if (m_queue.empty())
            m_firstQueued = Clock::now();
        m_queue.push_back({ &sink, std::move(box), bytes });
        m_waitingBytes += bytes;
        ++m_emitted;
        // Two wake-ups a batch, not one an event: at its first event and when it is full.
        wake = m_queue.size() == 1 || m_queue.size() == kBatchEvents;
    }
    if (wake)
        m_wake.notify_one();
}

void RunLogWriter::Impl::admitAll()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_admitAll = true;
    }
    m_space.notify_all();
}

bool RunLogWriter::Impl::flush()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    const std::uint64_t target = m_emitted;
    const std::uint64_t failures = m_failures;
    ++m_flushing;
    m_retryAt = Clock::now();
    m_wake.notify_one();
    m_progressed.wait(lock, [&] { return m_committed >= target || m_failures != failures; });
    --m_flushing;
    return m_committed >= target;
}

std::string RunLogWriter::Impl::problem() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_problem;
}

void RunLogWriter::Impl::update(
    RunId run, const char* sql, const std::function<void(SQLite::Statement&)>& bind)
{
    runOnThread([&] {
        return m_connection->tryTransaction(Durability::Power, [&] {
            SQLite::Statement statement(m_connection->database(), sql);
            bind(statement);
            if (statement.exec() == 0)
                throw RunLogError("There is no run #" + std::to_string(numberOf(run)) + " in "
                    + m_file.string() + ".");
        });
    });
}

PrunedRuns RunLogWriter::Impl::prune(const std::vector<RunId>& runs)
{
    std::int64_t before = 0;
    PrunedRuns pruned;
    runOnThread([&] {
        before = bytesOnDisk(m_file);
        return m_connection->tryTransaction(
            Durability::Power, [&] { pruned = deleteArchivedRuns(*m_connection, runs); });
    });
    if (!pruned.runs.empty())
        pruned.notCompacted = compact();
    pruned.bytesFreed += std::max<std::int64_t>(0, before - bytesOnDisk(m_file));
    return pruned;
}

// Why the file keeps its free pages; empty: it does not. Compacting takes room for a second copy,
// and so fails where there is none.
std::string RunLogWriter::Impl::compact()
{
    try {
        runOnThread([&] { return m_connection->tryCompact(); });
    } catch (const RunLogError& error) {
        return error.what();
    }
    return {};
}

std::filesystem::path RunLogWriter::Impl::checkpointFolder(RunId run) const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return checkpointFolderOf(m_file, run, m_tokens.at(run));
}

void RunLogWriter::Impl::runOnThread(std::function<Turn()> attempt)
{
    const auto job = std::make_shared<Job>();
    job->attempt = std::move(attempt);
    job->deadline = Clock::now() + kPatience;
    std::future<void> done = job->done.get_future();
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_jobs.push_back(job);
    }
    m_wake.notify_one();
    done.get();
}

void RunLogWriter::Impl::work()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!shouldEnd()) {
        waitForWork(lock);
        runJobs(lock);
        fillBatch();
        if (!m_batch.empty() && Clock::now() >= m_retryAt)
            tryBatch(lock);
    }
    lock.unlock();
    m_connection.reset();
}

void RunLogWriter::Impl::waitForWork(std::unique_lock<std::mutex>& lock)
{
    for (;;) {
        const Clock::time_point next = nextAction();
        if (next <= Clock::now())
            return;
        if (next == Clock::time_point::max())
            m_wake.wait(lock);
        else
            m_wake.wait_until(lock, next);
    }
}

Clock::time_point RunLogWriter::Impl::nextAction() const
{
    if (shouldEnd())
        return Clock::time_point::min();
    Clock::time_point next = m_stopping && m_stuck ? m_stopDeadline : Clock::time_point::max();
    if (!m_jobs.empty())
        next = std::min(next, m_jobsAt);
    if (!m_batch.empty())
        return std::min(next, m_retryAt);
    if (m_queue.empty())
        return next;
    const bool hurry = m_queue.size() >= kBatchEvents || m_flushing > 0 || m_stopping;
    return hurry ? Clock::time_point::min() : std::min(next, m_firstQueued + kBatchInterval);
}

bool RunLogWriter::Impl::shouldEnd() const
{
    if (!m_stopping)
        return false;
    const bool allWritten = m_queue.empty() && m_batch.empty();
    return allWritten || (m_stuck && Clock::now() >= m_stopDeadline);
}

void RunLogWriter::Impl::runJobs(std::unique_lock<std::mutex>& lock)
{
    while (!m_jobs.empty() && Clock::now() >= m_jobsAt) {
        const std::shared_ptr<Job> job = m_jobs.front();
        lock.unlock();
        const bool finished = finishJob(*job);
        lock.lock();
        if (finished)
            m_jobs.pop_front();
        else
            m_jobsAt = Clock::now() + kTurnPause;
    }
}

bool RunLogWriter::Impl::finishJob(Job& job)
{
    try {
        if (job.attempt() == Turn::HeldElsewhere) {
            if (Clock::now() < job.deadline)
                return false;
            throw RunLogError(heldSentence(m_file) + " Try again when that process is done.",
                RunLogError::Kind::Machine);
        }
        job.done.set_value();
    } catch (...) {
        job.done.set_exception(std::current_exception());
    }
    return true;
}

void RunLogWriter::Impl::fillBatch()
{
    while (m_batch.size() < kBatchEvents && !m_queue.empty()) {
        m_batch.push_back(std::move(m_queue.front()));
        m_queue.pop_front();
    }
}

void RunLogWriter::Impl::tryBatch(std::unique_lock<std::mutex>& lock)
{
    lock.unlock();
    std::string problem;
    const Written written = commitBatch(problem);
    if (written == Written::Yes)
        deliverBatch();
    lock.lock();
    if (written == Written::Yes) {
        std::size_t bytes = 0;
        for (const Waiting& waiting : m_batch)
            bytes += waiting.bytes;
        noteWritten(bytes);
    } else {
        noteStuck(written, problem);
    }
    m_progressed.notify_all();
}

void RunLogWriter::Impl::noteWritten(std::size_t bytes)
{
    m_committed += m_batch.size();
    m_waitingBytes -= bytes;
    m_batch.clear();
    m_problem.clear();
    m_stuck = false;
    m_retryPause = kFirstRetry;
    m_space.notify_all();
}

void RunLogWriter::Impl::noteStuck(Written written, const std::string& problem)
{
    const Clock::time_point now = Clock::now();
    if (!m_stuck)
        m_stuckSince = now;
    m_stuck = true;
    if (written == Written::TurnHeld && now - m_stuckSince < kPatience) {
        m_retryAt = now + kTurnPause;
        return;
    }
    m_problem = written == Written::TurnHeld ? heldSentence(m_file) : problem;
    ++m_failures;
    m_retryAt = now + m_retryPause;
    m_retryPause = std::min(2 * m_retryPause, kLastRetry);
}

void RunLogWriter::Impl::writeBatch(std::map<Sink*, LoggedProgress>& progress)
{
    progress.clear();
    EventRows& rows = m_connection->rows();
    for (const Waiting& waiting : m_batch) {
        Sink* sink = waiting.sink;
        LoggedProgress& next = progress.try_emplace(sink, sink->m_progress).first->second;
        if (const StepDone* step = std::get_if<StepDone>(&waiting.event))
            rows.write(sink->m_run, next, *step);
        else
            rows.write(sink->m_run, next, *std::get<std::unique_ptr<Event>>(waiting.event));
    }
    for (auto& [sink, next] : progress) {
        if (!m_connection->notice().empty())
            rows.write(sink->m_run, next, noticeEvent(next, m_connection->notice()));
        rows.writeSummary(sink->m_run, next);
    }
}

RunLogWriter::Impl::Written RunLogWriter::Impl::commitBatch(std::string& problem)
{
    std::map<Sink*, LoggedProgress>
        progress; // becomes the sinks' own when the transaction is through
    try {
        const Turn turn =
            m_connection->tryTransaction(batchDurability(), [&] { writeBatch(progress); });
        if (turn == Turn::HeldElsewhere)
            return Written::TurnHeld;
    } catch (const std::exception& error) {
        problem = error.what();
        return Written::Failed;
    }
    for (auto& [sink, next] : progress)
        sink->m_progress = std::move(next);
    return Written::Yes;
}

Durability RunLogWriter::Impl::batchDurability() const
{
    // Steps alone may be lost with the power; at every end of an epoch, evaluation, checkpoint,
    // message and end everything so far is on the disk.
    for (const Waiting& waiting : m_batch)
        if (!std::holds_alternative<StepDone>(waiting.event))
            return Durability::Power;
    return Durability::Process;
}

void RunLogWriter::Impl::deliverBatch()
{
    for (Waiting& waiting : m_batch) {
        Sink& sink = *waiting.sink;
        const auto* other = std::get_if<std::unique_ptr<Event>>(&waiting.event);
        if (other && std::holds_alternative<RunEnded>(**other))
            m_connection->releaseAlive(sink.m_run);
        if (EventSink* committed = sink.m_committed)
            committed->emitEvent(unboxed(std::move(waiting.event)));
    }
}

RunLogWriter::RunLogWriter(const std::filesystem::path& file)
    : m_impl(std::make_unique<Impl>(placeOf(file)))
{
}

RunLogWriter::~RunLogWriter() = default;

RunId RunLogWriter::beginRun(const Experiment& experiment)
{
    return m_impl->beginRun(experiment);
}

EventSink& RunLogWriter::sink(RunId run, EventSink* committed)
{
    return m_impl->sink(run, committed);
}

void RunLogWriter::admitAll()
{
    m_impl->admitAll();
}

bool RunLogWriter::flush()
{
    return m_impl->flush();
}

bool RunLogWriter::close()
{
    return m_impl->close();
}

std::string RunLogWriter::problem() const
{
    return m_impl->problem();
}

void RunLogWriter::rename(RunId run, const std::string& name)
{
    m_impl->update(run, "UPDATE runs SET name = ? WHERE id = ?", [&](SQLite::Statement& statement) {
        statement.bind(1, name);
        statement.bind(2, numberOf(run));
    });
}

void RunLogWriter::setNote(RunId run, const std::string& note)
{
    m_impl->update(run, "UPDATE runs SET note = ? WHERE id = ?", [&](SQLite::Statement& statement) {
        statement.bind(1, note);
        statement.bind(2, numberOf(run));
    });
}

void RunLogWriter::setArchived(RunId run, bool archived)
{
    m_impl->update(
        run, "UPDATE runs SET archived = ? WHERE id = ?", [&](SQLite::Statement& statement) {
            statement.bind(1, archived ? 1 : 0);
            statement.bind(2, numberOf(run));
        });
}

PrunedRuns RunLogWriter::prune(const std::vector<RunId>& runs)
{
    return m_impl->prune(runs);
}

std::filesystem::path RunLogWriter::checkpointFolder(RunId run) const
{
    return m_impl->checkpointFolder(run);
}

} // namespace accrue
