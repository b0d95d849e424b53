// SPDX-License-Identifier: Apache-2.0
#include "engine/model/initialization.h"

#include <torch/utils.h>

namespace accrue {

void initializeNormal(torch::nn::Module& module, double sigma)
{
    const torch::NoGradGuard noGrad;
    for (auto& named : module.named_parameters()) {
        at::Tensor& parameter = named.value();
        const bool isNorm = named.key().rfind("norm", 0) == 0;
        if (parameter.dim() >= 2)
            parameter.normal_(/*mean=*/0, sigma);
        else if (!isNorm)
            parameter.zero_();
    }
}

} // namespace accrue
