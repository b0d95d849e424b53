// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/metrics.h"
#include "ui/charts/chart_curve.h"
#include "ui/run/follow_query.h"

#include <string>
#include <vector>

namespace accrue {

// The curves of one run in the live charts, from an answer of the log. All are in the colour of the
// run, as its dot. Pure.

// Empty: the answer has none.
const std::vector<SeriesPoint>& pointsOf(const SeriesBatch& batch, const std::string& metric);
inline const std::vector<SeriesPoint>& pointsOf(const SeriesBatch& batch, MetricId metric)
{
    return pointsOf(batch, nameOf(metric));
}
double lastOf(const SeriesBatch& batch, MetricId metric); // 0: none, or not finite

// One metric; smoothed, if that was asked for, with what was measured faint behind it.
void addCurve(std::vector<ChartCurve>& curves, const SeriesBatch& batch, const std::string& metric,
    const QString& title, const QColor& color, Qt::PenStyle line = Qt::SolidLine);

// The line style distinguishes training from test. Validation has a curve only if samples are held
// out.
std::vector<ChartCurve> results(const SeriesBatch& batch, const QColor& color, MetricId train,
    MetricId test, MetricId validation);

} // namespace accrue
