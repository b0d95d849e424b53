// SPDX-License-Identifier: Apache-2.0
#include "engine/door/memory_advice.h"

#include "engine/experiment/fixes.h"
#include "engine/experiment/format.h"

#include <limits>
#include <utility>

namespace accrue {

namespace {

Findings warning(std::string key, std::string message, std::optional<Fix> fix = {})
{
    return { { Finding::Severity::Warning, std::move(key), 0, std::move(message),
        std::move(fix) } };
}

Findings note(std::string key, std::string message)
{
    return { { Finding::Severity::Note, std::move(key), 0, std::move(message) } };
}

Findings onFollowedBudget(
    const Experiment& experiment, const BatchPlan& plan, const std::optional<MemoryFit>& fit)
{
    const std::int64_t budget = experiment.memory.budget->count;
    const std::string follows =
        "batch.micro is auto, the largest that fits memory.budget of " + formatBytes(budget);
    if (!fit)
        return note("batch.micro",
            follows + ": it is measured before the run begins; until then it is shown as "
                + std::to_string(plan.micro) + ".");
    const std::int64_t largest = fittingMicro(*fit, budget);
    if (largest == 0)
        return warning("memory.budget", sentenceOnSmallBudget(*fit, budget));
    return note("batch.micro",
        follows + ": by the memory model measured on " + fit->device + " that is "
            + formatCount(largest) + (largest == 1 ? " sample" : " samples")
            + ", so that B is cut into b " + formatCount(plan.micro) + " × N "
            + formatCount(plan.steps) + ".");
}

std::string limitText(const Experiment& experiment, const MemoryFit& fit)
{
    return experiment.memory.budget
        ? "memory.budget is " + formatBytes(experiment.memory.budget->count)
        : fit.device + " has " + formatBytes(fit.totalBytes);
}

std::string needText(const Experiment& experiment, const MemoryFit& fit, std::int64_t micro)
{
    return "b = " + std::to_string(micro) + " does not fit: a window needs about "
        + formatBytes(predictedBytes(fit, micro))
        + (micro > fit.law.to ? " (" + marginText() + " is included)" : "")
        + " by the memory model measured on " + fit.device + ", and " + limitText(experiment, fit);
}

std::string fewerText(std::int64_t largest)
{
    return "at most " + formatCount(largest) + (largest == 1 ? " fits" : " fit");
}

std::string tooMuchText(
    const Experiment& experiment, const MemoryFit& fit, std::int64_t micro, std::int64_t largest)
{
    const auto& budget = experiment.memory.budget;
    if (budget && isProvedFor(fit, budget->count))
        return "b = " + std::to_string(micro) + " does not fit memory.budget of "
            + formatBytes(budget->count) + ": real windows showed that " + fewerText(largest) + ".";
    return needText(experiment, fit, micro) + "; " + fewerText(largest) + ".";
}

// Tensors of a parameter's shape that the optimizer keeps for it.
std::int64_t statesOf(const OptimizerSettings& optimizer)
{
    const bool isSgd = optimizer.name == OptimizerName::Sgd;
    return isSgd ? (optimizer.momentum != 0 ? 1 : 0) : 2;
}

std::string besideParameters(const OptimizerSettings& optimizer)
{
    const bool states = statesOf(optimizer) > 0;
    if (optimizer.ema > 0)
        return states ? "gradients, optimizer state and average" : "gradients and average";
    return states ? "gradients and optimizer state" : "gradients";
}

} // namespace

Experiment withKnownMicro(const Experiment& experiment, const std::optional<MemoryFit>& fit)
{
    if (!fit || !microFollowsBudget(experiment))
        return experiment;
    const std::int64_t largest = fittingMicro(*fit, experiment.memory.budget->count);
    return largest > 0 ? withMicroThatFits(experiment, largest) : experiment;
}

std::optional<Fix> usingMicroThatFits(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t largest)
{
    Experiment fitted = experiment;
    fitted.batch.effective = BatchNumber::given(plan.effective);
    return usingMicro(experiment, plan, withMicroThatFits(fitted, largest).batch.micro.value);
}

std::optional<Fix> usingMicro(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const std::string micro = std::to_string(samples);
    Fix fix { "Use b = " + micro, { "batch.micro=" + micro } };
    if (!experiment.batch.effective.isGiven())
        fix.assignments.push_back("batch.effective=" + std::to_string(plan.effective));
    if (experiment.batch.steps.isGiven())
        fix.assignments.emplace_back("batch.steps=auto");
    Experiment fitted = experiment;
    const bool settles = applyFix(fitted, fix).empty() && !hasErrors(solveBatch(fitted).findings);
    return settles ? std::optional(fix) : std::nullopt;
}

Findings adviseOnMemory(
    const Experiment& experiment, const BatchPlan& plan, const std::optional<MemoryFit>& fit)
{
    if (microFollowsBudget(experiment))
        return onFollowedBudget(experiment, plan, fit);
    if (!fit)
        return {};
    const std::int64_t limit = limitBytes(experiment, *fit);
    if (fitsBudget(*fit, plan.micro, limit))
        return {};
    const std::int64_t largest = fittingMicro(*fit, limit);
    if (largest > 0)
        return warning("batch.micro", tooMuchText(experiment, *fit, plan.micro, largest),
            plan.schedule.empty() ? usingMicroThatFits(experiment, plan, largest) : std::nullopt);
    if (experiment.memory.budget)
        return warning("memory.budget", sentenceOnSmallBudget(*fit, limit));
    return warning("model.name",
        needText(experiment, *fit, plan.micro)
            + "; not one sample fits, so choose a smaller model or data set.");
}

std::int64_t heldBytes(const Experiment& experiment, std::int64_t parameters)
{
    const OptimizerSettings& optimizer = experiment.optimizer;
    const std::int64_t copies = 2 + statesOf(optimizer) + (optimizer.ema > 0 ? 1 : 0);
    const std::int64_t bytes = copies * (experiment.run.precision == Precision::Float64 ? 8 : 4);
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return parameters > kMost / bytes ? kMost : parameters * bytes;
}

Findings checkHeldMemory(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const DeviceInfo& device)
{
    if (!shape)
        return {};
    const std::int64_t parameters = parameterCount(experiment.model, *shape);
    const std::int64_t held = heldBytes(experiment, parameters);
    const bool tooMuch = device.totalBytes > 0 && held > device.totalBytes;
    if (!tooMuch && (device.freeBytes < 0 || held <= device.freeBytes))
        return {};
    const std::string need = "The network has " + formatCount(parameters) + " parameters; with "
        + besideParameters(experiment.optimizer) + " they take " + formatBytes(held) + ", but "
        + device.id;
    const std::string key = experiment.model.name == ModelName::Mlp ? "model.widths" : "model.name";
    if (!tooMuch)
        return warning(key,
            need + " has " + formatBytes(device.freeBytes)
                + " free; close other programs, or choose a smaller network.");
    return { { Finding::Severity::Error, key, 0,
        need + " has " + formatBytes(device.totalBytes)
            + "; choose a smaller network, or a device with more memory." } };
}

Findings checkBudget(
    const Experiment& experiment, const std::string& device, std::int64_t totalBytes)
{
    const auto& budget = experiment.memory.budget;
    if (!budget || totalBytes <= 0 || budget->count <= totalBytes)
        return {};
    return { { Finding::Severity::Error, "memory.budget", 0,
        sentenceOnLargeBudget(budget->count, device, totalBytes),
        setting("memory.budget", "none") } };
}

} // namespace accrue
