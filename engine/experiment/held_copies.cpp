// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/held_copies.h"

#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"

#include <algorithm>
#include <vector>

namespace accrue {

std::int64_t heldCopies(const Experiment& experiment)
{
    const std::vector<KeyInfo>& keys = experimentKeys();
    // The average of the parameters, for example. Keys declare it themselves, so that a new one is
    // counted without a line here.
    const auto added = std::count_if(keys.begin(), keys.end(),
        [&](const KeyInfo& key) { return key.holdsCopy && key.value.isSet(experiment); });
    return 2 + optimizerInfo(experiment.optimizer.name).states(experiment.optimizer) + added;
}

} // namespace accrue
