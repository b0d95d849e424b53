// SPDX-License-Identifier: Apache-2.0
#include "engine/window/optimizer.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

namespace accrue {
namespace {

// LibTorch also has a form of each that reads the rate from a tensor; the type picks this one.
using Fused = void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList,
    at::TensorList, at::TensorList, double, double, double, double, double, bool, bool,
    const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);
constexpr Fused kAdam = &at::_fused_adam_;
constexpr Fused kAdamW = &at::_fused_adamw_;

// g = gradient (+ weightDecay · p for adam); η = learning rate; t = steps done, this one included:
//   m = β₁m + (1 − β₁)g;  v = β₂v + (1 − β₂)g²
//   adamw: p −= η · weightDecay · p
//   amsgrad: below, v is the largest v so far
//   p −= η · (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + eps)
class Adam : public Optimizer {
public:
    Adam(Fused apply, const OptimizerSettings& settings, const Parameters& parameters)
        : Optimizer(settings, parameters)
        , m_apply(apply)
        , m_updates(at::zeros({}, m_parameters.values.front().options().dtype(at::kFloat)))
        , m_one(at::ones_like(m_updates))
    {
        const auto mean = remember("mean");
        const auto square = remember("square");
        const auto largestSquare =
            settings.amsgrad ? remember("largest_square") : std::vector<at::Tensor> {};
        for (const Group& group : groupsOf(settings, m_parameters))
            m_groups.push_back({ group.weightDecay, group.of(m_parameters.values),
                group.of(m_parameters.gradients), group.of(mean), group.of(square),
                group.of(largestSquare),
                std::vector<at::Tensor>(group.members.size(), m_updates) });
    }

    void step(double learningRate, const at::Tensor& refused) override
    {
        const torch::NoGradGuard noGrad;
        // Counted on the device, because only the device knows in time whether this step counts.
        m_updates.add_(m_one).sub_(refused);
        for (const Lists& lists : m_groups)
            m_apply(lists.values, lists.gradients, lists.mean, lists.square, lists.largestSquare,
                lists.updates, learningRate, m_settings.beta1, m_settings.beta2, lists.weightDecay,
                m_settings.eps, m_settings.amsgrad, /*maximize=*/false, /*grad_scale=*/ {},
                refused);
    }

protected:
    at::Tensor updates() const override { return m_updates; }

private:
    struct Lists {
        double weightDecay;
        std::vector<at::Tensor> values, gradients, mean, square, largestSquare;
        std::vector<at::Tensor> updates; // the one count, repeated for each parameter
    };

    const Fused m_apply;
    at::Tensor m_updates; // float32 scalar on the device
    at::Tensor m_one; // likewise; the number 1 would become a new tensor at each step
    std::vector<Lists> m_groups;
};

} // namespace

std::unique_ptr<Optimizer> makeAdam(const OptimizerSettings& settings, const Parameters& parameters)
{
    return std::make_unique<Adam>(kAdam, settings, parameters);
}

std::unique_ptr<Optimizer> makeAdamW(
    const OptimizerSettings& settings, const Parameters& parameters)
{
    return std::make_unique<Adam>(kAdamW, settings, parameters);
}

} // namespace accrue
