// SPDX-License-Identifier: Apache-2.0
#include "engine/training/model_weights.h"

#include <map>
#include <sstream>
#include <string_view>

#include <ATen/ATen.h>
#include <torch/utils.h>

#include "engine/door/engine_error.h"
#include "engine/experiment/shown_text.h"
#include "engine/training/checkpoint.h"
#include "engine/training/safetensors.h"

namespace accrue {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& problem)
{
    throw EngineError("\"" + file.string() + "\" does not fit the model: " + problem
        + "; model.name, model.norm and the other keys of the model must be those that the file "
          "was made with.");
}

std::string shapeText(at::IntArrayRef sizes)
{
    std::ostringstream text;
    text << sizes; // [6, 1, 5, 5]
    return text.str();
}

std::map<std::string, at::Tensor> byName(NamedTensors&& tensors)
{
    std::map<std::string, at::Tensor> named;
    for (auto& [name, tensor] : tensors)
        named.emplace(name, std::move(tensor));
    return named;
}

// What the file holds for `tensor`, in its type.
at::Tensor converted(const std::filesystem::path& file, const std::string& name,
    const at::Tensor& found, const at::Tensor& tensor)
{
    if (found.sizes() != tensor.sizes())
        fail(file,
            "\"" + name + "\" has the shape " + shapeText(found.sizes()) + ", the model's has "
                + shapeText(tensor.sizes()));
    if (found.is_floating_point() != tensor.is_floating_point())
        fail(file,
            "\"" + name + "\" is of type " + at::toString(found.scalar_type())
                + ", the model's is of type " + at::toString(tensor.scalar_type()));
    at::Tensor values = found.to(tensor.scalar_type());
    if (!at::isfinite(values).all().item<bool>())
        throw EngineError("\"" + file.string() + "\" holds values in \"" + name
            + "\" that are not finite, or too large for the run's precision; choose another file.");
    return values;
}

} // namespace

void loadWeights(Network& network, const std::filesystem::path& file)
{
    std::map<std::string, at::Tensor> found = byName(readSafetensors(file));
    std::vector<std::pair<at::Tensor, at::Tensor>> assignments; // to, from
    for (const auto& [name, tensor] : namedState(network)) {
        const auto entry = found.find(name);
        if (entry == found.end() && std::string_view(name).ends_with("num_batches_tracked"))
            continue;
        if (entry == found.end())
            fail(file, "it has no \"" + name + "\"");
        assignments.emplace_back(tensor, converted(file, name, entry->second, tensor));
        found.erase(entry);
    }
    if (!found.empty())
        fail(file,
            "it holds \"" + shortened(found.begin()->first) + "\", which the model does not have");
    const torch::NoGradGuard noGrad;
    for (auto& [to, from] : assignments)
        to.copy_(from);
}

} // namespace accrue
