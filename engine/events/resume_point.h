// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace accrue {

// Where a run that was interrupted or stopped continues; all 0: from its beginning.
struct ResumePoint {
    std::int64_t epoch = 0;
    std::int64_t step = 0; // updates done
    std::int64_t samples = 0;
    std::int64_t microBatches = 0; // done, also those of an unfinished window
    double seconds = 0;
};

} // namespace accrue
