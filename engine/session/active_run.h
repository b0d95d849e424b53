// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/run_state.h"
#include "engine/distributed/rank_reports.h"
#include "engine/door/engine.h"
#include "engine/door/run_control.h"
#include "engine/events/metrics.h"
#include "engine/memory/allocator_watch.h"
#include "engine/memory/memory_budget.h"
#include "engine/memory/memory_meter.h"
#include "engine/session/epoch_order.h"
#include "engine/session/run_preparation.h"
#include "engine/session/span_due.h"
#include "engine/session/training_clock.h"
#include "engine/window/training_window.h"
#include "engine/window/world.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <c10/core/Device.h>

namespace accrue {

// Where the run is, as seen from four places. One state is not enough, because the host runs ahead
// of the device and because a window can be undone.
//
// The host enqueues micro-batches and learns what they computed later, on CUDA one window later.
// `now` is where the host is. `known` follows when the figures of a window have been read, and
// messages about a window are dated by it. If the figures show that a window has ended the run, the
// device has already refused its update and those of all windows after it, so the parameters are
// those of the window before: `good` follows `known` except into the window that ended the run, and
// it is what a run that failed or diverged saves. If memory runs out in the middle of a window, the
// host undoes the window and computes it again: `opened` is where it began.
struct RunStates {
    RunState now; // at the end of the last micro-batch that was enqueued
    RunState opened; // before the window that is open
    RunState known; // at the end of the last window whose figures were read
    RunState good; // likewise, unless that window ended the run
};

// Whether and how the run ends.
struct RunEnding {
    bool isOver = false;
    RunOutcome outcome = RunOutcome::Completed;
    Message message; // as in RunEnded
    EarlyEnd early = EarlyEnd::None; // likewise
    std::string checkpoint; // folder of the last one that is whole; empty: none

    void end(RunOutcome how, Message why, EarlyEnd isEarly = EarlyEnd::None);
};

// What the parts of a session share. The session creates the members while it prepares the run, in
// the order meter, budget, prepared, order, window, failures, and the parts after them; until then
// a pointer is null and an optional empty. Members are destroyed in reverse of their order here, so
// the budget and the meter outlive everything that allocates.
//
// Only the session's thread reads or writes it, except for RunControl, through which other threads
// make requests.
// The checkpoint thread receives copies, and the GUI sees no more of a run than its events and the
// progress word of RunControl.
struct ActiveRun {
    // All borrowed.
    ActiveRun(const TrainRequest& asked, RunControl& control, World& world);

    // The state before the first window; `windows` and `experiment` decide. Sets all four.
    void beginStates();
    RunProgress progress() const;
    RunProgress progressAt(const RunState& state) const; // with the time of its position
    // Whether what happens every span is due, at `next` as a checkpoint stores it. The clocks of
    // the ranks differ: a span of time is over for all of them when it is for one.
    bool isDue(const Span& every, double next) const;
    // Remembers the metrics of an event at `now` that a rule may compare (stop_rule.h).
    template <typename MetricEvent> void remember(const MetricEvent& event)
    {
        for (std::size_t i = 0; i < kRuleMetrics; ++i)
            if (const auto value = metricIn(*findMetric(ruleMetrics().at(i).name), event))
                states.now.ruleValues.last.at(i) = *value;
    }
    // For the window that is open at `now`, or that opens there.
    WindowOpening opening(std::int64_t samples) const;
    // Draws the order of an epoch, and from here on slices are of it.
    void beginEpoch(std::int64_t epoch);

    const TrainRequest& request;
    const Experiment& experiment; // of the request
    RunControl& control; // what is requested while the run trains
    World& world; // the ranks that train it
    at::Device device { at::kCPU };
    RunStarted started;
    TrainingClock clock;
    RunStates states;
    RunEnding ending;
    bool bestIsUnsaved = false; // an evaluation was the best so far, and no checkpoint holds it

    RankReports ranks; // what they measure

    std::unique_ptr<MemoryMeter> meter;
    std::unique_ptr<MemoryBudget> budget; // with memory.budget
    PreparedRun prepared;
    std::unique_ptr<TrainingWindow> window;
    std::unique_ptr<EpochOrder> order;
    std::optional<FailureWatch> failures; // of the work in progress
};

} // namespace accrue
