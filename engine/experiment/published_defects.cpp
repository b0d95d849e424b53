// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/explanation.h"

#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/registries.h"
#include "engine/experiment/window_sequence.h"

#include <cmath>
#include <string>

// Each sentence is about a defect in the last table of docs/published_systems.md: the effect of
// that code with the numbers of this recipe. Such a loop knows b, N and the samples, so Loop has no
// more members.
namespace accrue {

namespace {

// Everything that a published loop uses: micro-batches of b, N of them per update.
struct Loop {
    std::int64_t micro = 0;
    std::int64_t steps = 0;
    std::int64_t window = 0; // samples of Accrue's window at that N
    std::int64_t microBatches = 0; // of an epoch; 0: unknown

    std::int64_t left() const { return microBatches % steps; } // that do not fill a window
};

Loop loopOf(const BatchPlan& plan, std::int64_t samples)
{
    return { .micro = plan.micro,
        .steps = mostSteps(plan),
        .window = largestWindow(plan),
        .microBatches = ceilDivide(samples, plan.micro) };
}

// Whether a gradient twice as long makes an update twice as long, as twice the rate would.
bool isProportional(const Experiment& experiment)
{
    return !optimizerInfo(experiment.optimizer.name).normalizesGradient;
}

// `loss += loss / N` adds 1 + 1/N of a micro-batch's loss instead of 1/N.
Message addedLoss(const Experiment& experiment, const Loop& loop)
{
    const std::int64_t factor = loop.steps + 1;
    if (isProportional(experiment))
        return Message("defect.added_loss_with_sgd",
            { { "factor", factor },
                { "rate", experiment.optimizer.lr * static_cast<double>(factor) } });
    return Message("defect.added_loss", { { "factor", factor } });
}

Message windowsOfWrongModulo(const Loop& loop)
{
    if (loop.steps <= 2)
        return Message(loop.steps == 1 ? "defect.modulo_by_zero" : "defect.modulo_of_two");
    return Message("defect.modulo", { { "later", loop.steps - 1 }, { "steps", loop.steps } });
}

Message wrongModulo(const Loop& loop, const BatchPlan& plan, std::int64_t samples)
{
    const Message windows = windowsOfWrongModulo(loop);
    if (loop.steps == 1 || samples == 0 || !plan.schedule.empty())
        return windows;
    return Message("defect.modulo_updates",
        { { "windows", windows }, { "wrong", (loop.microBatches - 1) / (loop.steps - 1) + 1 },
            { "right", WindowSequence(plan, samples, /*epochs=*/1).updatesWithin(1) } });
}

Message addedGradients(const Experiment& experiment, const Loop& loop)
{
    if (loop.steps == 1)
        return Message("defect.undivided_gradient_of_one");
    if (experiment.batch.reduction == Reduction::Sum)
        return Message("defect.undivided_gradients_requested");
    if (!isProportional(experiment))
        return Message("defect.undivided_gradients_normalized",
            { { "steps", loop.steps }, { "optimizer", titleOf(experiment, key::optimizerName) } });
    const double lr = experiment.optimizer.lr;
    return Message("defect.undivided_gradients",
        { { "steps", loop.steps }, { "wrong", lr * static_cast<double>(loop.steps) },
            { "right", lr } });
}

Message leakedTail(const Loop& loop)
{
    if (loop.microBatches == 0)
        return Message("defect.leaked_tail_in_general");
    if (loop.left() == 0)
        return Message("defect.no_leaked_tail", { { "all", loop.microBatches } });
    return Message("defect.leaked_tail",
        { { "left", loop.left() }, { "all", loop.microBatches },
            { "wrong", loop.left() + loop.steps }, { "right", loop.steps } });
}

Message lastLoss(const Loop& loop, const BatchPlan& plan)
{
    if (loop.steps == 1)
        return Message("defect.last_loss_of_one");
    return Message("defect.last_loss",
        { { "part", sliceSizes(plan, loop.window).back() }, { "samples", loop.window } });
}

Message earlyAllReduce(const Loop& loop)
{
    if (loop.steps == 1)
        return Message("defect.early_reduce_of_one");
    return Message("defect.early_reduce", { { "steps", loop.steps } });
}

Message sizeThatIsACount(const Loop& loop)
{
    // A user who trusts the name passes the size, b.
    const std::int64_t slices = loop.micro;
    if (slices == loop.steps)
        return Message("defect.size_equals_count");
    return Message("defect.size_used_as_count",
        { { "micro", slices }, { "samples", loop.window },
            { "wrong", static_cast<double>(loop.window) / static_cast<double>(slices) },
            { "steps", loop.steps } });
}

// Three digits are enough for a loss in a sentence.
std::string shortNumber(double value)
{
    return formatNumber(value, 3);
}

// At the beginning, when every class is equally likely.
Message wrongLosses(const Loop& loop)
{
    if (loop.steps == 1)
        return Message("defect.scaled_loss_of_one");
    // Of the ten classes of MNIST and CIFAR-10.
    const double loss = std::log(10.0);
    const auto steps = static_cast<double>(loop.steps);
    return Message("defect.scaled_loss",
        { { "added", shortNumber(loss * steps) }, { "divided", shortNumber(loss / steps) },
            { "loss", shortNumber(loss) } });
}

Message unusedClip(const Experiment& experiment)
{
    const double clip = experiment.optimizer.clipNorm;
    if (clip > 0)
        return Message("defect.unused_clip", { { "clip", clip } });
    return Message("defect.unused_clip_is_off");
}

Message runningCounter(const Loop& loop)
{
    if (loop.microBatches == 0)
        return Message("defect.running_counter_in_general");
    if (loop.left() == 0)
        return Message("defect.running_counter_without_tail");
    return Message("defect.running_counter", { { "left", loop.left() } });
}

// ---- a mean of means: `sizes` of a window's micro-batches, with the plan's `steps` ----

Message unevenMeans(
    const std::vector<std::int64_t>& sizes, std::int64_t samples, const Message& window)
{
    const auto slices = static_cast<std::int64_t>(sizes.size());
    const double times = static_cast<double>(samples) / static_cast<double>(slices * sizes.back());
    return Message("defect.mean_of_uneven_means",
        { { "window", window }, { "last", sizes.back() }, { "times", shortNumber(times) } });
}

// Empty: the mean of means is right.
Message meanOfMeans(const std::vector<std::int64_t>& sizes, std::int64_t samples,
    std::int64_t steps, const Message& window)
{
    const bool even = sizes.front() == sizes.back();
    if (static_cast<std::int64_t>(sizes.size()) == steps)
        return even ? Message() : unevenMeans(sizes, samples, window);
    const Message divided("defect.tail_divided_by_n",
        { { "steps", steps }, { "slices", sizes.size() }, { "window", window } });
    if (even)
        return divided;
    return Message("defect.uneven_and_divided",
        { { "uneven", unevenMeans(sizes, samples, window) }, { "divided", divided } });
}

Message unevenWindows(const Loop& loop, const BatchPlan& plan, std::int64_t samples)
{
    const std::vector<std::int64_t> whole = sliceSizes(plan, loop.window);
    if (whole.front() != whole.back())
        return meanOfMeans(whole, loop.window, loop.steps, Message("defect.window"));
    if (samples == 0)
        return Message("defect.uneven_tail_in_general");
    const std::int64_t tail = plan.schedule.empty() ? samples % plan.effective : 0;
    Message wrong;
    if (tail > 0 && plan.tail == Tail::Flush)
        wrong = meanOfMeans(sliceSizes(plan, tail), tail, loop.steps,
            Message("defect.tail", { { "samples", tail } }));
    return wrong.empty() ? Message("defect.no_uneven_window") : wrong;
}

} // namespace

std::vector<Message> publishedDefects(
    const Experiment& experiment, const BatchPlan& plan, std::int64_t samples)
{
    const Loop loop = loopOf(plan, samples);
    return { addedLoss(experiment, loop), wrongModulo(loop, plan, samples),
        addedGradients(experiment, loop), leakedTail(loop), lastLoss(loop, plan),
        earlyAllReduce(loop), sizeThatIsACount(loop), wrongLosses(loop), unusedClip(experiment),
        runningCounter(loop), unevenWindows(loop, plan, samples) };
}

} // namespace accrue
