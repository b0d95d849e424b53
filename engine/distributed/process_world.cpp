// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/process_world.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "engine/accelerator/accelerators.h"
#include "engine/base/error.h"
#include "engine/base/sentences.h"
#include "engine/distributed/device_exchange.h"
#include "engine/distributed/local_address.h"
#include "engine/distributed/local_exchange.h"
#include "engine/distributed/rank_watch.h"

namespace accrue {
namespace {

using Gloo = c10d::ProcessGroupGloo;

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

constexpr std::chrono::milliseconds kBetweenLooks { 50 };
constexpr int kMostFlags = 255; // that a byte can count
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

// Where the other ranks reach this one. c10d's own choice, the address of the machine's name, need
// not exist, and often is one at which only this machine reaches itself.
std::shared_ptr<gloo::transport::Device> deviceFor(const RankPlace& place)
{
    if (const char* given = std::getenv("GLOO_SOCKET_IFNAME"); given != nullptr && *given != '\0')
        return Gloo::createDeviceForInterface(given);
    std::string own = localAddressTowards(place.address, place.port);
    if (isLoopback(own) && !place.isOneMachine)
        own = firstOwnAddress();
    return own.empty() ? Gloo::createDefaultDevice() : Gloo::createDeviceForHostname(own);
}

c10::intrusive_ptr<Gloo> groupAt(const RankPlace& place,
    const c10::intrusive_ptr<c10d::Store>& store, std::chrono::milliseconds timeout)
{
    auto options = Gloo::Options::create(timeout);
    options->devices = { deviceFor(place) };
    return c10::make_intrusive<Gloo>(
        store, static_cast<int>(place.rank), static_cast<int>(place.ranks), std::move(options));
}

// gloo waits for a rank that was killed meanwhile as long as for a slow one, and cannot be stopped.
// So it connects on a thread of its own, which is left alone if the wait is given up.
c10::intrusive_ptr<Gloo> connectedGroup(const RankPlace& place,
    const c10::intrusive_ptr<c10d::Store>& store, std::chrono::milliseconds timeout,
    const std::function<Message()>& giveUp)
{
    using Group = c10::intrusive_ptr<Gloo>;
    const auto promise = std::make_shared<std::promise<Group>>();
    std::future<Group> group = promise->get_future();
    std::thread([=] {
        try {
            promise->set_value(groupAt(place, store, timeout));
        } catch (...) {
            promise->set_exception(std::current_exception());
        }
    }).detach();
    while (group.wait_for(kBetweenLooks) != std::future_status::ready)
        if (const Message why = giveUp ? giveUp() : Message(); !why.empty())
            throw Error(why);
    return group.get();
}

class ProcessWorld final : public World {
public:
    ProcessWorld(const RankPlace& place, const c10::intrusive_ptr<c10d::Store>& store,
        std::chrono::milliseconds timeout, const std::function<Message()>& giveUp,
        RunControl* control)
        : m_store(store)
        , m_timeout(timeout)
        , m_watch(store, static_cast<int>(place.rank), static_cast<int>(place.ranks))
        , m_group(connectedGroup(place, store, timeout, giveUp))
        , m_requests(at::zeros({ place.ranks, kParts }, at::kDouble))
    {
        if (place.isOneMachine)
            shareMemory(*store, timeout);
        if (m_local && control != nullptr)
            if (auto words = m_local->progressWords())
                control->shareProgress(std::move(words), rank(), size());
    }

    int rank() const override { return m_group->getRank(); }
    int size() const override { return m_group->getSize(); }

    Traffic traffic() const override { return m_traffic; }

    void sum(const at::Tensor& tensor) override
    {
        if (isLocal(tensor))
            return exchange(bytesOfLocalSum(tensor), [&] { m_local->sum(tensor); });
        if (DeviceExchange* const device = deviceOf(tensor))
            return exchange(2 * bytesOfOthers(tensor), [&] { device->sum(tensor); });
        if (!tensor.is_cpu())
            return onHost(tensor, [this](const at::Tensor& copy) { sum(copy); });
        // gloo's ring: every rank sends each of the parts but its own twice.
        exchange(2 * bytesOfOthers(tensor), [&] { allReduce(tensor, c10d::ReduceOp::SUM); });
    }

    void share(const at::Tensor& tensor) override
    {
        guarded([&] { sumUncounted(tensor); });
    }

