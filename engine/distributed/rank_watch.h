// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace accrue {

// What has become of other ranks.
struct RankLosses {
    // They have not answered: they were killed or stopped, or are cut off.
    std::vector<int> silent {};
    int failed = -1; // the first that has said why it ended; below 0: none has
    std::string reason {};
};

// Answers, on a thread of its own, when another rank asks which of them still live, however long
// this one computes. Asks the others when a call to them has failed, because the call does not know
// which of them has gone. Through the store at which the ranks met; it writes nothing until a rank
// asks.
class RankWatch {
public:
    RankWatch(c10::intrusive_ptr<c10d::Store> store, int rank, int ranks);
    ~RankWatch(); // Blocks a second at most, also if the store does not answer any more.
    RankWatch(const RankWatch&) = delete;
    RankWatch& operator=(const RankWatch&) = delete;

    // After `patience` at most. Rank 0 is silent if the store itself does not answer. Blocks that
    // long and a second at most.
    RankLosses losses(std::chrono::milliseconds patience);
    // Why this rank ends, for the others.
    void leave(const std::string& reason);

private:
    struct Shared;
    const std::shared_ptr<Shared> m_shared; // with the thread, which may outlive this
};

} // namespace accrue
