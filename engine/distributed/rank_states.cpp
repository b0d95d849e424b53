// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_states.h"

#include <algorithm>
#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <torch/utils.h>

namespace accrue {
namespace {

std::string prefixOf(int rank)
{
    return "rank" + std::to_string(rank) + ".";
}

bool isOfAnotherRank(const std::string& name)
{
    const std::size_t end = name.find_first_not_of("0123456789", 4);
    return name.starts_with("rank") && end > 4 && end < name.size() && name[end] == '.';
}

} // namespace

void takeValuesOfFirst(World& world, const NamedTensors& tensors)
{
    if (world.size() == 1)
        return;
    const torch::NoGradGuard noGradient;
    for (const auto& [name, tensor] : tensors) {
        if (world.rank() != 0)
            tensor.zero_();
        world.sum(tensor);
    }
}

// A sum to which the other ranks add zeros carries the tensor of one rank to all.
NamedTensors statesOfAll(World& world, const NamedTensors& mine)
{
    NamedTensors all = clonedToHost(mine);
    for (int rank = 1; rank < world.size(); ++rank)
        for (const auto& [name, tensor] : mine) {
            at::Tensor sent = world.rank() == rank ? tensor.clone() : at::zeros_like(tensor);
            world.sum(sent);
            if (world.rank() == 0)
                all.emplace_back(prefixOf(rank) + name, sent.cpu());
        }
    return all;
}

int ranksIn(const NamedTensors& saved)
{
    int ranks = 1;
    while (!tensorsBelow(saved, prefixOf(ranks)).empty())
        ++ranks;
    return ranks;
}

NamedTensors stateOf(int rank, const NamedTensors& saved)
{
    NamedTensors own;
    for (const auto& [name, tensor] : saved)
        if (!isOfAnotherRank(name))
            own.emplace_back(name, tensor);
    for (auto& [name, tensor] : own) {
        const std::string full = prefixOf(rank) + name;
        const auto found = std::find_if(
            saved.begin(), saved.end(), [&](const auto& entry) { return entry.first == full; });
        if (found != saved.end())
            tensor = found->second;
    }
    return own;
}

} // namespace accrue
