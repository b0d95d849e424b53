// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/active_run.h"
#include "engine/session/run_events.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace accrue {

// A window that was closed and whose figures the host has not read yet.
struct PendingStep {
    StepDone event; // without the figures that are still on the device
    std::vector<PhaseMemory> memory; // of the window; empty: not metered
    RunState after; // without what its figures decide
    std::int64_t ownSamples = 0; // that this rank has computed of the window
};

// Reads the figures of closed windows, oldest first. On CUDA it reads them one window late: reading
// waits for the device, and a host that waited for the window it has just enqueued would leave the
// device idle while it enqueues the next one. Waiting for the window before costs nothing, because
// the device is busy with the newest one meanwhile. The guard makes this safe: it decides about
// each update on the device, so no wrong update happens before the host learns of it.
//
// Each window that was read is judged, advances `known` and `good`, counts in its epoch's sums and
// is emitted. A window that ends the run sets the run's ending; the windows enqueued after it were
// refused with it, so they are read but not emitted. Throws what the device and the sink throw. One
// thread.
class StepReader {
public:
    // Run and events are borrowed. `mayBeUnread`: windows that add() leaves unread, 0 or 1; if
    // empty, device and recipe decide (TrainingWindow::mayBeUnread).
    StepReader(ActiveRun& run, RunEvents& events, std::optional<std::size_t> mayBeUnread = {});

    void add(PendingStep step); // reads the windows that may not stay unread
    // Returns false if the run is over, because a window has ended it or it was over before.
    bool readAll();
    // Called when all windows are read and the current epoch has no samples left. Emits its
    // figures, which include its samples in a window that is still open, and begins the next
    // epoch's sums.
    void endEpoch();

private:
    void readOldest();
    void count(const StepDone& step, const WindowValues& values);
    void countOpenWindow();
    bool followLossScale(const StepDone& step);
    void judge(const StepDone& step);

    ActiveRun& m_run;
    RunEvents& m_events;
    const std::size_t m_mayBeUnread;
    std::deque<PendingStep> m_pending;
};

} // namespace accrue
