// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/socket_exchange.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "engine/distributed/local_address.h"

namespace accrue {
namespace {

using Gloo = c10d::ProcessGroupGloo;

// Of a sum that goes to rank 0 and back. A ring would bring larger ones at least as fast.
constexpr std::size_t kSmall = 4096;
// Of a sum that goes on while the ranks compute.
constexpr std::int64_t kOverlapped = 4 * 1024 * 1024;
// Bytes of all parts of a sum that a rank sends at once.
constexpr std::int64_t kPiece = 2 * 1024 * 1024;

// scripts/measure_overlap.py compares several; 0: no sum overlaps.
std::int64_t overlappedBytes()
{
    const char* const given = std::getenv("ACCRUE_OVERLAPPED_BYTES");
    return given != nullptr ? std::strtoll(given, /*endptr=*/nullptr, /*base=*/10) : kOverlapped;
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

// A piece of every part, on its way to the rank that adds it up.
struct Piece {
    std::int64_t begin = 0; // in each part
    at::Tensor sent; // [ranks, values]
    at::Tensor received; // [ranks, values], of the own part
    c10::intrusive_ptr<c10d::Work> work; // null: there is none
};

class GlooExchange final : public SocketExchange {
public:
    explicit GlooExchange(c10::intrusive_ptr<Gloo> group)
        : m_group(std::move(group))
    {
    }

    void setTimeout(std::chrono::milliseconds timeout) override { m_group->setTimeout(timeout); }

    void sum(const at::Tensor& tensor) override
    {
        if (tensor.nbytes() <= kSmall)
            return reduceOnFirst(tensor, [&](const at::Tensor& rows) {
                at::Tensor result = tensor;
                at::sum_out(result, rows, /*dim=*/0);
            });
        std::vector<at::Tensor> tensors { tensor };
        m_group->allreduce(tensors)->wait();
    }

    // gloo exchanges on threads of its own. The number is that of rank 0: a launcher need not give
    // its variables to all.
    std::int64_t bytesToOverlap() override
    {
        const at::Tensor bytes = at::full({ 1 }, overlappedBytes(), at::kLong);
        broadcast(bytes);
        return bytes.item<std::int64_t>();
    }

    void beginSum(const at::Tensor& tensor) override
    {
        std::vector<at::Tensor> tensors { tensor };
        m_begun.push_back(m_group->allreduce(tensors));
    }

    void finishSums() override
    {
        for (const auto& work : std::exchange(m_begun, {}))
            work->wait();
    }

    void any(const at::Tensor& flags) override
    {
        reduceOnFirst(flags, [&](const at::Tensor& rows) { flags.copy_(rows.amax(/*dim=*/0)); });
    }

    // gloo has no such operation. Every rank sends each part to its owner, which adds them up in
    // the order of the ranks, while the next piece is on its way.
    void sumOwnPart(const at::Tensor& tensor) override
    {
        const at::Tensor parts = tensor.view({ size(), -1 });
        const std::int64_t most =
            std::max<std::int64_t>(kPiece / (size() * tensor.element_size()), 1);
        Piece before;
        for (std::int64_t begin = 0; begin < parts.size(1); begin += most) {
            std::swap(m_buffers.front(), m_buffers.back()); // the other one is on its way
            Piece next = sendPiece(parts, begin, std::min(most, parts.size(1) - begin));
            addUp(before, parts);
            before = std::move(next);
        }
        addUp(before, parts);
    }

    void gatherParts(const at::Tensor& tensor) override
    {
        at::Tensor all = tensor;
        at::Tensor own = partOf(tensor, rank(), size()).clone(); // may not be part of the result
        m_group->_allgather_base(all, own)->wait();
    }

    void collectRows(const at::Tensor& table) override
    {
        std::vector<at::Tensor> own { table[rank()].clone() };
        std::vector<std::vector<at::Tensor>> rows;
        if (rank() == 0)
            rows.push_back(table.unbind(/*dim=*/0));
        m_group->gather(rows, own)->wait();
    }

    void broadcast(const at::Tensor& tensor) override
    {
        std::vector<at::Tensor> tensors { tensor };
        m_group->broadcast(tensors)->wait();
    }

    // In a ring a rank sends each part but its own, and for a sum twice. Rank 0 and a tree send as
    // many bytes in all.
    std::int64_t bytesOfSum(std::int64_t bytes) const override { return 2 * bytesOfGather(bytes); }
    std::int64_t bytesOfOwnPart(std::int64_t bytes) const override { return bytesOfGather(bytes); }
    std::int64_t bytesOfGather(std::int64_t bytes) const override
    {
        return bytes * (size() - 1) / size();
    }

private:
    int rank() const { return m_group->getRank(); }
    int size() const { return m_group->getSize(); }

    // `reduce` writes the result of all rows, which only rank 0 has, and all get it.
    template <typename Reduce> void reduceOnFirst(const at::Tensor& tensor, const Reduce& reduce)
    {
        std::vector<std::int64_t> shape = tensor.sizes().vec();
        shape.insert(shape.begin(), size());
        const at::Tensor rows = at::empty(shape, tensor.options());
        rows[rank()].copy_(tensor);
        collectRows(rows);
        if (rank() == 0)
            reduce(rows);
        broadcast(tensor);
    }

    Piece sendPiece(const at::Tensor& parts, std::int64_t begin, std::int64_t values)
    {
        Piece piece { begin, bufferFor(parts, values, 0), bufferFor(parts, values, 1), {} };
        piece.sent.copy_(parts.narrow(/*dim=*/1, begin, values));
        std::vector<std::int64_t> equal;
        piece.work = m_group->alltoall_base(piece.received, piece.sent, equal, equal);
        return piece;
    }

    // [ranks, values]: one half of the front buffer. They are kept, because fresh memory of this
    // size costs as much as the sum.
    at::Tensor bufferFor(const at::Tensor& parts, std::int64_t values, std::int64_t half)
    {
        at::Tensor& buffer = m_buffers.front();
        const std::int64_t bytes = std::max(kPiece, size() * parts.element_size());
        if (!buffer.defined() || buffer.numel() < 2 * bytes)
            buffer = at::empty({ 2 * bytes }, at::kByte);
        return buffer.narrow(/*dim=*/0, half * bytes, size() * values * parts.element_size())
            .view(parts.scalar_type())
            .view({ size(), values });
    }

    void addUp(const Piece& piece, const at::Tensor& parts)
    {
        if (!piece.work)
            return;
        piece.work->wait();
        const at::Tensor sums =
            parts[rank()].narrow(/*dim=*/0, piece.begin, piece.received.size(1));
        sums.copy_(piece.received[0]);
        for (int other = 1; other < size(); ++other)
            sums.add_(piece.received[other]);
    }

    const c10::intrusive_ptr<Gloo> m_group;
    std::vector<c10::intrusive_ptr<c10d::Work>> m_begun; // sums, in their order
    std::array<at::Tensor, 2> m_buffers; // of pieces
};

} // namespace

std::unique_ptr<SocketExchange> SocketExchange::connect(const RankPlace& place,
    const c10::intrusive_ptr<c10d::Store>& store, std::chrono::milliseconds timeout,
    const GiveUp& giveUp)
{
    // gloo waits for a rank that was killed meanwhile as long as for a slow one.
    using Group = c10::intrusive_ptr<Gloo>;
    return std::make_unique<GlooExchange>(
        awaited<Group>([=] { return groupAt(place, store, timeout); }, giveUp));
}

} // namespace accrue
