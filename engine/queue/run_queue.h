// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/resolved.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// A run to be added to a queue.
struct RunToQueue {
    ResolvedExperiment resolved; // validated
    std::optional<double> predictedBytes; // peak memory; empty: not known
    std::optional<double> predictedSeconds; // of the whole run; empty: not known
    // Of successive halving (halvingRungs), in updates; empty: it is trained without a stop.
    std::vector<std::int64_t> rungs {};
};
struct SweepToQueue {
    std::string name;
    std::string definition; // JSON, as engine/sweep writes it
};
struct QueuedRuns {
    std::vector<RunId> runs; // in the order in which they were given
    std::int64_t sweep = 0; // 0: none was given
};

// A run that was taken from the queue: nobody else takes it as long as this process lives.
struct TakenRun {
    RunId id {};
    bool begun = false; // it is resumed, otherwise begun (RunLogWriter::beginQueued)
    // Updates after which it waits for the others of its sweep; 0: it trains to its end.
    std::int64_t rung = 0;
};

// Every count-th run of a queue, beginning with the number-th.
struct QueuePart {
    std::int64_t number = 1;
    std::int64_t count = 1;
};

// What happened in the queue when a worker looked for a run.
struct QueueNews {
    std::vector<RunId> stopped {}; // by successive halving; the log has the reasons
    std::vector<RunId> held {}; // because their workers died
    // Nothing is left to take, until runs that others train have reached a rung: then more may be.
    bool awaitsRung = false;
};

// What one worker takes.
struct QueueTurn {
    std::optional<RunId> only {}; // this run, wherever it stands, held or not; empty: the next one
};

// The queue of a run log: runs that wait to be trained, in their order. Any number of processes may
// change it and take from it at once; each call is one transaction, in which it sees what the
// others have done. A run is in the queue until it ends; one whose worker was killed stays in it,
// and is taken first. All methods block, and throw RunLogError; `queue.not_waiting` if the run has
// left the queue or is being trained. Thread-safe, as its writer.
class RunQueue {
public:
    explicit RunQueue(RunLogWriter& log) // borrowed
        : m_log(log)
    {
    }

    // Behind all that wait. All or nothing.
    QueuedRuns add(const std::vector<RunToQueue>& runs,
        const std::optional<SweepToQueue>& sweep = std::nullopt);

    enum class Place { First, Earlier, Later, Last };
    void move(const std::vector<RunId>& runs, Place place); // several keep their order
    void moveBefore(const std::vector<RunId>& runs, RunId other);
    void hold(const std::vector<RunId>& runs, bool held); // held: not taken until it is released
    void holdAll(bool held); // no worker takes anything

    // A run that nobody has begun is deleted, because it contains nothing; one that was interrupted
    // stays in the log as it is. One that is being trained is left alone. Returns the removed ones.
    std::vector<RunId> remove(const std::vector<RunId>& runs);

    // In a copy of a log: its queue keeps only this part of the runs that nobody has begun. The
    // others are deleted from the copy, and what was begun leaves its queue: that is trained in the
    // original.
    void keepPart(const QueuePart& part);

    // The worker that trains the run stops it, and goes on with the next one. Does nothing if no
    // worker trains it.
    void requestStop(RunId run);

    // The next run, locked for this process; empty: there is none, or the queue is held. A run
    // whose workers died twice is held instead of taken, with a message in it. One that waits at a
    // rung of successive halving is not taken before all of its sweep have reached it; then this
    // decides who goes on, and ends the others. `queue.at_rung` if `turn.only` is one that waits
    // there.
    std::optional<TakenRun> take(const QueueTurn& turn = {}, QueueNews* news = nullptr);
    // A taken run that cannot be begun ends as failed, and leaves the queue.
    void fail(RunId run, const Message& why);
    // It waits again, at its place, as if it had not been taken.
    void putBack(RunId run);

private:
    RunLogWriter& m_log;
};

} // namespace accrue
