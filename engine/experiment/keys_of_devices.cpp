// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/key_names.h"
#include "engine/experiment/key_value.h"

// How the devices of a run work together. None of these keys changes an update, except for the
// order in which numbers are added.
namespace accrue {

namespace {

KeyCondition withParametersInParts()
{
    return { [](const Experiment& e) { return e.distributed.shard == Shard::Parameters; },
        usedOnlyWith(key::distributedShard, Message::plain("\"parameters\"")) };
}

KeyCondition withWholeGradients()
{
    return { [](const Experiment& e) { return e.distributed.shard != Shard::Parameters; },
        Message("setting.parts_are_summed", { { "key", key::distributedShard } }) };
}

// One device has parts of the parameters, too: on itself and on the host.
KeyCondition onSeveralDevicesOrHost()
{
    KeyCondition condition = onSeveralDevices();
    condition.holds = [several = condition.holds](
                          const Experiment& e) { return several(e) || e.distributed.deviceMemory; };
    return condition;
}

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
            .conditions = { onSeveralDevices(), withWholeGradients() },
            .memory = MemoryEffect::None,
            // What the ranks have of an open window depends on it.
            .change = KeyChange::InOneTraining,
            .value = choice(in(&S::synchronize),
                { { "window", "Once per window" }, { "micro_batch", "After each micro-batch" } }),
        },
        {
            .key = key::distributedShard,
            .label = "Shard",
            .help = "What each device has a part of instead of the whole: nothing, the optimizer's "
                    "state, with which it updates its part of the parameters, or also the "
                    "parameters and their gradients.",
            .conditions = { onSeveralDevicesOrHost() },
            .change = KeyChange::Always,
            .value = choice(in(&S::shard),
                { { "none", "Nothing" }, { "optimizer", "Optimizer state" },
                    { "parameters", "Parameters and state" } }),
        },
        {
            .key = key::distributedChunk,
            .label = "Chunk",
            .help = "Size of the chunks of parameters that the devices gather for a layer and "
                    "release after it; a larger layer is a chunk of its own, and `auto` is the "
                    "size of the largest layer.",
            .hint = "auto; e.g. 16MiB",
            .unset = "auto",
            .conditions = { withParametersInParts() },
            .change = KeyChange::Always,
            .value = value(in(&S::chunk), kChunkSize),
        },
        {
            .key = key::distributedDeviceMemory,
            .label = "Device memory for parts",
            .help = "Memory of each device for its parts of parameters, gradients and optimizer "
                    "state; chunks beyond it have them in the memory of the host, which updates "
                    "them. `none` is no limit.",
            .hint = "none; e.g. 2GiB",
            .unset = "none",
            .conditions = { withParametersInParts() },
            .change = KeyChange::Always,
            .value = value(in(&S::deviceMemory), kBudget),
        },
        {
            .key = key::distributedTimeout,
            .label = "Timeout",
            .help = "Time after which a device that does not answer counts as lost, which ends "
                    "the run.",
            .conditions = { onSeveralDevices() },
            .memory = MemoryEffect::None,
            .change = KeyChange::Always,
            .value = value(in(&S::timeout), kTimeSpan),
        },
    };
}

} // namespace

std::vector<KeyInfo> keysOfDevices()
{
    return sharing(rows(), fold);
}

} // namespace accrue
