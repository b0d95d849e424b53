// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_details.h"

#include "engine/experiment/keys.h"
#include "engine/experiment/validation.h"
#include "engine/report/comparison_rows.h"
#include "engine/report/rank_log.h"
#include "engine/runs/settled_settings.h"
#include "ui/models/batch_words.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"
#include "ui/models/run_columns.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <filesystem>

namespace accrue {

namespace {

QString of(const std::string& text)
{
    return QString::fromStdString(text);
}

using Rows = std::vector<std::pair<QString, QString>>;

// Removes rows without a value: the log does not know them.
DetailSection section(const QString& title, Rows rows)
{
    std::erase_if(rows, [](const auto& row) { return row.second.isEmpty(); });
    return { title, std::move(rows) };
}

QString onlyIf(bool isKnown, const QString& value)
{
    return isKnown ? value : QString();
}

QString shareWithLoss(const std::optional<double>& accuracy, const std::optional<double>& loss)
{
    if (!accuracy && !loss)
        return {};
    if (!accuracy)
        return Ui::tr("loss %1").arg(numberText(loss));
    return Ui::tr("%1, loss %2").arg(percentText(accuracy), numberText(loss));
}

DetailSection results(const RunRecord& run)
{
    const QString step = countText(run.step);
    Rows rows {
        { Ui::tr("Validation"),
            shareWithLoss(run.finalValidationAccuracy, run.finalValidationLoss) },
        { Ui::tr("Test"), shareWithLoss(run.finalTestAccuracy, run.finalTestLoss) },
        { Ui::tr("Training"), shareWithLoss(run.finalTrainAccuracy, run.finalTrainLoss) },
        { Ui::tr("Loss of the last step"),
            onlyIf(run.lastLoss.has_value(), numberText(run.lastLoss)) },
        { Ui::tr("Updates"),
            run.totalSteps > 0 ? Ui::tr("%1 of %2").arg(step, countText(run.totalSteps)) : step },
        { Ui::tr("Samples seen"),
            onlyIf(hasRecipe(run) || run.samples > 0, countText(run.samples)) },
        { Ui::tr("Time"), trainedText(run) },
        { metricTitle(MetricId::Throughput), onlyIf(run.throughput > 0, rateText(run.throughput)) },
        { metricTitle(MetricId::PeakBytes), onlyIf(run.peakBytes > 0, bytesText(run.peakBytes)) },
        { evaluationPeakTitle(),
            onlyIf(run.evaluationPeakBytes > 0, bytesText(run.evaluationPeakBytes)) },
    };
    if (const std::optional<BestEvaluation> best = bestOf(run))
        rows.emplace(rows.begin(), bestTitle(*best),
            Ui::tr("%1 at step %2").arg(percentText(best->value), countText(best->step)));
    return section(Ui::tr("Results"), rows);
}

DetailSection plan(const RunRecord& run)
{
    if (!hasRecipe(run))
        return {};
    const BatchPlan& batch = run.plan;
    // Both are shown: the plan as requested, and the split that memory allowed.
    const BatchPlan cut = planInForce(run);
    return section(Ui::tr("Batch"),
        { { Ui::tr("Effective batch"),
              Ui::tr("%1; b %2, N %3")
                  .arg(batchSumText(batch), countText(batch.micro), countText(batch.steps)) },
            { Ui::tr("Devices"), onlyIf(batch.devices > 1, countText(batch.devices)) },
            { Ui::tr("Split"),
                onlyIf(cut != batch,
                    Ui::tr("b %1, N %2, after an out-of-memory error")
                        .arg(countText(cut.micro), countText(cut.steps))) },
            { Ui::tr("Epoch"), onlyIf(run.epochPlan.windows > 0, epochText(run.epochPlan)) },
            { Ui::tr("Data"), of(run.dataDescription.text()) },
            { Ui::tr("Parameters"), onlyIf(run.parameters > 0, countText(run.parameters)) } });
}

// Keys that nothing reads are left out: a run with SGD has no beta1. An empty value is shown,
// because it was set that way. Under the labels of the form, as they took effect.
DetailSection settings(const RunRecord& run, bool changed)
{
    DetailSection all { !hasRecipe(run) ? Ui::tr("Settings")
            : changed                   ? Ui::tr("Settings that differ from the defaults")
                                        : Ui::tr("Settings at their defaults"),
        {} };
    const std::vector<std::string> unread = unreadKeys(run);
    for (const auto& [key, value] : settledSettings(run))
        if (key != "name" && isDefault(run, key) != changed
            && std::find(unread.begin(), unread.end(), key) == unread.end())
            all.rows.emplace_back(keyLabel(key), of(shownSetting(value)));
    return all;
}

// Beside the checkpoints, on the machine of each device.
QString rankLogs(const RunRecord& run)
{
    const std::int64_t last = run.plan.devices - 1;
    if (last < 1 || run.checkpoint.empty())
        return {};
    const std::filesystem::path folder = std::filesystem::path(run.checkpoint).parent_path();
    return Ui::tr("%1 to %2")
        .arg(of(rankLogIn(folder, 0).string()), of(rankLogIn(folder, last).filename().string()));
}

DetailSection place(const RunRecord& run)
{
    const QString name = of(run.deviceName);
    return section(Ui::tr("Device"),
        { { Ui::tr("Device"),
              name.isEmpty() ? of(run.device) : Ui::tr("%1, %2").arg(of(run.device), name) },
            { Ui::tr("Threads"), onlyIf(run.threads > 0, QString::number(run.threads)) },
            { Ui::tr("Host"), of(run.host) }, { Ui::tr("Started"), timeText(run.createdMs) },
            { Ui::tr("Ended"), onlyIf(run.endedMs > 0, timeText(run.endedMs)) },
            { Ui::tr("Attempt"), onlyIf(run.attempt > 1, QString::number(run.attempt)) },
            { Ui::tr("Logged by"), onlyIf(!hasRecipe(run), of(textOf(run.source))) },
            { Ui::tr("Imported from"), of(run.origin) },
            { hasRecipe(run) ? Ui::tr("Accrue") : QStringLiteral("accrue.py"),
                of(run.programVersion) },
            { Ui::tr("Code"), of(run.codeRevision) }, { Ui::tr("LibTorch"), of(run.torchVersion) },
            { Ui::tr("CUDA"), of(run.cudaVersion) }, { Ui::tr("Checkpoint"), of(run.checkpoint) },
            { Ui::tr("Logs of the devices"), rankLogs(run) } });
}

} // namespace

std::vector<DetailSection> detailsOf(const RunRecord& run)
{
    return { section(Ui::tr("Labels"), { { Ui::tr("Tags"), tagLine(run.tags) } }),
        settings(run, /*changed=*/true), results(run), plan(run), settings(run, /*changed=*/false),
        place(run) };
}

} // namespace accrue
