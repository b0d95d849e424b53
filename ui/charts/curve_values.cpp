// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_values.h"

#include "ui/charts/curve_segments.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr std::size_t kSamples = 1000; // of each curve, for what is an outlier
constexpr double kOutside = 0.02; // share of the points at either end that are outliers

class Words {
    Q_DECLARE_TR_FUNCTIONS(CurveValues)
};

QString meanText(const QString& mean, const CurveSpread& spread, const PlotAxis& y)
{
    if (spread.runs < 2)
        return Words::tr("%1, n = %2").arg(mean).arg(spread.runs);
    if (spread.isInterval)
        return Words::tr("%1 ± %2, n = %3")
            .arg(mean, y.text((spread.high - spread.low) / 2))
            .arg(spread.runs);
    return Words::tr("%1 (%2 to %3), n = %4")
        .arg(mean, y.text(spread.low), y.text(spread.high))
        .arg(spread.runs);
}

} // namespace

bool hasNoPoints(const ChartCurve& curve)
{
    return curve.levels ? curve.levels->isEmpty() : curve.points.empty();
}

std::optional<SeriesPoint> pointNear(const ChartCurve& curve, double x, double slack)
{
    if (curve.levels)
        return curve.levels->nearest(x, slack);
    const SeriesPoint* const found = nearestPoint(curve.points, x, slack);
    return found != nullptr ? std::optional(*found) : std::nullopt;
}

QString titleAt(const ChartCurve& curve, const SeriesPoint& point)
{
    if (curve.pointTitles.empty() || curve.levels)
        return curve.title;
    const auto at = std::lower_bound(curve.points.begin(), curve.points.end(), point.x,
        [](const SeriesPoint& a, double x) { return a.x < x; });
    const auto index = static_cast<std::size_t>(at - curve.points.begin());
    return index < curve.pointTitles.size() ? curve.pointTitles[index] : curve.title;
}

QString valueText(const ChartCurve& curve, const SeriesPoint& point, const PlotAxis& y)
{
    const QString value = y.text(point.y);
    if (!curve.spread.empty() && curve.levels)
        if (const std::size_t index = curve.levels->firstFrom(point.x); index < curve.spread.size())
            return meanText(value, curve.spread[index], y);
    if (curve.measured)
        if (const auto raw = curve.measured->nearest(point.x, 0))
            return Words::tr("%1 (%2)").arg(value, y.text(raw->y));
    return value;
}

double distanceTo(const ChartCurve& curve, const PlotAxes& axes, const QPointF& pixel)
{
    const double from = axes.x.valueAt(pixel.x() - 2);
    auto point = std::lower_bound(curve.points.begin(), curve.points.end(), from,
        [](const SeriesPoint& a, double x) { return a.x < x; });
    double nearest = INFINITY;
    if (point != curve.points.begin() && point != curve.points.end()) {
        const QPointF a = axes.pixelOf((point - 1)->x, (point - 1)->y);
        const QPointF b = axes.pixelOf(point->x, point->y);
        const double share = b.x() > a.x() ? (pixel.x() - a.x()) / (b.x() - a.x()) : 0;
        nearest = std::abs(a.y() + (b.y() - a.y()) * std::clamp(share, 0.0, 1.0) - pixel.y());
    }
    for (; point != curve.points.end(); ++point) {
        const QPointF at = axes.pixelOf(point->x, point->y);
        if (at.x() > pixel.x() + 2)
            break;
        nearest = std::fmin(nearest, std::abs(at.y() - pixel.y()));
    }
    return std::isnan(nearest) ? INFINITY : nearest;
}

CurveExtent withoutOutliers(
    const CurveExtent& all, const std::vector<ChartCurve>& curves, const PlotAxis& axis)
{
    std::vector<double> values;
    const auto take = [&](double y) {
        if (const double at = axis.axis(y); std::isfinite(at))
            values.push_back(at);
    };
    for (const ChartCurve& curve : curves) {
        const std::size_t size = curve.levels ? curve.levels->size() : curve.points.size();
        const std::size_t stride = std::max<std::size_t>(1, size / kSamples);
        for (std::size_t i = 0; i < size && !curve.faint; i += stride)
            take(curve.levels ? curve.levels->at(i).y : curve.points[i].y);
    }
    if (values.empty())
        return all;
    std::sort(values.begin(), values.end());
    const auto outside = static_cast<std::size_t>(static_cast<double>(values.size()) * kOutside);
    CurveExtent usual = all;
    usual.lowY = values[outside];
    usual.highY = values[values.size() - 1 - outside];
    return usual;
}

} // namespace accrue
