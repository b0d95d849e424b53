// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Copies `from` into the tensors of `into` by name, across devices. Throws EngineError, before
// anything is copied, unless both have the same names, in any order, each once and with the same
// shape and type; the sentence begins with `owner`, "The optimizer's state".
void restoreTensors(const NamedTensors& into, const NamedTensors& from, const std::string& owner);

} // namespace accrue
