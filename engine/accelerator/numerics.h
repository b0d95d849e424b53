// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <functional>

namespace accrue {

// Makes this process compute as a run with these settings: same seed, same bits on one device, and
// float32 is float32 unless run.tf32 allows less. The number of threads is set by threads.h. cuBLAS
// needs no environment variable to repeat its sums: LibTorch gives it a workspace of fixed size for
// each stream.
void setNumerics(const RunSettings& run);

// Restores what setNumerics and at::set_num_threads change while it lives, for computations that
// are not the only ones of the process. Created and destroyed on the thread that computes.
class NumericsScope {
public:
    NumericsScope();
    ~NumericsScope();
    NumericsScope(const NumericsScope&) = delete;
    NumericsScope& operator=(const NumericsScope&) = delete;

private:
    const std::function<void()> m_restore;
};

} // namespace accrue
