// SPDX-License-Identifier: Apache-2.0
#include "engine/model/named_tensors.h"

#include <algorithm>
#include <sstream>

#include <ATen/ATen.h>
#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/base/error.h"
#include "engine/base/shown_text.h"

namespace accrue {
namespace {

// "float32 [2, 3]"
std::string described(const at::Tensor& tensor)
{
    std::ostringstream text;
    text << tensor.scalar_type() << ' ' << tensor.sizes();
    return text.str();
}

// A linear search for each name: a state has some hundred tensors, and is checked once per run.
std::ptrdiff_t countOf(const NamedTensors& tensors, const std::string& name)
{
    return std::count_if(
        tensors.begin(), tensors.end(), [&name](const auto& entry) { return entry.first == name; });
}

void checkOne(
    const std::string& name, const at::Tensor& into, const NamedTensors& from, const Message& owner)
{
    if (const std::ptrdiff_t count = countOf(from, name); count != 1)
        throw Error(Message(count == 0 ? "model.tensor_missing" : "model.tensor_twice",
            { { "owner", owner }, { "tensor", name } }));
    const at::Tensor& source = tensorOf(from, name);
    if (source.sizes() != into.sizes() || source.scalar_type() != into.scalar_type())
        throw Error(Message("model.tensor_differs",
            { { "owner", owner }, { "tensor", name }, { "found", described(source) },
                { "needed", described(into) } }));
}

} // namespace

const at::Tensor& tensorOf(const NamedTensors& tensors, const std::string& name)
{
    for (const auto& [key, tensor] : tensors)
        if (key == name)
            return tensor;
    throw Error(Message("model.checkpoint_lacks_tensor", { { "tensor", name } }));
}

NamedTensors tensorsBelow(const NamedTensors& tensors, const std::string& prefix)
{
    NamedTensors found;
    for (const auto& [name, tensor] : tensors)
        if (name.rfind(prefix, 0) == 0)
            found.emplace_back(name, tensor);
    return found;
}

NamedTensors namedState(const torch::nn::Module& module)
{
    NamedTensors state = namedParameters(module);
    // Detached tensors share the module's memory, so that copyValues changes the module.
    for (auto& [name, parameter] : state)
        parameter = parameter.detach();
    const NamedTensors buffers = namedBuffers(module);
    state.insert(state.end(), buffers.begin(), buffers.end());
    return state;
}

NamedTensors namedParameters(const torch::nn::Module& module)
{
    NamedTensors parameters;
    for (const auto& parameter : module.named_parameters())
        parameters.emplace_back(parameter.key(), parameter.value());
    return parameters;
}

NamedTensors namedBuffers(const torch::nn::Module& module)
{
    NamedTensors buffers;
    for (const auto& buffer : module.named_buffers())
        buffers.emplace_back(buffer.key(), buffer.value().detach());
    return buffers;
}

NamedTensors cloned(const NamedTensors& tensors)
{
    NamedTensors clones = tensors;
    for (auto& [name, tensor] : clones)
        tensor = tensor.detach().clone();
    return clones;
}

NamedTensors clonedToHost(const NamedTensors& tensors)
{
    const torch::NoGradGuard noGrad;
    NamedTensors clones;
    clones.reserve(tensors.size());
    for (const auto& [name, tensor] : tensors)
        // A copy in any case: a tensor that is on the CPU already would be shared with the
        // training.
        clones.emplace_back(name,
            tensor.detach().to(
                at::kCPU, tensor.scalar_type(), /*non_blocking=*/false, /*copy=*/true));
    return clones;
}

void checkSameLayout(const NamedTensors& into, const NamedTensors& from, const Message& owner)
{
    for (const auto& [name, tensor] : into)
        checkOne(name, tensor, from, owner);
    // A tensor that is not needed shows that the state is one of another model.
    for (const auto& entry : from)
        if (countOf(into, entry.first) == 0)
            throw Error(Message("model.tensor_unknown",
                { { "owner", owner }, { "tensor", shortened(entry.first) } }));
}

void copyValues(const NamedTensors& into, const NamedTensors& from)
{
    const torch::NoGradGuard noGrad;
    for (const auto& [name, tensor] : into)
        tensor.copy_(tensorOf(from, name));
}

void restoreTensors(const NamedTensors& into, const NamedTensors& from, const Message& owner)
{
    // All are checked before the first one changes.
    checkSameLayout(into, from, owner);
    copyValues(into, from);
}

} // namespace accrue
