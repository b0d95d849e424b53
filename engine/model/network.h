// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <torch/nn/module.h>

namespace accrue {

// What a model is built for: the pictures of a data set and its classes.
struct PictureShape {
    std::int64_t channels = 1;
    std::int64_t height = 28;
    std::int64_t width = 28;
    std::int64_t classes = 10;
};

// A classifier of pictures. Parameters and buffers carry the names of docs/recipes.md's models.
class Network : public torch::nn::Module {
public:
    // Pictures [b, channels, height, width] to logits [b, classes].
    virtual at::Tensor forward(const at::Tensor& images) = 0;
};

} // namespace accrue
