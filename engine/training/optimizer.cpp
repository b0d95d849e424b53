// SPDX-License-Identifier: Apache-2.0
#include "engine/training/optimizer.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

#include "engine/door/engine_error.h"
#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

constexpr const char* kUpdates = "optimizer.updates";

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

// The values in their order in memory. The fused optimizers work on each element by itself, and on
// tensors of one dimension they are twice as fast as on those in channels_last.
at::Tensor inMemoryOrder(const at::Tensor& tensor)
{
    return tensor.detach().as_strided({ tensor.numel() }, { 1 });
}

// Parameters with one weight decay, by their place in the module's order.
struct Group {
    double weightDecay = 0;
    std::vector<std::size_t> members;

    std::vector<at::Tensor> of(const std::vector<at::Tensor>& all) const
    {
        std::vector<at::Tensor> chosen;
        chosen.reserve(members.size());
        for (const std::size_t member : members)
            chosen.push_back(inMemoryOrder(all[member]));
        return chosen;
    }
};

// One group, unless some parameters are left out of a decay that there is.
std::vector<Group> groupsOf(const OptimizerSettings& settings, const Parameters& parameters)
{
    Group decayed { settings.weightDecay, {} };
    Group exempt;
    for (std::size_t index = 0; index < parameters.values.size(); ++index) {
        const bool matrix = parameters.values[index].dim() > 1;
        const bool alike = settings.decayNormAndBias || settings.weightDecay == 0;
        (alike || matrix ? decayed : exempt).members.push_back(index);
    }
    std::vector<Group> groups;
    for (Group* group : { &decayed, &exempt })
        if (!group->members.empty())
            groups.push_back(std::move(*group));
    return groups;
}

void appendNamed(NamedTensors& state, const std::string& prefix, const Parameters& parameters,
    const std::vector<at::Tensor>& tensors)
{
    for (std::size_t index = 0; index < tensors.size(); ++index)
        state.emplace_back(prefix + parameters.names[index], tensors[index]);
}

void restoreState(const NamedTensors& own, const NamedTensors& state)
{
    for (const auto& [name, tensor] : state)
        if (name == kUpdates && tensor.numel() == 1 && !(tensor.item<double>() >= 0))
            throw EngineError("The optimizer's state has " + name + " below 0, or not a number.");
    restoreTensors(own, state, "The optimizer's state");
}

class Sgd : public Optimizer {
public:
    Sgd(const OptimizerSettings& settings, const torch::nn::Module& module)
        : m_settings(settings)
        , m_parameters(module)
    {
        if (settings.momentum != 0)
            m_velocity = m_parameters.zerosLike();
        for (const Group& group : groupsOf(settings, m_parameters))
            m_groups.push_back({ group.weightDecay, group.of(m_parameters.values),
                group.of(m_parameters.gradients),
                m_velocity.empty() ? m_velocity : group.of(m_velocity) });
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

    // Keeps the first step first: it takes the gradient without dampening.
    void stepWasRefused() override { --m_updates; }

    NamedTensors state() const override
    {
        NamedTensors state { { kUpdates, at::scalar_tensor(m_updates, at::kLong) } };
        appendNamed(state, "optimizer.momentum.", m_parameters, m_velocity);
        return state;
    }

    void restore(const NamedTensors& state) override
    {
        const NamedTensors own = this->state();
        restoreState(own, state);
        m_updates = own.front().second.item<std::int64_t>();
    }

private:
    struct Lists {
        double weightDecay;
        std::vector<at::Tensor> values, gradients, velocity;
    };

    const OptimizerSettings m_settings;
    const Parameters m_parameters;
    std::vector<at::Tensor> m_velocity; // empty without momentum
    std::vector<Lists> m_groups; // the tensors of the two above
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
        , m_one(at::ones_like(m_updates))
    {
        for (const Group& group : groupsOf(settings, m_parameters))
            m_groups.push_back({ group.weightDecay, group.of(m_parameters.values),
                group.of(m_parameters.gradients), group.of(m_mean), group.of(m_square),
                std::vector<at::Tensor>(group.members.size(), m_updates) });
    }

    void step(double learningRate, const at::Tensor& refused) override
    {
        const torch::NoGradGuard noGrad;
        // Counted on the device, because only there it is known in time whether this step counts.
        m_updates.add_(m_one).sub_(refused);
        const Fused apply = m_settings.name == OptimizerName::AdamW
            ? static_cast<Fused>(&at::_fused_adamw_)
            : static_cast<Fused>(&at::_fused_adam_);
        for (const Lists& lists : m_groups)
            apply(lists.values, lists.gradients, lists.mean, lists.square, /*max_exp_avg_sqs=*/ {},
                lists.updates, learningRate, m_settings.beta1, m_settings.beta2, lists.weightDecay,
                m_settings.eps, /*amsgrad=*/false, /*maximize=*/false, /*grad_scale=*/ {}, refused);
    }

    NamedTensors state() const override
    {
        NamedTensors state { { kUpdates, m_updates } };
        appendNamed(state, "optimizer.mean.", m_parameters, m_mean);
        appendNamed(state, "optimizer.square.", m_parameters, m_square);
        return state;
    }

    void restore(const NamedTensors& state) override { restoreState(this->state(), state); }

private:
    // Both have a second form that takes the rate as a tensor.
    using Fused = void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList,
        at::TensorList, at::TensorList, double, double, double, double, double, bool, bool,
        const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);
    struct Lists {
        double weightDecay;
        std::vector<at::Tensor> values, gradients, mean, square;
        std::vector<at::Tensor> updates; // the one count, once a parameter
    };

    const OptimizerSettings m_settings;
    const Parameters m_parameters;
    std::vector<at::Tensor> m_mean;
    std::vector<at::Tensor> m_square;
    at::Tensor m_updates; // float32 scalar on the device
    at::Tensor m_one; // likewise; the number 1 would be made a tensor at each step
    std::vector<Lists> m_groups; // the tensors of the four above
};

} // namespace

std::unique_ptr<Optimizer> makeOptimizer(
    const OptimizerSettings& settings, const torch::nn::Module& module)
{
    std::unique_ptr<Optimizer> optimizer;
    if (settings.name == OptimizerName::Sgd)
        optimizer = std::make_unique<Sgd>(settings, module);
    else
        optimizer = std::make_unique<Adam>(settings, module);
    for (const auto& [name, tensor] : optimizer->state())
        ownMemory(tensor, MemoryCategory::OptimizerState, name);
    return optimizer;
}

} // namespace accrue
