// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_columns.h"

#include "engine/experiment/key_names.h"
#include "engine/runs/run_keys.h"
#include "engine/runs/settled_settings.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"
#include "ui/models/run_words.h"

#include <cmath>

namespace accrue {

namespace {

using R = const RunRecord&;

constexpr bool kNumber = true;
constexpr bool kWords = false;

// The symbols B, b and N are short for the labels of the form, which the header's tooltip names.
QString meaning(const char* key)
{
    return keyLabel(key) + QLatin1String(": ") + QString::fromStdString(helpOf(*findKey(key)));
}

// As it took effect; "–" if a run without a recipe was not logged with it.
QString settled(R run, const char* key)
{
    const std::optional<SettingValue> value = settledSetting(run, key);
    if (!value)
        return numberText(std::nullopt);
    if (const auto* count = std::get_if<std::int64_t>(&*value))
        return countText(*count);
    if (const auto* number = std::get_if<double>(&*value))
        return numberText(*number);
    return QString::fromStdString(settingText(*value));
}

QString unlessZero(bool isKnown, const QString& text)
{
    return isKnown ? text : numberText(std::nullopt);
}

QString progressText(std::int64_t step, std::int64_t totalSteps)
{
    return totalSteps > 0 ? Ui::tr("%1 / %2").arg(countText(step), countText(totalSteps))
                          : countText(step);
}

QString stateTip(R run)
{
    if (!run.message.empty())
        return messageText(run.message);
    if (run.state != RunState::Interrupted)
        return {};
    return Ui::tr("The program ended before the run did. Everything up to step %1 is stored.")
        .arg(countText(run.step));
}

QString bestTip(R run)
{
    const std::optional<BestEvaluation> best = bestOf(run);
    if (!best)
        return {};
    return Ui::tr("%1 %2, at step %3")
        .arg(bestTitle(*best), percentText(best->value), countText(best->step));
}

QString lossText(double loss)
{
    return numberText(loss);
}

QString shareText(double share)
{
    return percentText(share);
}

QString peakText(double bytes)
{
    return bytesText(std::llround(bytes));
}

// With its sign, which is a minus and no hyphen.
QString signedText(double difference, const QString& amount)
{
    const QString sign = difference > 0 ? QStringLiteral("+") : QStringLiteral("\u2212");
    return difference == 0 ? amount : sign + amount;
}

QString changeInPoints(double now, double before)
{
    const double points = (now - before) * 100;
    return Ui::tr("%1 pt", "percentage points")
        .arg(signedText(points, QString::number(std::abs(points), 'f', 2)));
}

QString changeOfNumber(double now, double before)
{
    return signedText(now - before, numberText(std::abs(now - before), 3));
}

// Relative, because whether a second is much depends on the run.
QString changeInPercent(double now, double before)
{
    if (!(before > 0))
        return numberText(std::nullopt);
    const double share = now / before - 1;
    const int decimals = std::abs(share) < 0.1 ? 1 : 0;
    return signedText(share, QString::number(std::abs(share) * 100, 'f', decimals))
        + QStringLiteral(" %");
}

// The cells of a column of differences and of curves have no text of the run alone.
QString noText(R)
{
    return {};
}

QString baselineHelp(const QString& what)
{
    return Ui::tr("%1: difference to the pinned baseline").arg(what);
}

// A column is data and not a branch of the model: text, tooltip, header and width are in one row.
// `longest` is a fixed long text, not the longest of those shown: a live run's numbers grow, and
// the column would otherwise move while one reads.
const RunColumn kColumns[] = {
    { "name", [] { return Ui::tr("Name"); }, kWords,
        [](R r) { return r.archived ? Ui::tr("%1 · archived").arg(runTitle(r)) : runTitle(r); },
        [](R r) { return runTitle(r); } },
    // Results come first, so that a small window shows them.
    { "state", [] { return Ui::tr("State"); }, kWords, stateText, stateTip },
    { "tag", [] { return Ui::tr("Tags"); }, kWords, [](R r) { return tagLine(r.tags); },
        [](R r) { return tagLine(r.tags); },
        [] { return Ui::tr("Tags; a click on one searches for it"); } },
    { kLossFilter, [] { return Ui::tr("Loss curve"); }, kWords, noText,
        [](R r) { return Ui::tr("Loss %1").arg(numberText(r.lastLoss, 3)); },
        [] { return Ui::tr("Training loss of each step, from the first to the last"); } },
    { "accuracy", [] { return Ui::tr("Accuracy"); }, kNumber,
        [](R r) { return percentText(bestAccuracyOf(r)); }, bestTip,
        [] {
            return Ui::tr("Best accuracy on the validation split, or on the test set if "
                          "there is none");
        },
        [] { return percentText(1); }, shareText },
    { "accuracy", [] { return Ui::tr("Δ Accuracy"); }, kNumber, noText, nullptr,
        [] { return baselineHelp(Ui::tr("Accuracy")); }, [] { return changeInPoints(0.1, 0.9); },
        shareText, changeInPoints },
    { kLossFilter, [] { return metricTitle(MetricId::TestLoss); }, kNumber,
        [](R r) { return numberText(r.finalTestLoss); },
        [](R r) {
            return r.finalTestLoss ? Ui::tr("Test loss of the last evaluation")
                                   : Ui::tr("Not evaluated yet");
        },
        [] { return Ui::tr("Test loss of the last evaluation"); },
        [] { return numberText(0.012345); }, lossText },
    { kLossFilter, [] { return Ui::tr("Δ Loss"); }, kNumber, noText, nullptr,
        [] { return baselineHelp(metricTitle(MetricId::TestLoss)); },
        [] { return changeOfNumber(0.01234, 0.9); }, lossText, changeOfNumber },
    { "time", [] { return Ui::tr("Time"); }, kNumber, trainedText, nullptr,
        [] { return Ui::tr("Training time, pauses excluded: hours:minutes:seconds"); },
        [] { return clockText(36'000); }, clockText },
    { "time", [] { return Ui::tr("Δ Time"); }, kNumber, noText, nullptr,
        [] { return baselineHelp(Ui::tr("Time")); }, [] { return changeInPercent(1, 9); },
        clockText, changeInPercent },
    // b and N are those in force, which a run has changed if it ran out of memory; B is as
    // planned, because that never changes it.
    { "b", [] { return Ui::tr("b"); }, kNumber, [](R r) { return settled(r, key::batchMicro); },
        nullptr, [] { return meaning(key::batchMicro); } },
    { "N", [] { return Ui::tr("N"); }, kNumber, [](R r) { return settled(r, key::batchSteps); },
        nullptr, [] { return meaning(key::batchSteps); } },
    { "B", [] { return Ui::tr("B"); }, kNumber, [](R r) { return settled(r, key::batchEffective); },
        nullptr, [] { return meaning(key::batchEffective); } },
    { "lr", [] { return Ui::tr("lr"); }, kNumber, [](R r) { return settled(r, key::optimizerLr); },
        nullptr, [] { return keyLabel(key::optimizerLr); } },
    { "norm", [] { return Ui::tr("Norm"); }, kWords, [](R r) { return settled(r, key::modelNorm); },
        nullptr, [] { return keyLabel(key::modelNorm); } },
    { nameOf(MetricId::Throughput).c_str(), [] { return metricTitle(MetricId::Throughput); },
        kNumber, [](R r) { return unlessZero(r.throughput > 0, rateText(r.throughput)); }, nullptr,
        [] { return Ui::tr("Samples per second over the whole run"); },
        [] { return rateText(99'999); }, rateText },
    { "memory", [] { return metricTitle(MetricId::PeakBytes); }, kNumber,
        [](R r) { return unlessZero(r.peakBytes > 0, bytesText(r.peakBytes)); }, nullptr,
        [] {
            return Ui::tr("Peak memory of the training steps as counted by the allocator, "
                          "evaluations excluded");
        },
        [] { return bytesText(std::int64_t { 1000 } << 20); }, peakText },
    { "memory", [] { return Ui::tr("Δ Memory"); }, kNumber, noText, nullptr,
        [] { return baselineHelp(metricTitle(MetricId::PeakBytes)); },
        [] { return changeInPercent(1, 9); }, peakText, changeInPercent },
    { "data", [] { return Ui::tr("Data"); }, kWords,
        [](R r) { return settled(r, key::dataName); } },
    { "model", [] { return Ui::tr("Model"); }, kWords,
        [](R r) { return settled(r, key::modelName); } },
    { "optimizer", [] { return Ui::tr("Optimizer"); }, kWords,
        [](R r) { return settled(r, key::optimizerName); } },
    { "id", [] { return Ui::tr("Run"); }, kNumber, [](R r) { return runNumber(r.id); } },
    { "step", [] { return Ui::tr("Updates"); }, kNumber,
        [](R r) { return progressText(r.step, r.totalSteps); }, nullptr,
        [] { return Ui::tr("Completed and planned updates"); },
        [] { return progressText(99'999, 99'999); } },
    { "seed", [] { return keyLabel(key::runSeed); }, kNumber,
        [](R r) { return settingOf(r, key::runSeed); } },
    { "device", [] { return keyLabel(key::runDevice); }, kWords,
        [](R r) { return QString::fromStdString(r.device); },
        [](R r) { return QString::fromStdString(r.deviceName); } },
    { "created", [] { return Ui::tr("Started"); }, kWords,
        [](R r) { return timeText(r.createdMs); } },
    { "note", [] { return Ui::tr("Note"); }, kWords,
        [](R r) { return QString::fromStdString(r.note).simplified(); },
        [](R r) { return QString::fromStdString(r.note); } },
    { "accuracy", [] { return Ui::tr("Accuracy curve"); }, kWords, noText,
        [](R r) { return Ui::tr("Accuracy %1").arg(percentText(bestAccuracyOf(r))); },
        [] { return Ui::tr("Accuracy of each evaluation, from the first to the last"); } },
};

} // namespace

QString clockText(double seconds)
{
    // Tenths tell short runs apart; in long ones they are noise.
    if (!std::isfinite(seconds) || seconds < 0 || seconds >= 59.95)
        return durationText(seconds);
    return QStringLiteral("0:%1").arg(seconds, 4, 'f', 1, QLatin1Char('0'));
}

QString trainedText(const RunRecord& run)
{
    // A file that was imported may have no times.
    return wasTrained(run) && (hasRecipe(run) || run.seconds > 0) ? clockText(run.seconds)
                                                                  : QStringLiteral("–");
}

std::span<const RunColumn> runColumns()
{
    return kColumns;
}

} // namespace accrue
