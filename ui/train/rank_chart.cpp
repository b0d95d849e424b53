// SPDX-License-Identifier: Apache-2.0
#include "ui/train/rank_chart.h"

#include <QComboBox>
#include <QLabel>

#include "engine/events/metrics.h"
#include "ui/charts/metric_chart.h"
#include "ui/charts/rank_curves.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

// Of how long a rank waits, which shows the slowest: it waits least.
constexpr const char* kWaiting = "wait_ms";
constexpr int kLeastBox = 110; // pixels
constexpr int kHeadGap = 12;
constexpr int kLegendSigns = 110; // of two entries, and the gaps between them

const SeriesBatch::Series* seriesOf(
    const std::vector<SeriesBatch::Series>& all, const std::string& metric)
{
    const auto found = std::ranges::find(all, metric, &SeriesBatch::Series::metric);
    return found != all.end() ? &*found : nullptr;
}

} // namespace

RankChart::RankChart(QWidget* parent)
    : QWidget(parent)
    , m_metric(new QComboBox(this))
    , m_slowest(makeLabel("muted", {}, this))
    , m_chart(new MetricChart(this))
{
    for (const MetricInfo& info : metrics())
        if (info.ofEachRank)
            m_metric->addItem(metricTitle(info.name), QString::fromStdString(info.name));
    m_metric->setAccessibleName(tr("Metric of the devices"));
    m_metric->setToolTip(tr("What each device measures, to draw"));
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_metric->setMinimumWidth(kLeastBox);
    m_metric->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_slowest->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_slowest->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_chart->setEmptyText(tr("What each device measures appears here."));
    m_chart->setXFormatter([](double value) { return countText(std::llround(value)); });
    auto* head = makeRow(nullptr, { m_metric, m_slowest }, { 4, 0, 4, 0 }, kHeadGap);
    head->setStretch(1, 1);
    QVBoxLayout* column = makeColumn(this, {}, {}, 0);
    column->addLayout(head);
    column->addWidget(m_chart, 1);
    setMetric(QString::fromLatin1(kWaiting));
    reset();
    connect(m_metric, &QComboBox::currentIndexChanged, this, [this] {
        reset();
        Q_EMIT metricChosen();
    });
}

std::string RankChart::chosenMetric() const
{
    return m_metric->currentData().toString().toStdString();
}

void RankChart::setMetric(const QString& name)
{
    if (const int index = m_metric->findData(name); index >= 0)
        m_metric->setCurrentIndex(index);
}

std::vector<std::string> RankChart::drawn() const
{
    const std::string chosen = chosenMetric();
    return chosen == kWaiting ? std::vector { chosen }
                              : std::vector { chosen, std::string(kWaiting) };
}

void RankChart::reset()
{
    const MetricInfo info = metricNamed(chosenMetric());
    const auto ticks =
        info.format == MetricFormat::Bytes ? PlotAxis::Ticks::Bytes : PlotAxis::Ticks::Round;
    m_chart->setValueFormatter(
        [name = info.name](double value) { return metricText(name, value); }, ticks);
    m_chart->setAxisTitles(tr("step"), {});
    m_chart->setAccessibleName(m_metric->currentText());
    clear();
}

void RankChart::clear()
{
    m_chart->setCurves({});
    m_chart->setRibbons({});
    m_chart->setMarkers({});
    m_chart->resetAxes();
    m_chart->setYRangeHint(0, std::numeric_limits<double>::quiet_NaN());
    m_waits.clear();
    showSlowest();
}

void RankChart::draw(const std::vector<SeriesBatch::Series>& all, const QColor& color)
{
    const SeriesBatch::Series* const waits = seriesOf(all, kWaiting);
    m_waits = waits != nullptr ? waits->meansOfRanks : std::vector<double>();
    showSlowest();
    const SeriesBatch::Series* const shown = seriesOf(all, chosenMetric());
    if (shown == nullptr)
        return;
    RankCurves drawn = rankCurves(*shown, { titleOfMean(), color });
    drawn.ribbon.title = ribbonTitle();
    m_chart->setRibbons({ std::move(drawn.ribbon) });
    m_chart->setCurves(std::move(drawn.curves));
}

// A saved picture names the metric, if the chart is wide enough for it beside the ribbon.
QString RankChart::titleOfMean() const
{
    const QString whole = tr("%1, mean").arg(m_metric->currentText());
    const int needed = fontMetrics().horizontalAdvance(whole + ribbonTitle()) + kLegendSigns;
    return needed < m_chart->width() ? whole : tr("mean");
}

// In a narrow chart without how much slower it is, which the tooltip has.
void RankChart::showSlowest()
{
    const std::optional<SlowestRank> slowest = slowestOf(m_waits);
    if (!slowest) {
        m_slowest->setText({});
        return m_slowest->setToolTip({});
    }
    const QString brief = tr("slowest: rank %1").arg(slowest->rank);
    const QString whole = tr("Slowest: rank %1. The others wait %2 longer per window.")
                              .arg(slowest->rank)
                              .arg(metricText(kWaiting, slowest->othersWaitLonger));
    const int room = width() - m_metric->sizeHint().width() - 2 * kHeadGap;
    m_slowest->setMinimumWidth(m_slowest->fontMetrics().horizontalAdvance(brief) + 2);
    m_slowest->setText(m_slowest->fontMetrics().horizontalAdvance(whole) < room ? whole : brief);
    m_slowest->setToolTip(whole);
}

void RankChart::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showSlowest();
}

} // namespace accrue
