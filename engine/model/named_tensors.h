// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Throws EngineError where there is none of that name.
const at::Tensor& tensorOf(const NamedTensors& tensors, const std::string& name);
// Those whose name begins with `prefix`.
NamedTensors tensorsBelow(const NamedTensors& tensors, const std::string& prefix);
// Copies in host memory, that nobody else changes. Blocks.
NamedTensors clonedToHost(const NamedTensors& tensors);

// Throws EngineError unless both have the same names, in any order, each once and with the same
// shape and type; the sentence begins with `owner`, "The optimizer's state". Nothing is changed.
void checkSameLayout(const NamedTensors& into, const NamedTensors& from, const std::string& owner);
// Copies `from` into the tensors of `into` by name, across devices; both passed checkSameLayout.
void copyValues(const NamedTensors& into, const NamedTensors& from);
// Both, so that nothing is copied where something does not fit.
void restoreTensors(const NamedTensors& into, const NamedTensors& from, const std::string& owner);

} // namespace accrue
