// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// "2.11.0+fake", built without CUDA.
EngineVersions fakeVersions();

struct FakeEngineOptions {
    std::int64_t trainSamples = 1280;
    std::int64_t testSamples = 256;
    // Wall time a step takes; waited for in equal parts, one a micro-batch, so that a stop or a
    // pause takes effect within one of them as with the real engine. 0: as fast as events go.
    std::chrono::microseconds stepTime { 0 };
    bool held = false; // a step, or a fit's window, runs only once `allowSteps` has let it

    // its loss is NaN; continues with run.not_finite = skip
    std::optional<std::int64_t> divergeAtStep {};
    std::optional<std::int64_t> outOfMemoryAtStep {};
    std::optional<std::int64_t> failAtStep {};
    bool losesDevice = false; // the last of `devices` is lost when a run or a fit fails
    double drift = 0; // is added to the losses of a training for each one before it
    bool failToStart = false; // ends as failed before the first window, a fit too
    std::string wrongInput {}; // no training begins: it is refused with this sentence

    std::vector<DeviceInfo> devices { { "cpu", "Fake CPU", std::int64_t { 8 } << 30,
        std::int64_t { 6 } << 30, Message::plain("2 cores") } };
    EngineVersions versions = fakeVersions();
    bool selfTestPasses = true;
    Message resumeProblem {}; // of every run
    std::vector<Message> evaluationWarnings {};
};

// An Engine without torch: emits the events of a run as a real one does, in the same order and with
// plausible values, as fast as they can be emitted. Deterministic: the same experiment and options
// produce the same events on every machine (seconds and times of steps are invented, too: a step
// takes 10 ms of `seconds`). Obeys stop, pause and learning-rate factor. Writes a checkpoint with
// small files if requested, and resumes from one. Install it with setEngineForTesting
// (door/loader.h); it must outlive every run.
class FakeEngine : public Engine {
public:
    explicit FakeEngine(FakeEngineOptions options = {});

    EngineVersions versions() override;
    std::vector<DeviceInfo> devices() override;
    void warmUp() override { }
    RunEnded train(const TrainRequest& request, RunControl& control, EventSink& events) override;
    RunEnded join(const JoinRequest& request, RunControl& control, EventSink& events) override;
    // Of 4,000,000 bytes and 72,136 a sample, as its runs need; the border of a budget to the byte;
    // the larger a micro-batch the faster, up to 128 samples.
    MemoryFit fit(
        const FitRequest& request, RunControl& control, const FitProgressSink& progress) override;
    SavedCheckpoint inspect(const std::filesystem::path& checkpoint) override;
    Message resumeProblem(const DataIdentity& trained, const TrainRequest& request) override;
    // What the run emitted about that step.
    CheckpointFigures evaluate(const EvaluationRequest& request) override;
    // 0.25 where the steps differ, otherwise 0.
    ParameterDistance distance(
        const std::filesystem::path& a, const std::filesystem::path& b) override;
    std::vector<SelfTestRow> selfTest(
        const std::string& device, const std::filesystem::path& scratch) override;

    // The test's side; any thread.
    void setOptions(FakeEngineOptions options); // for the next run
    void allowSteps(std::int64_t count); // lets `count` more steps run in held mode
    // Blocks until a run has emitted its step `step`, or it has ended, or the time is over; true:
    // emitted.
    bool waitForStep(std::int64_t step, std::chrono::milliseconds limit = std::chrono::seconds(10));
    int trainings() const; // calls of train so far
    int fits() const; // calls of fit
    TrainRequest lastRequest() const;

private:
    friend class FakeRun;
    FakeEngineOptions options() const;
    bool mayBeginStep(RunControl& control); // Blocks while held; false: a stop was requested
    void waitOneSlice(std::chrono::microseconds time);
    void tellStep(std::int64_t step);

    std::mutex m_job; // one job at a time, as at the real door
    mutable std::mutex m_mutex; // guards all below
    std::condition_variable m_changed;
    FakeEngineOptions m_options;
    TrainRequest m_lastRequest;
    std::int64_t m_allowed = 0;
    std::int64_t m_emittedStep = 0;
    int m_trainings = 0;
    int m_fits = 0;
    bool m_running = false;
    bool m_lostDevice = false;
};

} // namespace accrue
