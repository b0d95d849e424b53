// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "engine/experiment/resumed_settings.h"
#include "ui/models/format.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(RunWords)
};

const MetricInfo* infoOf(const std::string& metric)
{
    for (const auto* all : { &metrics(), &tracedMetrics() })
        for (const MetricInfo& info : *all)
            if (info.name == metric)
                return &info;
    return nullptr;
}

// The words of metrics() for the window, where translations find them.
const char* titleOf(const std::string& metric)
{
    static const std::map<std::string, const char*> titles {
        { "loss", QT_TRANSLATE_NOOP("RunWords", "Loss") },
        { "learning_rate", QT_TRANSLATE_NOOP("RunWords", "Learning rate") },
        { "gradient_norm", QT_TRANSLATE_NOOP("RunWords", "Gradient norm") },
        { "step_ms", QT_TRANSLATE_NOOP("RunWords", "Step time") },
        { "data_ms", QT_TRANSLATE_NOOP("RunWords", "Data time") },
        { "forward_ms", QT_TRANSLATE_NOOP("RunWords", "Forward time") },
        { "backward_ms", QT_TRANSLATE_NOOP("RunWords", "Backward time") },
        { "optimizer_ms", QT_TRANSLATE_NOOP("RunWords", "Optimizer time") },
        { "peak_bytes", QT_TRANSLATE_NOOP("RunWords", "Peak memory (training)") },
        { "throughput", QT_TRANSLATE_NOOP("RunWords", "Throughput") },
        { "train_loss", QT_TRANSLATE_NOOP("RunWords", "Training loss") },
        { "train_accuracy", QT_TRANSLATE_NOOP("RunWords", "Training accuracy") },
        { "test_loss", QT_TRANSLATE_NOOP("RunWords", "Test loss") },
        { "test_accuracy", QT_TRANSLATE_NOOP("RunWords", "Test accuracy") },
        { "validation_loss", QT_TRANSLATE_NOOP("RunWords", "Validation loss") },
        { "validation_accuracy", QT_TRANSLATE_NOOP("RunWords", "Validation accuracy") },
        { "traced_value_1", QT_TRANSLATE_NOOP("RunWords", "Traced value 1") },
        { "traced_value_2", QT_TRANSLATE_NOOP("RunWords", "Traced value 2") },
        { "traced_value_3", QT_TRANSLATE_NOOP("RunWords", "Traced value 3") },
        { "traced_value_4", QT_TRANSLATE_NOOP("RunWords", "Traced value 4") },
        { "traced_checksum", QT_TRANSLATE_NOOP("RunWords", "Traced checksum") },
    };
    const auto found = titles.find(metric);
    return found != titles.end() ? found->second : nullptr;
}

