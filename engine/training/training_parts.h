// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/sampler.h"
#include "engine/door/engine.h"
#include "engine/training/accumulator.h"
#include "engine/training/clipping.h"
#include "engine/training/guard.h"
#include "engine/training/optimizer.h"
#include "engine/training/parameter_average.h"
#include "engine/training/parameter_trace.h"
#include "engine/training/phase_watch.h"
#include "engine/training/run_preparation.h"
#include "engine/training/span_due.h"
#include "engine/training/window_metrics.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace accrue {

// What a window is made with. In this order: gradients are allocated before the optimizer sees
// them. `request`, `run`, `control` and `meter` are borrowed. One thread, the session's.
struct TrainingParts {
    TrainingParts(const TrainRequest& request, const PreparedRun& run, RunControl& control,
        MemoryMeter& meter);

    // Of what lives between two windows, besides the model.
    NamedTensors state() const;
    // In mid-window: the model as the last update made it, with the buffers of then.
    NamedTensors modelBeforeWindow() const;
    // What a checkpoint holds of a window that is open, as it lives.
    NamedTensors window() const;
    // Into what `window` gave: `saved` has its names and shapes.
    void restoreWindow(const NamedTensors& window, const NamedTensors& saved) const;

    const Experiment& experiment;
    const at::Device device;
    Network& network;
    const Sampler sampler;
    Accumulator accumulator;
    Clipping clipping;
    const std::unique_ptr<Optimizer> optimizer;
    std::optional<ParameterAverage> average; // with optimizer.ema
    std::optional<ParameterTrace> trace; // with trace.parameters
    Guard guard;
    WindowMetrics metrics;
    PhaseWatch watch;
    SpanDue evaluationDue;
    SpanDue checkpointDue;
    const std::size_t readsLate; // windows that may be unread when the next one begins
};

} // namespace accrue
