// SPDX-License-Identifier: Apache-2.0
#include "ui/train/live_curves.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

class Words {
    Q_DECLARE_TR_FUNCTIONS(LiveCharts)
};

const SeriesBatch::Series* seriesOf(const SeriesBatch& batch, const std::string& metric)
{
    const auto found = std::ranges::find(batch.series, metric, &SeriesBatch::Series::metric);
    return found != batch.series.end() ? &*found : nullptr;
}

} // namespace

const std::vector<SeriesPoint>& pointsOf(const SeriesBatch& batch, const std::string& metric)
{
    static const std::vector<SeriesPoint> none;
    const SeriesBatch::Series* const series = seriesOf(batch, metric);
    return series != nullptr ? series->points : none;
}

double lastOf(const SeriesBatch& batch, MetricId metric)
{
    const std::vector<SeriesPoint>& points = pointsOf(batch, metric);
    return points.empty() || !std::isfinite(points.back().y) ? 0 : points.back().y;
}

void addCurve(std::vector<ChartCurve>& curves, const SeriesBatch& batch, const std::string& metric,
    const QString& title, const QColor& color, Qt::PenStyle line)
{
    const SeriesBatch::Series* const series = seriesOf(batch, metric);
    const bool isSmooth = series != nullptr && !series->smoothed.empty();
    if (isSmooth)
        curves.push_back({ {}, color, /*faint=*/true, line, series->points });
    curves.push_back({ title, color, /*faint=*/false, line,
        isSmooth ? series->smoothed : pointsOf(batch, metric) });
}

std::vector<ChartCurve> results(const SeriesBatch& batch, const QColor& color, MetricId train,
    MetricId test, MetricId validation)
{
    std::vector<ChartCurve> curves;
    addCurve(curves, batch, nameOf(train), Words::tr("train"), color);
    addCurve(curves, batch, nameOf(test), Words::tr("test"), color, Qt::DashLine);
    if (!pointsOf(batch, validation).empty())
        addCurve(curves, batch, nameOf(validation), Words::tr("validation"), color, Qt::DotLine);
    return curves;
}

} // namespace accrue
