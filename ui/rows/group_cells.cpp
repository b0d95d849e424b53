// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/group_cells.h"

#include "engine/compare/group_comparison.h"
#include "engine/insight/mean_interval.h"
#include "engine/runs/run_keys.h"
#include "ui/models/format.h"
#include "ui/models/run_columns.h"
#include "ui/models/run_table_model.h"
#include "ui/models/run_words.h"
#include "ui/rows/run_grouping.h"

#include <QMap>

#include <algorithm>

namespace accrue {

namespace {

using Members = std::vector<RunId>;

// Null: a column of another key, which the user has added.
const RunColumn* columnAt(int column)
{
    return column < RunTableModel::ColumnCount ? &runColumns()[static_cast<std::size_t>(column)]
                                               : nullptr;
}

bool isPicture(int column)
{
    return column == RunTableModel::LossCurve || column == RunTableModel::AccuracyCurve;
}

// Those that count in a mean, as on the Compare page: without those that failed or have not ended,
// unless none of them has ended yet.
Members countedOf(const RunTableModel& runs, const Members& members)
{
    Members counted;
    for (const RunId id : members)
        if (const RunRecord* const run = runs.find(id); run != nullptr && countsInGroup(*run))
            counted.push_back(id);
    return counted.empty() ? members : counted;
}

// Of the runs that have a finite one.
std::vector<double> numbersOf(const RunTableModel& runs, const Members& members, int column)
{
    const std::string key = runs.sortKey(column);
    const RunReading reading = readingOf(key, { key }); // also of other programs
    std::vector<double> numbers;
    for (const RunId id : members)
        if (const RunRecord* run = runs.find(id); run != nullptr)
            if (const std::optional<double> number = reading(*run).number)
                numbers.push_back(*number);
    return numbers;
}

// "98.37 %" and "0.12 %": "98.37 ± 0.12 %". Two different units both stay.
QString withInterval(const QString& mean, const QString& half)
{
    const qsizetype unit = mean.lastIndexOf(QLatin1Char(' '));
    const bool same = unit > 0 && half.endsWith(mean.mid(unit));
    return Ui::tr("%1 ± %2").arg(same ? mean.left(unit) : mean, half);
}

// An interval is known less exactly than the mean, and a duration has its unit.
QString halfText(int column, double half)
{
    if (column == RunTableModel::FinalLoss)
        return numberText(half, 2);
    return column == RunTableModel::Time ? durationText(half) : columnAt(column)->figure(half);
}

QString meanText(int column, const std::vector<double>& values)
{
    const MeanInterval interval = meanInterval(values);
    if (interval.count == 0)
        return numberText(std::nullopt);
    const QString mean = columnAt(column)->figure(interval.mean);
    return interval.count > 1 ? withInterval(mean, halfText(column, interval.half())) : mean;
}

// Each state with how many runs have it, the most frequent first: "4 completed, 1 running".
QString statesText(const RunTableModel& runs, const Members& members)
{
    QMap<QString, int> counts;
    for (const RunId id : members)
        if (const RunRecord* run = runs.find(id))
            ++counts[stateText(*run)];
    QStringList states = counts.keys();
    std::stable_sort(states.begin(), states.end(),
        [&](const QString& a, const QString& b) { return counts[a] > counts[b]; });
    for (QString& state : states)
        state = Ui::tr("%1 %2", "a count and a state").arg(countText(counts[state]), state);
    return states.join(QStringLiteral(", "));
}

QString tagsOfAll(const RunTableModel& runs, const Members& members)
{
    std::vector<std::string> common;
    bool isFirst = true;
    for (const RunId id : members)
        if (const RunRecord* run = runs.find(id)) {
            const auto isMissing = [run](const std::string& tag) {
                return std::find(run->tags.begin(), run->tags.end(), tag) == run->tags.end();
            };
            if (isFirst)
                common = run->tags;
            else
                std::erase_if(common, isMissing);
            isFirst = false;
        }
    return tagLine(common);
}

// The text that all cells of the column have, the texts of the lowest and the highest, or how many
// there are.
QString settingText(const RunTableModel& runs, const Members& members, int column)
{
    QStringList texts;
    for (const RunId id : members)
        if (const int row = runs.rowOf(id); row >= 0)
            texts.append(runs.index(row, column).data().toString());
    QStringList different = texts;
    different.removeDuplicates();
    if (different.size() < 2)
        return different.value(0);
    const std::vector<double> numbers = numbersOf(runs, members, column);
    if (numbers.size() != members.size()
        || static_cast<std::size_t>(texts.size()) != numbers.size())
        return Ui::tr("%1 values").arg(countText(different.size()));
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    return Ui::tr("%1 … %2").arg(texts.at(low - numbers.begin()), texts.at(high - numbers.begin()));
}

// What tells a group from others of its name: that of its first run, without its seed.
QString variantOf(const RunTableModel& runs, RunId first)
{
    QStringList parts = runs.index(runs.rowOf(first), RunTableModel::Name)
                            .data(RunTableModel::VariantRole)
                            .toString()
                            .split(QStringLiteral(", "), Qt::SkipEmptyParts);
    parts.removeIf([](const QString& part) { return part.startsWith(QLatin1String("seed=")); });
    return parts.join(QStringLiteral(", "));
}

bool isSweep(const RunTableModel& runs, const Members& members, const RunGrouping& grouping)
{
    const RunRecord* const first = runs.find(members.front());
    return first != nullptr && first->sweep != 0 && grouping.has("sweep");
}

// "night" of "night b=8" and "night b=16": whole words, which all of them begin with.
QString commonName(const RunTableModel& runs, const Members& members)
{
    QStringList common;
    for (const RunId id : members) {
        const RunRecord* const run = runs.find(id);
        if (run == nullptr)
            continue;
        const QStringList words = QString::fromStdString(run->name).split(QLatin1Char(' '));
        if (common.isEmpty())
            common = words;
        const auto ends = std::mismatch(common.begin(), common.end(), words.begin(), words.end());
        common.resize(ends.first - common.begin());
        if (common.isEmpty())
            return {};
    }
    if (!common.isEmpty() && common.last().endsWith(QLatin1Char(',')))
        common.last().chop(1);
    return common.join(QLatin1Char(' '));
}

// "best 93.60 % #18"; empty: none of them has an accuracy.
QString bestText(const RunTableModel& runs, const Members& members)
{
    std::optional<double> best;
    RunId which {};
    for (const RunId id : members)
        if (const RunRecord* const run = runs.find(id))
            if (const auto number = bestAccuracyOf(*run);
                number && std::isfinite(*number) && (!best || *best < *number)) {
                best = number;
                which = id;
            }
    return best ? Ui::tr("best %1 #%2")
                      .arg(columnAt(RunTableModel::BestAccuracy)->figure(*best))
                      .arg(numberOf(which))
                : QString();
}

} // namespace

std::optional<double> groupMean(const RunTableModel& runs, const Members& members, int column)
{
    const MeanInterval interval = meanInterval(numbersOf(runs, countedOf(runs, members), column));
    return interval.count > 0 ? std::optional(interval.mean) : std::nullopt;
}

QString groupText(const RunTableModel& runs, const Members& members, int column)
{
    if (isPicture(column) || column == RunTableModel::Note)
        return {};
    if (column == RunTableModel::State)
        return statesText(runs, members);
    if (column == RunTableModel::Tags)
        return tagsOfAll(runs, members);
    const RunColumn* const known = columnAt(column);
    if (known != nullptr && known->change != nullptr)
        return runs.changeText(column, groupMean(runs, members, column));
    if (known != nullptr && known->figure != nullptr)
        return meanText(column, numbersOf(runs, countedOf(runs, members), column));
    return settingText(runs, members, column);
}

QString groupTip(const RunTableModel& runs, const Members& members, int column)
{
    const RunColumn* const known = columnAt(column);
    if (known == nullptr || known->figure == nullptr || known->change != nullptr)
        return column == RunTableModel::State ? statesText(runs, members) : QString();
    const Members counted = countedOf(runs, members);
    const std::vector<double> values = numbersOf(runs, counted, column);
    if (values.empty())
        return Ui::tr("None of these runs has a value.");
    const auto leftOut = static_cast<std::int64_t>(members.size() - counted.size());
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const QString range =
        Ui::tr("Lowest %1, highest %2.").arg(known->figure(*low), known->figure(*high));
    const QString count = values.size() == counted.size()
        ? Ui::tr("Mean of %1 runs").arg(countText(static_cast<std::int64_t>(values.size())))
        : Ui::tr("Mean of the %1 of %2 runs that have a value")
              .arg(countText(static_cast<std::int64_t>(values.size())),
                  countText(static_cast<std::int64_t>(counted.size())));
    QStringList lines;
    if (values.size() < 2)
        lines.append(Ui::tr("Only 1 of these runs has a value, so there is no interval."));
    else
        lines << Ui::tr("%1 ± 95 % interval (Student's t).").arg(count) << range;
    if (leftOut > 0)
        lines.append(countedText(leftOut, Ui::tr("1 that failed or has not ended is left out."),
            Ui::tr("%1 that failed or have not ended are left out.")));
    return lines.join(QLatin1Char('\n'));
}

bool isGroupBetter(const RunTableModel& runs, const Members& members, int column)
{
    const RunColumn* const known = columnAt(column);
    return known != nullptr && known->change != nullptr
        && runs.isBetter(column, groupMean(runs, members, column));
}

QString groupTitle(const RunTableModel& runs, const Members& members, const RunGrouping& grouping)
{
    const QString title = grouping.titleOf(*runs.find(members.front()));
    const QString name = isSweep(runs, members, grouping) ? commonName(runs, members) : QString();
    return name.isEmpty() ? title : QStringLiteral("%1 · %2").arg(name, title);
}

QString groupDetail(const RunTableModel& runs, const Members& members, const RunGrouping& grouping)
{
    const bool bySeeds = grouping.isBySeeds();
    const QString count = countText(static_cast<std::int64_t>(members.size()));
    QStringList parts { bySeeds ? Ui::tr("%1 seeds").arg(count) : Ui::tr("n = %1").arg(count) };
    const auto early = std::count_if(members.begin(), members.end(), [&](RunId id) {
        const RunRecord* const run = runs.find(id);
        return run != nullptr && run->early != EarlyEnd::None;
    });
    if (early > 0)
        parts.append(Ui::tr("%1 ended early").arg(countText(early)));
    if (isSweep(runs, members, grouping))
        parts.append(bestText(runs, members));
    if (bySeeds)
        parts.append(variantOf(runs, members.front()));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

Qt::CheckState checkOf(const RunTableModel& runs, const Members& members)
{
    const auto checked = std::count_if(
        members.begin(), members.end(), [&](RunId run) { return runs.isChecked(run); });
    if (checked == 0)
        return Qt::Unchecked;
    return checked == static_cast<std::ptrdiff_t>(members.size()) ? Qt::Checked
                                                                  : Qt::PartiallyChecked;
}

void toggleChecks(RunTableModel& runs, const Members& members)
{
    const bool off = checkOf(runs, members) == Qt::Checked;
    std::vector<RunId> now = runs.checked();
    for (const RunId run : members) {
        std::erase(now, run);
        if (!off)
            now.push_back(run);
    }
    runs.setChecked(now);
}

} // namespace accrue
