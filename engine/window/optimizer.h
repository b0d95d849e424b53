// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/named_tensors.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// The parameters of a module with their gradients, in the module's order.
struct Parameters {
    Parameters() = default;
    Parameters(const torch::nn::Module& module);

    std::vector<std::string> names;
    std::vector<at::Tensor> values;
    std::vector<at::Tensor> gradients;
    std::vector<bool> areMatrices; // not biases or parameters of normalisation layers
};

// Applies one window's gradient, and remembers what it needs of each parameter from step to step.
// State and scratch are allocated at construction, so a step allocates nothing: memory cannot run
// out in the middle of an update. If LibTorch has a fused operator, a step is one pass over the
// parameters on the CPU and one kernel on CUDA; two if some parameters are left out of the weight
// decay. One thread.
class Optimizer {
public:
    virtual ~Optimizer() = default;

    // `refused`: float32 scalar on the device; if it is 1, neither parameters nor state change.
    virtual void step(double learningRate, const at::Tensor& refused) = 0;
    // The host has learned that a step was refused; called once for each.
    virtual void stepWasRefused() { }

    // What a checkpoint stores, by name; the tensors are the live ones.
    NamedTensors state() const;
    // Continues, bit for bit, where the optimizer with that state() was, including its first step's
    // rule. Accepts tensors of any device. Throws Error, before anything is changed, if `state` is
    // not of this optimizer and these parameters. Blocks.
    virtual void restore(const NamedTensors& state);

protected:
    Optimizer(const OptimizerSettings& settings, const Parameters& parameters);

    virtual at::Tensor updates() const = 0; // the count of steps, as a checkpoint stores it
    // Makes a tensor of zeros for each parameter. A checkpoint stores it as optimizer.NAME. and the
    // parameter's name, in the order of these calls.
    std::vector<at::Tensor> remember(const std::string& name);

    const OptimizerSettings m_settings;
    const Parameters m_parameters;

private:
    NamedTensors m_remembered;
};

// For `parameters`, a module's by default, whose gradients are allocated and keep their place. The
// formula of each optimizer is in its file, optimizer_NAME.cpp; a new one is such a file and a row
// of the table in optimizer.cpp. With decayNormAndBias false the weight decay is 0 for parameters
// of at most one dimension: all biases, and all parameters of normalisation layers.
std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const Parameters& parameters);

// ---- only for the optimizers --------------------------------------------------------------------

// The name of the count of steps in a state.
inline constexpr const char* kUpdates = "optimizer.updates";

// Parameters with one weight decay, by their place in the module's order.
struct Group {
    double weightDecay = 0;
    std::vector<std::size_t> members;

    // The members' tensors among `all`, none if it is empty, as one dimension in their order in
    // memory: an optimizer works on each element by itself, and LibTorch is twice as fast on these
    // as on tensors in channels_last.
    std::vector<at::Tensor> of(const std::vector<at::Tensor>& all) const;
};

// One group, unless there is a weight decay and some parameters are left out of it.
std::vector<Group> groupsOf(const OptimizerSettings& settings, const Parameters& parameters);

} // namespace accrue
