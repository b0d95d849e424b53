// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/chart_links.h"

#include "ui/charts/metric_chart.h"

#include <algorithm>

namespace accrue {

void ChartLinks::add(MetricChart& chart)
{
    if (!m_charts.empty())
        chart.setXZoom(m_charts.front()->xZoom());
    m_charts.push_back(&chart);
    connect(&chart, &MetricChart::xZoomed, this, [this, &chart] { shareZoom(chart); });
    connect(&chart, &MetricChart::stopChanged, this, [this, &chart] { shareStop(chart); });
    connect(&chart, &MetricChart::zoomChanged, this, &ChartLinks::zoomChanged);
    connect(&chart, &QObject::destroyed, this, [this, &chart] { std::erase(m_charts, &chart); });
}

void ChartLinks::shareZoom(const MetricChart& of)
{
    for (MetricChart* other : m_charts)
        if (other != &of)
            other->setXZoom(of.xZoom());
}

void ChartLinks::shareStop(const MetricChart& of)
{
    for (MetricChart* other : m_charts)
        if (other != &of)
            other->showLinkedStop(of.stop());
}

void ChartLinks::resetZoom()
{
    for (MetricChart* chart : m_charts)
        chart->resetZoom();
}

bool ChartLinks::isZoomed() const
{
    return std::ranges::any_of(
        m_charts, [](const MetricChart* chart) { return chart->isZoomed(); });
}

} // namespace accrue
