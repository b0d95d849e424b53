// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/memory_fit.h"
#include "engine/door/run_control.h"
#include "engine/events/events.h"
#include "engine/events/memory.h"
#include "engine/training/phase_watch.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// What the windows of a probe are computed for.
enum class ProbeFor {
    Memory, // every block is looked at, each window is alone on the device, threads are the most
            // that a run may choose
    Speed, // nothing is looked at, the allocator's cache stays, threads are those a run would
           // choose
};

// Real windows of an experiment for what they need of the device's memory, or for how fast they
// are: a session's data set, model, optimizer and meter, without its log, schedule and updates of
// any size. Everything that the windows of one probe share is made with it, and goes with it. One
// thread.
class WindowProbe {
public:
    // Blocks as preparing a run does, and throws what that throws. `request` and `control` are
    // borrowed.
    WindowProbe(const FitRequest& request, at::Device device, RunControl& control,
        ProbeFor purpose = ProbeFor::Memory);
    ~WindowProbe();
    WindowProbe(const WindowProbe&) = delete;
    WindowProbe& operator=(const WindowProbe&) = delete;

    // One window of `steps` micro-batches of `micro` samples, which are at most those of the
    // training set: its phases (none for ProbeFor::Speed); empty where `control` asked to stop
    // before its last micro-batch. Blocks. Throws what LibTorch throws where memory is short; then
    // another size can be computed as if nothing had been.
    std::optional<std::vector<PhaseMemory>> computeWindow(
        std::int64_t micro, std::int64_t steps = 1);
    // Of the last window that was computed whole.
    const PartTimes& times() const { return m_times; }
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
    const ProbeFor m_purpose;
    RunControl& m_control;
    PartTimes m_times;
    RunStarted m_started;
    std::unique_ptr<Parts> m_parts;
};

} // namespace accrue
