// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace torch::nn {
class Module;
}

namespace accrue {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Throws Error if no tensor has that name.
const at::Tensor& tensorOf(const NamedTensors& tensors, const std::string& name);
// The tensors whose names begin with `prefix`.
NamedTensors tensorsBelow(const NamedTensors& tensors, const std::string& prefix);
// Parameters and buffers of a module, by name, as they live on its device.
NamedTensors namedState(const torch::nn::Module& module);
NamedTensors namedBuffers(const torch::nn::Module& module);
// The parameters themselves, not detached.
NamedTensors namedParameters(const torch::nn::Module& module);
NamedTensors cloned(const NamedTensors& tensors); // copies on the same devices
// Copies in host memory that nobody else changes. Blocks.
NamedTensors clonedToHost(const NamedTensors& tensors);

// Throws Error unless both have the same names, in any order, each once and with the same shape and
// type. `owner` is the subject of the message, such as "The optimizer's state". Changes nothing.
void checkSameLayout(const NamedTensors& into, const NamedTensors& from, const Message& owner);
// Copies `from` into the tensors of `into` by name, across devices; both passed checkSameLayout.
void copyValues(const NamedTensors& into, const NamedTensors& from);
// Does both, so that nothing is copied if something does not fit.
void restoreTensors(const NamedTensors& into, const NamedTensors& from, const Message& owner);

} // namespace accrue
