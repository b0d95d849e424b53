// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/process_world.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include "engine/accelerator/accelerators.h"
#include "engine/base/error.h"
#include "engine/distributed/device_exchange.h"
#include "engine/distributed/local_exchange.h"
#include "engine/distributed/rank_meeting.h"
#include "engine/distributed/rank_watch.h"
#include "engine/distributed/socket_exchange.h"

namespace accrue {
namespace {

// c10d prints a trace of the stack for each connection that is lost, which we report ourselves.
void silenceErrors()
{
    if (std::getenv("TORCH_CPP_LOG_LEVEL") == nullptr)
        FLAGS_caffe2_log_level = c10::GLOG_FATAL;
}

// The first line, without the trace of the stack that c10 appends.
std::string reasonOf(const std::exception& error)
{
    const auto* const fromTorch = dynamic_cast<const c10::Error*>(&error);
    const std::string_view text =
        fromTorch != nullptr ? fromTorch->what_without_backtrace() : error.what();
    return std::string(text.substr(0, text.find('\n')));
}

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

constexpr std::chrono::milliseconds kToAnswer { 2500 }; // five looks of the others (RankWatch)

class ProcessWorld final : public World {
public:
    ProcessWorld(const RankPlace& place, const c10::intrusive_ptr<c10d::Store>& store,
        std::chrono::milliseconds timeout, std::unique_ptr<RankWatch> watch,
        std::unique_ptr<SocketExchange> sockets, RunControl* control)
        : m_store(store)
        , m_rank(static_cast<int>(place.rank))
        , m_size(static_cast<int>(place.ranks))
        , m_timeout(timeout)
        , m_watch(std::move(watch))
        , m_sockets(std::move(sockets))
        , m_requests(at::zeros({ place.ranks, kParts }, at::kDouble))
    {
        if (place.isOneMachine)
            guarded([&] { shareMemory(*store, timeout); });
        if (m_local && control != nullptr)
            if (auto words = m_local->progressWords())
                control->shareProgress(std::move(words), rank(), size());
    }

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }

    Traffic traffic() const override { return m_traffic; }

    void sum(const at::Tensor& tensor) override
    {
        exchange(tensor, &RankExchange::sum, &RankExchange::bytesOfSum);
    }

    std::int64_t bytesToOverlap(const at::Tensor& tensor) override
    {
        RankExchange* const by = exchangeOf(tensor);
        std::int64_t bytes = 0;
        if (by != nullptr)
            guarded([&] { bytes = by->bytesToOverlap(); });
        return bytes;
    }

    void beginSum(const at::Tensor& tensor) override
    {
        RankExchange* const by = exchangeOf(tensor);
        if (by == nullptr)
            return sum(tensor);
        guarded([&] { by->beginSum(tensor); });
        ++m_traffic.calls;
        m_traffic.bytes += by->bytesOfSum(static_cast<std::int64_t>(tensor.nbytes()));
    }

    // The time for which this rank computed meanwhile does not count.
    void finishSums() override
    {
        const Clock::time_point begin = Clock::now();
        guarded([&] {
            hosts().finishSums();
            if (m_device)
                m_device->finishSums();
        });
        m_traffic.seconds += secondsSince(begin);
    }

    void share(const at::Tensor& tensor) override
    {
        guarded([&] { hosts().sum(tensor); });
    }

    void sumOwnPart(const at::Tensor& tensor) override
    {
        exchange(tensor, &RankExchange::sumOwnPart, &RankExchange::bytesOfOwnPart);
    }

    void gatherParts(const at::Tensor& tensor) override
    {
        exchange(tensor, &RankExchange::gatherParts, &RankExchange::bytesOfGather);
    }

    void setTimeout(std::chrono::milliseconds timeout) override
    {
        m_timeout = timeout;
        m_sockets->setTimeout(timeout);
        if (m_device)
            m_device->setTimeout(timeout);
        if (m_local)
            m_local->setTimeout(timeout);
    }

    // No exchange has bools; the bytes of one are 0 and 1.
    void any(const at::Tensor& flags) override
    {
        exchange(flags.view(at::kByte), &RankExchange::any, &RankExchange::bytesOfSum);
    }

    // What this rank would still call is not what the others wait for.
    void leave(const Message& why) override
    {
        m_watch->leave(why.english());
        m_hasLeft = true;
    }

    Decision agree(const Decision& mine) override
    {
        m_requests.zero_();
        write(mine, rowOf(rank()));
        const Clock::time_point begin = Clock::now();
        Decision all;
        guarded([&] { all = m_local ? decidedByAll() : decidedByFirst(); });
        m_traffic.waitSeconds += secondsSince(begin);
        return all;
    }

private:
    enum Part { Stop, Pause, SmallerMicro, IsDue, HasRate, Rate, Slices, kReport };
    static constexpr int kFigures = kReport + 1;
    static constexpr int kParts = kFigures + static_cast<int>(RankReport::kFigures);

