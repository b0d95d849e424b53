// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/named_tensors.h"

#include <memory>

#include <ATen/core/Tensor.h>

namespace accrue {

// Applies one window's gradient. State and scratch are allocated at construction, so a step
// allocates nothing: memory cannot run out in the middle of an update. If LibTorch has a fused
// operator, a step is one pass over the parameters on the CPU and one kernel on CUDA; two if some
// parameters are left out of the weight decay. One thread.
class Optimizer {
public:
    virtual ~Optimizer() = default;

    // `refused`: float32 scalar on the device; if it is 1, neither parameters nor state change.
    virtual void step(double learningRate, const at::Tensor& refused) = 0;
    // The host has learned that a step was refused; called once for each.
    virtual void stepWasRefused() { }

    // What a checkpoint stores, by name; the tensors are the live ones.
    virtual NamedTensors state() const = 0;
    // Continues, bit for bit, where the optimizer with that state() was, including its first step's
    // rule. Accepts tensors of any device. Throws Error, before anything is changed, if `state` is
    // not of this optimizer and these parameters. Blocks.
    virtual void restore(const NamedTensors& state) = 0;
};

// For all parameters of `module`, whose gradients are allocated and keep their place. The formula
// of each optimizer is in its file, optimizer_NAME.cpp.
// With decayNormAndBias false the weight decay is 0 for parameters of at most one dimension: all
// biases, and all parameters of normalisation layers.
std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const torch::nn::Module& module);

} // namespace accrue
