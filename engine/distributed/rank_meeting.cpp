// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_meeting.h"

#include <cstdint>
#include <thread>
#include <vector>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "engine/base/error.h"
#include "engine/base/sentences.h"

namespace accrue {
namespace {

std::string joinedKey(std::int64_t rank)
{
    return "joined/" + std::to_string(rank);
}

std::vector<std::string> missingRanks(c10d::Store& store, std::int64_t ranks)
{
    std::vector<std::string> missing;
    for (std::int64_t rank = 0; rank < ranks; ++rank)
        if (!store.check({ joinedKey(rank) }))
            missing.push_back(std::to_string(rank));
    return missing;
}

} // namespace

std::string placeText(const RankPlace& place)
{
    return place.address + ":" + std::to_string(place.port);
}

// With keys of their own for each attempt of a launcher that starts all ranks again.
c10::intrusive_ptr<c10d::Store> storeAt(const RankPlace& place, std::chrono::milliseconds timeout)
{
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = place.rank == 0 && !place.storeRuns;
    options.waitWorkers = false; // meet() waits
    options.timeout = timeout;
    if (options.isServer && place.listener)
        options.masterListenFd = place.listener->release();
    return c10::make_intrusive<c10d::PrefixStore>("accrue/" + std::to_string(place.attempt),
        c10::make_intrusive<c10d::TCPStore>(place.address, options));
}

// c10d's own wait could not be given up.
void meet(c10d::Store& store, const RankPlace& place, std::chrono::milliseconds timeout,
    const std::function<Message()>& giveUp)
{
    const auto end = std::chrono::steady_clock::now() + timeout;
    store.set(joinedKey(place.rank), "");
    while (true) {
        const std::vector<std::string> missing = missingRanks(store, place.ranks);
        if (missing.empty())
            return;
        if (const Message why = giveUp ? giveUp() : Message(); !why.empty())
            throw Error(why);
        if (std::chrono::steady_clock::now() >= end)
            throw Error(Message("ranks.missing",
                { { "n", missing.size() }, { "missing", commaList(missing) },
                    { "ranks", place.ranks }, { "place", placeText(place) },
                    { "time", Duration { std::chrono::duration<double>(timeout).count() } } }));
        std::this_thread::sleep_for(kBetweenLooks);
    }
}

} // namespace accrue
