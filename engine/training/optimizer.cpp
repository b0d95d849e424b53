// SPDX-License-Identifier: Apache-2.0
#include "engine/training/optimizer.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

namespace accrue {
namespace {

// The parameters of a module with their gradients, in the module's order.
struct Parameters {
    explicit Parameters(const torch::nn::Module& module)
    {
        for (const auto& named : module.named_parameters()) {
            names.push_back(named.key());
            values.push_back(named.value());
            gradients.push_back(named.value().grad());
        }
    }

    std::vector<at::Tensor> zerosLike() const
    {
        std::vector<at::Tensor> zeros;
        for (const at::Tensor& value : values)
            zeros.push_back(at::zeros_like(value));
        return zeros;
    }

    std::vector<std::string> names;
    std::vector<at::Tensor> values;
    std::vector<at::Tensor> gradients;
};

void appendNamed(NamedTensors& state, const std::string& prefix, const Parameters& parameters,
    const std::vector<at::Tensor>& tensors)
{
    for (std::size_t index = 0; index < tensors.size(); ++index)
        state.emplace_back(prefix + parameters.names[index], tensors[index]);
}

class Sgd : public Optimizer {
public:
    Sgd(const OptimizerSettings& settings, const torch::nn::Module& module)
        : m_settings(settings)
        , m_parameters(module)
    {
        if (settings.momentum != 0)
            m_velocity = m_parameters.zerosLike();
    }

    void step(double learningRate, const at::Tensor& refused) override
    {
        const torch::NoGradGuard noGrad;
        at::_fused_sgd_(m_parameters.values, m_parameters.gradients, m_velocity,
            m_settings.weightDecay, m_settings.momentum, learningRate, m_settings.dampening,
            m_settings.nesterov, /*maximize=*/false, /*is_first_step=*/m_updates == 0,
            /*grad_scale=*/ {}, refused);
        ++m_updates;
    }

    // Keeps the first step first: it takes the gradient without dampening.
    void stepWasRefused() override { --m_updates; }

    NamedTensors state() const override
    {
        NamedTensors state { { "optimizer.updates", at::scalar_tensor(m_updates, at::kLong) } };
        appendNamed(state, "optimizer.momentum.", m_parameters, m_velocity);
        return state;
    }

private:
    const OptimizerSettings m_settings;
    const Parameters m_parameters;
    std::vector<at::Tensor> m_velocity; // empty without momentum
    std::int64_t m_updates = 0;
};

class Adam : public Optimizer {
public:
    Adam(const OptimizerSettings& settings, const torch::nn::Module& module)
        : m_settings(settings)
        , m_parameters(module)
        , m_mean(m_parameters.zerosLike())
        , m_square(m_parameters.zerosLike())
        , m_updates(at::zeros({}, m_parameters.values.front().options().dtype(at::kFloat)))
        , m_updatesOfEach(m_parameters.values.size(), m_updates)
    {
    }

    void step(double learningRate, const at::Tensor& refused) override
    {
        const torch::NoGradGuard noGrad;
        // Counted on the device, because only there it is known in time whether this step counts.
        m_updates.add_(1).sub_(refused);
        const auto apply = m_settings.name == OptimizerName::AdamW ? &adamW : &adam;
        apply(*this, learningRate, refused);
    }

    NamedTensors state() const override
    {
        NamedTensors state { { "optimizer.updates", m_updates } };
        appendNamed(state, "optimizer.mean.", m_parameters, m_mean);
        appendNamed(state, "optimizer.square.", m_parameters, m_square);
        return state;
    }

private:
    static void adam(Adam& self, double learningRate, const at::Tensor& refused)
    {
        at::_fused_adam_(self.m_parameters.values, self.m_parameters.gradients, self.m_mean,
            self.m_square, /*max_exp_avg_sqs=*/ {}, self.m_updatesOfEach, learningRate,
            self.m_settings.beta1, self.m_settings.beta2, self.m_settings.weightDecay,
            self.m_settings.eps, /*amsgrad=*/false, /*maximize=*/false, /*grad_scale=*/ {},
            refused);
    }

    static void adamW(Adam& self, double learningRate, const at::Tensor& refused)
    {
        at::_fused_adamw_(self.m_parameters.values, self.m_parameters.gradients, self.m_mean,
            self.m_square, /*max_exp_avg_sqs=*/ {}, self.m_updatesOfEach, learningRate,
            self.m_settings.beta1, self.m_settings.beta2, self.m_settings.weightDecay,
            self.m_settings.eps, /*amsgrad=*/false, /*maximize=*/false, /*grad_scale=*/ {},
            refused);
    }

    const OptimizerSettings m_settings;
    const Parameters m_parameters;
    std::vector<at::Tensor> m_mean;
    std::vector<at::Tensor> m_square;
    at::Tensor m_updates; // float32 scalar on the device
    std::vector<at::Tensor> m_updatesOfEach; // the one count, once a parameter
};

} // namespace

std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const torch::nn::Module& module)
{
    if (settings.name == OptimizerName::Sgd)
        return std::make_unique<Sgd>(settings, module);
    return std::make_unique<Adam>(settings, module);
}

} // namespace accrue
