// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_details.h"

#include <QCoreApplication>

#include "engine/experiment/keys.h"
#include "engine/experiment/validation.h"
#include "ui/models/batch_words.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(RunDetails)
};

QString of(const std::string& text)
{
    return QString::fromStdString(text);
}

void add(DetailSection& section, const QString& title, const QString& value)
{
    if (!value.isEmpty())
        section.rows.emplace_back(title, value);
}

QString shareWithLoss(const std::optional<double>& accuracy, const std::optional<double>& loss)
{
    if (!accuracy && !loss)
        return {};
    return Text::tr("%1, loss %2").arg(percentText(accuracy), numberText(loss));
}

DetailSection labels(const RunRecord& run)
{
    DetailSection section { Text::tr("Labels"), {} };
    add(section, Text::tr("Tags"), tagLine(run.tags));
    return section;
}

DetailSection results(const RunRecord& run)
{
    DetailSection section { Text::tr("Results"), {} };
    if (const std::optional<BestEvaluation> best = bestOf(run))
        add(section, bestTitle(*best),
            Text::tr("%1 at step %2").arg(percentText(best->value), countText(best->step)));
    add(section, Text::tr("Validation"),
        shareWithLoss(run.finalValidationAccuracy, run.finalValidationLoss));
    add(section, Text::tr("Test"), shareWithLoss(run.finalTestAccuracy, run.finalTestLoss));
    add(section, Text::tr("Training"), shareWithLoss(run.finalTrainAccuracy, run.finalTrainLoss));
    if (run.lastLoss)
        add(section, Text::tr("Loss of the last step"), numberText(*run.lastLoss));
    add(section, Text::tr("Updates"),
        run.totalSteps > 0
            ? Text::tr("%1 of %2").arg(countText(run.step), countText(run.totalSteps))
            : countText(run.step));
    add(section, Text::tr("Samples seen"), countText(run.samples));
    add(section, Text::tr("Time"), durationText(run.seconds));
    if (run.throughput > 0)
        add(section, Text::tr("Throughput"), rateText(run.throughput));
    if (run.peakBytes > 0)
        add(section, metricTitle("peak_bytes"), bytesText(run.peakBytes));
    if (run.evaluationPeakBytes > 0)
        add(section, evaluationPeakTitle(), bytesText(run.evaluationPeakBytes));
    return section;
}

DetailSection plan(const RunRecord& run)
{
    DetailSection section { Text::tr("Batch"), {} };
    const BatchPlan& batch = run.plan;
    add(section, Text::tr("Effective batch"),
        Text::tr("%1; b %2, N %3")
            .arg(batchSumText(batch), countText(batch.micro), countText(batch.steps)));
    const BatchPlan cut = planInForce(run);
    if (cut != batch)
        add(section, Text::tr("Split"),
            Text::tr("b %1, N %2, after an out-of-memory error")
                .arg(countText(cut.micro), countText(cut.steps)));
    if (run.epochPlan.windows > 0)
        add(section, Text::tr("Epoch"), epochText(run.epochPlan));
    add(section, Text::tr("Data"), of(run.dataDescription));
    if (run.parameters > 0)
        add(section, Text::tr("Parameters"), countText(run.parameters));
    return section;
}

DetailSection settings(const RunRecord& run)
{
    DetailSection section { Text::tr("Settings"), {} };
    const std::vector<std::string> unread = unreadKeys(run.experiment);
    for (const auto& [key, value] : settledSettings(run))
        if (key != "name" && std::find(unread.begin(), unread.end(), key) == unread.end())
            section.rows.emplace_back(of(key), of(shownSetting(value)));
    return section;
}

DetailSection place(const RunRecord& run)
{
    DetailSection section { Text::tr("Ran on"), {} };
    add(section, Text::tr("Device"),
        run.deviceName.empty() ? of(run.device)
                               : Text::tr("%1, %2").arg(of(run.device), of(run.deviceName)));
    if (run.threads > 0)
        add(section, Text::tr("Threads"), QString::number(run.threads));
    add(section, Text::tr("Host"), of(run.host));
    add(section, Text::tr("Started"), timeText(run.createdMs));
    if (run.endedMs > 0)
        add(section, Text::tr("Ended"), timeText(run.endedMs));
    if (run.attempt > 1)
        add(section, Text::tr("Attempt"), QString::number(run.attempt));
    add(section, Text::tr("Accrue"), of(run.programVersion));
    add(section, Text::tr("Code"), of(run.codeRevision));
    add(section, Text::tr("LibTorch"), of(run.torchVersion));
    add(section, Text::tr("CUDA"), of(run.cudaVersion));
    add(section, Text::tr("Checkpoint"), of(run.checkpoint));
    return section;
}

} // namespace

std::vector<DetailSection> detailsOf(const RunRecord& run)
{
    return { labels(run), results(run), plan(run), settings(run), place(run) };
}

} // namespace accrue
