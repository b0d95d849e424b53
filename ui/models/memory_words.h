// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/runs/run_record.h"
#include "ui/models/run_palette.h"
#include "ui/models/saw_tooth.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <vector>

namespace accrue {

QString categoryTitle(MemoryCategory category); // "Optimizer state"
// One sentence for somebody who reads the word for the first time.
QString categoryMeaning(MemoryCategory category);
// Nine distinguishable colours: the seven hues of runs, and two greys.
QColor categoryColor(MemoryCategory category, Background background);

struct PhaseWords {
    QString title; // "forward"
    QString letter; // "f", as in the window view
};
PhaseWords phaseWords(MemoryPhase phase);
// "forward of micro-batch 2, 32 samples"
QString phaseText(const PhaseMemory& phase);

// "Highest peak 2.9 MiB in backward of micro-batch 1, 32 samples"; empty without phases.
QString highestPeakText(const MemoryMeasured& window);
// "this window 96 of 128 samples"; empty if it has all.
QString tailText(const MemoryMeasured& window, const BatchPlan& plan);
// "Steps 1 to 468", "Step 469", "From step 470 on": the steps with the same window memory as
// `steps[index]`.
QString validityText(const std::vector<std::int64_t>& steps, std::size_t index);

// ---- one window on the Memory page: what is stated about it, and what of it is drawn -----------

// An evaluation is no part of the window, so it is drawn only if the user wants it.
MemoryMeasured withoutEvaluation(MemoryMeasured window);
// Whether constant memory dominates the window, so that its transient memory is hardly visible.
bool isMostlyConstant(const MemoryMeasured& window);

// The peaks, the batch, the device and the budget in one line. The peak of an evaluation that is
// not drawn is stated separately.
QString windowSummary(const MemoryMeasured& window, const RunRecord& run, bool evaluationDrawn);
// What the chart shows: every micro-batch or some of them, with `leftOut` bytes left out.
QString windowCaption(const WindowExcerpt& excerpt, std::int64_t leftOut, Metering metering);

} // namespace accrue
