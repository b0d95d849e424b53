// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/nn/module.h>

namespace accrue {

// Both draw from the global random state.

// Weights of convolutions and linear layers from N(0, sigma), their biases 0. Norm layers keep
// weight 1 and bias 0.
void initializeNormal(torch::nn::Module& module, double sigma);

// Weights of convolutions as torchvision's residual networks begin: N(0, 2 / (outputs · k · k)).
void initializeConvolutionsByFanOut(torch::nn::Module& module);

} // namespace accrue
