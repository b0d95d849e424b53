// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/memory_advice.h"

#include "engine/experiment/fixes.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"
#include "engine/experiment/resolved.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace accrue {

namespace {

Findings onFollowedBudget(
    const Experiment& experiment, const BatchPlan& plan, const std::optional<MemoryFit>& fit)
{
    const std::int64_t budget = experiment.memory.budget->count;
    const ByteCount limit { budget };
    if (!fit)
        return { noteAbout(key::batchMicro,
            Message("memory_advice.measured_before_run",
                { { "budget", limit }, { "micro", plan.micro } })) };
    // plan.micro is that of withKnownMicro, so the sentence names the b that the run will have.
    const std::int64_t largest = fittingMicro(*fit, budget);
    if (largest == 0)
        return { warningAbout(key::memoryBudget, tooSmallBudget(*fit, budget)) };
    return { noteAbout(key::batchMicro,
        Message("memory_advice.follows_budget",
            { { "budget", limit }, { "device", fit->device }, { "largest", largest },
                { "micro", plan.micro }, { "steps", plan.steps } })) };
}

Message limitText(const Experiment& experiment, const MemoryFit& fit)
{
    if (experiment.memory.budget)
        return Message(
            "memory_advice.budget", { { "bytes", ByteCount { experiment.memory.budget->count } } });
    return Message("memory_advice.device_has",
        { { "device", fit.device }, { "bytes", ByteCount { fit.totalBytes } } });
}

// "about 5.20 GiB (a 2 % margin is included)"
Message needOf(const MemoryFit& fit, std::int64_t micro)
{
    const ByteCount need { predictedBytes(fit, micro) };
    if (micro <= fit.law.to)
        return Message("memory_advice.need", { { "bytes", need } });
    return Message(
        "memory_advice.need_with_margin", { { "bytes", need }, { "margin", marginText() } });
}

Message doesNotFit(const Experiment& experiment, const MemoryFit& fit, std::int64_t micro)
{
    return Message("memory_advice.does_not_fit",
        { { "micro", micro }, { "need", needOf(fit, micro) }, { "device", fit.device },
            { "limit", limitText(experiment, fit) } });
}

Message tooMuchText(
    const Experiment& experiment, const MemoryFit& fit, std::int64_t micro, std::int64_t largest)
{
    // A proof is certain, so the message needs no estimate.
    const auto& budget = experiment.memory.budget;
    if (budget && isProvedFor(fit, budget->count))
        return Message("memory_advice.proved_too_large",
            { { "micro", micro }, { "budget", ByteCount { budget->count } },
                { "largest", largest } });
    return Message("memory_advice.too_large",
        { { "problem", doesNotFit(experiment, fit, micro) }, { "largest", largest } });
}

// Values of all that a run holds for so many parameters, on each device: without padding, and
// without the chunks that it gathers. `most`: the largest result.
std::int64_t heldValues(const Experiment& experiment, std::int64_t parameters, std::int64_t most)
{
    const std::int64_t copies = heldCopies(experiment);
    if (parameters > most / copies)
        return most;
    const Shard shard = experiment.distributed.shard;
    const std::int64_t devices = shard == Shard::None ? 1 : devicesOf(experiment);
    const std::int64_t part = (parameters + devices - 1) / devices;
    const std::int64_t inParts = shard == Shard::Parameters
        ? copies
        : optimizerInfo(experiment.optimizer.name).states(experiment.optimizer);
    return inParts * part + (copies - inParts) * parameters;
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
    // The fix must retain B, which the plan may have solved from b and N.
    fitted.batch.effective = BatchNumber::given(plan.effective);
    return usingMicro(experiment, plan, withMicroThatFits(fitted, largest).batch.micro.value);
}

std::optional<Fix> usingMicro(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const std::string micro = std::to_string(samples);
    Fix fix { Message("memory_advice.use_micro", { { "micro", samples } }),
        { key::assignment(key::batchMicro, micro) } };
    if (!experiment.batch.effective.isGiven())
        fix.assignments.push_back(
            key::assignment(key::batchEffective, std::to_string(plan.effective)));
    if (experiment.batch.steps.isGiven())
        fix.assignments.push_back(key::assignment(key::batchSteps, "auto"));
    // Tried before it is offered: B may not be divisible so that the norm accepts the last slice.
    Experiment fitted = experiment;
    const bool settles = applyFix(fitted, fix).empty() && resolve(fitted).resolved.has_value();
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
        return { warningAbout(key::batchMicro, tooMuchText(experiment, *fit, plan.micro, largest),
            plan.schedule.empty() ? usingMicroThatFits(experiment, plan, largest) : std::nullopt) };
    if (experiment.memory.budget)
        return { warningAbout(key::memoryBudget, tooSmallBudget(*fit, limit)) };
    return { warningAbout(key::modelName,
        Message("memory_advice.no_sample_fits",
            { { "problem", doesNotFit(experiment, *fit, plan.micro) } })) };
}

std::int64_t heldBytes(const Experiment& experiment, std::int64_t parameters)
{
    // bfloat16 and float16 are types of the passes only; parameters and state are float32 there,
    // too.
    const std::int64_t bytes = experiment.run.precision == Precision::Float64 ? 8 : 4;
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::int64_t values = heldValues(experiment, parameters, kMost / bytes);
    const DistributedSettings& distributed = experiment.distributed;
    const std::int64_t held = values == kMost / bytes ? kMost : values * bytes;
    return distributed.shard == Shard::Parameters && distributed.deviceMemory
        ? std::min(held, distributed.deviceMemory->count)
        : held;
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
    const Message need(
        "memory_advice.held", { { "parameters", parameters }, { "bytes", ByteCount { held } } });
    // The finding is at the key that the user can change: the widths of an MLP, otherwise the
    // network.
    const std::string key =
        experiment.model.name == ModelName::Mlp ? key::modelWidths : key::modelName;
    if (tooMuch)
        return { errorAbout(key,
            Message("memory_advice.network_too_large",
                { { "need", need }, { "device", device.id },
                    { "bytes", ByteCount { device.totalBytes } } })) };
    return { warningAbout(key,
        Message("memory_advice.too_little_free",
            { { "need", need }, { "device", device.id },
                { "bytes", ByteCount { device.freeBytes } } })) };
}

Findings checkBudget(
    const Experiment& experiment, const std::string& device, std::int64_t totalBytes)
{
    const auto& budget = experiment.memory.budget;
    if (!budget || totalBytes <= 0 || budget->count <= totalBytes)
        return {};
    return { errorAbout(key::memoryBudget, tooLargeBudget(budget->count, device, totalBytes),
        setting(key::memoryBudget, "none")) };
}

} // namespace accrue
