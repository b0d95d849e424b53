// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/log_connection.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <vector>

namespace accrue {

// A run of the queue as one transaction sees it.
struct QueueEntry {
    RunId run {};
    QueuePlace place;
    std::int64_t sweep = 0;
    bool archived = false;
    bool alive = false; // somebody, perhaps this process, prepares or trains it
};

// The changes that RunQueue makes, within the caller's transaction. Throw SQLite::Exception.
class QueueEdit {
public:
    explicit QueueEdit(LogConnection& connection) // borrowed
        : m_connection(connection)
    {
    }

    std::vector<QueueEntry> entries(); // in the order in which they are taken
    // Throws RunLogError if the run has left the queue or is alive.
    QueueEntry waiting(RunId run);
    double lastPosition();
    void insert(RunId run, const QueuePlace& place);
    // Between the neighbours that `before` has then; all positions are numbered anew where two are
    // too close for a third. nullopt: behind all.
    void place(const std::vector<RunId>& runs, const std::optional<RunId>& before);
    void setHeld(RunId run, bool held);
    void countFailure(RunId run);
    void passRung(RunId run); // it goes on to the next one
    void remove(RunId run);
    void end(RunId run, RunOutcome how, const Message& why, EarlyEnd early = EarlyEnd::None);
    void deleteRun(RunId run); // that nobody has begun

private:
    void setPosition(RunId run, double position);
    void changed(RunId run);

    LogConnection& m_connection;
};

} // namespace accrue
