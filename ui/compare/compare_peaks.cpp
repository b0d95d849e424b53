// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_peaks.h"

#include <QCheckBox>
#include <QComboBox>

#include "ui/models/run_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <limits>
#include <utility>

// Each run is a curve of one point: so it has a place in the legend, a row in the hover box and the
// colour of its line on the other tab, and no second type of chart is needed.

namespace accrue {

ComparePeaks::ComparePeaks(QWidget* parent)
    : CompareTab(parent)
    , m_setting(new QComboBox(this))
    , m_chart(new MetricChart(this))
    , m_logY(new QCheckBox(tr("log y"), this))
{
    for (const PeakSetting each : { PeakSetting::Micro, PeakSetting::Steps, PeakSetting::Norm })
        m_setting->addItem(tr("over %1").arg(settingTitle(each)), static_cast<int>(each));
    m_setting->setAccessibleName(tr("Setting"));
    m_setting->setToolTip(tr("Quantity on the horizontal axis"));
    m_chart->setTitle(metricTitle(MetricId::PeakBytes));
    m_chart->setValueFormatter(
        [](double value) { return metricText(nameOf(MetricId::PeakBytes), value); },
        PlotAxis::Ticks::Bytes);
    m_chart->setEmptyText(tr("None of these runs has logged its memory yet."));
    auto* words = makeLabel("muted", tr("Each point is the peak memory of one run."), this);
    auto* bar = makeRow(nullptr, { m_setting, words }, {}, 16);
    bar->addStretch(1);
    bar->addWidget(m_logY);
    layOutChart(this, bar, m_chart);
    connect(m_setting, &QComboBox::currentIndexChanged, this, &ComparePeaks::reset);
    connect(m_logY, &QCheckBox::toggled, m_chart, &MetricChart::setLogY);
    connect(m_chart, &MetricChart::zoomChanged, this, &ComparePeaks::zoomChanged);
    connect(m_chart, &MetricChart::pictureRequested, this, &ComparePeaks::pictureRequested);
    // The chart's own menu switches its axis, too.
    connect(m_chart, &MetricChart::logYChanged, m_logY, &QCheckBox::setChecked);
    reset();
}

QJsonObject ComparePeaks::state() const
{
    return { { QStringLiteral("over"), m_setting->currentIndex() } };
}

void ComparePeaks::restore(const QJsonObject& state)
{
    m_setting->setCurrentIndex(state[QLatin1String("over")].toInt());
}

PeakSetting ComparePeaks::setting() const
{
    return static_cast<PeakSetting>(m_setting->currentData().toInt());
}

void ComparePeaks::reset()
{
    const PeakSetting over = setting();
    m_chart->setAxisTitles(settingTitle(over), {});
    m_chart->setXFormatter([over](double value) { return settingValueText(over, value); },
        isCounted(over) ? PlotAxis::Ticks::Doubling : PlotAxis::Ticks::Round);
    // The old points are removed first: their x is not on the new axis.
    m_chart->setCurves({});
    m_chart->setLogX(isCounted(over));
    m_chart->resetAxes();
    // From 0: the height of a point is compared with another's, and should be in proportion.
    m_chart->setYRangeHint(0, std::numeric_limits<double>::quiet_NaN());
    draw();
}

void ComparePeaks::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = runs;
    m_background = background;
    draw();
}

void ComparePeaks::draw()
{
    const std::vector<RunStyle> styles = stylesOf(m_runs, m_background);
    const QStringList names = legendTexts(m_runs);
    std::vector<ChartCurve> curves;
    std::vector<SeriesPoint> points;
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        if (const auto point = peakOver(setting(), m_runs[i])) {
            ChartCurve& dot = curves.emplace_back();
            dot.title = names.at(static_cast<qsizetype>(i));
            dot.color = styles[i].color;
            dot.line = Qt::NoPen;
            dot.ring = styles[i].line == Qt::SolidLine ? Qt::NoPen : styles[i].line; // as runDot
            dot.points = { *point };
            points.push_back(*point);
        }
    // Runs with the same setting and nearly the same peak would hide each other. They are moved by
    // pixels and not by values, so that axes and hover box remain true.
    const std::vector<double> shifts = shiftsOf(points);
    for (std::size_t i = 0; i < curves.size(); ++i)
        curves[i].shift = shifts[i];
    const PeakRange range = rangeOf(setting(), points);
    // Leaves space beside the outermost points: runs without norm layers would be on the edge of
    // the plot.
    m_chart->setXRangeHint(range.low, range.high);
    m_chart->setCurves(std::move(curves));
}

} // namespace accrue
