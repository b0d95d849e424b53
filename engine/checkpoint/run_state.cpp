// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/run_state.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include <ATen/ATen.h>

#include "engine/base/error.h"

namespace accrue {
namespace {

// Figures that older checkpoints lack.
constexpr const char* kMicro = "run.micro";
constexpr const char* kSinceBest = "run.evaluations_since_best";
constexpr std::string_view kRule = "run.rule."; // followed by the name of a metric

bool mayLack(std::string_view name)
{
    return name == kMicro || name == kSinceBest || name.starts_with(kRule);
}

// Calls `visit(name, member)` for every figure; whole numbers below 2^53 are exact as double.
template <typename State, typename Visit> void forEachFigure(State& state, const Visit& visit)
{
    visit("run.epoch_loss", state.epoch.loss);
    visit("run.epoch_correct", state.epoch.correct);
    visit("run.epoch_samples", state.epoch.samples);
    visit("run.carried_loss", state.carried.loss);
    visit("run.carried_correct", state.carried.correct);
    visit("run.carried_samples", state.carried.samples);
    visit("run.slices_done", state.slicesDone);
    visit("run.last_update", state.lastUpdate);
    visit("run.last_evaluation", state.lastEvaluation);
    visit("run.learning_rate_factor", state.factor);
    visit("run.loss_scale", state.lossScale.value);
    visit("run.loss_scale_windows", state.lossScale.windows);
    visit("run.evaluation_next", state.evaluationNext);
    visit("run.checkpoint_next", state.checkpointNext);
    visit("run.best", state.best);
    visit(kMicro, state.micro);
    visit(kSinceBest, state.evaluationsSinceBest);
    for (std::size_t i = 0; i < kRuleMetrics; ++i)
        visit(std::string(kRule) + ruleMetrics().at(i).name, state.ruleValues.last.at(i));
}

double scalarOf(const NamedTensors& tensors, const std::string& name)
{
    const at::Tensor& tensor = tensorOf(tensors, name);
    if (tensor.scalar_type() != at::kDouble || tensor.dim() != 0)
        throw Error(Message("checkpoint.figure_type", { { "name", name } }));
    return tensor.item<double>();
}

// Every whole number is a count: not negative, and exact as a double.
template <typename Value> Value figureOf(const std::string& name, double stored)
{
    if constexpr (std::is_integral_v<Value>) {
        constexpr double kLargest = std::min(static_cast<double>(std::int64_t { 1 } << 53),
            static_cast<double>(std::numeric_limits<Value>::max()));
        // Negated, so that NaN is refused, too.
        if (!(stored >= 0 && stored <= kLargest) || stored != std::floor(stored))
            throw Error(
                Message("checkpoint.figure_no_count", { { "name", name }, { "value", stored } }));
    }
    return static_cast<Value>(stored);
}

} // namespace

NamedTensors figuresOf(const RunState& state)
{
    NamedTensors figures;
    forEachFigure(state, [&figures](const std::string& name, const auto& value) {
        figures.emplace_back(name, at::scalar_tensor(static_cast<double>(value), at::kDouble));
    });
    return figures;
}

void setFigures(RunState& state, const NamedTensors& tensors)
{
    RunState restored = state; // so that nothing changes if a figure is wrong
    forEachFigure(restored, [&tensors]<typename Value>(const std::string& name, Value& value) {
        if (!mayLack(name) || !tensorsBelow(tensors, name).empty())
            value = figureOf<Value>(name, scalarOf(tensors, name));
    });
    state = restored;
}

} // namespace accrue
