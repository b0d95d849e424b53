// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/log_queue.h"

#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <atomic>
#include <utility>

// Emitters put events into m_queue, and the writer's thread moves them to m_batch, where they stay
// until their transaction is committed, however often it has to be repeated. The thread unlocks
// m_mutex for everything that touches the disk, so an emitter waits for room at most, never for
// SQLite. The sums of a run are computed on a copy of its progress, which becomes the sink's own
// after the commit: a failed transaction leaves no trace in memory, either.

namespace accrue {

namespace {

using Durability = LogConnection::Durability;

// docs/run_log_format.md explains these under "Writing". A batch is one transaction, whose commit
// costs the same for one event and for thousands.
constexpr std::size_t kBatchEvents = 4096;
constexpr std::chrono::milliseconds kBatchInterval { 50 };
constexpr std::size_t kQueueBytes = std::size_t { 64 } << 20;
// Another process usually holds the turn for one transaction only.
constexpr std::chrono::milliseconds kTurnPause { 5 };
constexpr std::chrono::milliseconds kFirstRetry { 50 };
constexpr std::chrono::milliseconds kLastRetry { 2000 };
constexpr std::chrono::seconds kPatience { 5 };

// An estimate: it only decides when emitEvent waits.
std::size_t bytesOf(const MemoryMeasured& memory)
{
    std::size_t owners = 0; // and layers, which are smaller
    for (const PhaseMemory& phase : memory.phases)
        owners += phase.owners.size() + phase.kept.size();
    // Most names are short enough to be inside the string objects.
    return memory.phases.size() * sizeof(PhaseMemory) + owners * sizeof(MemoryOwner);
}

std::size_t bytesOf(const HistogramsMeasured& measured)
{
    return measured.histograms.size()
        * (sizeof(ParameterHistogram) + kHistogramBins * sizeof(std::int64_t));
}

// The heap memory of an event in addition to its entry in the queue.
std::size_t heapBytes(const Event& event)
{
    if (const StepDone* step = std::get_if<StepDone>(&event))
        return step->values.size() * sizeof(MetricValue);
    if (const auto* ranks = std::get_if<RanksMeasured>(&event))
        return sizeof(Event) + ranks->values.size() * sizeof(MetricValue);
    if (const auto* histograms = std::get_if<HistogramsMeasured>(&event))
        return sizeof(Event) + bytesOf(*histograms);
    const auto* message = std::get_if<RunMessage>(&event);
    const auto* traced = std::get_if<ParameterTraced>(&event);
    const auto* memory = std::get_if<MemoryMeasured>(&event);
    constexpr std::size_t kTraced =
        sizeof(TracedMicroBatch) + TracedMicroBatch::kValues * sizeof(double);
    return sizeof(Event) + (message ? message->text.english().size() : 0)
        + (traced ? traced->microBatches.size() * kTraced : 0) + (memory ? bytesOf(*memory) : 0);
}

Event noticeEvent(const LoggedProgress& progress, const Message& notice)
{
    return RunMessage { RunMessage::Severity::Warning, progress.step, progress.seconds, notice };
}

} // namespace

// m_progress belongs to the writer's thread.
class LogQueue::Sink : public EventSink {
public:
    Sink(LogQueue& queue, RunId run)
        : m_queue(queue)
        , m_run(run)
    {
    }
    void emitEvent(Event event) override { m_queue.enqueue(*this, std::move(event)); }
    bool settle() override { return m_queue.settle(); }

    LogQueue& m_queue;
    const RunId m_run;
    // Set by the thread that begins or resumes the run, read by the writer's.
    std::atomic<EventSink*> m_committed { nullptr };
    LoggedProgress m_progress;
};

LogQueue::LogQueue(const std::filesystem::path& file, const LogProgress& progress)
    : m_file(file)
    , m_connection(std::make_unique<LogConnection>(file, progress))
    , m_retryPause(kFirstRetry)
    , m_thread([this] { work(); })
{
}

LogQueue::~LogQueue()
{
    close();
}

bool LogQueue::close()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_stopping = true;
        // A disk that stays full must not prevent the program from ending.
        m_stopDeadline = Clock::now() + kPatience;
        m_retryAt = Clock::now();
    }
    m_wake.notify_all();
    m_space.notify_all();
    if (m_thread.joinable())
        m_thread.join();
    const std::lock_guard<std::mutex> lock(m_mutex); // problem() may be called meanwhile
    const bool allWritten = m_queue.empty() && m_batch.empty();
    if (!allWritten && m_problem.empty())
        m_problem = heldElsewhere(m_file, kPatience);
    return allWritten;
}

EventSink& LogQueue::sink(RunId run, EventSink* committed)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    Sink& sink = sinkOf(run);
    sink.m_committed = committed;
    return sink;
}

