// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/descriptor.h"
#include "engine/distributed/rank_exchange.h"
#include "engine/door/run_control.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// What the ranks of one machine exchange, through memory that they share: a sum of 250 KB takes
// less than a tenth of its time through sockets, and an agreement a hundredth. Tensors of any size
// pass through it piece by piece. Sums add the ranks in their order. The memory has no name in any
// file system, so it is gone with the last rank, however that ends. Tensors are on the CPU, of
// float, double, int64 or byte.
class LocalExchange final : public RankExchange {
public:
    // Called while a rank waits for the others, if one of them has ended or has not come within the
    // timeout; throws.
    using Lost = std::function<void()>;

    // On rank 0, with `invitation` for the others. Null: it cannot.
    static std::unique_ptr<LocalExchange> create(int ranks, Lost lost, std::string& invitation);
    // On the others, while rank 0 lives. Null: the memory cannot be seen from here, for example
    // from another container.
    static std::unique_ptr<LocalExchange> open(
        const std::string& invitation, int rank, int ranks, Lost lost);
    ~LocalExchange() override;
    LocalExchange(const LocalExchange&) = delete;
    LocalExchange& operator=(const LocalExchange&) = delete;

    void setTimeout(std::chrono::milliseconds timeout) override { m_timeout = timeout; }
    void sum(const at::Tensor& tensor) override;
    void any(const at::Tensor& flags) override; // of at most kMostRanks
    void sumOwnPart(const at::Tensor& tensor) override; // with the bits of sum()
    void gatherParts(const at::Tensor& tensor) override;

    // A rank writes its values, and its share of a sum.
    std::int64_t bytesOfSum(std::int64_t bytes) const override { return bytes + bytes / m_ranks; }
    std::int64_t bytesOfOwnPart(std::int64_t bytes) const override { return bytes; }
    std::int64_t bytesOfGather(std::int64_t bytes) const override { return bytes / m_ranks; }

    static constexpr int kMostRanks = 255; // that a byte can count
    std::vector<int> ended() const; // other ranks, whose processes have ended
    // A word of each rank, zero at first, in the same memory; they may outlive this. Null: they
    // cannot be mapped.
    std::shared_ptr<ProgressWord[]> progressWords() const;

private:
    LocalExchange(int rank, int ranks, Descriptor file, void* memory, Lost lost);
    static std::unique_ptr<LocalExchange> map(Descriptor file, int rank, int ranks, Lost lost);

    std::byte* slotOf(int rank) const;
    std::byte* result() const { return slotOf(m_ranks); }
    template <typename Value> void sumPieces(Value* values, std::int64_t count);
    template <typename Value> void sumPiecesOfPart(Value* values, std::int64_t part);
    template <typename Value> void addUp(Value* sums, std::int64_t from, std::int64_t to) const;
    void meet();
    void awaitRank(int rank, std::uint64_t arrivals);
    bool hasEnded(int rank) const;

    const int m_rank;
    const int m_ranks;
    const Descriptor m_file; // with a lock of this rank, which ends with its process
    void* const m_memory;
    const Lost m_lost;
    const bool m_maySpin; // every rank has a core
    std::chrono::milliseconds m_timeout { 300'000 };
    std::uint64_t m_meetings = 0;
};

} // namespace accrue
