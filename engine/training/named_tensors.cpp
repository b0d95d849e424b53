// SPDX-License-Identifier: Apache-2.0
#include "engine/training/named_tensors.h"

#include "engine/door/engine_error.h"

#include <algorithm>
#include <sstream>

#include <ATen/core/grad_mode.h>

namespace accrue {
namespace {

// "float32 [2, 3]"
std::string described(const at::Tensor& tensor)
{
    std::ostringstream text;
    text << tensor.scalar_type() << ' ' << tensor.sizes();
    return text.str();
}

bool has(const NamedTensors& tensors, const std::string& name)
{
    return std::any_of(
        tensors.begin(), tensors.end(), [&name](const auto& entry) { return entry.first == name; });
}

const at::Tensor& only(
    const NamedTensors& tensors, const std::string& name, const std::string& owner)
{
    const auto isNamed = [&name](const auto& entry) { return entry.first == name; };
    const auto found = std::find_if(tensors.begin(), tensors.end(), isNamed);
    if (found == tensors.end())
        throw EngineError(owner + " has no " + name + ".");
    if (std::find_if(found + 1, tensors.end(), isNamed) != tensors.end())
        throw EngineError(owner + " has " + name + " twice.");
    return found->second;
}

} // namespace

void restoreTensors(const NamedTensors& into, const NamedTensors& from, const std::string& owner)
{
    std::vector<at::Tensor> sources;
    sources.reserve(into.size());
    for (const auto& [name, tensor] : into) {
        sources.push_back(only(from, name, owner));
        const at::Tensor& source = sources.back();
        if (source.sizes() != tensor.sizes() || source.scalar_type() != tensor.scalar_type())
            throw EngineError(owner + " has " + name + " as " + described(source)
                + "; this run needs " + described(tensor) + ".");
    }
    for (const auto& [name, tensor] : from)
        if (!has(into, name))
            throw EngineError(owner + " has " + name + ", which this run does not keep.");

    const at::NoGradGuard noGrad;
    for (std::size_t index = 0; index < into.size(); ++index)
        into[index].second.copy_(sources[index]);
}

} // namespace accrue
