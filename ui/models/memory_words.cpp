// SPDX-License-Identifier: Apache-2.0
#include "ui/models/memory_words.h"

#include "engine/events/memory_layers.h"
#include "ui/models/format.h"

#include <QCoreApplication>

#include <array>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(MemoryWords)
};

struct CategoryWords {
    const char* title;
    const char* meaning;
};
constexpr std::array<CategoryWords, kMemoryCategories> kWords { {
    { QT_TRANSLATE_NOOP("MemoryWords", "Data set"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Data set: all pictures and labels, kept on the device as they are stored; the same "
            "for "
            "every micro-batch.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Parameters"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Parameters: the weights and biases that are trained; their size is the model's.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Gradients"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Gradients: one number for each parameter, into which the micro-batches of a window "
            "add "
            "theirs; as large as the parameters, whatever N is.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Optimizer state"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Optimizer state: what the optimizer remembers between updates; momentum is as large "
            "as the parameters, Adam's two moments are twice that.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Average"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Average: a running average of the parameters, as large as they are, where one is "
            "kept.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Buffers"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Buffers: what layers keep beside their parameters, such as BatchNorm's running "
            "statistics.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Input"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Input: the pictures of one micro-batch as the model is given them; grows with the "
            "micro-batch.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Activations"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Activations: what the forward pass keeps so that the backward pass can compute "
            "gradients; grows with the micro-batch.") },
    { QT_TRANSLATE_NOOP("MemoryWords", "Workspace"),
        QT_TRANSLATE_NOOP("MemoryWords",
            "Workspace: scratch memory that an operation takes while it computes and gives back at "
            "once.") },
} };

// Above the seven hues: greys with a contrast of at least 3:1 to the ground.
QColor grey(bool darker, Background background)
{
    if (background == Background::Dark)
        return QColor::fromRgb(darker ? 0xff6b737e : 0xff98a1ab);
    return QColor::fromRgb(darker ? 0xff565d66 : 0xff8d949c);
}

} // namespace

QString categoryTitle(MemoryCategory category)
{
    return Text::tr(kWords.at(static_cast<std::size_t>(category)).title);
}

QString categoryMeaning(MemoryCategory category)
{
    return Text::tr(kWords.at(static_cast<std::size_t>(category)).meaning);
}

QString cachedTitle()
{
    return Text::tr("Cached");
}

QString cachedMeaning()
{
    return Text::tr("Cached: memory of the card that the allocator holds and does not use now, to "
                    "have it at hand; it is on top of what is live.");
}

QString othersTitle()
{
    return Text::tr("Others");
}

QString othersMeaning()
{
    return Text::tr("Others: what CUDA itself and other programs take of the card; it is not this "
                    "run's, but it is not free either.");
}

QColor categoryColor(MemoryCategory category, Background background)
{
    switch (category) {
    case MemoryCategory::DataSet:
        return grey(/*darker=*/true, background);
    case MemoryCategory::Parameters:
        return seriesColor(0, background);
    case MemoryCategory::Gradients:
        return seriesColor(1, background);
    case MemoryCategory::OptimizerState:
        return seriesColor(2, background);
    case MemoryCategory::Average:
        return seriesColor(6, background);
    case MemoryCategory::Buffers:
        return seriesColor(3, background);
    case MemoryCategory::Input:
        return seriesColor(5, background);
    case MemoryCategory::Activations:
        return seriesColor(4, background);
    case MemoryCategory::Workspace:
        break;
    }
    return grey(/*darker=*/false, background);
}

QString phaseTitle(MemoryPhase phase)
{
    switch (phase) {
    case MemoryPhase::Data:
        return Text::tr("data");
    case MemoryPhase::Forward:
        return Text::tr("forward");
    case MemoryPhase::Backward:
        return Text::tr("backward");
    case MemoryPhase::Optimizer:
        return Text::tr("step");
    case MemoryPhase::Evaluation:
        break;
    }
    return Text::tr("evaluation");
}

QString phaseLetter(MemoryPhase phase)
{
    switch (phase) {
    case MemoryPhase::Data:
        return Text::tr("d", "data");
    case MemoryPhase::Forward:
        return Text::tr("f", "forward");
    case MemoryPhase::Backward:
        return Text::tr("b", "backward");
    case MemoryPhase::Optimizer:
        return Text::tr("s", "step");
    case MemoryPhase::Evaluation:
        break;
    }
    return Text::tr("e", "evaluation");
}

QString phaseText(const PhaseMemory& phase)
{
    const QString samples =
        countedText(phase.samples, Text::tr("1 sample"), Text::tr("%1 samples"));
    if (phase.microBatch > 0)
        return Text::tr("%1 of micro-batch %2, %3")
            .arg(phaseTitle(phase.phase), countText(phase.microBatch), samples);
    return Text::tr("%1, %2").arg(phaseTitle(phase.phase), samples);
}

QString highestPeakText(const MemoryMeasured& window)
{
    const PhaseMemory* peak = highestPeak(window);
    if (peak == nullptr)
        return {};
    return Text::tr("Highest peak %1 in %2").arg(bytesText(peak->peakBytes), phaseText(*peak));
}

QString tailText(const MemoryMeasured& window, const BatchPlan& plan)
{
    for (const PhaseMemory& phase : window.phases)
        if (phase.phase == MemoryPhase::Optimizer && phase.samples != plan.effective)
            return Text::tr("this window %1 of %2 samples")
                .arg(countText(phase.samples), countText(plan.effective));
    return {};
}

QString validityText(const std::vector<std::int64_t>& steps, std::size_t index)
{
    const std::int64_t from = steps.at(index);
    if (index + 1 == steps.size())
        return Text::tr("From step %1 on").arg(countText(from));
    const std::int64_t to = steps[index + 1] - 1;
    if (from == to)
        return Text::tr("Step %1").arg(countText(from));
    return Text::tr("Steps %1 to %2").arg(countText(from), countText(to));
}

} // namespace accrue
