// SPDX-License-Identifier: Apache-2.0
#include "ui/models/memory_words.h"

#include "ui/models/batch_words.h"
#include "ui/models/format.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace accrue {

namespace {

constexpr double kMostly = 0.75; // of the highest peak

// Negative, unlike the hues of runs, which are 0 to 6.
constexpr int kDarkGrey = -1;
constexpr int kLightGrey = -2;

struct CategoryWords {
    const char* title;
    const char* meaning;
    int hue;
};
constexpr std::array<CategoryWords, kMemoryCategories> kWords { {
    { QT_TR_NOOP("Data set"),
        QT_TR_NOOP("Data set: all pictures and labels, stored on the device; the same for every "
                   "micro-batch."),
        kDarkGrey },
    { QT_TR_NOOP("Parameters"), QT_TR_NOOP("Parameters: the trained weights and biases."), 0 },
    { QT_TR_NOOP("Gradients"),
        QT_TR_NOOP(
            "Gradients: one number per parameter, to which all micro-batches of a window add; as "
            "large as the parameters, for any N."),
        1 },
    { QT_TR_NOOP("Optimizer state"),
        QT_TR_NOOP(
            "Optimizer state: what the optimizer stores between updates; momentum is as large as "
            "the parameters, Adam's two moments are twice as large."),
        2 },
    { QT_TR_NOOP("EMA"),
        QT_TR_NOOP(
            "EMA: an exponential moving average of the parameters, as large as they are, if it is "
            "on."),
        6 },
    { QT_TR_NOOP("Buffers"),
        QT_TR_NOOP(
            "Buffers: what layers store besides their parameters, such as BatchNorm's running "
            "statistics."),
        3 },
    { QT_TR_NOOP("Input"),
        QT_TR_NOOP("Input: the pictures of one micro-batch as passed to the model; grows with the "
                   "micro-batch."),
        5 },
    { QT_TR_NOOP("Activations"),
        QT_TR_NOOP(
            "Activations: results of the forward pass that the backward pass needs to compute "
            "gradients; they grow with the micro-batch."),
        4 },
    { QT_TR_NOOP("Workspace"),
        QT_TR_NOOP(
            "Workspace: scratch memory that an operation allocates while it computes and frees "
            "immediately."),
        kLightGrey },
} };

// With a contrast of at least 3:1 to the background; on a dark one neither is brighter than the
// hues beside it, which are what one looks for.
QColor grey(bool darker, Background background)
{
    if (background == Background::Dark)
        return QColor::fromRgb(darker ? 0xff666e79 : 0xff828b96);
    return QColor::fromRgb(darker ? 0xff565d66 : 0xff8d949c);
}

// The split in force after an out-of-memory error, and the b it was reduced from: the peak is that
// of the smaller b.
QString batchOf(const RunRecord& run)
{
    const QString batch = Ui::tr("B %1").arg(batchSumText(planInForce(run)));
    return planInForce(run) == run.plan
        ? batch
        : Ui::tr("%1, reduced from b %2 after an out-of-memory error")
              .arg(batch, countText(run.plan.micro));
}

// The peak of the phases that are drawn, then that of the evaluation if it is hidden.
QString peaksOf(const MemoryMeasured& window, bool evaluationDrawn)
{
    const MemoryMeasured drawn = evaluationDrawn ? window : withoutEvaluation(window);
    const QString text = highestPeakText(drawn);
    std::int64_t notDrawn = 0;
    for (auto at = drawn.phases.size(); at < window.phases.size(); ++at) // evaluations are last
        notDrawn = std::max(notDrawn, window.phases[at].peakBytes);
    return notDrawn > 0 ? Ui::tr("%1; evaluation %2").arg(text, bytesText(notDrawn)) : text;
}

QString whichOf(const WindowExcerpt& excerpt)
{
    if (excerpt.drawn == excerpt.microBatches)
        return Ui::tr("every micro-batch");
    const QString text = excerpt.cut ? Ui::tr("the first %1 of %2 different micro-batches")
                                     : Ui::tr("%1 of %2 micro-batches; the others are the same");
    return text.arg(countText(excerpt.drawn), countText(excerpt.microBatches));
}

} // namespace

QString categoryTitle(MemoryCategory category)
{
    return Ui::tr(kWords.at(static_cast<std::size_t>(category)).title);
}

