// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace accrue {

// What ranks exchange that each have a device of their own, from device to device: the calls of a
// c10d backend, such as NCCL, and waiting for them. Tensors are contiguous, on the rank's device
// and alike on all ranks. All calls block until the device has exchanged the values. One thread.
class DeviceExchange {
public:
    // `checkOthers` is called again and again while a call waits; it throws if a rank has ended,
    // whose kernels the others would wait for. A call that waits longer than the timeout throws.
    DeviceExchange(c10::intrusive_ptr<c10d::Backend> backend, std::chrono::milliseconds timeout,
        std::function<void()> checkOthers);

    void setTimeout(std::chrono::milliseconds timeout) { m_timeout = timeout; }

    void sum(const at::Tensor& tensor);
    void largest(const at::Tensor& tensor); // of bytes
    // `tensor` consists of equal parts, one for each rank: replaces the own by its sum, and all but
    // the own.
    void sumOwnPart(const at::Tensor& tensor);
    void gatherParts(const at::Tensor& tensor);

private:
    void reduce(const at::Tensor& tensor, const c10d::ReduceOp& operation);
    at::Tensor ownPart(const at::Tensor& tensor) const;
    void await(const c10::intrusive_ptr<c10d::Work>& work);

    const c10::intrusive_ptr<c10d::Backend> m_backend;
    std::chrono::milliseconds m_timeout;
    const std::function<void()> m_checkOthers;
};

} // namespace accrue
