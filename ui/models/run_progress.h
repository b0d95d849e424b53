// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/training_pace.h"
#include "engine/runs/run_record.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace accrue {

// How far a run is, as the run strip and the Train page show it.
struct ShownProgress {
    double share = 0; // 0..1
    std::optional<double> secondsLeft; // at the pace of the last ten seconds; empty before a step

    QString title; // "lenet5-mnist #12"
    QString steps; // "step 312 of 4 690"
    QString percent; // "6.7 %"
    QString timeLeft; // "0:41 left", "estimating"
    QString rate; // "9 840 img/s", likewise
    QStringList memory; // the most words first: "212 MiB peak of 1.00 GiB", "212 MiB peak"
    QString memoryMeaning; // to who rests upon it
};

// `pace` has taken the run's newest step.
ShownProgress progressOf(const RunRecord& run, const TrainingPace& pace);

// Bytes that the run's peaks may reach. Empty: it has no budget, or one of a card, of which CUDA
// itself and other programs hold a part that its peaks, the allocator's, do not count.
std::optional<std::int64_t> budgetOfPeaks(const RunRecord& run);

// "epoch 2 of 10 · test accuracy 97.10 %, best 97.31 % at step 900 · 0:12"; only what is known.
// Validation in place of the test where samples are held out.
QString summaryText(const RunRecord& run);

} // namespace accrue
