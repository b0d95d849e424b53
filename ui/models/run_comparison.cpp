// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_comparison.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/runs/settled_settings.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace accrue {

namespace {

constexpr double kBeside = 1.25; // the factor by which an axis extends beyond its points
constexpr double kOnePlace = 0.03; // of the highest y; about the height of a dot
constexpr double kShift = 14; // pixels, a little more than a dot with its ring
constexpr double kMostShifted = 84; // pixels between the outermost ones: others are beside them

struct PeakAxis {
    const char* title;
    std::optional<std::int64_t> (*of)(const RunRecord& run); // empty: nobody knows
};

std::optional<std::int64_t> countOf(const RunRecord& run, const char* key)
{
    const std::optional<SettingValue> value = settledSetting(run, key);
    const auto* const count = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    return count != nullptr ? std::optional(*count) : std::nullopt;
}

// In the order of PeakSetting.
constexpr PeakAxis kPeakAxes[] = {
    { QT_TR_NOOP("micro-batch b"),
        [](const RunRecord& run) { return countOf(run, key::batchMicro); } },
    { QT_TR_NOOP("accumulation steps N"),
        [](const RunRecord& run) { return countOf(run, key::batchSteps); } },
    { QT_TR_NOOP("norm layers"),
        [](const RunRecord& run) -> std::optional<std::int64_t> {
            if (!hasRecipe(run))
                return std::nullopt;
            return static_cast<std::int64_t>(run.experiment.model.norm);
        } },
};

// In the order of Norm.
const std::vector<KeyChoice>& norms()
{
    return findKey(key::modelNorm)->choices;
}

const PeakAxis& axisOf(PeakSetting setting)
{
    return kPeakAxes[static_cast<std::size_t>(setting)];
}

} // namespace

QStringList legendTexts(const std::vector<RunRecord>& runs)
{
    const std::vector<std::string> settings = distinguishingSettings(runs);
    QStringList texts;
    for (std::size_t i = 0; i < runs.size(); ++i)
        texts.append(settings[i].empty() ? runTitle(runs[i])
                                         : QStringLiteral("%1 %2").arg(runNumber(runs[i].id),
                                             QString::fromStdString(settings[i])));
    return texts;
}

QStringList legendDetails(const std::vector<RunRecord>& runs)
{
    const QStringList texts = legendTexts(runs);
    QStringList details;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const QString& text = texts[static_cast<qsizetype>(i)];
        details.append(
            text == runTitle(runs[i]) ? stateText(runs[i]) : text.section(QLatin1Char(' '), 1));
    }
    return details;
}

QString settingTitle(PeakSetting setting)
{
    return Ui::tr(axisOf(setting).title);
}

QString settingValueText(PeakSetting setting, double value)
{
    const double whole = std::round(value);
    const bool isWhole = std::abs(value - whole) < 1e-6;
    if (setting != PeakSetting::Norm)
        return isWhole ? countText(std::llround(whole)) : numberText(value);
    const std::vector<KeyChoice>& all = norms();
    if (!isWhole || whole < 0 || whole >= static_cast<double>(all.size()))
        return {};
    return QString::fromStdString(all[static_cast<std::size_t>(whole)].value);
}

bool isCounted(PeakSetting setting)
{
    return setting != PeakSetting::Norm;
}

PeakRange rangeOf(PeakSetting setting, const std::vector<SeriesPoint>& points)
{
    // A name at each integer, with half a unit beside the first and the last, so that no dot is on
    // the frame.
    if (setting == PeakSetting::Norm)
        return { -0.5, static_cast<double>(norms().size()) - 0.5 };
    const auto [low, high] = std::minmax_element(points.begin(), points.end(),
        [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
    return low == points.end() ? PeakRange { 1, 2 }
                               : PeakRange { low->x / kBeside, high->x * kBeside };
}

std::optional<SeriesPoint> peakOver(PeakSetting setting, const RunRecord& run)
{
    // 0 means that nothing was measured, not that the run needed no memory.
    const std::optional<std::int64_t> at = axisOf(setting).of(run);
    if (run.peakBytes <= 0 || !at)
        return std::nullopt;
    return SeriesPoint { .x = static_cast<double>(*at), .y = static_cast<double>(run.peakBytes) };
}

// Runs with the same setting and nearly the same peak would hide each other. They are moved by
// pixels and not by a value, so that x, and the text at the mouse, remain true.
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
        // Dots of one place are in the order of the runs again, which is that of the legend.
        std::sort(begin, end);
        const double middle = static_cast<double>(end - begin - 1) / 2;
        const double step = std::min(kShift, kMostShifted / std::max(1.0, 2 * middle));
        for (auto at = begin; at != end; ++at)
            shifts[*at] = (static_cast<double>(at - begin) - middle) * step;
        begin = end;
    }
    return shifts;
}

} // namespace accrue
