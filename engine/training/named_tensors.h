// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

} // namespace accrue
