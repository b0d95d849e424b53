// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

namespace accrue {

// Makes this process compute as a run of these settings does: same seed, same bits on one device,
// and float32 is float32 unless run.tf32 allows less. The number of threads is threads.h's. With
// run.deterministic it fixes cuBLAS's workspace, too.
void setNumerics(const RunSettings& run);

// cuBLAS repeats its sums only with workspaces of fixed size. Sets CUBLAS_WORKSPACE_CONFIG, unless
// the user has, for as long as the process lives: cuBLAS reads it with its first product only, so
// nothing puts it back.
void fixCuBlasWorkspace();

// Puts back what setNumerics and at::set_num_threads change while it lives, but for
// fixCuBlasWorkspace, for computations that are not the process's only ones. Made and destroyed on
// the thread that computes.
class NumericsScope {
public:
    NumericsScope();
    ~NumericsScope();
    NumericsScope(const NumericsScope&) = delete;
    NumericsScope& operator=(const NumericsScope&) = delete;

private:
    const int m_threads;
    const bool m_deterministicCuDnn;
    const bool m_benchmarkCuDnn;
    const bool m_tf32CuDnn;
    const bool m_tf32CuBlas;
    const bool m_deterministic;
    const bool m_warnOnly;
    const bool m_fillUninitialized;
};

} // namespace accrue
