// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/door/rank_place.h"
#include "engine/door/run_control.h"
#include "engine/window/world.h"

#include <chrono>
#include <functional>
#include <memory>

namespace accrue {

// Connects this process with the others of its run, through c10d and gloo. Blocks until all have
// connected, at most `timeout`, or until `giveUp`, which is called several times a second, returns
// why to end the wait. Throws Error with that, naming a rank that has come and gone, or naming the
// place at which they were to meet.
//
// The calls of the result block until every rank has made them, at most `timeout`; then, and if
// another rank has gone, they throw LostRank that names the ranks that do not answer. Sums have the
// same bits on all ranks, and in every run with as many ranks. `control` shares its progress with
// the other ranks if all are on one machine.
std::unique_ptr<World> connectRanks(const RankPlace& place, std::chrono::milliseconds timeout,
    const std::function<Message()>& giveUp = {}, RunControl* control = nullptr);

} // namespace accrue
