// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

namespace accrue {
namespace {

// g = gradient + weightDecay · p; η = learning rate:
//   v = g in the first step, otherwise momentum · v + (1 − dampening) · g
//   p −= η · (v, or with Nesterov g + momentum · v, or without momentum g)
class Sgd : public Optimizer {
public:
    Sgd(const OptimizerSettings& settings, const Parameters& parameters)
        : Optimizer(settings, parameters)
    {
        const bool hasMomentum = settings.momentum != 0;
        const auto velocity = hasMomentum ? remember("momentum") : std::vector<at::Tensor> {};
        for (const Group& group : groupsOf(settings, m_parameters))
            m_groups.push_back({ group.weightDecay, group.of(m_parameters.values),
                group.of(m_parameters.gradients), group.of(velocity) });
    }

    void step(double learningRate, const at::Tensor& refused) override
    {
        const torch::NoGradGuard noGrad;
        for (const Lists& lists : m_groups)
            at::_fused_sgd_(lists.values, lists.gradients, lists.velocity, lists.weightDecay,
                m_settings.momentum, learningRate, m_settings.dampening, m_settings.nesterov,
                /*maximize=*/false, /*is_first_step=*/m_updates == 0, /*grad_scale=*/ {}, refused);
        ++m_updates;
    }

    // After a refused first step, the next one is the first: it uses the gradient without
    // dampening.
    void stepWasRefused() override { --m_updates; }

    void restore(const NamedTensors& state) override
    {
        Optimizer::restore(state);
        m_updates = tensorOf(state, kUpdates).item<std::int64_t>();
    }

protected:
    at::Tensor updates() const override { return at::scalar_tensor(m_updates, at::kLong); }

private:
    struct Lists {
        double weightDecay;
        std::vector<at::Tensor> values, gradients, velocity;
    };

    std::vector<Lists> m_groups;
    std::int64_t m_updates = 0;
};

} // namespace

std::unique_ptr<Optimizer> makeSgd(const OptimizerSettings& settings, const Parameters& parameters)
{
    return std::make_unique<Sgd>(settings, parameters);
}

} // namespace accrue
