// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_watch.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace accrue {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks { 500 };
constexpr std::chrono::milliseconds kBetweenPolls { 20 };
constexpr std::chrono::seconds kForTheStore { 1 };
constexpr const char* kQuestion = "who_lives";

std::string answerOf(int rank)
{
    return "lives/" + std::to_string(rank);
}

std::string reasonOf(int rank)
{
    return "left/" + std::to_string(rank);
}

} // namespace

struct RankWatch::Shared {
    Shared(c10::intrusive_ptr<c10d::Store> at, int ownRank, int allRanks)
        : store(std::move(at))
        , rank(ownRank)
        , ranks(allRanks)
    {
    }

    void run();
    void answerIfAsked();
    RankLosses ask(std::chrono::milliseconds patience);
    RankLosses found();

    const c10::intrusive_ptr<c10d::Store> store;
    const int rank;
    const int ranks;
    bool hasAnswered = false; // used on the thread only
    std::mutex mutex; // guards the members below
    std::condition_variable changed;
    bool ends = false;
    bool hasEnded = false;
    std::optional<std::chrono::milliseconds> question; // of this rank
    std::optional<std::string> parting; // why this rank ends
    std::optional<RankLosses> losses;
};

// Without the lock while the store is used, which may never answer.
void RankWatch::Shared::run()
{
    std::unique_lock<std::mutex> lock(mutex);
    while (!ends || parting) {
        const auto asked = std::exchange(question, std::nullopt);
        const auto told = std::exchange(parting, std::nullopt);
        lock.unlock();
        RankLosses answer;
        try {
            if (told)
                store->set(reasonOf(rank), *told);
            answerIfAsked();
            if (asked)
                answer = ask(*asked);
        } catch (const std::exception&) { // the store has gone, and with it the rank that holds it
            hasAnswered = true;
            answer.silent = { 0 };
        }
        lock.lock();
        if (asked)
            losses = std::move(answer);
        changed.notify_all();
        changed.wait_for(lock, kBetweenLooks, [this] { return ends || question || parting; });
    }
    hasEnded = true;
    changed.notify_all();
}

void RankWatch::Shared::answerIfAsked()
{
    if (hasAnswered || !store->check({ kQuestion }))
        return;
    store->set(answerOf(rank), "");
    hasAnswered = true;
}

RankLosses RankWatch::Shared::ask(std::chrono::milliseconds patience)
{
    store->set(kQuestion, "");
    answerIfAsked();
    const Clock::time_point end = Clock::now() + patience;
    RankLosses now = found();
    while (!now.silent.empty() && now.failed < 0 && Clock::now() < end) {
        std::this_thread::sleep_for(kBetweenPolls);
        now = found();
    }
    return now;
}

RankLosses RankWatch::Shared::found()
{
    RankLosses now;
    for (int other = 0; other < ranks; ++other) {
        if (other != rank && now.failed < 0 && store->check({ reasonOf(other) })) {
            now.failed = other;
            now.reason = store->get_to_str(reasonOf(other));
        }
        if (!store->check({ answerOf(other) }))
            now.silent.push_back(other);
    }
    return now;
}

RankWatch::RankWatch(c10::intrusive_ptr<c10d::Store> store, int rank, int ranks)
    : m_shared(std::make_shared<Shared>(std::move(store), rank, ranks))
{
    std::thread([shared = m_shared] { shared->run(); }).detach();
}

RankWatch::~RankWatch()
{
    std::unique_lock<std::mutex> lock(m_shared->mutex);
    m_shared->ends = true;
    m_shared->changed.notify_all();
    m_shared->changed.wait_for(lock, kForTheStore, [this] { return m_shared->hasEnded; });
}

RankLosses RankWatch::losses(std::chrono::milliseconds patience)
{
    std::unique_lock<std::mutex> lock(m_shared->mutex);
    m_shared->question = patience;
    m_shared->losses.reset();
    m_shared->changed.notify_all();
    m_shared->changed.wait_for(
        lock, patience + kForTheStore, [this] { return m_shared->losses.has_value(); });
    return m_shared->losses.value_or(RankLosses { .silent = { 0 } });
}

void RankWatch::leave(const std::string& reason)
{
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->parting = reason;
    m_shared->changed.notify_all();
}

} // namespace accrue
