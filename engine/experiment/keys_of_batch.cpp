// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/key_names.h"
#include "engine/experiment/key_value.h"

namespace accrue {

namespace {

using S = BatchSettings;

constexpr auto in = [](auto member) { return field(&Experiment::batch, member); };

// B = b × N × W: any of the four can be solved from the others, so a resumed run compares the
// resulting plan, not the numbers as written. A memory model is a function of b.
std::vector<KeyInfo> batchNumbers()
{
    return {
        {
            .key = key::batchEffective,
            .label = "Effective batch B",
            .help = "Samples in one update, B; `auto` is b × N × W.",
            .filter = "B",
            .value = batchNumber(in(&S::effective), std::string("auto")),
        },
        {
            .key = key::batchMicro,
            .label = "Micro-batch b",
            .help = "Samples in one forward and backward pass, b; memory grows with it.",
            .filter = "b",
            .value = batchNumber(in(&S::micro), std::int64_t { 32 }),
        },
        {
            .key = key::batchSteps,
            .label = "Accumulation steps N",
            .help = "Micro-batches whose gradients are accumulated before one update, N.",
            .filter = "N",
            .value = batchNumber(in(&S::steps), std::int64_t { 4 }),
        },
        {
            .key = key::batchDevices,
            .label = "Devices W",
            .help = "Devices that share a window, W, each with its own process; `all` is every "
                    "CUDA device of the machine.",
            .value = batchNumber(in(&S::devices), std::int64_t { 1 }, kDeviceCount),
        },
    };
}

// How a window becomes an update.
std::vector<KeyInfo> windowRules()
{
    return {
        {
            // KeyChange::Never for all three: each decides the weight or the window of a sample.
            .key = key::batchReduction,
            .label = "Gradient reduction",
            .help = "Weight of each sample's gradient: `mean` weights it by 1 / samples in its "
                    "window, `sum` by 1 / samples in its micro-batch, which adds the "
                    "micro-batches' means.",
            .memory = MemoryEffect::Always,
            .value = choice(in(&S::reduction),
                { { "mean", "Mean over the effective batch" },
                    { "sum", "Sum of micro-batch means" } }),
        },
        {
            .key = key::batchTail,
            .label = "Last partial batch",
            .help = "What happens to samples that do not fill a window at the end of an epoch: "
                    "`flush` updates with their true weights, `drop` leaves them out, `carry` "
                    "fills their window from the next epoch.",
            .memory = MemoryEffect::None,
            .value = choice(in(&S::tail),
                { { "flush", "Use it" }, { "drop", "Drop it" }, { "carry", "Carry over" } }),
        },
        {
            .key = key::batchSchedule,
            .label = "Change N over epochs",
            .help = "Accumulation steps N that change during the run; needs `batch.effective` "
                    "auto.",
            .hint = "none; e.g. 4 from epoch 2",
            .memory = MemoryEffect::None,
            .value = value(in(&S::schedule), kStepsSchedule),
        },
    };
}

} // namespace

std::vector<KeyInfo> keysOfBatch()
{
    const auto isSolved = [](KeyInfo& key) {
        key.memory = MemoryEffect::None;
        key.change = KeyChange::ByPlan;
    };
    return together({ sharing(batchNumbers(), isSolved), sharing(windowRules(), fold) });
}

} // namespace accrue