    double* rowOf(int rank) const { return m_requests.mutable_data_ptr<double>() + rank * kParts; }

    // Every rank has filled its own row of zeros, so the sum is the table of all requests.
    Decision decidedByAll()
    {
        m_local->sum(m_requests);
        return decided(size());
    }

    // The reports stay with rank 0, which alone shows them.
    Decision decidedByFirst()
    {
        m_sockets->collectRows(m_requests);
        Decision all;
        if (rank() == 0)
            write(all = decided(size()), rowOf(0));
        m_sockets->broadcast(m_requests[0]);
        return rank() == 0 ? all : decided(/*rows=*/1);
    }

    static void write(const Decision& mine, double* own)
    {
        own[Stop] = mine.stop ? 1 : 0;
        own[Pause] = mine.pause ? 1 : 0;
        own[SmallerMicro] = mine.smallerMicro ? 1 : 0;
        own[IsDue] = mine.isDue ? 1 : 0;
        own[HasRate] = mine.learningRate ? 1 : 0;
        own[Rate] = mine.learningRate.value_or(0);
        own[Slices] = static_cast<double>(mine.slices);
        own[kReport] = static_cast<double>(mine.report.step);
        std::copy(mine.report.figures.begin(), mine.report.figures.end(), own + kFigures);
    }

    // If one rank cannot open the memory, for example in a container of its own, all use sockets.
    void shareMemory(c10d::Store& store, std::chrono::milliseconds timeout)
    {
        constexpr const char* kInvitation = "memory";
        const auto lost = [] { throw std::runtime_error("a rank has ended or does not come"); };
        std::unique_ptr<LocalExchange> local;
        if (rank() == 0) {
            std::string invitation;
            local = LocalExchange::create(size(), lost, invitation);
            store.set(kInvitation, invitation);
        } else {
            local = LocalExchange::open(store.get_to_str(kInvitation), rank(), size(), lost);
        }
        const at::Tensor isMissing = at::full({ 1 }, local ? 0 : 1, at::kByte);
        m_sockets->any(isMissing);
        if (isMissing.item<std::uint8_t>() != 0 || size() > LocalExchange::kMostRanks)
            return;
        local->setTimeout(timeout);
        m_local =
            std::move(local); // not before all have it: one that has not looks as if it had ended
    }

    // What exchanges tensors on the CPU.
    RankExchange& hosts() const
    {
        return m_local ? static_cast<RankExchange&>(*m_local) : *m_sockets;
    }

    // What exchanges the tensors of this rank's device; null: the host does. Connected with the
    // first of them, which all ranks have at the same call.
    RankExchange* deviceOf(const at::Tensor& tensor)
    {
        if (m_hasLeft)
            return nullptr;
        if (!std::exchange(m_hasAskedForDevice, true))
            guarded([&] { connectDevice(tensor.device()); });
        return m_device ? &*m_device : nullptr;
    }

    RankExchange* exchangeOf(const at::Tensor& tensor)
    {
        return tensor.is_cpu() ? &hosts() : deviceOf(tensor);
    }

    // If one rank has nothing that connects its device, no rank uses it.
    void connectDevice(c10::Device device)
    {
        auto backend =
            accelerator()->connect(c10::make_intrusive<c10d::PrefixStore>("device", m_store),
                rank(), size(), device, m_timeout);
        const at::Tensor count = at::full({ 1 }, backend ? 1 : 0, at::kDouble);
        hosts().sum(count);
        if (count.item<double>() == size())
            m_device.emplace(std::move(backend), m_timeout, [this] { checkOthers(); });
    }

    // Only of ranks on this machine is it known at once; others are waited for until the timeout.
    void checkOthers() const
    {
        if (m_local && !m_local->ended().empty())
            throw std::runtime_error("a rank has ended");
    }

    Decision decided(int rows) const
    {
        Decision all;
        all.slices = std::numeric_limits<std::int64_t>::max();
        for (int rank = 0; rank < rows; ++rank) {
            const double* const row = rowOf(rank);
            all.slices = std::min(all.slices, static_cast<std::int64_t>(row[Slices]));
            all.stop = all.stop || row[Stop] != 0;
            all.pause = all.pause || row[Pause] != 0;
            all.smallerMicro = all.smallerMicro || row[SmallerMicro] != 0;
            all.isDue = all.isDue || row[IsDue] != 0;
            if (!all.learningRate && row[HasRate] != 0)
                all.learningRate = row[Rate];
            if (row[kReport] != 0)
                all.reports.push_back(reportIn(row));
        }
        return all;
    }

