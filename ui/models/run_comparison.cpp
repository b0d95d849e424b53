// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_comparison.h"

#include <QCoreApplication>

#include "engine/experiment/format.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/validation.h"
#include "ui/models/format.h"
#include "ui/models/law_words.h"
#include "ui/models/memory_words.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace accrue {

namespace {

using Mark = ComparisonRow::Mark;

constexpr double kBeside = 1.25; // the factor that an axis goes on beside its points
constexpr double kOnePlace = 0.03; // of the highest y; about the height of a dot
constexpr qsizetype kMostDifferences = 4; // beside a name
constexpr double kShift = 14; // pixels, a little more than a dot with its ring

class Text {
    Q_DECLARE_TR_FUNCTIONS(RunComparison)
};

bool allEqual(const QStringList& values)
{
    return std::all_of(values.begin(), values.end(),
        [&](const QString& value) { return value == values.first(); });
}

ComparisonRow settingRow(const QString& title, const QString& help, const QStringList& values)
{
    ComparisonRow row;
    row.title = title;
    row.help = help;
    row.values = row.exact = values;
    row.marks.assign(static_cast<std::size_t>(values.size()), Mark::None);
    row.identical = allEqual(values);
    return row;
}

QString helpOf(const std::string& key)
{
    for (const KeyInfo& info : experimentKeys())
        if (info.key == key)
            return QString::fromStdString(info.help);
    return {};
}

// Every setting of a run as it came to be, in the same order for all runs; empty: it has no effect
// in this one.
using ReadSettings = std::vector<std::pair<std::string, std::optional<SettingValue>>>;

ReadSettings readSettings(const RunRecord& run)
{
    const std::vector<std::string> unread = unreadKeys(run.experiment);
    ReadSettings read;
    for (auto& [key, value] : settledSettings(run)) {
        const bool isRead = std::find(unread.begin(), unread.end(), key) == unread.end();
        read.emplace_back(key, isRead ? std::optional(std::move(value)) : std::nullopt);
    }
    return read;
}

std::vector<ReadSettings> readSettings(const std::vector<RunRecord>& runs)
{
    std::vector<ReadSettings> settings;
    settings.reserve(runs.size());
    for (const RunRecord& run : runs)
        settings.push_back(readSettings(run));
    return settings;
}

// Whether the `at`-th setting differs between runs that read it: where one does not, it is no
// difference.
bool differs(const std::vector<ReadSettings>& settings, std::size_t at)
{
    const std::optional<SettingValue>* first = nullptr;
    for (const ReadSettings& one : settings) {
        const std::optional<SettingValue>& value = one[at].second;
        if (first != nullptr && value && value != *first)
            return true;
        if (value)
            first = &value;
    }
    return false;
}

QString shownText(const SettingValue& value)
{
    return QString::fromStdString(shownSetting(value));
}

// The `at`-th setting of each run.
ComparisonRow rowOfSetting(const std::vector<ReadSettings>& settings, std::size_t at)
{
    const std::string& key = settings.front()[at].first;
    QStringList shown;
    QStringList exact;
    for (const ReadSettings& one : settings) {
        const std::optional<SettingValue>& value = one[at].second;
        exact.append(value ? shownText(*value) : QString());
        shown.append(value ? exact.last() : numberText(std::nullopt));
    }
    ComparisonRow row = settingRow(QString::fromStdString(key), helpOf(key), shown);
    row.exact = exact;
    row.identical = !differs(settings, at);
    row.unread = std::none_of(settings.begin(), settings.end(),
        [at](const ReadSettings& one) { return one[at].second.has_value(); });
    return row;
}

ComparisonRow factRow(const char* title, const std::vector<RunRecord>& runs,
    const std::function<QString(const RunRecord&)>& fact)
{
    QStringList values;
    for (const RunRecord& run : runs)
        values.append(fact(run));
    return settingRow(Text::tr(title), {}, values);
}

// No recipe asked for them: they follow the machine and what else was computed on it.
void markChosenThreads(std::vector<ComparisonRow>& rows, const std::vector<RunRecord>& runs)
{
    for (ComparisonRow& row : rows)
        if (row.title == QLatin1String("run.threads"))
            for (std::size_t i = 0; i < runs.size(); ++i)
                if (!runs[i].experiment.run.threads && runs[i].threads > 0)
                    row.values[static_cast<qsizetype>(i)] =
                        Text::tr("%1 (auto)").arg(runs[i].threads);
}

// Worse than everything: a run that has no finite value.
double rank(double value, bool higherIsBetter)
{
    const double signedValue = higherIsBetter ? value : -value;
    return std::isfinite(signedValue) ? signedValue : -std::numeric_limits<double>::infinity();
}

// Values that are shown alike are marked alike.
std::vector<Mark> marksOf(
    const std::vector<std::optional<double>>& values, const QStringList& shown, bool higherIsBetter)
{
    std::vector<Mark> marks(values.size(), Mark::None);
    std::optional<std::size_t> best;
    std::optional<std::size_t> worst;
    const auto rankOf = [&](std::size_t i) { return rank(*values[i], higherIsBetter); };
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i])
            continue;
        if (!best || rankOf(i) > rankOf(*best))
            best = i;
        if (!worst || rankOf(i) < rankOf(*worst))
            worst = i;
    }
    const auto textOf = [&](std::size_t i) { return shown.at(static_cast<qsizetype>(i)); };
    if (!best || textOf(*best) == textOf(*worst))
        return marks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] && textOf(i) == textOf(*best))
            marks[i] = Mark::Best;
        else if (values[i] && textOf(i) == textOf(*worst))
            marks[i] = Mark::Worst;
    }
    return marks;
}

