// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <string>
#include <utility>
#include <vector>

namespace accrue {

// How the command line trains the same experiment: the shipped recipe that is nearest to it, and
// the keys that differ.
struct TrainCommand {
    std::string recipe;
    std::vector<std::pair<std::string, std::string>> settings; // key, value
};
TrainCommand trainCommandOf(const Experiment& experiment);

// "accrue train first-run --set run.epochs=3", quoted for a shell.
std::string shellText(const TrainCommand& command);

} // namespace accrue
