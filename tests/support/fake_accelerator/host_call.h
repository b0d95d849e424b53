// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace accrue::fake {

// One call of an operator with tensors of a fake device, computed by LibTorch's kernel for the CPU
// on the same memory: what it writes into its arguments is written, and new results are copied into
// blocks of the device.
class HostCall {
public:
    HostCall(const c10::OperatorHandle& op, torch::jit::Stack& stack);

    void run();

private:
    void seeDevice(const at::Tensor& tensor, bool mayBeOnHost);
    void findDevice();
    void passHostViews();
    at::Tensor argument(const at::Tensor& tensor, bool written);
    void takeResized();
    c10::IValue result(std::size_t index, const c10::IValue& host) const;
    c10::IValue writtenArgument(const c10::AliasInfo& alias) const;

    const c10::OperatorHandle& m_op;
    torch::jit::Stack& m_stack;
    const std::vector<c10::IValue> m_arguments; // as they were given
    std::optional<c10::Device> m_device;
    struct Resized {
        at::Tensor given, host;
    };
    std::vector<Resized> m_resized; // were empty, and are to be written
};

// For all operators that have nothing of their own.
void computeOnHost(const c10::OperatorHandle& op, torch::jit::Stack* stack);

} // namespace accrue::fake
