// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/memory_fit.h"
#include "engine/door/run_control.h"
#include "engine/events/events.h"
#include "engine/events/memory.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// Real windows of an experiment for what they need of the device's memory: a session's data set,
// model, optimizer and meter, without its log, schedule and updates of any size. Everything that
// the windows of one probe share is made with it, and goes with it. One thread.
class WindowProbe {
public:
    // Blocks as preparing a run does, and throws what that throws. `request` and `control` are
    // borrowed.
    WindowProbe(const FitRequest& request, at::Device device, RunControl& control);
    ~WindowProbe();
    WindowProbe(const WindowProbe&) = delete;
    WindowProbe& operator=(const WindowProbe&) = delete;

    // One window of `steps` micro-batches of `micro` samples, which are at most those of the
    // training set: its phases; empty where `control` asked to stop before its last micro-batch.
    // Blocks. Throws what LibTorch throws where memory is short; then another size can be computed
    // as if nothing had been.
    std::optional<std::vector<PhaseMemory>> computeWindow(
        std::int64_t micro, std::int64_t steps = 1);
    // One pass of the evaluation, beside the buffers of the last window. Blocks and throws
    // likewise.
    std::vector<PhaseMemory> computeEvaluation();

    // What preparing found: data, threads, order in memory, smallest slice.
    const RunStarted& started() const { return m_started; }

private:
    struct Parts;

    void open(std::int64_t micro, std::int64_t steps);
    bool addSlices(std::int64_t micro, std::int64_t steps);
    void update();
    void giveUp();

    const at::Device m_device;
    RunControl& m_control;
    RunStarted m_started;
    std::unique_ptr<Parts> m_parts;
};

} // namespace accrue
