// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/window/window_metrics.h"
#include "engine/window/world.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// Measures something of each update that the update itself does not need. Everything that it holds
// is allocated at construction: memory must not run out once the optimizer has begun, because such
// a window can be neither computed again nor abandoned. It only enqueues; nothing waits for the
// device. One thread.
class Measure {
public:
    virtual ~Measure() = default;

    virtual void beforeUpdate() = 0;
    // The optimizer's step is enqueued, refused or not. Writes the value into `figure`, a scalar in
    // double on the device; if the step was refused, the host replaces it (window_metrics.h).
    virtual void afterUpdate(const at::Tensor& figure) = 0;
};

// The measures that an experiment requests; none by default, and then every call returns at once.
class Measures {
public:
    // `parameters` are on their device and in their final type; if each rank of `ranks` (borrowed)
    // has a part of them, its own. `onHost`: the last of them do not count as the device's memory.
    Measures(const Experiment& experiment, const std::vector<at::Tensor>& parameters,
        World& ranks = World::alone(), bool onHost = false);

    std::vector<std::string> names() const; // of their metrics (metrics.h)
    void beforeUpdate();
    // `metrics` was made for names().
    void afterUpdate(const WindowMetrics& metrics);

private:
    std::vector<std::pair<std::string, std::unique_ptr<Measure>>> m_all;
};

} // namespace accrue
