// SPDX-License-Identifier: Apache-2.0
// Under autocast the same operators compute in the same types as on CUDA.
#include <ATen/autocast_mode.h>
#include <torch/library.h>

#define ACCRUE_LOWER(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, lower_precision_fp)
#define ACCRUE_FLOAT(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32)
#define ACCRUE_FLOAT_RESULT(...) KERNEL_PRIVATEUSEONE(__VA_ARGS__, fp32_set_opt_dtype)

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m)
{
    m.fallback(torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m)
{
    AT_FORALL_LOWER_PRECISION_FP(ACCRUE_LOWER)
    AT_FORALL_FP32(ACCRUE_FLOAT)
    AT_FORALL_FP32_SET_OPT_DTYPE(ACCRUE_FLOAT_RESULT)
}
