// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/door/rank_place.h"

#include <chrono>
#include <functional>
#include <string>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace accrue {

// The host and port at which the ranks meet.
std::string placeText(const RankPlace& place);

// The store at which the ranks meet. Rank 0 has it in its own process, unless its launcher has it.
// Every wait for a key ends after `timeout`. Throws what c10d throws.
c10::intrusive_ptr<c10d::Store> storeAt(const RankPlace& place, std::chrono::milliseconds timeout);

// Blocks until all ranks are at the store, at most `timeout`, or until `giveUp`, which is called
// several times a second, returns why to end the wait. Throws Error with that, or naming the ranks
// that are missing.
void meet(c10d::Store& store, const RankPlace& place, std::chrono::milliseconds timeout,
    const std::function<Message()>& giveUp);

constexpr std::chrono::milliseconds kBetweenLooks { 50 }; // of whoever waits for other ranks

} // namespace accrue
