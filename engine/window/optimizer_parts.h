// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/optimizer.h"

#include <cstddef>
#include <string>
#include <vector>

// Only for this room: the common parts of all optimizers. A new one is a file optimizer_NAME.cpp,
// with its formula, and a row of the table in optimizer.cpp.
namespace accrue {

// The name of the count of steps in a state.
inline constexpr const char* kUpdates = "optimizer.updates";

// The parameters of a module with their gradients, in the module's order.
struct Parameters {
    explicit Parameters(const torch::nn::Module& module);

    std::vector<std::string> names;
    std::vector<at::Tensor> values;
    std::vector<at::Tensor> gradients;
};

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

// An optimizer with its parameters, and with what it remembers about them from step to step.
class StatefulOptimizer : public Optimizer {
public:
    NamedTensors state() const override;
    void restore(const NamedTensors& state) override;

protected:
    StatefulOptimizer(const OptimizerSettings& settings, const torch::nn::Module& module);

    virtual at::Tensor updates() const = 0; // the count of steps, as a checkpoint stores it
    // Makes a tensor of zeros for each parameter. A checkpoint stores it as optimizer.NAME. and the
    // parameter's name, in the order of these calls.
    std::vector<at::Tensor> remember(const std::string& name);

    const OptimizerSettings m_settings;
    const Parameters m_parameters;

private:
    NamedTensors m_remembered;
};

} // namespace accrue
