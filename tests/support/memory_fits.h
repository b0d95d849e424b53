// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/memory_fit.h"

namespace accrue::test {

// A law by which each sample of a micro-batch needs `bytes`, and nothing else does, of a training
// set of 1,000.
inline MemoryFit fitOfSamples(std::int64_t bytes)
{
    MemoryFit fit;
    fit.law =
        fitMemoryLaw({ { MemoryPhase::Backward, 1, bytes }, { MemoryPhase::Backward, 2, 2 * bytes },
                         { MemoryPhase::Backward, 3, 3 * bytes } },
            /*granularity=*/64);
    fit.trainSamples = 1000;
    return fit;
}

} // namespace accrue::test
