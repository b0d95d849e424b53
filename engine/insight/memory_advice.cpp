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

Message limitText(const Experiment& experiment, const MemoryFit& fit, std::int64_t ranks)
{
    if (experiment.memory.budget)
        return Message(
            "memory_advice.budget", { { "bytes", ByteCount { experiment.memory.budget->count } } });
    const std::int64_t sharing = ranksSharing(experiment, fit, ranks);
    if (sharing == 1)
        return Message("memory_advice.device_has",
            { { "device", fit.device }, { "bytes", ByteCount { fit.totalBytes } } });
    return Message("memory_advice.ranks_have",
        { { "device", fit.device }, { "bytes", ByteCount { fit.totalBytes } }, { "ranks", sharing },
            { "each", ByteCount { limitBytes(experiment, fit, ranks) } } });
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

Message doesNotFit(const MemoryFit& fit, std::int64_t micro, const Message& limit)
{
    return Message("memory_advice.does_not_fit",
        { { "micro", micro }, { "need", needOf(fit, micro) }, { "device", fit.device },
            { "limit", limit } });
}

Message tooMuchText(const Experiment& experiment, const MemoryFit& fit, std::int64_t micro,
    std::int64_t largest, const Message& limit)
{
    // A proof is certain, so the message needs no estimate.
    const auto& budget = experiment.memory.budget;
    if (budget && isProvedFor(fit, budget->count))
        return Message("memory_advice.proved_too_large",
            { { "micro", micro }, { "budget", ByteCount { budget->count } },
                { "largest", largest } });
    return Message("memory_advice.too_large",
        { { "problem", doesNotFit(fit, micro, limit) }, { "largest", largest } });
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

std::int64_t ranksOf(const Experiment& experiment, const std::string& device, std::int64_t ranks)
{
    return ranksOn(device, experiment.run.device, ranks > 0 ? ranks : devicesOf(experiment));
}

constexpr std::int64_t kMostBytes = std::numeric_limits<std::int64_t>::max();

std::int64_t timesAtMost(std::int64_t bytes, std::int64_t ranks)
{
    return bytes > kMostBytes / ranks ? kMostBytes : bytes * ranks;
}

// What is held, as the beginning of a sentence.
Message heldText(std::int64_t parameters, std::int64_t bytes, std::int64_t sharing)
{
    if (sharing == 1)
        return Message("memory_advice.held",
            { { "parameters", parameters }, { "bytes", ByteCount { bytes } } });
    return Message("memory_advice.held_by_ranks",
        { { "parameters", parameters }, { "bytes", ByteCount { bytes } }, { "ranks", sharing } });
}

// The key that the user can change: the devices if fewer would fit, the widths of an MLP, otherwise
// the network.
std::string keyOfHeld(const Experiment& experiment, bool oneRankFits)
{
    if (oneRankFits)
        return key::batchDevices;
    return experiment.model.name == ModelName::Mlp ? key::modelWidths : key::modelName;
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

Findings adviseOnMemory(const Experiment& experiment, const BatchPlan& plan,
    const std::optional<MemoryFit>& fit, std::int64_t ranks)
{
    if (microFollowsBudget(experiment))
        return onFollowedBudget(experiment, plan, fit);
    if (!fit)
        return {};
    const std::int64_t limit = limitBytes(experiment, *fit, ranks);
    if (fitsBudget(*fit, plan.micro, limit))
        return {};
    const Message what = limitText(experiment, *fit, ranks);
    const std::int64_t largest = fittingMicro(*fit, limit);
    if (largest > 0)
        return { warningAbout(key::batchMicro,
            tooMuchText(experiment, *fit, plan.micro, largest, what),
            plan.schedule.empty() ? usingMicroThatFits(experiment, plan, largest) : std::nullopt) };
    if (experiment.memory.budget)
        return { warningAbout(key::memoryBudget, tooSmallBudget(*fit, limit)) };
    return { warningAbout(key::modelName,
        Message("memory_advice.no_sample_fits",
            { { "problem", doesNotFit(*fit, plan.micro, what) } })) };
}

std::int64_t heldBytes(
    const Experiment& experiment, std::int64_t parameters, const std::string& device)
{
    // bfloat16 and float16 are types of the passes only; parameters and state are float32 there,
    // too.
    const std::int64_t bytes = experiment.run.precision == Precision::Float64 ? 8 : 4;
    const std::int64_t values = heldValues(experiment, parameters, kMostBytes / bytes);
    const DistributedSettings& distributed = experiment.distributed;
    const std::int64_t held = values == kMostBytes / bytes ? kMostBytes : values * bytes;
    const bool hasHost =
        distributed.shard == Shard::Parameters && distributed.deviceMemory && device != "cpu";
    return hasHost ? std::min(held, distributed.deviceMemory->count) : held;
}

std::int64_t heldByRanks(const Experiment& experiment, std::int64_t parameters,
    const std::string& device, std::int64_t ranks)
{
    return timesAtMost(
        heldBytes(experiment, parameters, device), ranksOf(experiment, device, ranks));
}

Findings checkHeldMemory(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const DeviceInfo& device, std::int64_t ranks)
{
    if (!shape)
        return {};
    const std::int64_t parameters = parameterCount(experiment.model, *shape);
    const std::int64_t held = heldByRanks(experiment, parameters, device.id, ranks);
    const bool tooMuch = device.totalBytes > 0 && held > device.totalBytes;
    if (!tooMuch && (device.freeBytes < 0 || held <= device.freeBytes))
        return {};
    const std::int64_t sharing = ranksOf(experiment, device.id, ranks);
    const std::int64_t there = tooMuch ? device.totalBytes : device.freeBytes;
    const bool oneRankFits = heldBytes(experiment, parameters, device.id) <= there;
    const Message what(!tooMuch ? "memory_advice.too_little_free"
            : oneRankFits       ? "memory_advice.ranks_too_large"
                                : "memory_advice.network_too_large",
        { { "need", heldText(parameters, held, sharing) }, { "device", device.id },
            { "bytes", ByteCount { there } } });
    const std::string key = keyOfHeld(experiment, oneRankFits);
    return { tooMuch ? errorAbout(key, what) : warningAbout(key, what) };
}

Findings checkHostMemory(const Experiment& experiment, const std::optional<PictureShape>& shape,
    const std::string& device, const DeviceInfo& host, std::int64_t ranks)
{
    if (!shape || device == host.id)
        return {};
    const std::int64_t parameters = parameterCount(experiment.model, *shape);
    const std::int64_t each =
        heldBytes(experiment, parameters, host.id) - heldBytes(experiment, parameters, device);
    const std::int64_t sharing = ranksOf(experiment, host.id, ranks);
    const std::int64_t held = timesAtMost(each, sharing);
    const bool tooMuch = host.totalBytes > 0 && held > host.totalBytes;
    if (!tooMuch && (host.freeBytes < 0 || held <= host.freeBytes))
        return {};
    const Message what(
        tooMuch ? "memory_advice.host_too_small" : "memory_advice.host_has_too_little_free",
        { { "need", ByteCount { held } }, { "ranks", sharing },
            { "bytes", ByteCount { tooMuch ? host.totalBytes : host.freeBytes } } });
    return { tooMuch ? errorAbout(key::distributedDeviceMemory, what)
                     : warningAbout(key::distributedDeviceMemory, what) };
}

Findings checkBudget(const Experiment& experiment, const std::string& device,
    std::int64_t totalBytes, std::int64_t ranks)
{
    const auto& budget = experiment.memory.budget;
    const std::int64_t sharing = ranksOf(experiment, device, ranks);
    if (!budget || totalBytes <= 0 || timesAtMost(budget->count, sharing) <= totalBytes)
        return {};
    const Message what = sharing == 1
        ? tooLargeBudget(budget->count, device, totalBytes)
        : Message("memory_advice.budgets_too_large",
            { { "budget", ByteCount { budget->count } }, { "ranks", sharing }, { "device", device },
                { "total", ByteCount { totalBytes } } });
    return { errorAbout(key::memoryBudget, what, setting(key::memoryBudget, "none")) };
}

} // namespace accrue