// "loss", "accuracy" and times have a direction; a learning rate has none.
bool hasDirection(const std::string& metric)
{
    return metric != "learning_rate" && metric != "gradient_norm";
}

// What a run is judged by comes before what it cost.
std::vector<MetricInfo> resultsFirst()
{
    std::vector<MetricInfo> ordered = metrics();
    const auto isEvaluated = [](const MetricInfo& one) {
        return !one.perStep && one.name.rfind("train_", 0) != 0;
    };
    const auto middle = std::stable_partition(ordered.begin(), ordered.end(), isEvaluated);
    std::stable_partition(
        middle, ordered.end(), [](const MetricInfo& one) { return !one.perStep; });
    return ordered;
}

const MetricSummary* summaryOf(
    const std::vector<SeriesBatch::Summaries>& all, RunId run, const std::string& metric)
{
    for (const SeriesBatch::Summaries& one : all)
        if (one.run == run)
            for (const MetricSummary& summary : one.metrics)
                if (summary.metric == metric)
                    return &summary;
    return nullptr;
}

struct Statistic {
    const char* title;
    double MetricSummary::*value;
};

ComparisonRow metricRow(const MetricInfo& metric, const Statistic& statistic,
    const std::vector<const MetricSummary*>& summaries)
{
    ComparisonRow row;
    row.kind = ComparisonRow::Kind::Metric;
    row.title = Text::tr("%1, %2").arg(metricTitle(metric.name), Text::tr(statistic.title));
    std::vector<std::optional<double>> numbers;
    QStringList plain; // without the step
    for (const MetricSummary* summary : summaries) {
        numbers.push_back(summary ? std::optional(summary->*(statistic.value)) : std::nullopt);
        plain.append(summary ? metricText(metric.name, *numbers.back()) : numberText(std::nullopt));
        row.exact.append(
            summary ? QString::fromStdString(exactNumber(*numbers.back())) : QString());
        const bool best = statistic.value == &MetricSummary::best;
        if (best)
            row.steps.append(summary ? QString::number(summary->bestStep) : QString());
        row.values.append(best && summary
                ? Text::tr("%1 at %2").arg(plain.last(), countText(summary->bestStep))
                : plain.last());
    }
    row.marks.assign(numbers.size(), Mark::None);
    if (hasDirection(metric.name))
        row.marks = marksOf(numbers, plain, metric.higherIsBetter);
    row.identical = allEqual(row.values);
    return row;
}

// One metric, a line a statistic; none where no run has it.
void addStatistics(std::vector<ComparisonRow>& rows, const MetricInfo& metric,
    const std::vector<const MetricSummary*>& summaries)
{
    static const std::vector<Statistic> statistics {
        { QT_TRANSLATE_NOOP("RunComparison", "final"), &MetricSummary::final },
        { QT_TRANSLATE_NOOP("RunComparison", "best"), &MetricSummary::best },
        { QT_TRANSLATE_NOOP("RunComparison", "min"), &MetricSummary::min },
        { QT_TRANSLATE_NOOP("RunComparison", "max"), &MetricSummary::max },
    };
    if (std::all_of(summaries.begin(), summaries.end(), [](const auto* one) { return !one; }))
        return;
    for (const Statistic& statistic : statistics)
        if (statistic.value != &MetricSummary::best || hasDirection(metric.name))
            rows.push_back(metricRow(metric, statistic, summaries));
}

