// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/host_call.h"

#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include "tests/support/fake_accelerator/card.h"
#include "tests/support/fake_accelerator/host_view.h"

namespace accrue::fake {
namespace {

bool isWritten(const c10::Argument& argument)
{
    return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

std::vector<c10::IValue> lastOf(const torch::jit::Stack& stack, std::size_t count)
{
    return { stack.end() - static_cast<std::ptrdiff_t>(count), stack.end() };
}

} // namespace

HostCall::HostCall(const c10::OperatorHandle& op, torch::jit::Stack& stack)
    : m_op(op)
    , m_stack(stack)
    , m_arguments(lastOf(stack, op.schema().arguments().size()))
{
}

void HostCall::run()
{
    findDevice();
    TORCH_CHECK(m_device, m_op.schema().operator_name(), " was given nothing of a fake device");
    const c10::OptionalDeviceGuard guard(m_device);
    card(*m_device).beginComputing();
    const at::AutoDispatchBelowADInplaceOrView withoutGradients;
    passHostViews();
    // LibTorch drops the arguments before it returns those that were written, by reference.
    const std::vector<c10::IValue> passed = lastOf(m_stack, m_arguments.size());
    m_op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &m_stack);
    takeResized();
    const std::size_t count = m_op.schema().returns().size();
    for (std::size_t index = 0; index < count; ++index) {
        c10::IValue& returned = m_stack[m_stack.size() - count + index];
        returned = result(index, returned);
    }
}

// All on one device, but for numbers on the host, as kernels for CUDA demand it.
void HostCall::seeDevice(const at::Tensor& tensor, bool mayBeOnHost)
{
    if (!tensor.defined() || (tensor.is_cpu() && (mayBeOnHost || tensor.dim() == 0)))
        return;
    if (!m_device)
        m_device = tensor.device();
    TORCH_CHECK(tensor.device() == *m_device,
        "Expected all tensors to be on the same device, but found at least two devices, ",
        *m_device, " and ", tensor.device(), ", in ", m_op.schema().operator_name());
}

void HostCall::findDevice()
{
    for (const c10::IValue& value : m_arguments)
        if (value.isDevice())
            m_device = value.toDevice();
        else if (value.isTensor())
            seeDevice(value.toTensor(), /*mayBeOnHost=*/false);
        else if (value.isTensorList())
            for (const at::Tensor& tensor : value.toTensorVector())
                seeDevice(tensor, /*mayBeOnHost=*/false);
        else if (value.isOptionalTensorList()) // indices
            for (const auto& tensor : value.toOptionalTensorVector())
                seeDevice(tensor.value_or(at::Tensor()), /*mayBeOnHost=*/true);
}

void HostCall::passHostViews()
{
    const std::size_t first = m_stack.size() - m_arguments.size();
    for (std::size_t index = 0; index < m_arguments.size(); ++index) {
        const c10::IValue& value = m_arguments[index];
        const bool written = isWritten(m_op.schema().arguments()[index]);
        c10::IValue& passed = m_stack[first + index];
        if (value.isDevice())
            passed = c10::Device(c10::kCPU);
        else if (value.isTensor())
            passed = argument(value.toTensor(), written);
        else if (value.isTensorList()) {
            c10::List<at::Tensor> views;
            for (const at::Tensor& tensor : value.toTensorVector())
                views.push_back(argument(tensor, written));
            passed = std::move(views);
        } else if (value.isOptionalTensorList()) {
            c10::List<std::optional<at::Tensor>> views;
            for (const auto& tensor : value.toOptionalTensorVector())
                views.push_back(hostView(tensor));
            passed = std::move(views);
        }
    }
}

at::Tensor HostCall::argument(const at::Tensor& tensor, bool written)
{
    if (!written || !tensor.defined() || tensor.numel() > 0)
        return hostView(tensor);
    m_resized.push_back({ tensor, at::empty(tensor.sizes(), tensor.options().device(at::kCPU)) });
    return m_resized.back().host;
}

void HostCall::takeResized()
{
    for (const auto& [given, host] : m_resized) {
        given.resize_(host.sizes());
        hostView(given).copy_(host);
    }
}

c10::IValue HostCall::result(std::size_t index, const c10::IValue& host) const
{
    const c10::AliasInfo* const alias = m_op.schema().returns()[index].alias_info();
    if (alias != nullptr && alias->isWrite())
        return writtenArgument(*alias);
    TORCH_CHECK(alias == nullptr, m_op.schema().operator_name(),
        " returns a view, which the fake device has no operator for");
    if (host.isTensor())
        return onDevice(host.toTensor(), *m_device);
    if (!host.isTensorList())
        return host;
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : host.toTensorVector())
        list.push_back(onDevice(tensor, *m_device));
    return list;
}

c10::IValue HostCall::writtenArgument(const c10::AliasInfo& alias) const
{
    for (std::size_t index = 0; index < m_arguments.size(); ++index)
        if (const auto* own = m_op.schema().arguments()[index].alias_info();
            own != nullptr && *own == alias)
            return m_arguments[index];
    TORCH_CHECK(false, m_op.schema().operator_name(), " returns what it was not given");
}

void computeOnHost(const c10::OperatorHandle& op, torch::jit::Stack* stack)
{
    HostCall(op, *stack).run();
}

} // namespace accrue::fake

TORCH_LIBRARY_IMPL(_, PrivateUse1, library)
{
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&accrue::fake::computeOnHost>());
}

// LibTorch composes these of others where a device has none; the CPU has some, of other bits.
TORCH_LIBRARY_IMPL(aten, PrivateUse1, library)
{
    for (const char* name : { "native_group_norm", "native_group_norm_backward" })
        library.impl(
            name, torch::CppFunction::makeFromBoxedFunction<&accrue::fake::computeOnHost>());
}
