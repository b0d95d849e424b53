// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_progress.h"

#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

namespace {

QString stepsText(const RunRecord& run)
{
    return Ui::tr("step %1 of %2").arg(countText(run.step), countText(run.totalSteps));
}

void showMemory(const RunRecord& run, ShownProgress& progress)
{
    const QString peak = Ui::tr("%1 training peak").arg(bytesText(run.peakBytes));
    progress.memory << peak;
    progress.memoryMeaning = peak;
    const std::optional<Bytes>& budget = run.experiment.memory.budget;
    if (!budget)
        return;
    const QString whole = bytesText(budget->count);
    if (budgetOfPeaks(run)) {
        progress.memory.prepend(Ui::tr("%1 of %2").arg(peak, whole));
        progress.memoryMeaning = progress.memory.front();
    } else
        progress.memoryMeaning =
            Ui::tr("%1; the budget of %2 also covers memory of CUDA and of other programs")
                .arg(peak, whole);
}

} // namespace

ShownProgress progressOf(const RunRecord& run, const TrainingPace& pace)
{
    ShownProgress progress;
    std::optional<double> left;
    if (run.totalSteps > 0) {
        const auto total = static_cast<double>(run.totalSteps);
        progress.share = std::clamp(static_cast<double>(run.step) / total, 0.0, 1.0);
        left = pace.secondsLeft(run.totalSteps);
    }
    progress.title = runTitle(run.name, run.id);
    if (hasRecipe(run)) {
        progress.steps = run.totalSteps > 0 ? stepsText(run) : Ui::tr("preparing");
        progress.percent = Ui::tr("%1 %").arg(QString::number(100 * progress.share, 'f', 1));
        progress.timeLeft =
            left ? Ui::tr("%1 left").arg(durationText(*left)) : Ui::tr("estimating");
    } else { // a script does not say how long it will take
        progress.steps = Ui::tr("step %1").arg(countText(run.step));
    }
    // Not run.throughput, the mean of the whole run: the command line shows this pace, too.
    if (const double rate = pace.samplesPerSecond(); rate > 0)
        progress.rate = rateText(rate);
    if (run.peakBytes > 0)
        showMemory(run, progress);
    return progress;
}

std::optional<std::int64_t> budgetOfPeaks(const RunRecord& run)
{
    const std::optional<Bytes>& budget = run.experiment.memory.budget;
    // By the prefix, because a CUDA device may have a number: "cuda:1".
    if (!budget || run.device.rfind("cuda", 0) == 0)
        return {};
    return budget->count;
}

QString summaryText(const RunRecord& run)
{
    QStringList parts;
    // Progress is counted in the unit that ends the run: epochs, or the steps of run.limit_steps.
    if (!hasRecipe(run))
        parts << Ui::tr("step %1").arg(countText(run.step));
    else if (run.experiment.run.limitSteps > 0 && run.totalSteps > 0)
        parts << stepsText(run);
    else if (run.epoch > 0)
        parts << Ui::tr("epoch %1 of %2")
                     .arg(countText(run.epoch), countText(run.experiment.run.epochs));
    if (run.finalValidationAccuracy)
        parts << Ui::tr("validation accuracy %1").arg(percentText(*run.finalValidationAccuracy));
    else if (run.finalTestAccuracy)
        parts << Ui::tr("test accuracy %1").arg(percentText(*run.finalTestAccuracy));
    const auto& last =
        run.bestValidationAccuracy ? run.finalValidationAccuracy : run.finalTestAccuracy;
    const std::optional<BestEvaluation> best = bestOf(run);
    if (best && best->value != last)
        parts << Ui::tr("best %1 at step %2").arg(percentText(best->value), countText(best->step));
    if (run.lastLoss)
        parts << Ui::tr("loss %1").arg(numberText(*run.lastLoss, 3));
    if (run.seconds > 0)
        parts << durationText(run.seconds);
    return parts.join(Ui::tr(" · "));
}

} // namespace accrue
