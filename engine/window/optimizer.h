// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/named_tensors.h"

#include <memory>

#include <ATen/core/Tensor.h>

namespace accrue {

// Applies one window's gradient. State and scratch are allocated at construction, so that a step
// allocates nothing: memory cannot run out in the middle of an update. Where LibTorch has a fused
// operator, a step is one pass over the parameters on the CPU and one kernel on CUDA; two where
// some parameters are left out of the weight decay. One thread.
class Optimizer {
public:
    virtual ~Optimizer() = default;

    // `refused`: float32 scalar on the device; where it is 1 nothing changes, neither parameters
    // nor state.
    virtual void step(double learningRate, const at::Tensor& refused) = 0;
    // The host has learned that a step was refused; called once for each.
    virtual void stepWasRefused() { }

    // What a checkpoint holds, by name; the tensors are the live ones.
    virtual NamedTensors state() const = 0;
    // Goes on, bit for bit, where the optimizer with that state() was, its first step's rule
    // included. Takes tensors of any device. Throws Error, before anything is changed, where
    // `state` is not of this optimizer and these parameters. Blocks.
    virtual void restore(const NamedTensors& state) = 0;
};

// For all parameters of `module`, whose gradients are allocated and keep their place. The formula
// of each optimizer is in its file, optimizer_NAME.cpp.
//
// With decayNormAndBias false the weight decay is 0 for parameters of one dimension or none: all
// biases, and all that a normalisation layer has.
std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const torch::nn::Module& module);

} // namespace accrue