CategoryBytes peakOf(const std::vector<SeriesBatch::Summaries>& all, RunId run)
{
    for (const SeriesBatch::Summaries& one : all)
        if (one.run == run)
            return one.highestPeak;
    return {};
}

// A line of bytes, the fewer the better; nullopt: the run was not metered.
ComparisonRow bytesRow(const QString& title, const std::vector<std::optional<std::int64_t>>& bytes)
{
    ComparisonRow row;
    row.kind = ComparisonRow::Kind::Metric;
    row.title = title;
    std::vector<std::optional<double>> numbers;
    for (const auto& value : bytes) {
        numbers.push_back(value ? std::optional(static_cast<double>(*value)) : std::nullopt);
        row.values.append(value ? bytesText(*value) : numberText(std::nullopt));
        row.exact.append(value ? QString::number(*value) : QString());
    }
    row.marks = marksOf(numbers, row.values, /*higherIsBetter=*/false);
    row.identical = allEqual(row.values);
    return row;
}

bool anyAboveZero(const std::vector<std::optional<std::int64_t>>& bytes)
{
    return std::any_of(
        bytes.begin(), bytes.end(), [](const auto& value) { return value.value_or(0) > 0; });
}

void addEvaluationPeaks(std::vector<ComparisonRow>& rows, const std::vector<RunRecord>& runs)
{
    std::vector<std::optional<std::int64_t>> bytes;
    bytes.reserve(runs.size());
    for (const RunRecord& run : runs)
        bytes.push_back(
            run.evaluationPeakBytes > 0 ? std::optional(run.evaluationPeakBytes) : std::nullopt);
    if (anyAboveZero(bytes))
        rows.push_back(bytesRow(evaluationPeakTitle(), bytes));
}

// What the highest peaks of training were for, a line a category; of runs that were metered.
void addPeaksByCategory(std::vector<ComparisonRow>& rows, const std::vector<RunRecord>& runs,
    const std::vector<SeriesBatch::Summaries>& summaries)
{
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        std::vector<std::optional<std::int64_t>> bytes;
        for (const RunRecord& run : runs) {
            const CategoryBytes peak = peakOf(summaries, run.id);
            bytes.push_back(peak != CategoryBytes {} ? std::optional(peak.at(i)) : std::nullopt);
        }
        if (!anyAboveZero(bytes))
            continue;
        rows.push_back(bytesRow(
            Text::tr("%1, %2").arg(metricTitle("peak_bytes"), categoryTitle(category).toLower()),
            bytes));
        rows.back().help = categoryMeaning(category);
    }
}

// "b=32"; where the value alone says what it is, only that: "mnist".
QString shortSetting(const std::string& key, const SettingValue& value)
{
    static const std::map<std::string, QString> shorter {
        { "batch.effective", QStringLiteral("B") },
        { "batch.micro", QStringLiteral("b") },
        { "batch.steps", QStringLiteral("N") },
        { "batch.devices", QStringLiteral("W") },
        { "schedule.name", QStringLiteral("schedule") },
    };
    if (key == "data.name" || key == "model.name" || key == "optimizer.name")
        return shownText(value);
    const auto found = shorter.find(key);
    const QString name = found != shorter.end()
        ? found->second
        : QString::fromStdString(key).section(QLatin1Char('.'), -1);
    return QStringLiteral("%1=%2").arg(name, shownText(value));
}

// Positions of the settings that tell these runs apart. N follows from B and b, so it is left out
// where B is named.
std::vector<std::size_t> tellingKeys(const std::vector<ReadSettings>& settings)
{
    std::vector<std::size_t> keys;
    bool effectiveDiffers = false;
    for (std::size_t at = 0; at < settings.front().size(); ++at) {
        const std::string& name = settings.front()[at].first;
        if (name == "name" || (name == "batch.steps" && effectiveDiffers) || !differs(settings, at))
            continue;
        effectiveDiffers = effectiveDiffers || name == "batch.effective";
        keys.push_back(at);
    }
    return keys;
}

