// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/runs/run_record.h"
#include "ui/models/saw_tooth.h"

#include <QString>

#include <cstdint>

namespace accrue {

// What the Memory page states about one window, and what of it is drawn. Pure.

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
