// SPDX-License-Identifier: Apache-2.0
#include "engine/model/initialization.h"

#include <string_view>

#include <torch/nn/init.h>
#include <torch/nn/modules/conv.h>
#include <torch/utils.h>

namespace accrue {

void initializeNormal(torch::nn::Module& module, double sigma)
{
    const torch::NoGradGuard noGrad;
    for (auto& named : module.named_parameters()) {
        at::Tensor& parameter = named.value();
        if (parameter.dim() >= 2)
            parameter.normal_(/*mean=*/0, sigma);
        else if (std::string_view(named.key()).ends_with("bias"))
            parameter.zero_();
    }
}

void initializeConvolutionsByFanOut(torch::nn::Module& module)
{
    for (const auto& layer : module.modules(/*include_self=*/false))
        if (auto* convolution = layer->as<torch::nn::Conv2d>())
            torch::nn::init::kaiming_normal_(
                convolution->weight, /*a=*/0, torch::kFanOut, torch::kReLU);
}

} // namespace accrue
