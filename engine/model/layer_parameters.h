// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ATen/core/Tensor.h>

namespace accrue {

// Provides the parameters of a network whose values are not in the device's memory all the time.
// Layers are numbered in the order of Network::layers(). On the thread that computes.
class LayerParameters {
public:
    // The layer is about to compute. Its parameters have their values until another layer begins.
    virtual void beginLayer(std::size_t layer) = 0;
    // It has computed `output`, whose backward pass needs them again.
    virtual void endLayer(std::size_t layer, const at::Tensor& output) = 0;

protected:
    ~LayerParameters() = default;
};

} // namespace accrue
