// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/window/world.h"

#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The texts of all ranks in their order, the same on every rank. Blocks until every rank has called
// it. Of each at most 16 KiB count.
std::vector<std::string> textsOfAll(World& world, std::string_view mine);

// The text of rank 0, on every rank. Blocks until every rank has called it.
std::string textOfFirst(World& world, std::string_view mine);

// Throws Error that names the first other rank that cannot train, and why; `mine`: why this one
// cannot, which its caller reports. Blocks until every rank has called it; returns at once if there
// is one.
void requireNoFailure(World& world, const Message& mine);

// Something that has to be the same on all ranks before they train together.
struct RankInput {
    Message name; // "the data", as the beginning of a sentence has it
    std::string value;
};

// Throws Error, on every rank, that names the first input in which a rank differs from rank 0. The
// same inputs in the same order on all ranks. Returns at once if there is one rank.
void requireAlike(World& world, const std::vector<RankInput>& inputs);

} // namespace accrue
