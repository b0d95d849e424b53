// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/augmentation.h"
#include "engine/door/engine.h"
#include "engine/events/memory.h"
#include "engine/memory/failure_watch.h"
#include "engine/memory/retry_watch.h"
#include "engine/training/checkpoint_store.h"
#include "engine/training/device_scope.h"
#include "engine/training/evaluation.h"
#include "engine/training/run_failure.h"
#include "engine/training/run_preparation.h"
#include "engine/training/run_state.h"
#include "engine/training/span_due.h"
#include "engine/training/training_clock.h"

#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

class MemoryBudget;
class MemoryMeter;
struct TrainingParts;

// One run from its first event to its last, on the thread that calls `run`. Steps are read from the
// device one late on CUDA, so that the host never waits for the one it has just enqueued.
class Session {
public:
    // All borrowed; they must outlive the session. `mayBeUnread`: windows whose figures may still
    // be unread when the next one begins, 0 or 1; where it is empty, the device and the recipe
    // decide.
    Session(const TrainRequest& request, RunControl& control, EventSink& events,
        std::optional<std::size_t> mayBeUnread = {});
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Blocks until the run ends: Engine::train. Once the run has begun, nothing is thrown: what was
    // caught becomes RunEnded.
    RunEnded run();

private:
    // A window that ran and whose figures the host has not read yet.
    struct PendingStep {
        StepDone event; // without what is still on the device
        std::vector<PhaseMemory> memory; // of the window; empty: not metered
        RunState after; // but for the sums
    };

    std::exception_ptr preparing();
    void prepare();
    void saveIn(const std::filesystem::path& folder);
    void keepCut();
    void restore();
    void warnOfData();
    void announce();
    void warn(const std::string& text); // about the last step that was read
    void tell(RunMessage::Severity severity, const std::string& text); // likewise
    void train();
    std::optional<WindowPart> nextPart(); // nullopt: the run is over
    bool compute(const WindowPart& part); // false: its window is to be computed again
    void cutFiner(std::int64_t epoch);
    void tellFinerCut(std::int64_t epoch, std::int64_t before, const std::string& phase);
    void tellKeptCut();
    void beginEpoch(std::int64_t epoch);
    void endEpoch();
    void tellEpoch();
    void openWindow(std::int64_t samples);
    bool accumulate(const WindowPart& part); // false: stopped before its end
    void update(const Window& window);
    void warnOfRetries();
    void warnOfOtherAlgorithm();
    void traceParameter();
    void tellTrace();
    double takeLearningRate(std::int64_t step, const Window& window);
    bool goesOn(); // waits while paused; false: stop was asked for
    void pauseHere();
    void readSteps(std::size_t mayWait); // reads until at most that many are still unread
    void readOldestStep();
    void tellMemory(const Position& at, std::vector<PhaseMemory> phases);
    bool followLossScale(const StepDone& step);
    void judge(const StepDone& step);
    void evaluateIfDue();
    bool evaluateNow();
    template <typename Pass>
    auto inSmallerPasses(std::int64_t& samples, std::int64_t fewest, const Pass& pass);
    std::optional<Evaluation> evaluated(const ResidentSplit& split); // nullopt: it was stopped
    bool makeStatisticsPrecise();
    bool evaluationGoesOn();
    void tellEvaluation(
        const Evaluation& test, const std::optional<Evaluation>& validation, double secondsBefore);
    void checkpointIfDue();
    void saveNow(bool best);
    void reportCheckpoint(const std::optional<CheckpointStore::Saved>& saved);
    Checkpoint snapshot(const RunState& state);

    void takeCarriedSamples();
    double epochsDone() const;
    RunProgress progress() const;
    void stopHere();
    void stopAfterUpdates(); // where the request says how many
    MemoryNeed memoryNeed() const;
    void fail(const std::exception_ptr& failure);
    void saveAtEnd();
    void warnOfBrokenModel(const NamedTensors& model);
    void rescue();
    void keepModel();
    RunEnded end();
    void tellEnd(RunEnded& ended);

    const TrainRequest& m_request;
    RunControl& m_control;
    EventSink& m_events;
    const std::optional<std::size_t> m_mayBeUnread;

    std::optional<DeviceScope> m_scope; // outlives all that lies on the device
    at::Device m_device { at::kCPU };
    std::unique_ptr<MemoryMeter> m_meter;
    std::unique_ptr<MemoryBudget> m_budget; // with memory.budget
    bool m_recounted = false; // since it was made, after a window
    bool m_recountedEvaluation = false; // after an evaluation, which loads kernels of its own
    std::optional<RetryWatch> m_retries; // empty until prepared
    std::optional<FailureWatch> m_failures; // likewise; of what is being computed
    RunStarted m_started;
    bool m_announced = false;
    TrainingClock m_clock;
    PreparedRun m_run;
    std::unique_ptr<TrainingParts> m_parts; // empty until prepared
    bool m_begun = false; // what it trained may be saved
    std::optional<CheckpointStore> m_checkpoints; // empty: none are saved

    std::optional<Checkpoint> m_resumed; // until it is restored

    at::Tensor m_order; // indices of an epoch, on the device
    std::int64_t m_orderEpoch = 0; // which
    std::int64_t m_epochsTold = 0; // of those that are over
    Augmentation m_augmentation; // of that epoch
    RunState m_state; // at the end of the last micro-batch that was enqueued
    RunState m_opened; // before the window that is open
    bool m_updating = false; // an update is being made
    std::int64_t m_evaluationBatch = 0; // samples of a pass
    RunState m_known; // at the end of the last window whose figures were read
    RunState m_good; // likewise, unless that window ended the run
    bool m_bestIsUnsaved = false;
    std::deque<PendingStep> m_pending;
    ParameterTraced m_traced; // of micro-batches that were not told

    bool m_over = false;
    RunOutcome m_outcome = RunOutcome::Completed;
    std::string m_message;
    std::string m_checkpoint;
};

} // namespace accrue
