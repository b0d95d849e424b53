// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/process_world.h"

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "engine/base/error.h"

namespace accrue {
namespace {

using Gloo = c10d::ProcessGroupGloo;

// The first line, without the trace of the stack that c10 appends.
std::string reasonOf(const std::exception& error)
{
    const auto* const fromTorch = dynamic_cast<const c10::Error*>(&error);
    const std::string_view text =
        fromTorch != nullptr ? fromTorch->what_without_backtrace() : error.what();
    return std::string(text.substr(0, text.find('\n')));
}

c10::intrusive_ptr<c10d::Store> storeAt(const RankPlace& place, std::chrono::milliseconds timeout)
{
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.port);
    options.isServer = place.rank == 0 && !place.storeRuns;
    options.numWorkers = static_cast<std::size_t>(place.ranks);
    options.timeout = timeout;
    return c10::make_intrusive<c10d::PrefixStore>(
        "accrue", c10::make_intrusive<c10d::TCPStore>(place.address, options));
}

c10::intrusive_ptr<Gloo> groupOf(const RankPlace& place, std::chrono::milliseconds timeout)
{
    auto options = Gloo::Options::create(timeout);
    // Ranks of one machine need no network, and its own name need not have an address.
    if (place.address == "127.0.0.1")
        options->devices = { Gloo::createDeviceForHostname(place.address) };
    else
        options = Gloo::Options::create_default(timeout);
    return c10::make_intrusive<Gloo>(storeAt(place, timeout), static_cast<int>(place.rank),
        static_cast<int>(place.ranks), std::move(options));
}

class ProcessWorld final : public World {
public:
    ProcessWorld(const RankPlace& place, std::chrono::milliseconds timeout)
        : m_group(groupOf(place, timeout))
        , m_requests(at::zeros({ place.ranks, kParts }, at::kDouble))
    {
    }

    int rank() const override { return m_group->getRank(); }
    int size() const override { return m_group->getSize(); }

    void sum(const at::Tensor& tensor) override { reduce(tensor, c10d::ReduceOp::SUM); }

    // gloo has no bool; the bytes of one are 0 and 1.
    void any(const at::Tensor& flags) override
    {
        reduce(flags.view(at::kByte), c10d::ReduceOp::MAX);
    }

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
        throw Error(Message("ranks.lost",
            { { "rank", rank() }, { "ranks", size() }, { "reason", reasonOf(error) } }));
    }

    const c10::intrusive_ptr<Gloo> m_group;
    const at::Tensor m_requests; // [ranks, kParts]
};

} // namespace

std::unique_ptr<World> connectRanks(const RankPlace& place, std::chrono::milliseconds timeout)
try {
    return std::make_unique<ProcessWorld>(place, timeout);
} catch (const std::exception& error) {
    throw Error(Message("ranks.not_connected",
        { { "rank", place.rank }, { "ranks", place.ranks },
            { "place", place.address + ":" + std::to_string(place.port) },
            { "reason", reasonOf(error) } }));
}

} // namespace accrue