// Those at `keys` that the run reads.
QStringList shortSettings(const ReadSettings& settings, const std::vector<std::size_t>& keys)
{
    QStringList texts;
    for (const std::size_t at : keys)
        if (const auto& [key, value] = settings[at]; value)
            texts.append(shortSetting(key, *value));
    return texts;
}

// Threads that no recipe asked for follow the machine and what else is computed on it.
void leaveOutChosenThreads(std::vector<std::size_t>& keys, const std::vector<RunRecord>& runs,
    const ReadSettings& settings)
{
    const auto& asked = runs.front().experiment.run.threads;
    const bool askedAlike = std::all_of(runs.begin(), runs.end(),
        [&](const RunRecord& run) { return run.experiment.run.threads == asked; });
    if (askedAlike && keys.size() > 1)
        std::erase_if(keys, [&](std::size_t key) { return settings[key].first == "run.threads"; });
}

} // namespace

std::vector<ComparisonRow> settingRows(const std::vector<RunRecord>& runs)
{
    std::vector<ComparisonRow> rows;
    if (runs.empty())
        return rows;
    const std::vector<ReadSettings> settings = readSettings(runs);
    for (std::size_t at = 0; at < settings.front().size(); ++at)
        if (settings.front()[at].first != "name") // a column's title
            rows.push_back(rowOfSetting(settings, at));
    markChosenThreads(rows, runs);
    rows.push_back(factRow(QT_TRANSLATE_NOOP("RunComparison", "Ran on"), runs,
        [](const RunRecord& run) { return QString::fromStdString(run.deviceName); }));
    rows.push_back(factRow(QT_TRANSLATE_NOOP("RunComparison", "Parameters"), runs,
        [](const RunRecord& run) { return countText(run.parameters); }));
    for (qsizetype i = 0; i < rows.back().exact.size(); ++i)
        rows.back().exact[i] = QString::number(runs[static_cast<std::size_t>(i)].parameters);
    rows.push_back(factRow(QT_TRANSLATE_NOOP("RunComparison", "Code"), runs,
        [](const RunRecord& run) { return QString::fromStdString(run.codeRevision); }));
    rows.push_back(factRow(QT_TRANSLATE_NOOP("RunComparison", "Outcome"), runs,
        [](const RunRecord& run) { return stateText(run); }));
    return rows;
}

std::vector<ComparisonRow> metricRows(
    const std::vector<RunRecord>& runs, const std::vector<SeriesBatch::Summaries>& summaries)
{
    std::vector<ComparisonRow> rows;
    for (const MetricInfo& metric : resultsFirst()) {
        std::vector<const MetricSummary*> found;
        found.reserve(runs.size());
        for (const RunRecord& run : runs)
            found.push_back(summaryOf(summaries, run.id, metric.name));
        addStatistics(rows, metric, found);
        if (metric.name == "peak_bytes") {
            addEvaluationPeaks(rows, runs);
            addPeaksByCategory(rows, runs, summaries);
        }
    }
    return rows;
}

std::vector<std::vector<std::string>> comparisonCsv(const std::vector<RunRecord>& runs,
    const std::vector<SeriesBatch::Summaries>& summaries, bool identicalHidden)
{
    std::vector<std::vector<std::string>> lines;
    const auto add = [&lines](const QString& title, const QStringList& cells) {
        std::vector<std::string>& line = lines.emplace_back();
        line.push_back(title.toStdString());
        for (const QString& cell : cells)
            line.push_back(cell.toStdString());
    };
    QStringList titles;
    for (const RunRecord& run : runs)
        titles.append(QString::fromStdString(run.name) + QLatin1Char(' ') + runNumber(run.id));
    add(QStringLiteral("key"), titles);
    for (const ComparisonRow& row : settingRows(runs))
        if (!row.unread && (!identicalHidden || runs.size() < 2 || !row.identical))
            add(row.title, row.exact);
    for (const ComparisonRow& row : metricRows(runs, summaries)) {
        add(row.title, row.exact);
        if (!row.steps.isEmpty())
            add(Text::tr("%1, at step").arg(row.title), row.steps);
    }
    return lines;
}

