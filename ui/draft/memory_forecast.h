// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/insight/memory_fit.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace accrue {

// The predicted peak memory of a window by the memory model, and the memory that it may use.
struct MemoryForecast {
    std::int64_t micro = 0; // b, samples
    std::int64_t bytes = 0; // needed
    std::optional<double> band {}; // ± these bytes, with a probability of 95 %
    std::int64_t limitBytes = 0; // the budget, or without one a rank's share of what the device has
    std::int64_t ranks = 1; // that share the device
    bool isBudget = false;
    // As fitsBudget (memory_fit.h): at the border that was proved, a real window is more reliable
    // than the bytes that the memory model predicts.
    bool fits = true;
    std::int64_t from = 0; // samples between which the memory model was measured
    std::int64_t to = 0;
    QString device {}; // "cpu"
    QString deviceName {}; // "AMD EPYC 7763"
};

// Empty if no memory model is known.
std::optional<MemoryForecast> forecastOf(
    const Experiment& experiment, const BatchPlan& plan, const std::optional<MemoryFit>& fit);

// "212 MiB predicted (± 105 KiB) of 1.00 GiB budget", "2 × 212 MiB predicted of 24.0 GiB on cpu"
QString forecastText(const MemoryForecast& forecast);
// Sentences: what it is, its source, and how certain it is.
QString forecastMeaning(const MemoryForecast& forecast);

} // namespace accrue
