// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_watch.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "engine/base/sentences.h"

namespace accrue {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks { 500 };
constexpr std::chrono::milliseconds kBetweenPolls { 20 };
constexpr std::chrono::seconds kForTheStore { 1 };
constexpr std::chrono::milliseconds kForReasons { 100 };
constexpr std::chrono::seconds kToHear { 1 }; // two looks of the others
constexpr const char* kQuestion = "who_lives";
constexpr const char* kFound = "who_does_not";

std::string answerOf(int rank)
{
    return "lives/" + std::to_string(rank);
}

std::string hearingOf(int rank)
{
    return "heard/" + std::to_string(rank);
}

std::string reasonOf(int rank)
{
    return "left/" + std::to_string(rank);
}

// "Rank 2 of 3 does not answer any more".
Message silentRanks(const std::vector<int>& silent, int ranks)
{
    std::vector<std::string> names;
    names.reserve(silent.size());
    for (const int rank : silent)
        names.push_back(std::to_string(rank));
    return Message("ranks.silent",
        { { "n", names.size() }, { "silent", commaList(names) }, { "ranks", ranks } });
}

// What has become of other ranks.
struct RankLosses {
    // They have not answered: they were killed or stopped, or are cut off.
    std::vector<int> silent {};
    int failed = -1; // the first that has said why it ended; below 0: none has
    std::string reason {};

    bool none() const { return silent.empty() && failed < 0; }
};

// "-1 2 5": ranks 2 and 5 are silent; "3" and a second line: why rank 3 ended.
std::string textOf(const RankLosses& losses)
{
    std::string text = std::to_string(losses.failed);
    for (const int rank : losses.silent)
        text += " " + std::to_string(rank);
    return text + "\n" + losses.reason;
}

RankLosses lossesIn(const std::string& text)
{
    const std::size_t line = std::min(text.find('\n'), text.size());
    std::istringstream numbers(text.substr(0, line));
    RankLosses losses;
    numbers >> losses.failed;
    for (int rank = 0; numbers >> rank;)
        losses.silent.push_back(rank);
    losses.reason = text.substr(std::min(line + 1, text.size()));
    return losses;
}

} // namespace

// To the thread: which ranks are silent within this time, or that these are, unless one of them
// says within this time why it ended.
struct RankWatch::Question {
    std::chrono::milliseconds patience { 0 };
    std::vector<int> silent {};
};

struct RankWatch::Shared {
    Shared(c10::intrusive_ptr<c10d::Store> at, int ownRank, int allRanks)
        : store(std::move(at))
        , rank(ownRank)
        , ranks(allRanks)
    {
    }

    void run();
    void follow();
    RankLosses ask(const Question& asked);
    RankLosses heard(std::chrono::milliseconds patience);
    RankLosses found();
    void publish(const RankLosses& now);
    void awaitHearing();

    const c10::intrusive_ptr<c10d::Store> store;
    const int rank;
    const int ranks;
    bool hasAnswered = false; // these two are used on the thread only
    std::optional<RankLosses> known; // found by any rank
    std::mutex mutex; // guards the members below
    std::condition_variable changed;
    bool ends = false;
    bool hasEnded = false;
    std::optional<Question> question; // of this rank
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
            follow();
            if (asked)
                answer = ask(*asked);
        } catch (const std::exception&) { // the store has gone, and with it the rank that holds it
            hasAnswered = true;
            answer = known.value_or(RankLosses { .silent = { 0 } });
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

// Answers, and hears what has been found.
void RankWatch::Shared::follow()
{
    if (!hasAnswered && store->check({ kQuestion })) {
        store->set(answerOf(rank), "");
        hasAnswered = true;
    }
    if (!hasAnswered || known || !store->check({ kFound }))
        return;
    known = lossesIn(store->get_to_str(kFound));
    store->set(hearingOf(rank), "");
}

RankLosses RankWatch::Shared::ask(const Question& asked)
{
    store->set(kQuestion, "");
    follow();
    RankLosses now = heard(asked.patience);
    if (!asked.silent.empty())
        now.silent = asked.silent;
    if (!known && !now.none())
        publish(now);
    if (known && rank == 0)
        awaitHearing();
    return known.value_or(now);
}

RankLosses RankWatch::Shared::heard(std::chrono::milliseconds patience)
{
    const Clock::time_point end = Clock::now() + patience;
    RankLosses now = found();
    while (!known && !now.silent.empty() && now.failed < 0 && Clock::now() < end) {
        std::this_thread::sleep_for(kBetweenPolls);
        follow();
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

void RankWatch::Shared::publish(const RankLosses& now)
{
    known = lossesIn(store->compareSet(kFound, /*currentValue=*/"", textOf(now)));
    store->set(hearingOf(rank), "");
}

// Rank 0 may hold the store, which ends with it: the others hear before, whoever has found it.
void RankWatch::Shared::awaitHearing()
{
    const auto isAwaited = [this](int other) {
        const std::vector<int>& silent = known->silent;
        return other != known->failed
            && std::find(silent.begin(), silent.end(), other) == silent.end();
    };
    const Clock::time_point end = Clock::now() + kToHear;
    for (int other = 1; other < ranks; ++other)
        while (isAwaited(other) && !store->check({ hearingOf(other) }) && Clock::now() < end)
            std::this_thread::sleep_for(kBetweenPolls);
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

Message RankWatch::loss(std::chrono::milliseconds patience)
{
    return answerTo({ .patience = patience }, patience);
}

Message RankWatch::tell(const std::vector<int>& silent)
{
    return answerTo({ .patience = kForReasons, .silent = silent }, kForReasons);
}

Message RankWatch::answerTo(Question question, std::chrono::milliseconds patience)
{
    std::unique_lock<std::mutex> lock(m_shared->mutex);
    m_shared->question = std::move(question);
    m_shared->losses.reset();
    m_shared->changed.notify_all();
    m_shared->changed.wait_for(
        lock, patience + kToHear + kForTheStore, [this] { return m_shared->losses.has_value(); });
    const RankLosses losses = m_shared->losses.value_or(RankLosses { .silent = { 0 } });
    if (losses.failed >= 0)
        return Message(
            "ranks.other_failed", { { "rank", losses.failed }, { "problem", losses.reason } });
    return losses.silent.empty() ? Message() : silentRanks(losses.silent, m_shared->ranks);
}

void RankWatch::leave(const std::string& reason)
{
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->parting = reason;
    m_shared->changed.notify_all();
}

} // namespace accrue
