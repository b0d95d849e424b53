// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/runlog/log_connection.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

namespace accrue {

// The events on their way into a run log, and the thread that owns its one writing connection: it
// commits them in batches, and runs other work that needs the connection. Thread-safe.
class LogQueue {
public:
    using Turn = LogConnection::Turn;

    // Blocks. Throws RunLogError, as LogConnection does.
    LogQueue(const std::filesystem::path& file, const LogProgress& progress);
    ~LogQueue(); // closes
    LogQueue(const LogQueue&) = delete;
    LogQueue& operator=(const LogQueue&) = delete;

    // Runs `attempt` on the thread until it gets the turn, for 5 s at most. Blocks. Throws
    // RunLogError, and whatever `attempt` throws.
    void run(std::function<Turn(LogConnection&)> attempt);

    // The sink of `run` continues from `progress`. Called on the writer's thread, by a job of
    // run().
    void resumeSink(RunId run, LoggedProgress progress);

    // The following are RunLogWriter's.
    EventSink& sink(RunId run, EventSink* committed);
    void admitAll(bool all); // false: wait for room again
    bool flush();
    bool close();
    Message problem() const;

private:
    using Clock = std::chrono::steady_clock;
    // Nearly all events are steps: they are stored in place and small, the others behind a pointer.
    using BoxedEvent = std::variant<StepDone, std::unique_ptr<Event>>;

    class Sink;
    struct Waiting {
        Sink* sink = nullptr;
        BoxedEvent event;
        std::size_t bytes = 0;
    };
    // A call of another thread that needs the connection: repeated on the writer's thread until it
    // gets the turn, for 5 s at most.
    struct Job {
        std::function<Turn(LogConnection&)> attempt;
        std::promise<void> done;
        Clock::time_point deadline;
    };
    enum class Written { Yes, TurnHeld, Failed };

    static BoxedEvent boxed(Event&& event);
    static Event unboxed(BoxedEvent&& event);
    Sink& sinkOf(RunId run); // m_mutex is held
    void enqueue(Sink& sink, Event&& event);
    bool settle(); // see EventSink

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
    void noteStuck(Written written, const Message& problem);
    Written commitBatch(Message& problem);
    void writeBatch(std::map<Sink*, LoggedProgress>& progress);
    LogConnection::Durability batchDurability() const;
    void deliverBatch();

    // Constant after construction.
    const std::filesystem::path m_file;

    // The writer's thread only, after construction.
    std::unique_ptr<LogConnection> m_connection;
    std::vector<Waiting> m_batch; // left the queue, not committed yet
    Clock::time_point m_stuckSince;

    mutable std::mutex m_mutex;
    std::condition_variable m_wake; // the writer's thread waits here
    std::condition_variable m_space; // emitEvent waits here while the queue is full (64 MiB)
    std::condition_variable m_progressed; // flush waits here
    // Guarded by m_mutex.
    std::deque<Waiting> m_queue;
    std::deque<std::shared_ptr<Job>> m_jobs;
    std::map<std::int64_t, std::unique_ptr<Sink>> m_sinks;
    std::size_t m_waitingBytes = 0; // in the queue and in the batch
    std::uint64_t m_emitted = 0;
    std::uint64_t m_committed = 0;
    std::uint64_t m_failures = 0;
    int m_flushing = 0;
    Message m_problem;
    bool m_admitAll = false;
    bool m_stuck = false; // the last attempt to write the batch failed
    Clock::time_point m_firstQueued;
    Clock::time_point m_retryAt;
    Clock::time_point m_jobsAt;
    std::chrono::milliseconds m_retryPause { 0 };
    bool m_stopping = false;
    Clock::time_point m_stopDeadline;

    std::thread m_thread; // last: starts when all members above exist
};

} // namespace accrue
