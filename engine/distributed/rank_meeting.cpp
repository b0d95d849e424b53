// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_meeting.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "engine/base/sentences.h"

namespace accrue {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kBetweenSigns { 1 };
constexpr int kLooksOfSilence = 7;
constexpr std::chrono::milliseconds kBetweenPolls { 5 };
constexpr const char* kConnected = "connected";

std::string signOf(int rank)
{
    return "joined/" + std::to_string(rank);
}

// Waits for keys by looking again and again: c10d's own wait keeps everybody else from the store.
// With keys of their own for each attempt of a launcher that starts all ranks again.
class MeetingStore final : public c10d::PrefixStore {
public:
    MeetingStore(std::int64_t attempt, c10::intrusive_ptr<c10d::Store> store)
        : PrefixStore("accrue/" + std::to_string(attempt), std::move(store))
    {
    }

    std::vector<std::uint8_t> get(const std::string& key) override
    {
        wait({ key });
        return PrefixStore::get(key);
    }

    std::vector<std::vector<std::uint8_t>> multiGet(const std::vector<std::string>& keys) override
    {
        wait(keys);
        return PrefixStore::multiGet(keys);
    }

    void wait(const std::vector<std::string>& keys) override { wait(keys, getTimeout()); }

    void wait(
        const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override
    {
        const Clock::time_point end = Clock::now() + timeout;
        while (!check(keys)) {
            if (Clock::now() >= end)
                throw std::runtime_error("what another rank was to tell does not come");
            std::this_thread::sleep_for(kBetweenPolls);
        }
    }
};

c10::intrusive_ptr<c10d::Store> openStore(const RankPlace& place, std::chrono::milliseconds timeout)
{
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = place.rank == 0 && !place.storeRuns;
    options.waitWorkers = false; // meet() waits
    options.timeout = timeout;
    if (options.isServer && place.listener)
        options.masterListenFd = place.listener->release();
    return c10::make_intrusive<MeetingStore>(
        place.attempt, c10::make_intrusive<c10d::TCPStore>(place.address, options));
}

} // namespace

std::string placeText(const RankPlace& place)
{
    return place.address + ":" + std::to_string(place.port);
}

c10::intrusive_ptr<c10d::Store> storeAt(
    const RankPlace& place, std::chrono::milliseconds timeout, const GiveUp& giveUp)
{
    using Store = c10::intrusive_ptr<c10d::Store>;
    return awaited<Store>([=] { return openStore(place, timeout); }, giveUp);
}

Attendance::Attendance(c10::intrusive_ptr<c10d::Store> store, const RankPlace& place)
    : m_store(std::move(store))
    , m_rank(static_cast<int>(place.rank))
    , m_signs(static_cast<std::size_t>(place.ranks))
{
    silent();
}

std::vector<int> Attendance::silent()
{
    if (Clock::now() < m_next)
        return {};
    m_store->set(signOf(m_rank), std::to_string(++m_shown));
    std::vector<int> silent;
    for (int rank = 0; rank < static_cast<int>(m_signs.size()); ++rank)
        if (rank != m_rank && isSilent(rank))
            silent.push_back(rank);
    m_next = Clock::now() + kBetweenSigns;
    return silent;
}

// Counts looks, because a store that is slow delays all of them alike.
bool Attendance::isSilent(int rank)
{
    if (!m_store->check({ signOf(rank) }))
        return false;
    std::string shown = m_store->get_to_str(signOf(rank));
    Sign& last = m_signs[static_cast<std::size_t>(rank)];
    if (shown != last.text)
        last = { std::move(shown) };
    return last.text != kConnected && last.looks++ >= kLooksOfSilence;
}

std::vector<std::string> Attendance::missing() const
{
    std::vector<std::string> missing;
    for (std::size_t rank = 0; rank < m_signs.size(); ++rank)
        if (!m_store->check({ signOf(static_cast<int>(rank)) }))
            missing.push_back(std::to_string(rank));
    return missing;
}

void Attendance::connected()
{
    m_store->set(signOf(m_rank), kConnected);
}

// c10d's own wait could not be given up.
void meet(const Attendance& attendance, const RankPlace& place, std::chrono::milliseconds timeout,
    const GiveUp& giveUp)
{
    const Clock::time_point end = Clock::now() + timeout;
    while (true) {
        const std::vector<std::string> missing = attendance.missing();
        if (missing.empty())
            return;
        if (const Message why = giveUp(); !why.empty())
            throw Error(why);
        if (Clock::now() >= end)
            throw Error(Message("ranks.missing",
                { { "n", missing.size() }, { "missing", commaList(missing) },
                    { "ranks", place.ranks }, { "place", placeText(place) },
                    { "time", Duration { std::chrono::duration<double>(timeout).count() } } }));
        std::this_thread::sleep_for(kBetweenLooks);
    }
}

} // namespace accrue
