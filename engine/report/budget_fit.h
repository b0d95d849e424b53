// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/experiment/resolved.h"
#include "engine/insight/memory_fit.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace accrue {

// A micro-batch that follows the memory budget, solved before the run begins.

// The stored memory model of the request's experiment with a proof for its budget, or one that is
// measured, proved and stored now. One that cannot be stored is measured again next time. Blocks as
// Engine::fit does.
MemoryFit provedFit(Engine& engine, const FitRequest& request, RunControl& control,
    const FitProgressSink& progress);

struct FittedExperiment {
    ResolvedExperiment resolved; // as Engine::train accepts it, if there is no problem
    std::int64_t largest = 0; // samples that fit the budget; 0: b does not follow one
    // The measurements that solved it. Its problem may also be that not even one sample fits, or
    // that B cannot be split like that.
    MemoryFit fit {};
};

// `asked` with its b solved if that follows the memory budget (batch_plan.h), as real windows prove
// now or have proved; other experiments unchanged. Blocks as Engine::fit does.
FittedExperiment fittedToBudget(Engine& engine, const ResolvedExperiment& asked,
    const std::vector<std::filesystem::path>& dataDirectories, RunControl& control,
    const FitProgressSink& progress);

} // namespace accrue
