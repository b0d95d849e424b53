// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/runs/run_record.h"
#include "ui/models/saw_tooth.h"

#include <QString>

#include <cstdint>

namespace accrue {

// What the Memory page says of one window, and what of it is drawn. Pure.

// An evaluation is no part of the window, so it is drawn only where the user wants it.
MemoryMeasured withoutEvaluation(MemoryMeasured window);
// Whether so much stays the same throughout the window that the transient memory is hardly seen.
bool isMostlyConstant(const MemoryMeasured& window);

// The peaks, the batch, the device and the budget in one line. The peak of the evaluation has its
// own words where the evaluation is not drawn.
QString windowSummary(const MemoryMeasured& window, const RunRecord& run, bool evaluationDrawn);
// What the chart shows: every micro-batch or some of them, with `leftOut` bytes left out.
QString windowCaption(const WindowExcerpt& excerpt, std::int64_t leftOut, Metering metering);

} // namespace accrue
