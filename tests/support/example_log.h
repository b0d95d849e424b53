// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_writer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// Runs with plausible numbers, written as a session writes them, as fast as the log takes them. A
// function of experiment and step alone, so that a test knows every value.
struct ExampleRun {
    Experiment experiment;
    std::int64_t steps = 100;
    std::int64_t stepsPerEpoch = 50; // evaluated at the end of each
    double secondsPerStep = 0.01;
    RunOutcome outcome = RunOutcome::Completed;
    std::int64_t notFiniteAt = 0; // step whose loss is NaN; 0: none
    bool meters = false; // emits the memory of every window, and of every evaluation
    bool validates = false; // evaluated on held-out samples, too; 0.002 below the test's accuracy
    std::string device = "cpu";
};

// What each rank of a run on several devices measures: of its waiting 10 times the number of ranks
// from it to the last, which is the slowest; of all else 10 times its own number, from 1.
double exampleOfRank(const std::string& metric, std::int64_t rank, std::int64_t ranks);
double exampleLoss(const ExampleRun& run, std::int64_t step);
double exampleAccuracy(const ExampleRun& run, std::int64_t epoch); // of the test set

// A run that a test moves on by hand. `log` is borrowed.
class ExampleRunInLog {
public:
    ExampleRunInLog(RunLogWriter& log, ExampleRun run);
    // Takes up `id` after its step `from`, as `run`; 0: from the beginning.
    ExampleRunInLog(RunLogWriter& log, ExampleRun run, RunId id, std::int64_t from);

    RunId id() const { return m_id; }
    void advance(std::int64_t steps); // and the ends of epochs among them
    void end(); // with the requested outcome
    std::int64_t step() const { return m_step; }

private:
    void emitStart();
    void emitStep();
    void emitMemory();
    void emitRanks(const StepDone& step);
    void emitEndOfEpoch();
    std::int64_t residentSamples() const;

    ExampleRun m_run;
    RunId m_id;
    EventSink& m_sink;
    BatchPlan m_plan;
    std::int64_t m_step = 0;
};

// One whole run.
RunId writeExampleRun(RunLogWriter& log, const ExampleRun& run);

// `count` experiments that differ as a week of work does: batch numbers, norm, learning rate,
// optimizer, seed; the n-th is always the same.
std::vector<Experiment> exampleExperiments(int count);

} // namespace accrue
