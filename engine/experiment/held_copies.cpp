// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/held_copies.h"

#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"
#include "engine/experiment/resolved.h"

#include <algorithm>
#include <vector>

namespace accrue {

namespace {

int optimizerCopies(const Experiment& experiment)
{
    return optimizerInfo(experiment.optimizer.name).states(experiment.optimizer);
}

} // namespace

std::int64_t heldCopies(const Experiment& experiment)
{
    const std::vector<KeyInfo>& keys = experimentKeys();
    // The average of the parameters, for example. Keys declare it themselves, so that a new one is
    // counted without a line here.
    const auto added = std::count_if(keys.begin(), keys.end(),
        [&](const KeyInfo& key) { return key.holdsCopy && key.value.isSet(experiment); });
    return 2 + optimizerCopies(experiment) + added;
}

std::int64_t heldValues(const Experiment& experiment, std::int64_t parameters, std::int64_t most)
{
    const std::int64_t copies = heldCopies(experiment);
    if (parameters > most / copies)
        return most;
    const std::int64_t devices =
        experiment.distributed.shard == Shard::None ? 1 : devicesOf(experiment);
    const std::int64_t part = (parameters + devices - 1) / devices;
    const std::int64_t inParts = experiment.distributed.shard == Shard::Parameters
        ? copies
        : optimizerCopies(experiment);
    return inParts * part + (copies - inParts) * parameters;
}

} // namespace accrue
