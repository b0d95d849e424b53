// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/key_names.h"
#include "engine/experiment/key_value.h"
#include "engine/experiment/registries.h"

// Optimizers and schedules: the rows of their tables, then those of their keys. The formulas of
// optimizers are in engine/window/optimizer_NAME.cpp, those of schedules in
// engine/session/schedule.cpp.
//
// Only keys that add a tensor change the memory of a window. Rates and decays are only numbers:
// with any of them the same tensors are alive, so their keys share one memory model.
namespace accrue {

namespace {

// Tensors of its shape that an optimizer stores for each parameter: sgd its momentum; adam the
// running means of gradients and of their squares, and with amsgrad the largest of the latter;
// rmsprop the mean of squares, if centered also that of gradients, and its momentum.
int statesOfSgd(const OptimizerSettings& optimizer)
{
    return optimizer.momentum != 0 ? 1 : 0;
}

int statesOfAdam(const OptimizerSettings& optimizer)
{
    return optimizer.amsgrad ? 3 : 2;
}

int statesOfRmsprop(const OptimizerSettings& optimizer)
{
    return 1 + (optimizer.centered ? 1 : 0) + (optimizer.momentum != 0 ? 1 : 0);
}

using O = OptimizerSettings;
using P = ScheduleSettings;

constexpr auto inOptimizer = [](auto member) { return field(&Experiment::optimizer, member); };
constexpr auto inSchedule = [](auto member) { return field(&Experiment::schedule, member); };

std::vector<KeyInfo> ruleAndRate()
{
    return {
        {
            .key = key::optimizerName,
            .label = "Optimizer",
            .help = "Rule that turns the accumulated gradient into an update.",
            .memory = MemoryEffect::Always,
            .filter = "optimizer",
            .value = choice(inOptimizer(&O::name), choicesOf(optimizerTable())),
        },
        {
            .key = key::optimizerLr,
            .label = "Learning rate",
            .help = "Learning rate of one update, before the schedule.",
            .memory = MemoryEffect::None,
            .filter = "lr",
            .value = value(inOptimizer(&O::lr), kLearningRate),
        },
    };
}

std::vector<KeyInfo> momentumAndDecay()
{
    return {
        {
            .key = "optimizer.momentum",
            .label = "Momentum",
            .help = "Momentum of sgd and rmsprop; 0 is off.",
            // The buffer exists with any momentum above 0, and has the same size with all of them.
            .memory = MemoryEffect::WhereUsed,
            .value = value(inOptimizer(&O::momentum), kShare),
        },
        {
            .key = key::optimizerNesterov,
            .label = "Nesterov momentum",
            .help = "Nesterov momentum in sgd; needs a momentum above 0 and dampening 0.",
            .isAdvanced = true,
            .memory = MemoryEffect::None,
            .value = yesOrNo(inOptimizer(&O::nesterov)),
        },
        {
            .key = key::optimizerDampening,
            .label = "Dampening",
            .help = "Dampening of sgd's momentum: the share of each new gradient that is left out.",
            .isAdvanced = true,
            .memory = MemoryEffect::None,
            .value = value(inOptimizer(&O::dampening), kShare),
        },
        {
            .key = "optimizer.weight_decay",
            .label = "Weight decay",
            .help = "Weight decay: decoupled in adamw, otherwise an L2 term of the gradient.",
            .memory = MemoryEffect::None,
            .value = value(inOptimizer(&O::weightDecay), kDecay),
        },
    };
}

// Of gradients and of their squares, which adam, adamw and rmsprop divide by.
std::vector<KeyInfo> runningMeans()
{
    return {
        {
            .key = "optimizer.beta1",
            .label = "β₁",
            .help = "Decay of the running mean of gradients in adam and adamw.",
            .memory = MemoryEffect::None,
            .value = value(inOptimizer(&O::beta1), kShareBelowOne),
        },
        {
            .key = "optimizer.beta2",
            .label = "β₂",
            .help = "Decay of the running mean of squared gradients in adam and adamw.",
            .memory = MemoryEffect::None,
            .value = value(inOptimizer(&O::beta2), kShareBelowOne),
        },
        {
            .key = "optimizer.amsgrad",
            .label = "AMSGrad",
            .help = "Whether adam and adamw divide by the largest mean of squared gradients so far "
                    "instead of the present one.",
            // It adds a tensor, so memory has the default, WhereSet.
            .value = yesOrNo(inOptimizer(&O::amsgrad)),
        },
        {
            .key = "optimizer.alpha",
            .label = "Alpha (smoothing)",
            .help = "Decay of the mean of squared gradients in rmsprop.",
            .memory = MemoryEffect::None,
            .value = value(inOptimizer(&O::alpha), kShareBelowOne),
        },
        {
            .key = "optimizer.centered",
            .label = "Centered",
            .help = "Whether rmsprop divides by the standard deviation of gradients instead of the "
                    "root of their mean square.",
            // It adds a tensor, too.
            .value = yesOrNo(inOptimizer(&O::centered)),
        },
        {
            .key = "optimizer.eps",
            .label = "ε",
            .help = "Term added to the denominator to avoid division by zero.",
            .memory = MemoryEffect::None,
            .value = value(inOptimizer(&O::eps), kEpsilon),
        },
    };
}

// The limits of an update before the optimizer uses the gradient, and which parameters decay.
std::vector<KeyInfo> limits()
{
    return {
        {
            .key = "optimizer.decay_norm_and_bias",
            .label = "Decay norm layers and biases, too",
            .help = "Whether weight decay applies to normalisation layers and biases, too.",
            // Greyed, because typed text decides: a row that appeared and disappeared with each
            // digit of the weight decay would move the ones below.
            .conditions = { { [](const Experiment& e) { return e.optimizer.weightDecay != 0; },
                Message("setting.no_weight_decay"), KeyCondition::Row::Greyed } },
            .memory = MemoryEffect::None,
            .value = yesOrNo(inOptimizer(&O::decayNormAndBias)),
        },
        {
            .key = "optimizer.clip_norm",
            .label = "Gradient clipping (norm)",
            .help = "Largest L2 norm of the gradient over all parameters; 0 is off.",
            .hint = "off",
            .unset = "0",
            .memory = MemoryEffect::WhereUsed,
            .value = value(inOptimizer(&O::clipNorm), kLimit),
        },
        {
            .key = "optimizer.clip_value",
            .label = "Gradient clipping (value)",
            .help = "Largest absolute value of each element of the gradient, after clip_norm; 0 is "
                    "off.",
            .hint = "off",
            .unset = "0",
            .memory = MemoryEffect::WhereUsed,
            .value = value(inOptimizer(&O::clipValue), kLimit),
        },
    };
}

std::vector<KeyInfo> averageAndRule()
{
    return {
        {
            .key = "optimizer.ema",
            .label = "EMA decay",
            .help = "Decay of an exponential moving average of the parameters, updated at every "
                    "step; 0 is off.",
            .hint = "off",
            .unset = "0",
            .memory = MemoryEffect::WhereUsed,
            // The average is one more copy of the parameters.
            .holdsCopy = true,
            .value = value(inOptimizer(&O::ema), kShareBelowOne),
        },
        {
            .key = key::optimizerLrRule,
            .label = "Scale learning rate with N",
            .help = "How the learning rate scales with the N of `batch.schedule`: not at all, in "
                    "proportion, or with its square root.",
            .conditions = { { [](const Experiment& e) { return !e.batch.schedule.empty(); },
                Message("setting.no_batch_schedule"), KeyCondition::Row::Greyed } },
            .memory = MemoryEffect::None,
            .value = choice(inOptimizer(&O::lrRule),
                { { "none", "No" }, { "linear", "Linear" }, { "sqrt", "Square root" } }),
        },
    };
}

std::vector<KeyInfo> decay()
{
    return {
        {
            .key = key::scheduleName,
            .label = "Learning-rate schedule",
            .help = "How the learning rate changes over the run, one step per update.",
            .value = choice(inSchedule(&P::name), choicesOf(scheduleTable())),
        },
        {
            .key = "schedule.final_factor",
            .label = "Final factor",
            .help = "Last learning rate of cosine, linear and onecycle as a share of "
                    "`optimizer.lr`.",
            .value = value(inSchedule(&P::finalFactor), kShare),
        },
        {
            .key = key::scheduleEvery,
            .label = "Decay every",
            .help = "How often the step schedule decays the learning rate.",
            .value = value(inSchedule(&P::every), kSpanOfUpdates),
        },
        {
            .key = key::scheduleMilestones,
            .label = "Milestones",
            .help = "When the multistep schedule decays the learning rate, counted from the start.",
            .hint = "e.g. 30 epochs, 60 epochs",
            .value = value(inSchedule(&P::milestones), kMilestones),
        },
        {
            .key = "schedule.gamma",
            .label = "Decay factor",
            .help = "Factor by which step and multistep multiply the learning rate at each decay.",
            .value = value(inSchedule(&P::gamma), kShare),
        },
    };
}

std::vector<KeyInfo> peakAndWarmUp()
{
    return {
        {
            .key = "schedule.peak_share",
            .label = "Share before the peak",
            .help = "Share of the run before the peak of onecycle.",
            .value = value(inSchedule(&P::peakShare), kShare),
        },
        {
            .key = key::scheduleWarmupSteps,
            .label = "Warm-up steps",
            .help = "Updates over which the learning rate rises linearly to its full value.",
            .value = value(inSchedule(&P::warmupSteps), kCountOrZero),
        },
        {
            .key = key::scheduleWarmupEpochs,
            .label = "Warm-up epochs",
            .help = "Warm-up in epochs, in addition to `warmup_steps`.",
            .value = value(inSchedule(&P::warmupEpochs), kCountOrZero),
        },
    };
}

} // namespace

const std::vector<OptimizerInfo>& optimizerTable()
{
    static const std::vector<OptimizerInfo> table {
        { .name = OptimizerName::Sgd,
            .word = "sgd",
            .title = "SGD",
            .keys = { "momentum", "nesterov", "dampening" },
            .states = statesOfSgd },
        { .name = OptimizerName::Adam,
            .word = "adam",
            .title = "Adam",
            .keys = { "beta1", "beta2", "amsgrad", "eps" },
            .states = statesOfAdam,
            .normalizesGradient = true },
        { .name = OptimizerName::AdamW,
            .word = "adamw",
            .title = "AdamW",
            .keys = { "beta1", "beta2", "amsgrad", "eps" },
            .states = statesOfAdam,
            .normalizesGradient = true,
            .decouplesDecay = true },
        { .name = OptimizerName::Rmsprop,
            .word = "rmsprop",
            .title = "RMSprop",
            .keys = { "momentum", "alpha", "centered", "eps" },
            .states = statesOfRmsprop,
            .normalizesGradient = true },
    };
    return table;
}

const OptimizerInfo& optimizerInfo(OptimizerName name)
{
    return optimizerTable().at(static_cast<std::size_t>(name));
}

std::vector<KeyInfo> keysOfOptimizer()
{
    return together({ ruleAndRate(), momentumAndDecay(), sharing(runningMeans(), fold),
        sharing(limits(), fold), sharing(averageAndRule(), fold) });
}

const std::vector<ScheduleInfo>& scheduleTable()
{
    using enum ScheduleName;
    static const std::vector<ScheduleInfo> table {
        { Constant, "constant", "Constant", {}, false },
        { Cosine, "cosine", "Cosine", { "final_factor" }, true },
        { Linear, "linear", "Linear", { "final_factor" }, true },
        { Step, "step", "Step", { "every", "gamma" }, false },
        { MultiStep, "multistep", "Multi-step", { "milestones", "gamma" }, false },
        { OneCycle, "onecycle", "One cycle", { "final_factor", "peak_share" }, true },
    };
    return table;
}

const ScheduleInfo& scheduleInfo(ScheduleName name)
{
    return scheduleTable().at(static_cast<std::size_t>(name));
}

std::vector<KeyInfo> keysOfSchedule()
{
    return sharing(together({ decay(), peakAndWarmUp() }),
        [](KeyInfo& key) { key.memory = MemoryEffect::None; });
}

} // namespace accrue
