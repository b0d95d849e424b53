// SPDX-License-Identifier: Apache-2.0
#include "ui/models/window_words.h"

#include "engine/events/memory.h"
#include "ui/models/batch_words.h"
#include "ui/models/format.h"
#include "ui/models/memory_words.h"

#include <QStringList>

#include <algorithm>

namespace accrue {

namespace {

constexpr double kMostly = 0.75; // of the highest peak

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
