// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/named_tensors.h"
#include "engine/window/world.h"

namespace accrue {

// Replaces the values of `tensors`, in place, by those of rank 0. Of the same names, shapes and
// types on all ranks, which all call it. Blocks; returns at once if there is one rank.
void takeValuesOfFirst(World& world, const NamedTensors& tensors);

// What the ranks have accumulated of an open window, in one checkpoint: the tensors of rank 0 under
// their own names, those of rank r > 0 as "rank3.NAME".

// Copies in host memory: of every rank's `mine` on rank 0, of no use on the others. All ranks call
// it with tensors of the same names, shapes and types. Blocks.
NamedTensors statesOfAll(World& world, const NamedTensors& mine);
// The number of ranks whose tensors are in `saved`.
int ranksIn(const NamedTensors& saved);
// Those of `rank`, under their own names, and what all ranks share. Shares memory with
// `saved`.
NamedTensors stateOf(int rank, const NamedTensors& saved);

} // namespace accrue
