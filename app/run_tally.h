// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/door/run_control.h"
#include "engine/events/events.h"
#include "engine/events/metrics.h"
#include "engine/report/training_pace.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accrue {

class TextTable;

// The state of a run according to its events so far, for the progress line and the table at the
// end. A value; not thread-safe.
class RunTally {
public:
    void take(const Event& event);

    std::optional<RunStarted> started;
    std::optional<StepDone> step; // the last one
    std::optional<EpochDone> epoch;
    std::optional<Evaluated> evaluation;
    std::optional<BestEvaluation> best; // like bestOf for the run's row
    std::int64_t peakBytes = 0; // of a window
    std::int64_t evaluationPeakBytes = 0; // 0: none was metered
    std::int64_t cutMicro = 0; // b since an out-of-memory error; 0: there was none

    // Over the last ten seconds of training; 0 before the second step.
    double samplesPerSecond() const { return m_pace.samplesPerSecond(); }
    // Until the last step of the plan at that pace; negative: unknown yet.
    double secondsLeft() const;

private:
    void takeStep(const StepDone& done);

    TrainingPace m_pace;
};

// 1 240 / 4 690  26.4 %  loss 0.081  test 98.12 %  0:31 left  9 840 img/s  epoch 3/10 …
// Without escape sequences, on one line. If samples are held out, "validation 97.90 %" precedes the
// test.
std::string progressText(const RunTally& tally, const Progress& progress);

// epoch 3/10  step 1 407/4 690  loss 0.0812  train 97.50 %  test 98.12 %  9 840 img/s  0:31 left
std::string epochText(const RunTally& tally);

// "1 thread", "4 threads"
Message countOfThreads(int threads);
// "Peak memory (training)" and "(evaluation)", each if it is known.
void addPeaks(TextTable& table, std::int64_t trainingBytes, std::int64_t evaluationBytes);
// Accuracies and losses, those of the validation samples only if there are any. `best` follows the
// accuracy that the model is judged by.
void addEvaluation(TextTable& table, const Evaluated& evaluated, const std::string& best = {});

// "out of memory"
std::string textOfOutcome(RunOutcome outcome);
// "b 32 × N 4 = B 128"
std::string planText(const BatchPlan& plan);
// In force, and as planned beside it; "–" of a run without a recipe.
std::string planText(const RunRecord& run);
std::string cutText(const RunRecord& run);
// "b 8 × N 16 = B 128, reduced from b 32 × N 4 after an out-of-memory error"; `micro` is the b in
// force, 0: the plan's.
std::string cutText(const BatchPlan& plan, std::int64_t micro);

} // namespace accrue