QStringList legendTexts(const std::vector<RunRecord>& runs)
{
    QStringList texts;
    if (runs.empty())
        return texts;
    const std::vector<ReadSettings> settings = readSettings(runs);
    std::vector<std::size_t> keys = tellingKeys(settings);
    leaveOutChosenThreads(keys, runs, settings.front());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const QStringList differing = shortSettings(settings[i], keys);
        texts.append(differing.isEmpty() ? runTitle(runs[i])
                                         : QStringLiteral("%1 %2").arg(runNumber(runs[i].id),
                                             differing.join(QStringLiteral(", "))));
    }
    return texts;
}

QString variantText(const RunRecord& run, const RunRecord& first)
{
    const std::vector<ReadSettings> settings { readSettings(run), readSettings(first) };
    std::vector<std::size_t> keys = tellingKeys(settings);
    if (run.experiment.run.threads == first.experiment.run.threads)
        std::erase_if(
            keys, [&](std::size_t at) { return settings.front()[at].first == "run.threads"; });
    QStringList differing = shortSettings(settings.front(), keys);
    if (differing.size() > kMostDifferences)
        differing = differing.first(kMostDifferences) << QStringLiteral("…");
    return differing.join(QStringLiteral(", "));
}

QString overSettingText(PeakSetting setting)
{
    return Text::tr("over %1").arg(settingTitle(setting));
}

QString settingTitle(PeakSetting setting)
{
    switch (setting) {
    case PeakSetting::Micro:
        return Text::tr("micro-batch b");
    case PeakSetting::Steps:
        return Text::tr("accumulation steps N");
    case PeakSetting::Norm:
        return Text::tr("norm layers");
    }
    return {};
}

QString settingValueText(PeakSetting setting, double value)
{
    const double whole = std::round(value);
    const bool isWhole = std::abs(value - whole) < 1e-6;
    if (setting != PeakSetting::Norm)
        return isWhole ? countText(std::llround(whole)) : numberText(value);
    if (!isWhole || whole < 0 || whole > static_cast<double>(Norm::Instance))
        return {};
    Experiment experiment;
    experiment.model.norm = static_cast<Norm>(static_cast<int>(whole));
    return QString::fromStdString(settingText(settingOf(experiment, "model.norm").value()));
}

bool isCounted(PeakSetting setting)
{
    return setting != PeakSetting::Norm;
}

PeakRange rangeOf(PeakSetting setting, const std::vector<SeriesPoint>& points)
{
    if (setting == PeakSetting::Norm)
        return { -0.5, static_cast<double>(Norm::Instance) + 0.5 };
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
        [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
    return low == points.end() ? PeakRange { 1, 2 }
                               : PeakRange { low->x / kBeside, high->x * kBeside };
}

std::optional<SeriesPoint> peakOver(PeakSetting setting, const RunRecord& run)
{
    if (run.peakBytes <= 0)
        return std::nullopt;
    const auto at = [&]() -> double {
        switch (setting) {
        case PeakSetting::Micro:
            return static_cast<double>(planInForce(run).micro);
        case PeakSetting::Steps:
            return static_cast<double>(planInForce(run).steps);
        case PeakSetting::Norm:
            return static_cast<double>(run.experiment.model.norm);
        }
        return 0;
    };
    return SeriesPoint { .x = at(), .y = static_cast<double>(run.peakBytes) };
}

std::vector<double> shiftsOf(const std::vector<SeriesPoint>& points)
{
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t { 0 });
    const auto place = [&](std::size_t i) { return std::tie(points[i].x, points[i].y); };
    std::sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    double highest = 0;
    for (const SeriesPoint& point : points)
        highest = std::max(highest, point.y);
    const auto apart = [&](std::size_t a, std::size_t b) {
        return points[a].x != points[b].x || points[b].y - points[a].y > kOnePlace * highest;
    };
    std::vector<double> shifts(points.size());
    for (auto begin = order.begin(); begin != order.end();) {
        const auto last = std::adjacent_find(begin, order.end(), apart);
        const auto end = last == order.end() ? last : std::next(last);
        std::sort(begin, end);
        const double middle = static_cast<double>(end - begin - 1) / 2;
        for (auto at = begin; at != end; ++at)
            shifts[*at] = (static_cast<double>(at - begin) - middle) * kShift;
        begin = end;
    }
    return shifts;
}

} // namespace accrue
