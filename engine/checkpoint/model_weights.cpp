// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/model_weights.h"

#include <map>
#include <sstream>
#include <string_view>

#include <ATen/ATen.h>
#include <torch/utils.h>

#include "engine/base/error.h"
#include "engine/base/shown_text.h"
#include "engine/checkpoint/safetensors.h"

namespace accrue {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const Message& problem)
{
    throw Error(Message("checkpoint.weights_unfit", { { "file", file }, { "problem", problem } }));
}

std::string shapeText(at::IntArrayRef sizes)
{
    std::ostringstream text;
    text << sizes; // [6, 1, 5, 5]
    return text.str();
}

// The file's values for `tensor`, converted to its type.
at::Tensor converted(const std::filesystem::path& file, const std::string& name,
    const at::Tensor& found, const at::Tensor& tensor)
{
    if (found.sizes() != tensor.sizes())
        fail(file,
            Message("checkpoint.weights_shape",
                { { "tensor", name }, { "found", shapeText(found.sizes()) },
                    { "needed", shapeText(tensor.sizes()) } }));
    // A conversion between whole numbers and floating point would hide that this is the wrong
    // tensor.
    if (found.is_floating_point() != tensor.is_floating_point())
        fail(file,
            Message("checkpoint.weights_type",
                { { "tensor", name }, { "found", at::toString(found.scalar_type()) },
                    { "needed", at::toString(tensor.scalar_type()) } }));
    // Judged after the conversion: a large float64 may be infinite in float32.
    at::Tensor values = found.to(tensor.scalar_type());
    if (!at::isfinite(values).all().item<bool>())
        throw Error(
            Message("checkpoint.weights_not_finite", { { "tensor", name }, { "file", file } }));
    return values;
}

} // namespace

// In two passes, so that a file that does not fit changes no parameter. Entries that are used are
// erased from `found`, so those left at the end are unknown to the network.
void loadWeights(Network& network, const std::filesystem::path& file)
{
    const NamedTensors stored = readSafetensors(file);
    std::map<std::string, at::Tensor> found(stored.begin(), stored.end());
    std::vector<std::pair<at::Tensor, at::Tensor>> assignments; // to, from
    for (const auto& [name, tensor] : namedState(network)) {
        const auto entry = found.find(name);
        if (entry == found.end() && std::string_view(name).ends_with("num_batches_tracked"))
            continue;
        if (entry == found.end())
            fail(file, Message("checkpoint.weights_missing", { { "tensor", name } }));
        assignments.emplace_back(tensor, converted(file, name, entry->second, tensor));
        found.erase(entry);
    }
    if (!found.empty())
        fail(file,
            Message(
                "checkpoint.weights_unknown", { { "tensor", shortened(found.begin()->first) } }));
    const torch::NoGradGuard noGrad;
    for (auto& [to, from] : assignments)
        to.copy_(from);
}

} // namespace accrue
