// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer.h"

#include <algorithm>
#include <iterator>

#include "engine/base/error.h"
#include "engine/memory/memory_meter.h"

namespace accrue {

using OptimizerMaker = std::unique_ptr<Optimizer>(
    const OptimizerSettings&, const torch::nn::Module&);

// Each is in a file of its own, optimizer_NAME.cpp.
OptimizerMaker makeSgd;
OptimizerMaker makeAdam;
OptimizerMaker makeAdamW;
OptimizerMaker makeRmsprop;

namespace {

struct Entry {
    OptimizerName name;
    OptimizerMaker* make;
};

constexpr Entry kOptimizers[] = {
    { OptimizerName::Sgd, makeSgd },
    { OptimizerName::Adam, makeAdam },
    { OptimizerName::AdamW, makeAdamW },
    { OptimizerName::Rmsprop, makeRmsprop },
};

} // namespace

std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const torch::nn::Module& module)
{
    const auto* const entry = std::find_if(std::begin(kOptimizers), std::end(kOptimizers),
        [&](const Entry& each) { return each.name == settings.name; });
    if (entry == std::end(kOptimizers))
        throw Error(Message("window.unknown_optimizer"));
    std::unique_ptr<Optimizer> optimizer = entry->make(settings, module);
    for (const auto& [name, tensor] : optimizer->state())
        ownMemory(tensor, MemoryCategory::OptimizerState, name);
    return optimizer;
}

} // namespace accrue
