// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/checkpoints.h"
#include "engine/door/engine.h"
#include "engine/door/run_control.h"
#include "engine/experiment/resolved.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace accrue {

// A training as both programs do it: begin the run in the log, or resume it there, train, and wait
// until the log contains all of it. A program shows it as an observer.

// A run of the log that is resumed.
struct ResumedRun {
    RunId id {};
    std::optional<SavedCheckpoint> from; // undamaged; empty: from the beginning
    DataIdentity data; // on which it was trained; may be unknown
};

// All questions to the user are answered, and a b that follows a memory budget is solved
// (fittedToBudget of budget_fit.h).
struct TrainingOrder {
    ResolvedExperiment resolved;
    std::vector<std::filesystem::path> dataDirectories; // searched in order
    std::optional<ResumedRun> resumed {}; // empty: a new run
    // A run of the log's queue, which was taken and is begun now; empty: it is none.
    std::optional<RunId> queued {};
    // Whether a run of the queue that was stopped waits there to be continued; empty: it has ended.
    // Called on the training thread once it is over.
    std::function<bool()> staysQueued {};
    std::filesystem::path checkpointFolder {}; // of a training without a log; empty: none is saved
    std::int64_t stopAfter = 0; // updates (TrainRequest); 0: to the end
    // `stopAfter` is a rung of successive halving: the run is evaluated there, and waits in the
    // queue for the others of its sweep.
    bool stopsAtRung = false;
    // Of this process, if a launcher started all ranks; empty: a plan for several devices starts
    // the others here.
    std::optional<RankPlace> place {};
};

// Shows a training. The events that it receives as a sink are those that the log has committed, on
// the log's thread, so that nothing is shown that a power failure could still revoke; without a log
// they come from the session's thread.
class TrainingObserver : public EventSink {
public:
    // The run is in the log as `run`. On the training thread, before the first event. Not called
    // without a log. If it throws, the training ends.
    virtual void began(RunId run) = 0;
    // An event that is not in the log yet. On the session's thread; must not block.
    virtual void emitted(const Event&) { }
    // Training is over; the log may still be written. On the training thread.
    virtual void trained() { }
};

// What happens to the log after the training: a command closes it, which stops waiting after 5
// seconds; the window's writer stays open and retries.
enum class AfterTraining { FlushLog, CloseLog };

struct LoggedTraining {
    RunEnded ended;
    RunId id {}; // 0: there is no log
    Message unwritten {}; // why the log lacks the end of the run; empty: it does not
};

// Trains on the calling thread until the run has ended. Blocks. `log` and `observer` are borrowed;
// without a log (null) nothing is begun. With CloseLog no event reaches the observer after this
// returns or throws; otherwise it must outlive the log's writer. Throws InputError as
// Engine::train, RunLogError if the run cannot be begun or resumed.
LoggedTraining trainInLog(Engine& engine, const TrainingOrder& order, RunControl& control,
    RunLogWriter* log, TrainingObserver& observer, AfterTraining afterwards);

// ---- resuming ---------------------------------------------------------------------------------

// Checks whether a checkpoint belongs to `run` as the log has it. Both are borrowed.
CheckpointCheck checkOf(RunLogReader& log, const RunRecord& run);

// The settings that a run of the log is resumed with under its present name (resumedSettings).
Experiment settingsToResume(const RunRecord& run, const std::optional<SavedCheckpoint>& from);

// Why the data that the order finds differ from those that its run was trained on; empty: they do
// not, or the order resumes no run. Blocks: loads the data set.
Message resumeProblem(Engine& engine, const TrainingOrder& order);

} // namespace accrue
