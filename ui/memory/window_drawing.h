// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "ui/charts/area_chart.h"
#include "ui/models/run_palette.h"

#include <cstdint>

namespace accrue {

// The memory of one window as areas by category, a band per phase.
struct WindowDrawing {
    AreaContent content;
    std::int64_t leftOutBytes = 0; // what is the same throughout the window and not drawn
};

// `onlyChanging` leaves out what is the same throughout the window.
WindowDrawing drawingOf(const MemoryMeasured& window, bool onlyChanging, Background background);

} // namespace accrue
