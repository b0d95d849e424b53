// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include <ATen/core/Tensor.h>

namespace accrue {

// A way on which ranks exchange tensors: sockets, memory that they share, or their devices.
//
// Tensors are contiguous, alike on all ranks, and replaced in place. Every rank makes the same
// calls in the same order, from one thread. The calls block until all have made them, at most for
// the timeout, and throw std::exception if a rank is lost. Results have the same bits on all ranks.
class RankExchange {
public:
    RankExchange() = default;
    virtual ~RankExchange() = default;
    RankExchange(const RankExchange&) = delete;
    RankExchange& operator=(const RankExchange&) = delete;

    virtual void setTimeout(std::chrono::milliseconds timeout) = 0;
    virtual void sum(const at::Tensor& tensor) = 0;
    // As World has them.
    virtual std::int64_t bytesToOverlap() { return 0; }
    virtual void beginSum(const at::Tensor& tensor) { sum(tensor); }
    virtual void finishSums() { }
    // Of bytes that are 0 or 1: whether any rank's is 1.
    virtual void any(const at::Tensor& flags) = 0;
    // `tensor` consists of equal parts, one for each rank: replaces the own by its sum; the others
    // have no meaning afterwards.
    virtual void sumOwnPart(const at::Tensor& tensor) = 0;
    // Likewise: replaces all but the own.
    virtual void gatherParts(const at::Tensor& tensor) = 0;

    // What a rank sends of a tensor of so many bytes, in the mean of all.
    virtual std::int64_t bytesOfSum(std::int64_t bytes) const = 0;
    virtual std::int64_t bytesOfOwnPart(std::int64_t bytes) const = 0;
    virtual std::int64_t bytesOfGather(std::int64_t bytes) const = 0;

    // Of a tensor that consists of equal parts of so many ranks.
    static at::Tensor partOf(const at::Tensor& tensor, std::int64_t rank, std::int64_t ranks);
};

} // namespace accrue
