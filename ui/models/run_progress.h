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

    QString title; // "lenet5-mnist #12"
    QString steps; // "step 312 of 4 690"
    QString percent; // "6.7 %"
    QString timeLeft; // "0:41 left", at the pace of the last ten seconds; "estimating"
    QString rate; // "9 840 img/s"; empty before the first step
    QStringList memory; // longest wording first: "212 MiB peak of 1.00 GiB", "212 MiB peak"
    QString memoryMeaning; // for the tooltip
};

// `pace` must know the run's newest step.
ShownProgress progressOf(const RunRecord& run, const TrainingPace& pace);

// Bytes that the run's peaks may reach. Empty: it has no budget, or the budget of a CUDA device, of
// which CUDA itself and other programs hold a part that the allocator's peaks do not count.
std::optional<std::int64_t> budgetOfPeaks(const RunRecord& run);

// "epoch 2 of 10 · test accuracy 97.10 %, best 97.31 % at step 900 · 0:12"; only what is known.
// Validation instead of test accuracy if samples are held out.
QString summaryText(const RunRecord& run);

} // namespace accrue
