// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/published_defects.h"

#include "engine/experiment/format.h"
#include "engine/experiment/window_sequence.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

// What a published loop knows: micro-batches of b, N of them to an update.
struct Loop {
    std::int64_t micro = 0;
    std::int64_t steps = 0;
    std::int64_t window = 0; // samples of ours, at those N
    std::optional<std::int64_t> microBatches {}; // of an epoch

    std::int64_t left() const { return *microBatches % steps; } // fill no window
};

Loop loopOf(const BatchPlan& plan, std::optional<std::int64_t> samples)
{
    Loop loop { .micro = plan.micro, .steps = plan.steps, .window = plan.effective };
    for (const StepsFrom& entry : plan.schedule)
        loop.steps = std::max(loop.steps, entry.steps);
    if (!plan.schedule.empty())
        loop.window = loop.micro * loop.steps;
    if (samples)
        loop.microBatches = (*samples + loop.micro - 1) / loop.micro;
    return loop;
}

std::string times(const Loop& loop)
{
    return loop.steps == 1 ? "as long as it should be" : formatCount(loop.steps) + " times as long";
}

std::string ofN(const Loop& loop, std::int64_t part)
{
    return formatCount(part) + "/" + formatCount(loop.steps);
}

bool isSgd(const Experiment& experiment)
{
    return experiment.optimizer.name == OptimizerName::Sgd;
}

// `loss += loss / N` makes 1 + 1/N of a micro-batch's loss where 1/N was meant.
std::string addedLoss(const Experiment& experiment, const Loop& loop)
{
    const auto factor = loop.steps + 1;
    std::string sentence = "loss += loss / N (an article on large batches) adds where it should "
                           "divide: the gradient would be "
        + formatCount(factor) + " times as long as the mean's";
    if (isSgd(experiment))
        sentence += ", as if lr were "
            + formatNumber(experiment.optimizer.lr * static_cast<double>(factor));
    return sentence + ".";
}

std::string updatesOfWrongModulo(const Loop& loop, const BatchPlan& plan, std::int64_t samples)
{
    const std::int64_t updates = (*loop.microBatches - 1) / (loop.steps - 1) + 1;
    const std::int64_t ours = WindowSequence(plan, samples, /*epochs=*/1).updatesWithin(1);
    return " An epoch would have " + formatCount(updates) + " updates, not " + formatCount(ours)
        + ".";
}

std::string wrongModulo(
    const Loop& loop, const BatchPlan& plan, std::optional<std::int64_t> samples)
{
    const std::string what = "A step at idx % (N - 1) == 0 with the loss divided by N "
                             "(Colossal-AI's tutorials) would ";
    if (loop.steps == 1)
        return what + "be a remainder by 0 at N 1: an error at the first micro-batch.";
    const std::string later = formatCount(loop.steps - 1);
    std::string sentence = loop.steps == 2
        ? what + "update after every micro-batch, each time by 1/2 of a mean gradient."
        : what + "make windows of 1, " + later + ", " + later + ", " + later
            + " … micro-batches: the first update is " + ofN(loop, 1)
            + " of a mean gradient, the others " + ofN(loop, loop.steps - 1) + ".";
    if (samples && plan.schedule.empty())
        sentence += updatesOfWrongModulo(loop, plan, *samples);
    return sentence;
}

std::string addedGradients(const Experiment& experiment, const Loop& loop)
{
    const std::string what = "Gradients added and never divided (MindSpore r1.6, stand-alone) ";
    if (loop.steps == 1)
        return what + "make no difference at N 1.";
    if (experiment.batch.reduction == Reduction::Sum)
        return what + "are what batch.reduction = \"sum\" asks for here; there it is not said.";
    const double lr = experiment.optimizer.lr;
    if (!isSgd(experiment))
        return what + "would make the gradient " + times(loop)
            + "; Adam, which divides by its size, would hide most of it.";
    return what + "would make the gradient " + times(loop)
        + ": the learning rate would silently be "
        + formatNumber(lr * static_cast<double>(loop.steps)) + " in place of " + formatNumber(lr)
        + ".";
}

std::string leakedTail(const Loop& loop)
{
    const std::string what = "A sum that is cleared after an update only, with a counter that "
                             "restarts each epoch (MindSpore r1.6, stand-alone), ";
    if (!loop.microBatches)
        return what + "leaks the gradients of an epoch's tail into the next epoch's first window.";
    if (loop.left() == 0)
        return what + "has nothing to leak here: the " + formatCount(*loop.microBatches)
            + " micro-batches of an epoch are whole windows.";
    return what + "would leak the gradients of the last " + formatCount(loop.left()) + " of "
        + formatCount(*loop.microBatches)
        + " micro-batches of an epoch into the next epoch's first window, which would have "
        + formatCount(loop.left() + loop.steps) + " micro-batches in place of "
        + formatCount(loop.steps) + ".";
}

std::string lastLoss(const Loop& loop, const BatchPlan& plan)
{
    if (loop.steps == 1)
        return "A printed loss that is the last micro-batch's alone (MindSpore r1.6, stand-alone) "
               "is the "
               "window's at N 1.";
    return "A printed loss that is the last micro-batch's alone (MindSpore r1.6, stand-alone) "
           "would tell of "
        + formatCount(sliceSizes(plan, loop.window).back()) + " of the window's "
        + formatCount(loop.window) + " samples.";
}

