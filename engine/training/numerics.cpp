// SPDX-License-Identifier: Apache-2.0
#include "engine/training/numerics.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

namespace accrue {

void setNumerics(const RunSettings& run)
{
    at::Context& torch = at::globalContext();
    torch.setDeterministicCuDNN(true);
    torch.setBenchmarkCuDNN(false);
    torch.setAllowTF32CuDNN(run.tf32);
    torch.setAllowTF32CuBLAS(run.tf32);
    torch.setDeterministicAlgorithms(run.deterministic, /*warn_only=*/false);
    torch.setDeterministicFillUninitializedMemory(false); // nothing reads what it did not write
}

NumericsScope::NumericsScope()
    : m_threads(at::get_num_threads())
    , m_deterministicCuDnn(at::globalContext().deterministicCuDNN())
    , m_benchmarkCuDnn(at::globalContext().benchmarkCuDNN())
    , m_tf32CuDnn(at::globalContext().allowTF32CuDNN())
    , m_tf32CuBlas(at::globalContext().allowTF32CuBLAS())
    , m_deterministic(at::globalContext().deterministicAlgorithms())
    , m_warnOnly(at::globalContext().deterministicAlgorithmsWarnOnly())
    , m_fillUninitialized(at::globalContext().deterministicFillUninitializedMemory())
{
}

NumericsScope::~NumericsScope()
{
    at::Context& torch = at::globalContext();
    torch.setDeterministicCuDNN(m_deterministicCuDnn);
    torch.setBenchmarkCuDNN(m_benchmarkCuDnn);
    torch.setAllowTF32CuDNN(m_tf32CuDnn);
    torch.setAllowTF32CuBLAS(m_tf32CuBlas);
    torch.setDeterministicAlgorithms(m_deterministic, m_warnOnly);
    torch.setDeterministicFillUninitializedMemory(m_fillUninitialized);
    at::set_num_threads(m_threads);
}

} // namespace accrue