LogQueue::Sink& LogQueue::sinkOf(RunId run)
{
    std::unique_ptr<Sink>& sink = m_sinks[numberOf(run)];
    if (!sink)
        sink = std::make_unique<Sink>(*this, run);
    return *sink;
}

void LogQueue::resumeSink(RunId run, LoggedProgress progress)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    sinkOf(run).m_progress = std::move(progress);
}

LogQueue::BoxedEvent LogQueue::boxed(Event&& event)
{
    if (StepDone* step = std::get_if<StepDone>(&event))
        return std::move(*step);
    return std::make_unique<Event>(std::move(event));
}

Event LogQueue::unboxed(BoxedEvent&& event)
{
    if (StepDone* step = std::get_if<StepDone>(&event))
        return std::move(*step);
    return std::move(*std::get<std::unique_ptr<Event>>(event));
}

void LogQueue::enqueue(Sink& sink, Event&& event)
{
    const std::size_t bytes = sizeof(Waiting) + heapBytes(event);
    BoxedEvent box = boxed(std::move(event));
    bool wake = false;
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        // An event that is larger than the queue is admitted alone: otherwise it would wait
        // forever.
        m_space.wait(lock, [&] {
            return m_waitingBytes == 0 || m_waitingBytes + bytes <= kQueueBytes || m_admitAll
                || m_stopping;
        });
        if (m_queue.empty())
            m_firstQueued = Clock::now();
        m_queue.push_back({ &sink, std::move(box), bytes });
        m_waitingBytes += bytes;
        ++m_emitted;
        // Two wake-ups per batch instead of one per event: at its first event and when it is full.
        wake = m_queue.size() == 1 || m_queue.size() == kBatchEvents;
    }
    if (wake)
        m_wake.notify_one();
}

void LogQueue::admitAll(bool all)
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_admitAll = all;
    }
    m_space.notify_all();
}

bool LogQueue::flush()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    const std::uint64_t target = m_emitted;
    const std::uint64_t failures = m_failures;
    // A number, not a flag: two threads may flush at the same time.
    ++m_flushing;
    m_retryAt = Clock::now();
    m_wake.notify_one();
    // A failure before this call does not concern what it waits for.
    m_progressed.wait(lock, [&] { return m_committed >= target || m_failures != failures; });
    --m_flushing;
    return m_committed >= target;
}

bool LogQueue::settle()
{
    if (!flush())
        return false;
    try {
        // The batch may have been committed without waiting for the disk, but a checkpoint must not
        // get its name before its rows are durable.
        run([](LogConnection& connection) { return connection.trySync(); });
    } catch (const std::exception&) {
        return false;
    }
    return true;
}

Message LogQueue::problem() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_problem;
}

void LogQueue::run(std::function<Turn(LogConnection&)> attempt)
{
    // Shared: the caller may return as soon as the promise is set, while the thread still uses the
    // job.
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

void LogQueue::work()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!shouldEnd()) {
        waitForWork(lock);
        runJobs(lock);
        fillBatch();
        if (!m_batch.empty() && Clock::now() >= m_retryAt)
            tryBatch(lock);
    }
    // Closed on this thread and without the lock, because closing waits for the turn.
    lock.unlock();
    m_connection.reset();
}

void LogQueue::waitForWork(std::unique_lock<std::mutex>& lock)
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