    static RankReport reportIn(const double* row)
    {
        RankReport report { .step = static_cast<std::int64_t>(row[kReport]) };
        std::copy_n(row + kFigures, report.figures.size(), report.figures.begin());
        return report;
    }

    using Operation = void (RankExchange::*)(const at::Tensor&);
    using Bytes = std::int64_t (RankExchange::*)(std::int64_t) const;

    void exchange(const at::Tensor& tensor, Operation operation, Bytes bytes)
    {
        if (RankExchange* const by = exchangeOf(tensor))
            return exchange(*by, tensor, operation, bytes);
        const at::Tensor copy = tensor.cpu();
        exchange(hosts(), copy, operation, bytes);
        tensor.copy_(copy);
    }

    void exchange(RankExchange& by, const at::Tensor& tensor, Operation operation, Bytes bytes)
    {
        const Clock::time_point begin = Clock::now();
        guarded([&] { (by.*operation)(tensor); });
        ++m_traffic.calls;
        m_traffic.bytes += (by.*bytes)(static_cast<std::int64_t>(tensor.nbytes()));
        m_traffic.seconds += secondsSince(begin);
    }

    template <typename Act> void guarded(const Act& act)
    try {
        if (!m_hasLeft)
            return act();
        throw LostRank(lossBecause("this rank has left"));
    } catch (const LostRank&) {
        throw;
    } catch (const std::exception& error) {
        throw LostRank(loss(reasonOf(error)));
    }

    Message lossBecause(const std::string& reason) const
    {
        return Message(
            "ranks.lost", { { "rank", rank() }, { "ranks", size() }, { "reason", reason } });
    }

    // A call that fails knows only that the connection to some rank has gone. Whose process has
    // ended on this machine need not be asked for.
    Message loss(const std::string& reason)
    {
        const std::vector<int> ended = m_local ? m_local->ended() : std::vector<int>();
        const Message known = ended.empty() ? m_watch->loss(kToAnswer) : m_watch->tell(ended);
        return known.empty() ? lossBecause(reason) : known;
    }

    const c10::intrusive_ptr<c10d::Store> m_store;
    const int m_rank;
    const int m_size;
    std::chrono::milliseconds m_timeout;
    bool m_hasLeft = false;
    const std::unique_ptr<RankWatch> m_watch;
    const std::unique_ptr<SocketExchange> m_sockets;
    std::unique_ptr<LocalExchange> m_local; // if all ranks are on this machine
    std::optional<DeviceExchange> m_device; // if the accelerator has one
    bool m_hasAskedForDevice = false;
    const at::Tensor m_requests; // [ranks, kParts]
    Traffic m_traffic;
};

// Watches before it connects: one that has connected may ask for this rank. A rank that goes
// meanwhile is named, whichever call fails.
std::unique_ptr<World> connectAt(const c10::intrusive_ptr<c10d::Store>& store,
    const RankPlace& place, std::chrono::milliseconds timeout, const GiveUp& giveUp,
    RunControl* control)
{
    auto watch = std::make_unique<RankWatch>(
        store, static_cast<int>(place.rank), static_cast<int>(place.ranks));
    try {
        Attendance attendance(store, place);
        const auto giveUpOrLost = [&] {
            if (Message why = giveUp(); !why.empty())
                return why;
            const std::vector<int> silent = attendance.silent();
            return silent.empty() ? Message() : watch->tell(silent);
        };
        meet(attendance, place, timeout, giveUpOrLost);
        auto sockets = SocketExchange::connect(place, store, timeout, giveUpOrLost);
        attendance.connected();
        return std::make_unique<ProcessWorld>(
            place, store, timeout, std::move(watch), std::move(sockets), control);
    } catch (const Error&) {
        throw;
    } catch (const std::exception&) {
        const Message loss = watch ? watch->loss(kToAnswer) : Message();
        if (loss.empty())
            throw;
        throw Error(loss);
    }
}

} // namespace

std::unique_ptr<World> connectRanks(const RankPlace& place, std::chrono::milliseconds timeout,
    const GiveUp& giveUp, RunControl* control)
try {
    silenceErrors();
    const GiveUp asked = [&] { return giveUp ? giveUp() : Message(); };
    return connectAt(storeAt(place, timeout, asked), place, timeout, asked, control);
} catch (const Error&) {
    throw;
} catch (const std::exception& error) {
    throw Error(Message("ranks.not_connected",
        { { "rank", place.rank }, { "ranks", place.ranks }, { "place", placeText(place) },
            { "reason", reasonOf(error) } }));
}

} // namespace accrue
