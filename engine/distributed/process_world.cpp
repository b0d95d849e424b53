// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/process_world.h"

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/distributed/rank_watch.h"

namespace accrue {
namespace {

using Gloo = c10d::ProcessGroupGloo;

// c10d prints a trace of the stack for each connection that is lost, which we report ourselves.
void silenceWarnings()
{
    if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr)
        FLAGS_caffe2_log_level = c10::GLOG_ERROR;
}

// The first line, without the trace of the stack that c10 appends.
std::string reasonOf(const std::exception& error)
{
    const auto* const fromTorch = dynamic_cast<const c10::Error*>(&error);
    const std::string_view text =
        fromTorch != nullptr ? fromTorch->what_without_backtrace() : error.what();
    return std::string(text.substr(0, text.find('\n')));
}

constexpr std::chrono::milliseconds kBetweenLooks { 50 };
constexpr std::chrono::milliseconds kToAnswer { 2500 }; // five looks of the others (RankWatch)

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

std::string placeText(const RankPlace& place)
{
    return place.address + ":" + std::to_string(place.port);
}

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

// Waits until all ranks are at the store. c10d's own wait could not be given up.
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

c10::intrusive_ptr<Gloo> groupAt(const RankPlace& place,
    const c10::intrusive_ptr<c10d::Store>& store, std::chrono::milliseconds timeout)
{
    auto options = Gloo::Options::create(timeout);
    // Ranks of one machine need no network, and its own name need not have an address.
    if (place.address == "127.0.0.1")
        options->devices = { Gloo::createDeviceForHostname(place.address) };
    else
        options = Gloo::Options::create_default(timeout);
    return c10::make_intrusive<Gloo>(
        store, static_cast<int>(place.rank), static_cast<int>(place.ranks), std::move(options));
}

class ProcessWorld final : public World {
public:
    ProcessWorld(const RankPlace& place, const c10::intrusive_ptr<c10d::Store>& store,
        std::chrono::milliseconds timeout)
        : m_watch(store, static_cast<int>(place.rank), static_cast<int>(place.ranks))
        , m_group(groupAt(place, store, timeout))
        , m_requests(at::zeros({ place.ranks, kParts }, at::kDouble))
    {
    }

    int rank() const override { return m_group->getRank(); }
    int size() const override { return m_group->getSize(); }

    void sum(const at::Tensor& tensor) override { reduce(tensor, c10d::ReduceOp::SUM); }

    // gloo has no such operation; a reduction to each rank sends as few bytes.
    void sumOwnPart(const at::Tensor& tensor) override
    try {
        std::vector<c10::intrusive_ptr<c10d::Work>> works;
        for (int root = 0; root < size(); ++root) {
            std::vector<at::Tensor> part { partOf(tensor, root) };
            c10d::ReduceOptions options;
            options.rootRank = root;
            works.push_back(m_group->reduce(part, options));
        }
        for (const auto& work : works)
            work->wait();
    } catch (const std::exception& error) {
        throw LostRank(loss(reasonOf(error)));
    }

    void gatherParts(const at::Tensor& tensor) override
    try {
        at::Tensor all = tensor;
        at::Tensor own = partOf(tensor, rank()).clone(); // may not be part of the result
        m_group->_allgather_base(all, own)->wait();
    } catch (const std::exception& error) {
        throw LostRank(loss(reasonOf(error)));
    }

    void setTimeout(std::chrono::milliseconds timeout) override { m_group->setTimeout(timeout); }

    // gloo has no bool; the bytes of one are 0 and 1.
    void any(const at::Tensor& flags) override
    {
        reduce(flags.view(at::kByte), c10d::ReduceOp::MAX);
    }

    void leave(const Message& why) override { m_watch.leave(why.english()); }

    // Every rank fills its own row of zeros, so that the sum is the table of all requests.
    Decision agree(const Decision& mine) override
    {
        m_requests.zero_();
        double* const own = m_requests.mutable_data_ptr<double>() + rank() * kParts;
        own[Stop] = mine.stop ? 1 : 0;
        own[Pause] = mine.pause ? 1 : 0;
        own[SmallerMicro] = mine.smallerMicro ? 1 : 0;
        own[IsDue] = mine.isDue ? 1 : 0;
        own[HasRate] = mine.learningRate ? 1 : 0;
        own[Rate] = mine.learningRate.value_or(0);
        sum(m_requests);
        return decided();
    }

private:
    enum Part { Stop, Pause, SmallerMicro, IsDue, HasRate, Rate, kParts };

    at::Tensor partOf(const at::Tensor& tensor, int owner) const
    {
        const std::int64_t part = tensor.numel() / size();
        return tensor.narrow(/*dim=*/0, owner * part, part);
    }

    Decision decided() const
    {
        Decision all;
        const double* row = m_requests.const_data_ptr<double>();
        for (int rank = 0; rank < size(); ++rank, row += kParts) {
            all.stop = all.stop || row[Stop] != 0;
            all.pause = all.pause || row[Pause] != 0;
            all.smallerMicro = all.smallerMicro || row[SmallerMicro] != 0;
            all.isDue = all.isDue || row[IsDue] != 0;
            if (!all.learningRate && row[HasRate] != 0)
                all.learningRate = row[Rate];
        }
        return all;
    }

    void reduce(const at::Tensor& tensor, const c10d::ReduceOp& operation)
    try {
        std::vector<at::Tensor> tensors { tensor };
        c10d::AllreduceOptions options;
        options.reduceOp = operation;
        m_group->allreduce(tensors, options)->wait();
    } catch (const std::exception& error) {
        throw LostRank(loss(reasonOf(error)));
    }

    // A call that fails knows only that the connection to some rank has gone.
    Message loss(const std::string& reason)
    {
        const RankLosses losses = m_watch.losses(kToAnswer);
        if (losses.failed >= 0)
            return Message(
                "ranks.other_failed", { { "rank", losses.failed }, { "problem", losses.reason } });
        std::vector<std::string> silent;
        for (const int other : losses.silent)
            silent.push_back(std::to_string(other));
        if (silent.empty())
            return Message(
                "ranks.lost", { { "rank", rank() }, { "ranks", size() }, { "reason", reason } });
        return Message("ranks.silent",
            { { "n", silent.size() }, { "silent", commaList(silent) }, { "ranks", size() } });
    }

    RankWatch m_watch; // before the group, which waits for the others to connect
    const c10::intrusive_ptr<Gloo> m_group;
    const at::Tensor m_requests; // [ranks, kParts]
};

} // namespace

std::unique_ptr<World> connectRanks(const RankPlace& place, std::chrono::milliseconds timeout,
    const std::function<Message()>& giveUp)
try {
    silenceWarnings();
    const c10::intrusive_ptr<c10d::Store> store = storeAt(place, timeout);
    meet(*store, place, timeout, giveUp);
    return std::make_unique<ProcessWorld>(place, store, timeout);
} catch (const Error&) {
    throw;
} catch (const std::exception& error) {
    throw Error(Message("ranks.not_connected",
        { { "rank", place.rank }, { "ranks", place.ranks }, { "place", placeText(place) },
            { "reason", reasonOf(error) } }));
}

} // namespace accrue