    // gloo has no such operation; a reduction to each rank sends little more.
    void sumOwnPart(const at::Tensor& tensor) override
    {
        if (isLocal(tensor))
            return exchange(
                static_cast<std::int64_t>(tensor.nbytes()), [&] { m_local->sumOwnPart(tensor); });
        if (DeviceExchange* const device = deviceOf(tensor))
            return exchange(bytesOfOthers(tensor), [&] { device->sumOwnPart(tensor); });
        if (!tensor.is_cpu())
            return onHost(tensor, [this](const at::Tensor& copy) { sumOwnPart(copy); });
        exchange(bytesOfOthers(tensor), [&] {
            std::vector<c10::intrusive_ptr<c10d::Work>> works;
            for (int root = 0; root < size(); ++root) {
                std::vector<at::Tensor> part { partOf(tensor, root) };
                c10d::ReduceOptions options;
                options.rootRank = root;
                works.push_back(m_group->reduce(part, options));
            }
            for (const auto& work : works)
                work->wait();
        });
    }

    void gatherParts(const at::Tensor& tensor) override
    {
        if (isLocal(tensor))
            return exchange(static_cast<std::int64_t>(tensor.nbytes()) / size(),
                [&] { m_local->gatherParts(tensor); });
        if (DeviceExchange* const device = deviceOf(tensor))
            return exchange(bytesOfOthers(tensor), [&] { device->gatherParts(tensor); });
        if (!tensor.is_cpu())
            return onHost(tensor, [this](const at::Tensor& copy) { gatherParts(copy); });
        exchange(bytesOfOthers(tensor), [&] {
            at::Tensor all = tensor;
            at::Tensor own = partOf(tensor, rank()).clone(); // may not be part of the result
            m_group->_allgather_base(all, own)->wait();
        });
    }

    void setTimeout(std::chrono::milliseconds timeout) override
    {
        m_timeout = timeout;
        m_group->setTimeout(timeout);
        if (m_device)
            m_device->setTimeout(timeout);
        if (m_local)
            m_local->setTimeout(timeout);
    }

    // gloo has no bool; the bytes of one are 0 and 1.
    void any(const at::Tensor& flags) override
    {
        const at::Tensor bytes = flags.view(at::kByte);
        if (isLocal(bytes)) {
            sum(bytes); // of at most 255 ranks
            bytes.clamp_max_(1);
            return;
        }
        if (DeviceExchange* const device = deviceOf(bytes))
            return exchange(2 * bytesOfOthers(bytes), [&] { device->largest(bytes); });
        if (!flags.is_cpu())
            return onHost(flags, [this](const at::Tensor& copy) { any(copy); });
        exchange(2 * bytesOfOthers(bytes), [&] { allReduce(bytes, c10d::ReduceOp::MAX); });
    }

    // What this rank would still call is not what the others wait for.
    void leave(const Message& why) override
    {
        m_watch.leave(why.english());
        m_hasLeft = true;
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
        own[kReport] = static_cast<double>(mine.report.step);
        std::copy(mine.report.figures.begin(), mine.report.figures.end(), own + kFigures);
        const Clock::time_point begin = Clock::now();
        guarded([&] { sumUncounted(m_requests); });
        m_traffic.waitSeconds += secondsSince(begin);
        return decided();
    }

private:
    enum Part { Stop, Pause, SmallerMicro, IsDue, HasRate, Rate, kReport };
    static constexpr int kFigures = kReport + 1;
    static constexpr int kParts = kFigures + static_cast<int>(RankReport::kFigures);

    // If one rank cannot open the memory, for example in a container of its own, all use sockets.
    void shareMemory(c10d::Store& store, std::chrono::milliseconds timeout)
    {
        constexpr const char* kInvitation = "memory";
        const auto lost = [] { throw std::runtime_error("a rank has ended or does not come"); };
        if (rank() == 0) {
            std::string invitation;
            m_local = LocalExchange::create(size(), lost, invitation);
            store.set(kInvitation, invitation);
        } else {
            m_local = LocalExchange::open(store.get_to_str(kInvitation), rank(), size(), lost);
        }
        const at::Tensor isMissing = at::full({ 1 }, m_local ? 0 : 1, at::kByte);
        allReduce(isMissing, c10d::ReduceOp::MAX);
        if (isMissing.item<std::uint8_t>() != 0 || size() > kMostFlags)
            m_local.reset();
        else
            m_local->setTimeout(timeout);
    }