bool endsWith(const std::string& text, std::string_view end)
{
    return text.size() >= end.size()
        && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

QString outcomeText(RunOutcome outcome)
{
    switch (outcome) {
    case RunOutcome::Completed:
        return Text::tr("completed");
    case RunOutcome::Stopped:
        return Text::tr("stopped");
    case RunOutcome::Diverged:
        return Text::tr("diverged");
    case RunOutcome::OutOfMemory:
        return Text::tr("out of memory");
    case RunOutcome::Failed:
        return Text::tr("failed");
    }
    return {};
}

QString stateText(const RunRecord& run)
{
    switch (run.state) {
    case RunState::Queued:
        return Text::tr("queued");
    case RunState::Running:
        return Text::tr("running");
    case RunState::Paused:
        return Text::tr("paused");
    case RunState::Finished:
        return run.outcome ? outcomeText(*run.outcome) : Text::tr("finished");
    case RunState::Interrupted:
        return Text::tr("interrupted");
    case RunState::Unknown:
        return Text::tr("unknown");
    }
    return {};
}

QStringList stateTexts()
{
    QStringList texts { outcomeText(RunOutcome::Completed), outcomeText(RunOutcome::Stopped),
        outcomeText(RunOutcome::Diverged), outcomeText(RunOutcome::OutOfMemory),
        outcomeText(RunOutcome::Failed) };
    RunRecord run;
    for (const RunState state : { RunState::Queued, RunState::Running, RunState::Paused,
             RunState::Finished, RunState::Interrupted, RunState::Unknown }) {
        run.state = state;
        texts.append(stateText(run));
    }
    return texts;
}

QString runTitle(const RunRecord& run)
{
    return runTitle(run.name, run.id);
}

namespace {

bool endedByLimit(const RunRecord& run)
{
    return endOf(run.experiment, std::max<std::int64_t>(1, run.trainSamples)) == EndedBy::Limit;
}

} // namespace

std::int64_t lengthOf(const RunRecord& run)
{
    return endedByLimit(run) ? run.experiment.run.limitSteps : run.experiment.run.epochs;
}

QString howLongText(const RunRecord& run)
{
    const QString text = endedByLimit(run)
        ? Text::tr("%1 has completed its %2 steps (run.limit_steps). How many steps in all?")
        : Text::tr("%1 has completed its %2 epochs. How many epochs in all?");
    return text.arg(runTitle(run), countText(lengthOf(run)));
}

QString settingOf(const RunRecord& run, std::string_view key)
{
    const std::optional<SettingValue> value = settledSetting(run, key);
    return value ? QString::fromStdString(settingText(*value)) : QString();
}

QString evaluationPeakTitle()
{
    return Text::tr("Peak memory (evaluation)");
}

QString metricTitle(const std::string& metric)
{
    const char* title = titleOf(metric);
    return title ? Text::tr(title) : QString::fromStdString(metric);
}

QString metricText(const std::string& metric, double value)
{
    if (!std::isfinite(value))
        return numberText(value);
    const MetricInfo* info = infoOf(metric);
    if (endsWith(metric, "accuracy"))
        return percentText(value);
    if (info && info->unit == "bytes")
        return bytesText(std::llround(value));
    if (metric == "throughput")
        return rateText(value);
    if (info && info->unit == "ms")
        return Text::tr("%1 ms").arg(numberText(value, 3));
    return numberText(value);
}

QString bestTitle(const BestEvaluation& best)
{
    return best.metric == "validation_accuracy" ? Text::tr("Best validation accuracy")
                                                : Text::tr("Best test accuracy");
}

QString axisTitle(Axis axis)
{
    switch (axis) {
    case Axis::Step:
        return Text::tr("step");
    case Axis::Samples:
        return Text::tr("samples");
    case Axis::MicroBatches:
        return Text::tr("micro-batches");
    case Axis::Epoch:
        return Text::tr("epoch");
    case Axis::Seconds:
        return Text::tr("time");
    }
    return {};
}

QString overAxisText(Axis axis)
{
    switch (axis) {
    case Axis::Step:
        return Text::tr("over step");
    case Axis::Samples:
        return Text::tr("over samples");
    case Axis::MicroBatches:
        return Text::tr("over micro-batches");
    case Axis::Epoch:
        return Text::tr("over epoch");
    case Axis::Seconds:
        return Text::tr("over time");
    }
    return {};
}

QString axisText(Axis axis, double value)
{
    if (axis == Axis::Seconds)
        return durationText(value);
    if (axis == Axis::Epoch || value != std::floor(value))
        return numberText(value);
    return countText(std::llround(value));
}

QString tagLine(const std::vector<std::string>& tags)
{
    QStringList shown;
    for (const std::string& tag : tags)
        shown.append(QString::fromStdString(tag));
    return shown.join(QStringLiteral(", "));
}

std::vector<std::string> tagsInLine(const QString& line)
{
    static const QRegularExpression between(QStringLiteral("[,\\s]+"));
    std::vector<std::string> tags;
    for (const QString& tag : line.split(between, Qt::SkipEmptyParts))
        tags.push_back(tag.toStdString());
    return tags;
}

} // namespace accrue