QString categoryMeaning(MemoryCategory category)
{
    return Ui::tr(kWords.at(static_cast<std::size_t>(category)).meaning);
}

QColor categoryColor(MemoryCategory category, Background background)
{
    const int hue = kWords.at(static_cast<std::size_t>(category)).hue;
    return hue < 0 ? grey(hue == kDarkGrey, background) : seriesColor(hue, background);
}

PhaseWords phaseWords(MemoryPhase phase)
{
    switch (phase) {
    case MemoryPhase::Data:
        return { Ui::tr("data"), Ui::tr("d", "data") };
    case MemoryPhase::Forward:
        return { Ui::tr("forward"), Ui::tr("f", "forward") };
    case MemoryPhase::Backward:
        return { Ui::tr("backward"), Ui::tr("b", "backward") };
    case MemoryPhase::Optimizer:
        return { Ui::tr("step", "phase"), Ui::tr("s", "step") };
    case MemoryPhase::Evaluation:
        break;
    }
    return { Ui::tr("evaluation"), Ui::tr("e", "evaluation") };
}

QString phaseText(const PhaseMemory& phase)
{
    const QString samples = countedText(phase.samples, Ui::tr("1 sample"), Ui::tr("%1 samples"));
    if (phase.microBatch > 0)
        return Ui::tr("%1 of micro-batch %2, %3")
            .arg(phaseWords(phase.phase).title, countText(phase.microBatch), samples);
    return Ui::tr("%1, %2").arg(phaseWords(phase.phase).title, samples);
}

QString highestPeakText(const MemoryMeasured& window)
{
    const PhaseMemory* peak = highestPeak(window);
    return peak != nullptr
        ? Ui::tr("Highest peak %1 in %2").arg(bytesText(peak->peakBytes), phaseText(*peak))
        : QString();
}

// The update's samples are those of the whole window: fewer than B in the last window of an epoch.
QString tailText(const MemoryMeasured& window, const BatchPlan& plan)
{
    for (const PhaseMemory& phase : window.phases)
        if (phase.phase == MemoryPhase::Optimizer && phase.samples != plan.effective)
            return Ui::tr("this window %1 of %2 samples")
                .arg(countText(phase.samples), countText(plan.effective));
    return {};
}

QString validityText(const std::vector<std::int64_t>& steps, std::size_t index)
{
    const std::int64_t from = steps.at(index);
    if (index + 1 == steps.size())
        return Ui::tr("From step %1 on").arg(countText(from));
    const std::int64_t to = steps[index + 1] - 1;
    if (from == to)
        return Ui::tr("Step %1").arg(countText(from));
    return Ui::tr("Steps %1 to %2").arg(countText(from), countText(to));
}

MemoryMeasured withoutEvaluation(MemoryMeasured window)
{
    std::erase_if(window.phases,
        [](const PhaseMemory& phase) { return phase.phase == MemoryPhase::Evaluation; });
    return window;
}

// Parameters and data can be most of a window; its chart then begins above them, or the teeth would
// not be visible.
bool isMostlyConstant(const MemoryMeasured& window)
{
    const PhaseMemory* peak = highestPeak(window);
    return peak != nullptr
        && static_cast<double>(window.phases.front().beginBytes)
        > kMostly * static_cast<double>(peak->peakBytes);
}

QString windowSummary(const MemoryMeasured& window, const RunRecord& run, bool evaluationDrawn)
{
    QStringList parts { peaksOf(window, evaluationDrawn), batchOf(run), tailText(window, run.plan),
        QString::fromStdString(run.device) };
    parts.removeAll(QString());
    const QString text = parts.join(Ui::tr("; "));
    const std::optional<Bytes>& budget = run.experiment.memory.budget;
    return budget ? Ui::tr("%1, budget %2").arg(text, bytesText(budget->count)) : text;
}

// What is left out comes first, because a long title is elided at its end.
QString windowCaption(const WindowExcerpt& excerpt, std::int64_t leftOut, Metering metering)
{
    const QString which =
        metering == Metering::Full ? whichOf(excerpt) : Ui::tr("each phase at its peak");
    return leftOut > 0
        ? Ui::tr("Transient memory (+ %1 constant), %2").arg(bytesText(leftOut), which)
        : Ui::tr("Memory in one window, %1").arg(which);
}

} // namespace accrue
