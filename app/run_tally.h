// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"
#include "engine/events/events.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace accrue {

class TextTable;

// What is known of a run from its events so far, for the progress line and the table at the end. A
// value; not thread-safe.
class RunTally {
public:
    void take(const Event& event);

    std::optional<RunStarted> started;
    std::optional<StepDone> step; // the last one
    std::optional<EpochDone> epoch;
    std::optional<Evaluated> evaluation;
    std::optional<RunEnded> ended;
    // On the samples held out where there are any, otherwise on the test set; below 0: none yet.
    double bestAccuracy = -1;
    std::int64_t bestStep = 0;
    std::int64_t peakBytes = 0; // of a window
    std::int64_t evaluationPeakBytes = 0; // 0: none was metered
    std::int64_t cutMicro = 0; // b since memory was short for the plan's; 0: it never was
    std::string checkpoint;

    // Over the last ten seconds of training; 0 before the second step.
    double samplesPerSecond() const;
    // Until the last step of the plan at that pace; negative: not known yet.
    double secondsLeft() const;

private:
    void takePace(const StepDone& done);

    struct Mark {
        double seconds;
        std::int64_t step;
        std::int64_t samples;
    };
    std::deque<Mark> m_marks; // oldest first, a quarter of a second apart
};

// 1 240 / 4 690  26.4 %  loss 0.081  test 98.12 %  0:31 left  9 840 img/s  epoch 3/10 …
// Without escape sequences, on one line. Where samples are held out, "validation 97.90 %" stands
// before the test.
std::string progressText(const RunTally& tally, const Progress& progress);

// epoch 3/10  step 1 407/4 690  loss 0.0812  train 97.50 %  test 98.12 %  9 840 img/s  0:31 left
std::string epochText(const RunTally& tally);

inline constexpr const char* kEvaluationPeakTitle = "Peak memory (evaluation)";
// "Peak memory (training)" and "(evaluation)", each where it is known.
void addPeaks(TextTable& table, std::int64_t trainingBytes, std::int64_t evaluationBytes);

// "b 32 × N 4 = B 128"
std::string planText(const BatchPlan& plan);
// "b 8 × N 16 = B 128, cut from b 32 × N 4 where memory was short"; `micro` is the b in force, 0:
// the plan's.
std::string cutText(const BatchPlan& plan, std::int64_t micro);

} // namespace accrue
