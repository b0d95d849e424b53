// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/module.h>

namespace accrue {

// Weights of convolutions and linear layers from N(0, sigma), their biases 0. Norm layers keep
// weight 1 and bias 0. Draws from the global random state.
void initializeNormal(torch::nn::Module& module, double sigma);

} // namespace accrue