std::string earlyAllReduce(const Loop& loop)
{
    const std::string what = "Gradients reduced over the devices before they are accumulated "
                             "(MindSpore r1.6, Boost) ";
    if (loop.steps == 1)
        return what + "cost nothing more at N 1.";
    return what + "would, on several devices, be sent " + formatCount(loop.steps)
        + " times an update in place of once; the update is the same.";
}

std::string sizeThatIsACount(const Loop& loop)
{
    // What a user who believes the word gives is the size, b.
    const std::int64_t slices = loop.micro;
    const std::string what = "micro_size, documented as a size and used as a number of slices "
                             "(MindSpore's GradAccumulation), ";
    if (slices == loop.steps)
        return what + "makes no difference here: b and N are the same number.";
    return what + "would be given b, " + formatCount(loop.micro) + ", and cut the "
        + formatCount(loop.window) + " samples into " + formatCount(slices) + " slices of "
        + formatNumber(static_cast<double>(loop.window) / static_cast<double>(slices))
        + ", not into " + formatCount(loop.steps) + " of " + formatCount(loop.micro) + ".";
}

// At the beginning, where every class is as likely as another.
std::string wrongLosses(const Loop& loop)
{
    if (loop.steps == 1)
        return "A logged loss that is added over the slices (MindSpore's "
               "GradAccumulation) or divided by N "
               "(MindSpore's Accumulator) is the true one at N 1.";
    const double loss = std::log(10.0);
    const auto steps = static_cast<double>(loop.steps);
    return "A logged loss that is added over the slices (MindSpore's "
           "GradAccumulation) would begin near "
        + formatNumber(loss * steps, 3)
        + " with ten classes, one that is divided by N (MindSpore's "
          "Accumulator) near "
        + formatNumber(loss / steps, 3)
        + "; the true one begins near ln 10 = " + formatNumber(loss, 3) + ".";
}

std::string unusedClip(const Experiment& experiment)
{
    const double clip = experiment.optimizer.clipNorm;
    const std::string what = "A clip_norm that is stored and never used (MindSpore's Accumulator) ";
    return clip > 0
        ? what + "would leave every gradient as long as it is, whatever optimizer.clip_norm = "
            + formatNumber(clip) + " says."
        : what + "makes no difference here: optimizer.clip_norm is 0, off.";
}

std::string runningCounter(const Loop& loop)
{
    const std::string what = "A counter that runs on across epochs (MindSpore's Accumulator) ";
    if (!loop.microBatches)
        return what + "makes windows of two epochs.";
    if (loop.left() == 0)
        return what + "makes no difference here: every epoch ends with a whole window.";
    return what + "would put the last " + formatCount(loop.left())
        + " micro-batches of the first epoch into the second one's first window, as batch.tail = "
          "\"carry\" does.";
}

// ---- a mean of means: `sizes` of a window's micro-batches, by the plan's `steps` ----

std::string meanOfMeans(const std::vector<std::int64_t>& sizes, std::int64_t samples,
    std::int64_t steps, const std::string& window)
{
    const auto slices = static_cast<std::int64_t>(sizes.size());
    std::string sentence;
    if (sizes.front() != sizes.back())
        sentence = "The mean of its micro-batches' means is not the mean of " + window + ": with "
            + formatCount(sizes.back())
            + " samples in the last micro-batch, each of them would "
              "count "
            + formatNumber(
                static_cast<double>(samples) / static_cast<double>(slices * sizes.back()), 3)
            + " times what it should.";
    if (slices == steps)
        return sentence;
    return sentence + (sentence.empty() ? "" : " ") + "Divided by N " + formatCount(steps)
        + ", the " + formatCount(slices) + " micro-batches of " + window + " would make "
        + formatCount(slices) + "/" + formatCount(steps) + " of its mean gradient.";
}

std::string unevenWindows(
    const Loop& loop, const BatchPlan& plan, std::optional<std::int64_t> samples)
{
    const std::vector<std::int64_t> whole = sliceSizes(plan, loop.window);
    if (whole.front() != whole.back())
        return meanOfMeans(whole, loop.window, loop.steps, "the window");
    const std::string what = "A mean of means (many programs) is wrong on a window whose last "
                             "micro-batch is smaller";
    if (!samples)
        return what + ", as a tail may be.";
    const std::int64_t tail = plan.schedule.empty() ? *samples % plan.effective : 0;
    if (tail == 0 || plan.tail != Tail::Flush)
        return what + "; no full window here is.";
    const std::vector<std::int64_t> sizes = sliceSizes(plan, tail);
    const std::string wrong =
        meanOfMeans(sizes, tail, loop.steps, "the tail of " + formatCount(tail));
    return wrong.empty() ? what + "; no window here is." : wrong;
}

} // namespace

std::vector<std::string> publishedDefects(
    const Experiment& experiment, const BatchPlan& plan, std::optional<std::int64_t> samples)
{
    const Loop loop = loopOf(plan, samples);
    return { addedLoss(experiment, loop), wrongModulo(loop, plan, samples),
        addedGradients(experiment, loop), leakedTail(loop), lastLoss(loop, plan),
        earlyAllReduce(loop), sizeThatIsACount(loop), wrongLosses(loop), unusedClip(experiment),
        runningCounter(loop), unevenWindows(loop, plan, samples) };
}

} // namespace accrue
