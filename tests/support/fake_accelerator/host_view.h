// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

namespace accrue::fake {

// The same values as a tensor of the host, which LibTorch's kernels for the CPU read and write;
// what is no tensor of a fake device is returned as it is. Valid for as long as the block is.
at::Tensor hostView(const at::Tensor& tensor);
std::optional<at::Tensor> hostView(const std::optional<at::Tensor>& tensor);

// A copy in memory of `device`, with the same strides; what is undefined stays so.
at::Tensor onDevice(const at::Tensor& host, c10::Device device);

} // namespace accrue::fake
