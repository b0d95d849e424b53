// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/runs/run_record.h"
#include "ui/models/run_palette.h"

#include <QColor>
#include <QString>

#include <cstdint>
#include <vector>

namespace accrue {

QString categoryTitle(MemoryCategory category); // "Optimizer state"
// One sentence for somebody who reads the word for the first time.
QString categoryMeaning(MemoryCategory category);
struct MemoryTerm {
    QString title;
    QString meaning; // likewise
};
MemoryTerm cachedMemory(); // what the allocator keeps free
MemoryTerm othersMemory(); // memory of the card used by others
// Nine distinguishable colours: the seven hues of runs, and two greys.
QColor categoryColor(MemoryCategory category, Background background);

QString phaseTitle(MemoryPhase phase); // "forward"
QString phaseLetter(MemoryPhase phase); // "f", as in the window view
// "forward of micro-batch 2, 32 samples"
QString phaseText(const PhaseMemory& phase);

// "Highest peak 2.9 MiB in backward of micro-batch 1, 32 samples"; empty without phases.
QString highestPeakText(const MemoryMeasured& window);
// "this window 96 of 128 samples"; empty if it has all.
QString tailText(const MemoryMeasured& window, const BatchPlan& plan);
// "Steps 1 to 468", "Step 469", "From step 470 on": the steps with the same window memory as
// `steps[index]`.
QString validityText(const std::vector<std::int64_t>& steps, std::size_t index);

} // namespace accrue
