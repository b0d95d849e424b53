// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/window/world.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// What rank 0 trains and the other ranks train with it.
struct RankRequest {
    Experiment experiment {};
    std::filesystem::path resumeFrom {}; // as in TrainRequest, like the next two
    std::int64_t stopAfter = 0;
    bool evaluatesAtStop = false;
    // Searched before those of the other ranks' own machines. Those of this one, which others may
    // have or not: the data are compared anyway.
    std::vector<std::filesystem::path> dataDirectories {};
};

// The request of rank 0, on every rank, after all have been found to run the same `program` (its
// version) with the same LibTorch. Blocks
// until every rank has called it. Throws Error that names a rank with another program.
RankRequest requestOfFirst(World& world, const std::string& program, const RankRequest& mine);

} // namespace accrue