    // What exchanges the tensors of this rank's device; null: the host does. Connected with the
    // first of them, which all ranks have at the same call.
    DeviceExchange* deviceOf(const at::Tensor& tensor)
    {
        if (tensor.is_cpu() || m_hasLeft)
            return nullptr;
        if (!std::exchange(m_hasAskedForDevice, true))
            guarded([&] { connectDevice(tensor.device()); });
        return m_device ? &*m_device : nullptr;
    }

    // If one rank has nothing that connects its device, no rank uses it.
    void connectDevice(c10::Device device)
    {
        auto backend =
            accelerator()->connect(c10::make_intrusive<c10d::PrefixStore>("device", m_store),
                rank(), size(), device, m_timeout);
        const at::Tensor count = at::full({ 1 }, backend ? 1 : 0, at::kDouble);
        sumUncounted(count);
        if (count.item<double>() == size())
            m_device.emplace(std::move(backend), m_timeout, [this] { checkOthers(); });
    }

    // Only of ranks on this machine is it known at once; others are waited for until the timeout.
    void checkOthers() const
    {
        if (m_local && m_local->hasLostOne())
            throw std::runtime_error("a rank has ended");
    }

    template <typename Act> static void onHost(const at::Tensor& tensor, const Act& act)
    {
        const at::Tensor copy = tensor.cpu();
        act(copy);
        tensor.copy_(copy);
    }

    bool isLocal(const at::Tensor& tensor) const { return m_local && tensor.is_cpu(); }

    // A rank writes its values, and its share of the sums.
    std::int64_t bytesOfLocalSum(const at::Tensor& tensor) const
    {
        const auto bytes = static_cast<std::int64_t>(tensor.nbytes());
        return bytes + bytes / size();
    }

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
            if (row[kReport] != 0)
                all.reports.push_back(reportIn(row));
        }
        return all;
    }

    void allReduce(const at::Tensor& tensor, const c10d::ReduceOp& operation)
    {
        std::vector<at::Tensor> tensors { tensor };
        c10d::AllreduceOptions options;
        options.reduceOp = operation;
        m_group->allreduce(tensors, options)->wait();
    }

    static RankReport reportIn(const double* row)
    {
        RankReport report { .step = static_cast<std::int64_t>(row[kReport]) };
        std::copy_n(row + kFigures, report.figures.size(), report.figures.begin());
        return report;
    }

    void sumUncounted(const at::Tensor& tensor)
    {
        if (isLocal(tensor))
            m_local->sum(tensor);
        else
            allReduce(tensor, c10d::ReduceOp::SUM);
    }

    // Of all parts of `tensor` but one.
    std::int64_t bytesOfOthers(const at::Tensor& tensor) const
    {
        return static_cast<std::int64_t>(tensor.nbytes()) * (size() - 1) / size();
    }

    // Does what exchanges so many bytes, and counts it.
    template <typename Act> void exchange(std::int64_t bytes, const Act& act)
    {
        const Clock::time_point begin = Clock::now();
        guarded(act);
        ++m_traffic.calls;
        m_traffic.bytes += bytes;
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
            return lossBecause(reason);
        return Message("ranks.silent",
            { { "n", silent.size() }, { "silent", commaList(silent) }, { "ranks", size() } });
    }

    const c10::intrusive_ptr<c10d::Store> m_store;
    std::chrono::milliseconds m_timeout;
    bool m_hasLeft = false;
    RankWatch m_watch; // before the group, which waits for the others to connect
    const c10::intrusive_ptr<Gloo> m_group;
    std::unique_ptr<LocalExchange> m_local; // if all ranks are on this machine
    std::optional<DeviceExchange> m_device; // if the accelerator has one
    bool m_hasAskedForDevice = false;
    const at::Tensor m_requests; // [ranks, kParts]
    Traffic m_traffic;
};

} // namespace

std::unique_ptr<World> connectRanks(const RankPlace& place, std::chrono::milliseconds timeout,
    const std::function<Message()>& giveUp, RunControl* control)
try {
    silenceErrors();
    const c10::intrusive_ptr<c10d::Store> store = storeAt(place, timeout);
    meet(*store, place, timeout, giveUp);
    return std::make_unique<ProcessWorld>(place, store, timeout, giveUp, control);
} catch (const Error&) {
    throw;
} catch (const std::exception& error) {
    throw Error(Message("ranks.not_connected",
        { { "rank", place.rank }, { "ranks", place.ranks }, { "place", placeText(place) },
            { "reason", reasonOf(error) } }));
}

} // namespace accrue
