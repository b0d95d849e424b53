// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_words.h"

#include <QRegularExpression>

#include "engine/experiment/resumed_settings.h"
#include "engine/report/comparison_rows.h"
#include "ui/models/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr std::size_t kMostInName = 4;
constexpr QChar kFirstStrongIsolate(0x2068);
constexpr QChar kPopIsolate(0x2069);

// Detects such letters, and the invisible marks that Unicode has for changing the direction.
bool turnsDirection(char32_t character)
{
    constexpr std::array kTurning { QChar::DirR, QChar::DirAL, QChar::DirAN, QChar::DirRLE,
        QChar::DirRLO, QChar::DirRLI, QChar::DirLRE, QChar::DirLRO, QChar::DirLRI, QChar::DirFSI };
    return std::find(kTurning.begin(), kTurning.end(), QChar::direction(character))
        != kTurning.end();
}

// Only if needed: otherwise every title that is copied or compared would contain the invisible
// characters.
QString isolated(const std::string& name)
{
    const QString text = QString::fromStdString(name);
    const QList<uint> characters = text.toUcs4();
    const bool turns = std::any_of(characters.begin(), characters.end(), turnsDirection);
    return turns ? kFirstStrongIsolate + text + kPopIsolate : text;
}

// A completed run is made longer in the unit that ended it; more epochs would change nothing if a
// limit of steps ended it.
bool endedByLimit(const RunRecord& run)
{
    if (!hasRecipe(run))
        return false;
    const auto resolved = resolve(run.experiment).resolved;
    return resolved
        && endOf(*resolved, std::max<std::int64_t>(1, run.trainSamples)) == EndedBy::Limit;
}

// In the order of Axis.
constexpr std::array kAxes { QT_TR_NOOP("step"), QT_TR_NOOP("samples"), QT_TR_NOOP("micro-batches"),
    QT_TR_NOOP("epoch"), QT_TR_NOOP("time") };

} // namespace

// The words are the engine's, so that the window and the command line use the same name for a
// state.
QString stateText(const RunRecord& run)
{
    return QString::fromStdString(conditionText(run));
}

QString outcomeText(RunOutcome outcome)
{
    RunRecord run;
    run.state = RunState::Finished;
    run.outcome = outcome;
    return stateText(run);
}

QStringList stateTexts()
{
    QStringList texts;
    for (int outcome = 0; outcome <= static_cast<int>(RunOutcome::Failed); ++outcome)
        texts.append(outcomeText(static_cast<RunOutcome>(outcome)));
    RunRecord run;
    for (int state = 0; state <= static_cast<int>(RunState::Unknown); ++state) {
        run.state = static_cast<RunState>(state);
        texts.append(stateText(run));
    }
    return texts;
}

QString runNumber(RunId id)
{
    return QStringLiteral("#%1").arg(numberOf(id));
}

QString runTitle(const std::string& name, RunId id)
{
    return isolated(name) + QLatin1Char(' ') + runNumber(id);
}

QString runTitle(const RunRecord& run)
{
    return runTitle(run.name, run.id);
}

QString quotedRunTitle(const RunRecord& run)
{
    return QStringLiteral("“%1” %2").arg(isolated(run.name), runNumber(run.id));
}

QString fileNameOf(const std::vector<RunId>& runs)
{
    // More numbers would make the name of a file too long to read.
    if (runs.size() > kMostInName)
        return QStringLiteral("%1-runs").arg(runs.size());
    QString name = runs.size() == 1 ? QStringLiteral("run") : QStringLiteral("runs");
    for (const RunId run : runs)
        name += QStringLiteral("-%1").arg(numberOf(run));
    return name;
}

QString whyNoRecipe(const RunRecord& run)
{
    return hasRecipe(run)
        ? QString()
        : Ui::tr("Accrue did not train %1, so it has no recipe to copy.").arg(runTitle(run));
}

std::int64_t lengthOf(const RunRecord& run)
{
    return endedByLimit(run) ? run.experiment.run.limitSteps : run.experiment.run.epochs;
}

QString howLongText(const RunRecord& run)
{
    const QString text = endedByLimit(run)
        ? Ui::tr("%1 has completed its %2 steps (run.limit_steps). How many steps in total?")
        : Ui::tr("%1 has completed its %2 epochs. How many epochs in total?");
    return text.arg(runTitle(run), countText(lengthOf(run)));
}

QString settingOf(const RunRecord& run, std::string_view key)
{
    const std::optional<SettingValue> value = settledSetting(run, key);
    return value ? QString::fromStdString(settingText(*value)) : QString();
}

QString evaluationPeakTitle()
{
    return messageText(evaluationPeak());
}

QString metricTitle(const std::string& metric)
{
    return QString::fromStdString(titleOf(metricNamed(metric)).text());
}

QString metricText(const std::string& metric, double value)
{
    const MetricInfo info = metricNamed(metric);
    // In a chart, the engine's four digits of a time would be noise.
    if (info.format == MetricFormat::Milliseconds && std::isfinite(value))
        return Ui::tr("%1 ms").arg(numberText(value, 3));
    return QString::fromStdString(metricText(info, value));
}

QString bestTitle(const BestEvaluation& best)
{
    return best.metric == nameOf(MetricId::ValidationAccuracy) ? Ui::tr("Best validation accuracy")
                                                               : Ui::tr("Best test accuracy");
}

QString axisTitle(Axis axis)
{
    return Ui::tr(kAxes.at(static_cast<std::size_t>(axis)));
}

QString axisText(Axis axis, double value)
{
    if (axis == Axis::Seconds)
        return durationText(value);
    // A tick between two steps is shown unrounded; rounded, two ticks could have the same number.
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
