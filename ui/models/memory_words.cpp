// SPDX-License-Identifier: Apache-2.0
#include "ui/models/memory_words.h"

#include "engine/events/memory.h"
#include "ui/models/format.h"

#include <array>

namespace accrue {

namespace {

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

// With a contrast of at least 3:1 to the background.
QColor grey(bool darker, Background background)
{
    if (background == Background::Dark)
        return QColor::fromRgb(darker ? 0xff6b737e : 0xff98a1ab);
    return QColor::fromRgb(darker ? 0xff565d66 : 0xff8d949c);
}

struct PhaseWords {
    QString title;
    QString letter;
};

PhaseWords wordsOf(MemoryPhase phase)
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

} // namespace

QString categoryTitle(MemoryCategory category)
{
    return Ui::tr(kWords.at(static_cast<std::size_t>(category)).title);
}

QString categoryMeaning(MemoryCategory category)
{
    return Ui::tr(kWords.at(static_cast<std::size_t>(category)).meaning);
}

MemoryTerm cachedMemory()
{
    return { Ui::tr("Cached"),
        Ui::tr("Cached: device memory that the allocator holds for reuse but does not use now; it "
               "adds "
               "to the live memory.") };
}

MemoryTerm othersMemory()
{
    return { Ui::tr("Others"),
        Ui::tr(
            "Others: device memory used by CUDA itself and by other programs; it is not available "
            "to this run.") };
}

QColor categoryColor(MemoryCategory category, Background background)
{
    const int hue = kWords.at(static_cast<std::size_t>(category)).hue;
    return hue < 0 ? grey(hue == kDarkGrey, background) : seriesColor(hue, background);
}

QString phaseTitle(MemoryPhase phase)
{
    return wordsOf(phase).title;
}

QString phaseLetter(MemoryPhase phase)
{
    return wordsOf(phase).letter;
}

QString phaseText(const PhaseMemory& phase)
{
    const QString samples = countedText(phase.samples, Ui::tr("1 sample"), Ui::tr("%1 samples"));
    if (phase.microBatch > 0)
        return Ui::tr("%1 of micro-batch %2, %3")
            .arg(phaseTitle(phase.phase), countText(phase.microBatch), samples);
    return Ui::tr("%1, %2").arg(phaseTitle(phase.phase), samples);
}

QString highestPeakText(const MemoryMeasured& window)
{
    const PhaseMemory* peak = highestPeak(window);
    if (peak == nullptr)
        return {};
    return Ui::tr("Highest peak %1 in %2").arg(bytesText(peak->peakBytes), phaseText(*peak));
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

} // namespace accrue
