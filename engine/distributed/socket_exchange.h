// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/distributed/rank_exchange.h"
#include "engine/distributed/rank_meeting.h"
#include "engine/door/rank_place.h"

#include <chrono>
#include <cstdint>
#include <memory>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace accrue {

// What ranks exchange through sockets, by c10d's gloo. Tensors are on the CPU.
//
// What is large goes around a ring, of which a rank sends each part but its own. What is small goes
// to rank 0 and from there down a tree, because a ring takes 2 (W − 1) messages, one after the
// other, and these take 1 + log2 W.
class SocketExchange : public RankExchange {
public:
    // Blocks until all ranks have connected, at most `timeout`. Throws Error with what `giveUp`
    // returned, or what c10d throws.
    static std::unique_ptr<SocketExchange> connect(const RankPlace& place,
        const c10::intrusive_ptr<c10d::Store>& store, std::chrono::milliseconds timeout,
        const GiveUp& giveUp);

    // `table` has a row for each rank: that of each gets into the one of rank 0.
    virtual void collectRows(const at::Tensor& table) = 0;
    // The values of rank 0 replace those of the others.
    virtual void broadcast(const at::Tensor& tensor) = 0;
};

} // namespace accrue
