// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_progress.h"

#include "engine/experiment/format.h"
#include "ui/run/run_title.h"

#include <QCoreApplication>

#include <algorithm>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(RunProgress)
};

QString text(const std::string& value)
{
    return QString::fromStdString(value);
}

void showMemory(const RunRecord& run, ShownProgress& progress)
{
    const QString peak = Text::tr("%1 training peak").arg(text(formatBytes(run.peakBytes)));
    progress.memory << peak;
    progress.memoryMeaning = peak;
    const std::optional<Bytes>& budget = run.experiment.memory.budget;
    if (!budget)
        return;
    const QString whole = text(formatBytes(budget->count));
    if (budgetOfPeaks(run)) {
        progress.memory.prepend(Text::tr("%1 of %2").arg(peak, whole));
        progress.memoryMeaning = progress.memory.front();
    } else
        progress.memoryMeaning =
            Text::tr("%1; the budget of %2 is also for what CUDA and other programs hold")
                .arg(peak, whole);
}

} // namespace

ShownProgress progressOf(const RunRecord& run)
{
    ShownProgress progress;
    const double total = static_cast<double>(run.totalSteps);
    const double step = static_cast<double>(run.step);
    if (run.totalSteps > 0)
        progress.share = std::clamp(step / total, 0.0, 1.0);
    if (run.step > 0 && run.totalSteps > 0)
        progress.secondsLeft = std::max(0.0, run.seconds / step * (total - step));

    progress.title = runTitle(run.name, run.id);
    progress.steps = run.totalSteps > 0
        ? Text::tr("step %1 of %2")
              .arg(text(formatCount(run.step)), text(formatCount(run.totalSteps)))
        : Text::tr("preparing");
    progress.percent = Text::tr("%1 %").arg(QString::number(100 * progress.share, 'f', 1));
    progress.timeLeft = progress.secondsLeft
        ? Text::tr("%1 left").arg(text(formatDuration(*progress.secondsLeft)))
        : Text::tr("estimating");
    if (run.throughput > 0)
        progress.rate = text(formatRate(run.throughput));
    if (run.peakBytes > 0)
        showMemory(run, progress);
    return progress;
}

std::optional<std::int64_t> budgetOfPeaks(const RunRecord& run)
{
    const std::optional<Bytes>& budget = run.experiment.memory.budget;
    if (!budget || run.device.rfind("cuda", 0) == 0)
        return {};
    return budget->count;
}

QString summaryText(const RunRecord& run)
{
    QStringList parts;
    if (run.experiment.run.limitSteps > 0 && run.totalSteps > 0)
        parts << progressOf(run).steps;
    else if (run.epoch > 0)
        parts << Text::tr("epoch %1 of %2")
                     .arg(text(formatCount(run.epoch)),
                         text(formatCount(run.experiment.run.epochs)));
    if (run.finalValidationAccuracy)
        parts << Text::tr("validation accuracy %1")
                     .arg(text(formatPercent(*run.finalValidationAccuracy)));
    else if (run.finalTestAccuracy)
        parts << Text::tr("test accuracy %1").arg(text(formatPercent(*run.finalTestAccuracy)));
    const auto& last =
        run.bestValidationAccuracy ? run.finalValidationAccuracy : run.finalTestAccuracy;
    const std::optional<BestEvaluation> best = bestOf(run);
    if (best && best->value != last)
        parts << Text::tr("best %1 at step %2")
                     .arg(text(formatPercent(best->value)), text(formatCount(best->step)));
    if (run.lastLoss)
        parts << Text::tr("loss %1").arg(text(formatNumber(*run.lastLoss, 3)));
    if (run.seconds > 0)
        parts << text(formatDuration(run.seconds));
    return parts.join(Text::tr(" · "));
}

} // namespace accrue
