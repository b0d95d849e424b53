// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace accrue {

// Answers, on a thread of its own, when another rank asks which of them still live, however long
// this one computes. Asks the others when a call to them has failed, because the call does not know
// which of them has gone. What the first of them finds is what all report: the others notice it
// later, by the end of those that have. Through the store at which the ranks met; it writes nothing
// until a rank asks.
class RankWatch {
public:
    RankWatch(c10::intrusive_ptr<c10d::Store> store, int rank, int ranks);
    ~RankWatch(); // Blocks a second at most, also if the store does not answer any more.
    RankWatch(const RankWatch&) = delete;
    RankWatch& operator=(const RankWatch&) = delete;

    // Which ranks do not answer within `patience`, or the first that has said why it ended. Empty:
    // all answer. It is rank 0 if the store itself does not answer. Blocks that long and two
    // seconds at most.
    Message loss(std::chrono::milliseconds patience);
    // Tells the others which ranks are silent. Returns what all report: another rank may have found
    // something before, or one has said why it ended. Blocks two seconds at most.
    Message tell(const std::vector<int>& silent);
    // Why this rank ends, for the others.
    void leave(const std::string& reason);

private:
    struct Shared;
    struct Question;
    Message answerTo(Question question, std::chrono::milliseconds patience);
    const std::shared_ptr<Shared> m_shared; // with the thread, which may outlive this
};

} // namespace accrue
