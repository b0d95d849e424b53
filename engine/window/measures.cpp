// SPDX-License-Identifier: Apache-2.0
#include "engine/window/measures.h"

#include <optional>

#include <ATen/ATen.h>
#include <torch/utils.h>

#include "engine/events/metrics.h"
#include "engine/experiment/key_names.h"
#include "engine/memory/host_scope.h"
#include "engine/memory/memory_meter.h"

namespace accrue {
namespace {

std::int64_t countOf(const std::vector<at::Tensor>& tensors)
{
    std::int64_t count = 0;
    for (const at::Tensor& tensor : tensors)
        count += tensor.numel();
    return count;
}

// ‖Δθ‖ / ‖θ‖, where θ are all parameters before the update and Δθ is what the optimizer adds to
// them. No optimizer reports its update, because weight decay, momentum and rounding are part of
// it: θ is copied, and the difference afterwards is the update, whichever optimizer made it.
class UpdateRatio : public Measure {
public:
    UpdateRatio(const std::vector<at::Tensor>& parameters, World& ranks)
        : m_ranks(ranks)
        , m_parameters(parameters)
        , m_copy(at::zeros({ (countOf(parameters) + kRow - 1) / kRow, kRow },
              // If parts are on the host, they are the last: the copy is there, too.
              m_parameters.back().options().requires_grad(false).pinned_memory(false)))
        , m_rowNorms(m_copy.new_zeros({ m_copy.size(0) }))
        , m_norm(m_copy.new_zeros({}))
        , m_lengthBefore(m_norm.to(at::kDouble, /*non_blocking=*/false, /*copy=*/true))
    {
        std::int64_t begin = 0;
        for (const at::Tensor& parameter : m_parameters) {
            m_copies.push_back(m_copy.as_strided(parameter.sizes(), parameter.strides(), begin));
            begin += parameter.numel();
        }
        ownMemory(m_copy, MemoryCategory::Workspace, key::traceUpdateRatio);
    }

    void beforeUpdate() override
    {
        const torch::NoGradGuard noGrad;
        at::_foreach_copy_(m_copies, m_parameters);
        measureCopy(m_lengthBefore);
    }

    void afterUpdate(const at::Tensor& figure) override
    {
        const torch::NoGradGuard noGrad;
        at::_foreach_sub_(m_copies, onDeviceOfCopy()); // −Δθ
        measureCopy(figure);
        figure.div_(m_lengthBefore);
    }

private:
    // Sums of so few squares are exact to 1e-7 in float32, as in clipping.cpp. That function is
    // not used, because it allocates.
    static constexpr std::int64_t kRow = 4096;

    // Only those that are elsewhere are copied.
    std::vector<at::Tensor> onDeviceOfCopy() const
    {
        std::vector<at::Tensor> tensors;
        tensors.reserve(m_parameters.size());
        for (const at::Tensor& parameter : m_parameters)
            tensors.push_back(parameter.to(m_copy.device()));
        return tensors;
    }

    // The rest of the last row stays 0.
    void measureCopy(const at::Tensor& norm)
    {
        at::linalg_vector_norm_out(m_rowNorms, m_copy, /*ord=*/2, at::IntArrayRef { 1 });
        at::linalg_vector_norm_out(m_norm, m_rowNorms);
        norm.copy_(m_norm);
        if (m_ranks.size() == 1)
            return;
        norm.square_();
        m_ranks.sum(norm);
        norm.sqrt_();
    }

    World& m_ranks;
    const std::vector<at::Tensor> m_parameters;
    at::Tensor m_copy; // [rows, kRow]: θ, then −Δθ
    std::vector<at::Tensor> m_copies; // its views, laid out in memory as the parameters are
    at::Tensor m_rowNorms;
    at::Tensor m_norm; // scalar
    at::Tensor m_lengthBefore; // ‖θ‖, a scalar in double
};

} // namespace

// The row of each in the table of metrics is carried by name.
Measures::Measures(const Experiment& experiment, const std::vector<at::Tensor>& parameters,
    World& ranks, bool onHost)
{
    std::optional<HostScope> scope;
    if (onHost)
        scope.emplace();
    if (experiment.trace.updateRatio)
        m_all.emplace_back(
            nameOf(MetricId::UpdateRatio), std::make_unique<UpdateRatio>(parameters, ranks));
}

std::vector<std::string> Measures::names() const
{
    std::vector<std::string> names;
    names.reserve(m_all.size());
    for (const auto& [name, measure] : m_all)
        names.push_back(name);
    return names;
}

void Measures::beforeUpdate()
{
    for (const auto& [name, measure] : m_all)
        measure->beforeUpdate();
}

void Measures::afterUpdate(const WindowMetrics& metrics)
{
    for (std::size_t index = 0; index < m_all.size(); ++index)
        m_all[index].second->afterUpdate(metrics.measured(index));
}

} // namespace accrue
