// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "engine/distributed/rank_exchange.h"

namespace accrue {

// What ranks exchange that each have a device of their own, from device to device: the calls of a
// c10d backend, such as NCCL, and waiting for them. Tensors are on the rank's device. All calls
// block until the device has exchanged the values.
class DeviceExchange final : public RankExchange {
public:
    // `checkOthers` is called again and again while a call waits; it throws if a rank has ended,
    // whose kernels the others would wait for. A call that waits longer than the timeout throws.
    DeviceExchange(c10::intrusive_ptr<c10d::Backend> backend, std::chrono::milliseconds timeout,
        std::function<void()> checkOthers);

    void setTimeout(std::chrono::milliseconds timeout) override { m_timeout = timeout; }
    void sum(const at::Tensor& tensor) override;
    std::int64_t bytesToOverlap() override;
    void beginSum(const at::Tensor& tensor) override;
    void finishSums() override;
    void any(const at::Tensor& flags) override;
    void sumOwnPart(const at::Tensor& tensor) override;
    void gatherParts(const at::Tensor& tensor) override;

    // Around a ring.
    std::int64_t bytesOfSum(std::int64_t bytes) const override { return 2 * bytesOfGather(bytes); }
    std::int64_t bytesOfOwnPart(std::int64_t bytes) const override { return bytesOfGather(bytes); }
    std::int64_t bytesOfGather(std::int64_t bytes) const override;

private:
    using Work = c10::intrusive_ptr<c10d::Work>;
    Work reduce(const at::Tensor& tensor, const c10d::ReduceOp& operation);
    at::Tensor ownPart(const at::Tensor& tensor) const;
    void await(const Work& work);

    const c10::intrusive_ptr<c10d::Backend> m_backend;
    std::chrono::milliseconds m_timeout;
    const std::function<void()> m_checkOthers;
    std::vector<Work> m_begun; // sums, in their order
};

} // namespace accrue
