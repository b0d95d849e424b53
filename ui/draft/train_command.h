// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/resolved.h"

#include <optional>
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
// `resolved` is the same experiment; empty: its batch numbers cannot be solved.
TrainCommand trainCommandOf(
    const Experiment& experiment, const std::optional<ResolvedExperiment>& resolved);

// "accrue train first-run --set run.epochs=3", quoted for a shell.
std::string shellText(const TrainCommand& command);

} // namespace accrue
