// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/key_names.h"
#include "engine/experiment/key_value.h"

// How the devices of a run work together. None of these keys changes an update, except for the
// order in which numbers are added.
namespace accrue {

namespace {

std::vector<KeyInfo> rows()
{
    using S = DistributedSettings;
    const auto in = [](auto member) { return field(&Experiment::distributed, member); };
    return {
        {
            .key = key::distributedSynchronize,
            .label = "Synchronise gradients",
            .help = "When the gradients of all devices are added up: once per window, after its "
                    "last micro-batch, or after each micro-batch.",
            .memory = MemoryEffect::None,
            // What the ranks have of an open window depends on it.
            .change = KeyChange::InOneTraining,
            .value = choice(in(&S::synchronize),
                { { "window", "Once per window" }, { "micro_batch", "After each micro-batch" } }),
        },
        {
            .key = key::distributedShard,
            .label = "Shard",
            .help = "What each device has a part of instead of the whole: nothing, or the "
                    "optimizer's state, with which it updates its part of the parameters.",
            .change = KeyChange::Always,
            .value = choice(
                in(&S::shard), { { "none", "Nothing" }, { "optimizer", "Optimizer state" } }),
        },
        {
            .key = key::distributedTimeout,
            .label = "Timeout",
            .help = "Time after which a device that does not answer counts as lost, which ends "
                    "the run.",
            .memory = MemoryEffect::None,
            .change = KeyChange::Always,
            .value = value(in(&S::timeout), kTimeSpan),
        },
    };
}

} // namespace

std::vector<KeyInfo> keysOfDevices()
{
    return sharing(
        sharing(rows(), fold), [](KeyInfo& key) { key.conditions = { onSeveralDevices() }; });
}

} // namespace accrue
