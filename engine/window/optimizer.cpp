// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer.h"

#include <array>

#include "engine/memory/memory_meter.h"

namespace accrue {

using OptimizerMaker = std::unique_ptr<Optimizer>(
    const OptimizerSettings&, const torch::nn::Module&);

// Each is in a file of its own, optimizer_NAME.cpp.
OptimizerMaker makeSgd;
OptimizerMaker makeAdam;
OptimizerMaker makeAdamW;
OptimizerMaker makeRmsprop;

// In the order of OptimizerName, like optimizerTable.
static constexpr std::array kOptimizers { makeSgd, makeAdam, makeAdamW, makeRmsprop };

std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const torch::nn::Module& module)
{
    std::unique_ptr<Optimizer> optimizer =
        kOptimizers.at(static_cast<std::size_t>(settings.name))(settings, module);
    for (const auto& [name, tensor] : optimizer->state())
        ownMemory(tensor, MemoryCategory::OptimizerState, name);
    return optimizer;
}

} // namespace accrue
