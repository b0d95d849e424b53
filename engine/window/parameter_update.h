// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/clipping.h"
#include "engine/window/optimizer.h"
#include "engine/window/parameter_holder.h"
#include "engine/window/world.h"

#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// What is done with the gradient of a window: its norm, clipping, the optimizer's step. Of the
// parts that this rank updates, each with an optimizer of its own, since LibTorch's take the
// tensors of one device. One thread.
class ParameterUpdate {
public:
    // Borrowed: `holder` and `world`.
    ParameterUpdate(const OptimizerSettings& settings, ParameterHolder& holder, World& world);

    void unscale(double lossScale); // divides the gradient by it
    // Of the whole gradient, also if this rank has parts of it; scalar on the device.
    at::Tensor norm() const;
    void clip(const at::Tensor& norm);
    void step(double learningRate, const at::Tensor& refused); // as Optimizer::step
    void stepWasRefused();

    // The state of one optimizer of all parameters, whatever the parts; see ParameterHolder.
    NamedTensors state() const;
    void restore(const NamedTensors& saved);

private:
    struct Part {
        at::Tensor gradient;
        Clipping clipping;
        std::unique_ptr<Optimizer> optimizer;
    };

    ParameterHolder& m_holder;
    World& m_world;
    std::vector<Part> m_parts;
};

} // namespace accrue
