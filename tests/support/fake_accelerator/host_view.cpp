// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_accelerator/host_view.h"

#include <ATen/ATen.h>

#include "tests/support/fake_accelerator/card.h"

namespace accrue::fake {

at::Tensor hostView(const at::Tensor& tensor)
{
    if (!tensor.defined() || !tensor.is_privateuseone())
        return tensor;
    const Card& owner = card(tensor.device());
    const void* const shown = tensor.const_data_ptr();
    TORCH_CHECK(tensor.numel() == 0 || owner.memory.contains(shown), "a tensor of ",
        tensor.device(), " lies at ", shown, ", which is not memory of it");
    return at::from_blob(tensor.numel() == 0 ? nullptr : owner.memory.ofKernels(shown),
        tensor.sizes(), tensor.strides(), tensor.options().device(c10::kCPU));
}

std::optional<at::Tensor> hostView(const std::optional<at::Tensor>& tensor)
{
    return tensor ? std::optional(hostView(*tensor)) : std::nullopt;
}

at::Tensor onDevice(const at::Tensor& host, c10::Device device)
{
    if (!host.defined())
        return host;
    at::Tensor made =
        at::empty_strided(host.sizes(), host.strides(), host.options().device(device));
    hostView(made).copy_(host);
    return made;
}

} // namespace accrue::fake
