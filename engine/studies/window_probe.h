// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"
#include "engine/events/events.h"
#include "engine/insight/memory_fit.h"
#include "engine/memory/memory_meter.h"
#include "engine/session/run_preparation.h"
#include "engine/window/training_window.h"

#include <cstdint>
#include <optional>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// The purpose of a probe's windows.
enum class ProbeFor {
    Memory, // every block is metered, each window is alone on the device, with as many threads as a
            // run may choose
    Speed, // nothing is metered, the allocator's cache stays, with the threads that a run would
           // choose
};

// Computes real windows of an experiment to learn how much memory of the device they need, or how
// fast they are: with a session's data set, model, optimizer and meter, but without its log, its
// schedule and updates of any size. With batch.devices it computes what one of the ranks would, and
// exchanges nothing. The probe owns everything that its windows share. One thread.
class WindowProbe {
public:
    // Blocks as preparing a run does, and throws what that throws. `request` and `control` are
    // borrowed.
    WindowProbe(const FitRequest& request, at::Device device, RunControl& control,
        ProbeFor purpose = ProbeFor::Memory);

    // One window of `steps` micro-batches of `micro` samples, which are at most those of the
    // training set: its phases (none for ProbeFor::Speed); empty if `control` requested a
    // stop before its last micro-batch. Blocks. Throws what LibTorch throws if memory runs out;
    // after that another size can be computed as if nothing had happened.
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
    // A rank of so many, without the others: what it holds and gathers takes the memory of a real
    // one, but other ranks add nothing to a sum, and their parts of a whole are zeros.
    class OneOf final : public World {
    public:
        explicit OneOf(std::int64_t ranks)
            : m_ranks(static_cast<int>(ranks))
        {
        }

        int rank() const override { return 0; }
        int size() const override { return m_ranks; }
        void sum(const at::Tensor& /*tensor*/) override { }
        void any(const at::Tensor& /*flags*/) override { }
        Decision agree(const Decision& mine) override { return mine; }

    private:
        const int m_ranks;
    };

    bool addSlices(std::int64_t micro, std::int64_t steps);

    const at::Device m_device;
    const ProbeFor m_purpose;
    RunControl& m_control;
    PartTimes m_times;
    // In the order in which a session creates them, because that decides what the meter sees.
    const TrainRequest m_request;
    MemoryMeter m_meter;
    RunStarted m_started;
    PreparedRun m_run;
    OneOf m_ranks;
    TrainingWindow m_window;
    const at::Tensor m_order; // of an epoch, as large as a shuffled one
};

} // namespace accrue
