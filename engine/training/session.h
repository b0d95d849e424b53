// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/training/checkpoint.h"
#include "engine/training/run_preparation.h"
#include "engine/training/training_clock.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

class AllocationMeter;
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

    // Blocks until the run ends. Never throws: the one place that catches, and turns what it caught
    // into RunEnded.
    RunEnded run();

private:
    // A window that ran and whose figures the host has not read yet.
    struct PendingStep {
        StepDone event; // without what is still on the device
        Position position;
    };
    // Of an epoch's samples, those of refused windows left out; or of the samples that an epoch
    // gave to a window which the next one closes.
    struct Sums {
        double loss = 0;
        std::int64_t correct = 0;
        std::int64_t samples = 0;
    };

    void prepare();
    void announce();
    void warn(const std::string& text); // about the last step that was read
    void train();
    std::optional<WindowPart> nextPart(); // nullopt: the run is over
    void beginEpoch(std::int64_t epoch);
    void endEpoch();
    void openWindow(const Window& window);
    bool accumulate(const WindowPart& part); // false: stopped before its end
    void update(const Window& window);
    void abandonWindow();
    double takeLearningRate(std::int64_t step, const Window& window);
    bool goesOn(); // waits while paused; false: stop was asked for
    void pauseHere();
    void readSteps(std::size_t mayWait); // reads until at most that many are still unread
    void readOldestStep();
    void judge(const StepDone& step);
    void evaluateIfDue(bool lastStep);
    void evaluateNow();

    void takeCarriedSamples();
    double epochsDone() const;
    void stopHere();
    void fail(const std::exception_ptr& failure);
    void saveCheckpoint();
    void warnOfBrokenModel();
    void rescue();
    void keepModel();
    RunEnded end();
    void tellEnd(RunEnded& ended);

    const TrainRequest& m_request;
    RunControl& m_control;
    EventSink& m_events;
    const std::optional<std::size_t> m_mayBeUnread;

    at::Device m_device { at::kCPU };
    std::unique_ptr<AllocationMeter> m_meter;
    RunStarted m_started;
    bool m_announced = false;
    TrainingClock m_clock;
    PreparedRun m_run;
    std::unique_ptr<TrainingParts> m_parts; // empty until prepared

    at::Tensor m_order; // indices of this epoch, on the device
    WindowCursor m_cursor; // at the end of the last micro-batch that was enqueued
    std::uint32_t m_slicesDone = 0; // of the window that is open
    Position m_position; // likewise, but step and seconds, which are of the last update
    Position m_known; // at the end of the last window whose figures were read
    Position m_resumable; // likewise, unless that window ended the run: what a checkpoint holds
    std::int64_t m_lastUpdate = 0; // last step that reached the parameters
    std::deque<PendingStep> m_pending;
    Sums m_epoch;
    Sums m_carried;
    double m_factor = 1; // on the schedule, as last used

    bool m_over = false;
    RunOutcome m_outcome = RunOutcome::Completed;
    std::string m_message;
    std::string m_checkpoint;
};

} // namespace accrue
