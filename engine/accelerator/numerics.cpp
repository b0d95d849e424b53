// SPDX-License-Identifier: Apache-2.0
#include "engine/accelerator/numerics.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

namespace accrue {

// cuDNN is always deterministic, because one seed must give the same bits on one device;
// run.deterministic also refuses operators of LibTorch that have no deterministic form.
// Benchmarking would choose algorithms by their time, which differs from run to run.
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
    : m_restore([&torch = at::globalContext(), threads = at::get_num_threads(),
                    deterministicCuDnn = at::globalContext().deterministicCuDNN(),
                    benchmarkCuDnn = at::globalContext().benchmarkCuDNN(),
                    tf32CuDnn = at::globalContext().allowTF32CuDNN(),
                    tf32CuBlas = at::globalContext().allowTF32CuBLAS(),
                    deterministic = at::globalContext().deterministicAlgorithms(),
                    warnOnly = at::globalContext().deterministicAlgorithmsWarnOnly(),
                    fill = at::globalContext().deterministicFillUninitializedMemory()] {
        torch.setDeterministicCuDNN(deterministicCuDnn);
        torch.setBenchmarkCuDNN(benchmarkCuDnn);
        torch.setAllowTF32CuDNN(tf32CuDnn);
        torch.setAllowTF32CuBLAS(tf32CuBlas);
        torch.setDeterministicAlgorithms(deterministic, warnOnly);
        torch.setDeterministicFillUninitializedMemory(fill);
        at::set_num_threads(threads);
    })
{
}

NumericsScope::~NumericsScope()
{
    m_restore();
}

} // namespace accrue
