// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/error.h"
#include "engine/base/message.h"
#include "engine/door/rank_place.h"

#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace accrue {

// Called several times a second while a rank waits for others. Returns why to end the wait; empty:
// it goes on.
using GiveUp = std::function<Message()>;

constexpr std::chrono::milliseconds kBetweenLooks { 50 }; // of whoever waits for other ranks

// The host and port at which the ranks meet.
std::string placeText(const RankPlace& place);

// The store at which the ranks meet. Rank 0 has it in its own process, unless its launcher has it.
// Blocks until it is there, at most `timeout`, which also ends every wait for a key. Several
// threads may use it, also while one waits for a key. Throws Error with what `giveUp` returned, and
// what c10d throws.
c10::intrusive_ptr<c10d::Store> storeAt(
    const RankPlace& place, std::chrono::milliseconds timeout, const GiveUp& giveUp);

// Which ranks have come to the store, and whether they still wait there: each shows itself once a
// second until it has connected with all others. One thread.
class Attendance {
public:
    // This rank has come.
    Attendance(c10::intrusive_ptr<c10d::Store> store, const RankPlace& place);

    // Called several times a second while this rank waits. Returns those that have come and have
    // not shown themselves for seven seconds in which the store has answered.
    std::vector<int> silent();
    std::vector<std::string> missing() const; // have not come
    void connected(); // this rank does not wait any more

private:
    struct Sign {
        std::string text;
        int looks = 0; // since it changed
    };
    bool isSilent(int rank);

    const c10::intrusive_ptr<c10d::Store> m_store;
    const int m_rank;
    std::vector<Sign> m_signs; // the last ones of all ranks
    int m_shown = 0;
    std::chrono::steady_clock::time_point m_next {};
};

// Blocks until all ranks have come, at most `timeout`. Throws Error with what `giveUp` returned, or
// naming the ranks that are missing.
void meet(const Attendance& attendance, const RankPlace& place, std::chrono::milliseconds timeout,
    const GiveUp& giveUp);

// What `make` returns. It is called on a thread of its own, because it cannot be stopped, and is
// left alone if `giveUp` returns something: throws Error with that, or what `make` throws.
template <typename Made> Made awaited(const std::function<Made()>& make, const GiveUp& giveUp)
{
    const auto promise = std::make_shared<std::promise<Made>>();
    std::future<Made> made = promise->get_future();
    std::thread([=] {
        try {
            promise->set_value(make());
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
    }).detach();
    while (made.wait_for(kBetweenLooks) != std::future_status::ready)
        if (const Message why = giveUp(); !why.empty())
            throw Error(why);
    return made.get();
}

} // namespace accrue
