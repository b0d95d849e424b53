// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/run_points.h"

#include "engine/insight/trend_line.h"
#include "ui/models/format.h"
#include "ui/models/key_values.h"
#include "ui/models/run_words.h"
#include "ui/relations/number_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

constexpr int kBandPlaces = 48; // corners of one side of the band

ValueScale scaleOf(const NumberColumn& number, std::optional<AxisRange>& held)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const std::optional<double>& value : number.values)
        if (value) {
            low = std::min(low, *value);
            high = std::max(high, *value);
        }
    if (isSpreadByFactors(number))
        return { low, high, true };
    held = niceRange(low, high, held);
    return { held->low, held->high, false };
}

bool isShown(const PointRuns& runs, std::size_t run)
{
    return run >= runs.isShown.size() || runs.isShown[run];
}

QString noted(const QString& title, const QString& value)
{
    return Ui::tr("%1: %2").arg(title, value);
}

} // namespace

// ---- colours ---------------------------------------------------------------------------------

PointColors colorsOfRuns(const PointRuns& runs)
{
    PointColors colors { runs.styles };
    if (!runs.key.isEmpty()) {
        colors.notes = QStringList(std::ssize(runs.runs), QString());
        colors.entries = runs.key.entries();
        colors.scale = runs.key.scale;
        return colors;
    }
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        colors.notes.append(QString());
        if (isShown(runs, i))
            colors.entries.push_back({ runs.names.at(static_cast<qsizetype>(i)),
                runs.styles[i].color, runs.styles[i].line });
    }
    // The page has them in its list; here they would take the room of the points.
    if (const auto count = std::ssize(colors.entries); count > kMostNamedRuns) {
        colors.entries.clear();
        colors.labelsRuns = count <= kMostNumberedRuns;
    }
    return colors;
}

PointColors colorsOfNumber(
    const PointRuns& runs, const NumberColumn& number, std::optional<AxisRange>& held)
{
    const ValueScale scale = scaleOf(number, held);
    const QString title = titleOf(number);
    const ValueFormatter text = formatterOf(number);
    PointColors colors;
    bool lacks = false;
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        const std::optional<double>& value = number.values[i];
        colors.styles.push_back(
            { value ? shareColor(scale.shareOf(*value), runs.background) : kNoValueColor });
        colors.notes.append(noted(title, valueText(number, value)));
        lacks = lacks || (!value && isShown(runs, i));
    }
    ScatterScale shown { scale.isLogarithmic ? Ui::tr("%1 (logarithmic)").arg(title) : title,
        text(scale.low), text(scale.high), scaleColors(runs.background) };
    colors.scale = std::move(shown);
    if (lacks)
        colors.entries.push_back({ Ui::tr("no value"), kNoValueColor });
    return colors;
}

std::size_t categoriesOf(const RunGroupKey& key)
{
    return distinctValues(key).size();
}

PointColors colorsOfKey(const PointRuns& runs, const RunGroupKey& key)
{
    const std::vector<RunGroupKey::Value> values = distinctValues(key);
    const auto colorOf = [&](const RunGroupKey::Value& value) {
        return valueColor(values, value, runs.background);
    };
    PointColors colors;
    for (const RunGroupKey::Value& value : key.values) {
        colors.styles.push_back({ colorOf(value) });
        colors.notes.append(valueText(value));
    }
    for (const RunGroupKey::Value& value : values)
        colors.entries.push_back({ valueText(value), colorOf(value) });
    return colors;
}

// ---- points ----------------------------------------------------------------------------------

std::vector<ScatterPoint> pointsOf(
    const PointRuns& runs, const NumberColumn& x, const NumberColumn& y, const PointColors& colors)
{
    std::vector<ScatterPoint> points;
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        if (!isShown(runs, i) || !x.values[i] || !y.values[i])
            continue;
        const auto at = static_cast<qsizetype>(i);
        ScatterPoint point { *x.values[i], *y.values[i], numberOf(runs.runs[i].id),
            runs.names.at(at), colors.styles[i].color, colors.styles[i].line };
        if (const QString& note = colors.notes.at(at); !note.isEmpty())
            point.notes.append(note);
        if (colors.labelsRuns)
            point.label = runNumber(runs.runs[i].id);
        points.push_back(std::move(point));
    }
    return points;
}

QString missingText(const PointRuns& runs, const NumberColumn& number)
{
    int all = 0;
    int without = 0;
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        all += isShown(runs, i) ? 1 : 0;
        without += isShown(runs, i) && !number.values[i] ? 1 : 0;
    }
    if (without == 0)
        return {};
    const QString some =
        without == 1 ? Ui::tr("%1 of %2 runs has no %3.") : Ui::tr("%1 of %2 runs have no %3.");
    return some.arg(without).arg(all).arg(titleOf(number));
}

// ---- the trend -------------------------------------------------------------------------------

TrendPicture trendPicture(const std::vector<ScatterPoint>& points, bool logX, bool logY,
    const QString& xTitle, const QColor& color)
{
    PlotAxis x;
    PlotAxis y;
    x.logarithmic = logX;
    y.logarithmic = logY;
    std::vector<std::pair<double, double>> places;
    places.reserve(points.size());
    for (const ScatterPoint& point : points)
        places.emplace_back(x.axis(point.x), y.axis(point.y));
    const std::optional<TrendLine> trend = trendOf(places);
    if (!trend)
        return { {},
            Ui::tr("No trend line: it needs %1 different values of %2, and there are %3.")
                .arg(kLeastTrendPlaces)
                .arg(xTitle)
                .arg(placesOf(places)) };
    std::erase_if(places, [](const auto& place) {
        return !std::isfinite(place.first) || !std::isfinite(place.second);
    });
    const auto [low, high] = std::ranges::minmax_element(places);
    const auto corner = [&](double at, double sign) {
        return QPointF(x.value(at), y.value(trend->at(at) + sign * trend->halfAt(at)));
    };
    ScatterLine line { { corner(low->first, 0), corner(high->first, 0) }, color };
    const double step = (high->first - low->first) / kBandPlaces;
    for (int i = 0; i <= kBandPlaces; ++i)
        line.band.push_back(corner(low->first + i * step, 1));
    for (int i = kBandPlaces; i >= 0; --i)
        line.band.push_back(corner(low->first + i * step, -1));
    line.title = trend->rSquared
        ? Ui::tr("trend, r² = %1, n = %2")
              .arg(numberText(std::round(*trend->rSquared * 1000) / 1000, 3))
              .arg(trend->count)
        : Ui::tr("trend, n = %1").arg(trend->count);
    line.meaning = Ui::tr("The straight line with the least squares of errors on these axes, and "
                          "the interval that contains it in 95 % of all cases");
    return { std::move(line), {} };
}

} // namespace accrue