LogQueue::Clock::time_point LogQueue::nextAction() const
{
    if (shouldEnd())
        return Clock::time_point::min();
    // While stuck, wake up at the deadline at the latest, even if the next retry is later.
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

bool LogQueue::shouldEnd() const
{
    if (!m_stopping)
        return false;
    const bool allWritten = m_queue.empty() && m_batch.empty();
    return allWritten || (m_stuck && Clock::now() >= m_stopDeadline);
}

void LogQueue::runJobs(std::unique_lock<std::mutex>& lock)
{
    while (!m_jobs.empty() && Clock::now() >= m_jobsAt) {
        const std::shared_ptr<Job> job = m_jobs.front();
        // Unlocked while SQLite works, so that emitEvent never waits for the disk.
        lock.unlock();
        const bool finished = finishJob(*job);
        lock.lock();
        // A job without the turn stays first: jobs run in the order in which they came.
        if (finished)
            m_jobs.pop_front();
        else
            m_jobsAt = Clock::now() + kTurnPause;
    }
}

bool LogQueue::finishJob(Job& job)
{
    try {
        if (job.attempt(*m_connection) == Turn::HeldElsewhere) {
            if (Clock::now() < job.deadline)
                return false;
            throw RunLogError(heldElsewhere(m_file, kPatience), RunLogError::Kind::Machine);
        }
        job.done.set_value();
    } catch (...) {
        // An exception belongs to the caller of run(); this thread must survive it.
        job.done.set_exception(std::current_exception());
    }
    return true;
}

void LogQueue::fillBatch()
{
    while (m_batch.size() < kBatchEvents && !m_queue.empty()) {
        m_batch.push_back(std::move(m_queue.front()));
        m_queue.pop_front();
    }
}

void LogQueue::tryBatch(std::unique_lock<std::mutex>& lock)
{
    lock.unlock();
    Message problem;
    const Written written = commitBatch(problem);
    // Before locking: a sink may print to a slow terminal, and must not delay the session.
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

void LogQueue::noteWritten(std::size_t bytes)
{
    m_committed += m_batch.size();
    m_waitingBytes -= bytes;
    m_batch.clear();
    m_problem = {};
    m_stuck = false;
    m_retryPause = kFirstRetry;
    m_space.notify_all();
}

void LogQueue::noteStuck(Written written, const Message& problem)
{
    const Clock::time_point now = Clock::now();
    // A turn held by another process is reported as a problem only if that lasts.
    if (!m_stuck)
        m_stuckSince = now;
    m_stuck = true;
    if (written == Written::TurnHeld && now - m_stuckSince < kPatience) {
        m_retryAt = now + kTurnPause;
        return;
    }
    m_problem = written == Written::TurnHeld ? heldElsewhere(m_file, kPatience) : problem;
    ++m_failures;
    m_retryAt = now + m_retryPause;
    // Doubled up to two seconds: a full disk is not helped by attempts in a tight loop.
    m_retryPause = std::min(2 * m_retryPause, kLastRetry);
}

void LogQueue::writeBatch(std::map<Sink*, LoggedProgress>& progress)
{
    progress.clear();
    EventRows& rows = m_connection->rows();
    for (const Waiting& waiting : m_batch) {
        Sink* sink = waiting.sink;
        const auto [entry, isFirst] = progress.try_emplace(sink, sink->m_progress);
        LoggedProgress& next = entry->second;
        if (isFirst && !m_connection->notice().empty())
            rows.write(sink->m_run, next, noticeEvent(next, m_connection->notice()));
        if (const StepDone* step = std::get_if<StepDone>(&waiting.event))
            rows.write(sink->m_run, next, *step);
        else
            rows.write(sink->m_run, next, *std::get<std::unique_ptr<Event>>(waiting.event));
    }
    // Once per transaction, not once per event: the columns of `runs` repeat only the last values.
    for (auto& [sink, next] : progress)
        rows.writeSummary(sink->m_run, next);
}

LogQueue::Written LogQueue::commitBatch(Message& problem)
{
    std::map<Sink*, LoggedProgress> progress; // becomes the sinks' own after the commit
    Message notice; // copied, because the connection clears it then
    try {
        const Turn turn = m_connection->tryTransaction(batchDurability(), [&] {
            notice = m_connection->notice();
            writeBatch(progress);
        });
        if (turn == Turn::HeldElsewhere)
            return Written::TurnHeld;
    } catch (const Error& error) {
        problem = error.message();
        return Written::Failed;
    } catch (const std::exception& error) {
        problem = Message::plain(error.what());
        return Written::Failed;
    }
    // Only now: a failed transaction is repeated from the old progress.
    for (auto& [sink, next] : progress) {
        EventSink* const committed = sink->m_committed;
        if (committed && !notice.empty())
            committed->emitEvent(noticeEvent(sink->m_progress, notice));
        sink->m_progress = std::move(next);
    }
    return Written::Yes;
}

LogConnection::Durability LogQueue::batchDurability() const
{
    // A power failure may lose the last steps; ends of epochs, evaluations, checkpoints, messages
    // and the end of the run make everything before them durable.
    const auto isOfAStep = [](const Waiting& waiting) {
        const auto* other = std::get_if<std::unique_ptr<Event>>(&waiting.event);
        return other == nullptr || std::holds_alternative<ParameterTraced>(**other)
            || std::holds_alternative<MemoryMeasured>(**other)
            || std::holds_alternative<RanksMeasured>(**other)
            || std::holds_alternative<HistogramsMeasured>(**other);
    };
    return std::all_of(m_batch.begin(), m_batch.end(), isOfAStep) ? Durability::Process
                                                                  : Durability::Power;
}

void LogQueue::deliverBatch()
{
    for (Waiting& waiting : m_batch) {
        Sink& sink = *waiting.sink;
        const auto* other = std::get_if<std::unique_ptr<Event>>(&waiting.event);
        if (other && std::holds_alternative<RunEnded>(**other))
            // After the commit, so that no reader sees a run that is neither alive nor ended.
            m_connection->releaseAlive(sink.m_run);
        if (EventSink* committed = sink.m_committed)
            committed->emitEvent(unboxed(std::move(waiting.event)));
    }
}

} // namespace accrue
