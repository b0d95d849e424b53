// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_curves.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QSlider>

#include "ui/charts/metric_chart.h"
#include "ui/charts/rank_curves.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

// Curves are thinned and smoothed where the log is read. The query states how, and the answer has
// both: the measured points and, if requested, the smoothed ones in front of them.

namespace accrue {

namespace {

// Two points per bucket are drawn, the lowest and the highest: about one per pixel of the chart.
constexpr int kBuckets = 600;
constexpr int kLeastSlider = 40;
constexpr int kWidestSlider = 110;

} // namespace

void layOutChart(QWidget* tab, QLayout* bar, QWidget* chart)
{
    auto* frame = new QFrame(tab);
    frame->setProperty("card", true);
    makeColumn(frame, { chart }, { 1, 1, 1, 1 });
    auto* layout = makeColumn(tab, {}, { 0, 12, 0, 0 });
    layout->addLayout(bar);
    layout->addWidget(frame, 1);
}

CompareCurves::CompareCurves(QWidget* parent)
    : QWidget(parent)
{
    buildChoices();
    m_chart = new MetricChart(this);
    m_chart->setEmptyText(tr("None of these runs has logged this metric yet."));
    layOutChart(this, buildBar(), m_chart);
    connect(m_metric, &QComboBox::currentIndexChanged, this, &CompareCurves::reset);
    connect(m_axis, &QComboBox::currentIndexChanged, this, &CompareCurves::reset);
    const auto showSmoothing = [this] {
        m_smoothingText->setText(QString::number(smoothing(), 'f', 2));
        Q_EMIT queryChanged();
    };
    connect(m_smoothing, &QSlider::valueChanged, this, showSmoothing);
    connect(m_logX, &QCheckBox::toggled, m_chart, &MetricChart::setLogX);
    connect(m_logY, &QCheckBox::toggled, m_chart, &MetricChart::setLogY);
    // The chart's own menu switches its axis, too, and the box must agree.
    connect(m_chart, &MetricChart::logYChanged, m_logY, &QCheckBox::setChecked);
    // Called once by hand: the slider emits no signal for the value that it begins with.
    showSmoothing();
    reset();
}

void CompareCurves::buildChoices()
{
    m_metric = new QComboBox(this);
    for (const MetricInfo& info : metrics())
        m_metric->addItem(metricTitle(info.name), QString::fromStdString(info.name));
    // Of a trace: its first value, and what each of several ranks has.
    for (const MetricInfo& info : tracedMetrics())
        if (info.ofEachRank || info.name == tracedMetrics().front().name)
            m_metric->addItem(metricTitle(info.name), QString::fromStdString(info.name));
    m_metric->setAccessibleName(tr("Metric"));
    m_metric->setToolTip(tr("Metric to draw"));
    m_axis = new QComboBox(this);
    for (const Axis each :
        { Axis::Step, Axis::Samples, Axis::MicroBatches, Axis::Epoch, Axis::Seconds })
        m_axis->addItem(tr("over %1").arg(axisTitle(each)), static_cast<int>(each));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_axis->setToolTip(tr("Quantity on the horizontal axis"));
    m_smoothing = new QSlider(Qt::Horizontal, this);
    m_smoothing->setRange(0, 99);
    m_smoothing->setMinimumWidth(kLeastSlider);
    m_smoothing->setMaximumWidth(kWidestSlider);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Exponential smoothing; the measured curve stays faint behind it"));
    m_smoothingText = makeLabel("muted", {}, this);
    // The same width for every value, so that the slider does not change its length during a drag.
    m_smoothingText->setFixedWidth(
        m_smoothingText->fontMetrics().horizontalAdvance(QStringLiteral("0.00 ")));
    for (QComboBox* box : { m_metric, m_axis }) { // the slider becomes shorter if space is short
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    }
    m_logX = new QCheckBox(tr("log x"), this);
    m_logY = new QCheckBox(tr("log y"), this);
}

QLayout* CompareCurves::buildBar()
{
    auto* smoothingTitle = new QLabel(tr("Smooth&ing"), this);
    smoothingTitle->setBuddy(m_smoothing);
    auto* bar = makeRow(nullptr, { m_metric, m_axis });
    bar->addSpacing(8);
    bar->addWidget(smoothingTitle);
    bar->addWidget(m_smoothing, 1);
    bar->addWidget(m_smoothingText);
    bar->addWidget(m_logX);
    bar->addWidget(m_logY);
    bar->addStretch(1);
    return bar;
}

std::string CompareCurves::chosenMetric() const
{
    return m_metric->currentData().toString().toStdString();
}

Axis CompareCurves::axis() const
{
    return static_cast<Axis>(m_axis->currentData().toInt());
}

// The slider's upper half has smaller steps than its lower one: there the weight matters.
double CompareCurves::smoothing() const
{
    const double share = static_cast<double>(m_smoothing->value()) / (m_smoothing->maximum() + 1);
    return share == 0 ? 0 : 1 - std::pow(1 - share, 1.5);
}

FollowQuery CompareCurves::queryFor(const std::vector<RunId>& runs) const
{
    FollowQuery query;
    for (const RunId run : runs)
        query.series.push_back({ run, chosenMetric() });
    query.axis = axis();
    query.buckets = kBuckets;
    query.smoothing = smoothing();
    return query;
}

void CompareCurves::reset()
{
    const std::string shown = chosenMetric();
    const Axis over = axis();
    m_chart->setTitle(m_metric->currentText());
    m_chart->setAxisTitles(axisTitle(over), {});
    const bool isBytes = metricNamed(shown).format == MetricFormat::Bytes;
    m_chart->setValueFormatter([shown](double value) { return metricText(shown, value); },
        isBytes ? PlotAxis::Ticks::Bytes : PlotAxis::Ticks::Round);
    m_chart->setXFormatter([over](double value) { return axisText(over, value); });
    // The old curves are removed at once and not with the next answer: until then they would be on
    // axes and under a title that are not theirs.
    m_batch.reset();
    m_chart->setCurves({});
    m_chart->setRibbons({});
    m_chart->resetAxes();
    Q_EMIT queryChanged();
}

void CompareCurves::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = runs;
    m_background = background;
    draw();
}

void CompareCurves::take(const std::shared_ptr<const SeriesBatch>& batch)
{
    m_batch = batch;
    draw();
}

void CompareCurves::draw()
{
    if (!m_batch)
        return;
    const QStringList names = legendTexts(m_runs);
    const std::vector<RunStyle> styles = stylesOf(m_runs, m_background);
    std::vector<ChartCurve> curves;
    std::vector<ChartRibbon> ribbons;
    for (const SeriesBatch::Series& series : m_batch->series) {
        // The last answer may still have a run that was just removed.
        const auto record = std::ranges::find(m_runs, series.run, &RunRecord::id);
        if (record == m_runs.end())
            continue;
        const auto at = record - m_runs.begin();
        const RunStyle& style = styles.at(static_cast<std::size_t>(at));
        if (!series.spread.empty()) {
            drawRanks(series, { names.at(at), style.color, /*faint=*/false, style.line }, curves,
                ribbons);
            continue;
        }
        const bool smooth = !series.smoothed.empty();
        if (smooth)
            // Without a title: the smoothed curve in front has the entry of the legend.
            curves.push_back({ {}, style.color, /*faint=*/true, style.line, series.points });
        curves.push_back({ names.at(at), style.color, /*faint=*/false, style.line,
            smooth ? series.smoothed : series.points });
    }
    m_chart->setRibbons(std::move(ribbons));
    m_chart->setCurves(std::move(curves));
}

// One entry of the legend stands for all ribbons.
void CompareCurves::drawRanks(const SeriesCurve& series, ChartCurve mean,
    std::vector<ChartCurve>& curves, std::vector<ChartRibbon>& ribbons) const
{
    const QString run = m_runs.size() > 1 ? mean.title : QString();
    RankCurves drawn = rankCurves(series, std::move(mean), run);
    if (ribbons.empty())
        drawn.ribbon.title = ribbonTitle();
    std::move(drawn.curves.begin(), drawn.curves.end(), std::back_inserter(curves));
    ribbons.push_back(std::move(drawn.ribbon));
}

CompareCurves::Choices CompareCurves::choices() const
{
    return { m_metric->currentData().toString(), m_axis->currentIndex(), m_smoothing->value(),
        m_logX->isChecked(), m_logY->isChecked() };
}

void CompareCurves::setChoices(const Choices& choices)
{
    // By name, because positions in the box change when a metric is added. A metric that this
    // version does not know becomes the first.
    m_metric->setCurrentIndex(std::max(0, m_metric->findData(choices.metric)));
    m_axis->setCurrentIndex(choices.axis);
    m_smoothing->setValue(choices.smoothing);
    m_logX->setChecked(choices.logX);
    m_logY->setChecked(choices.logY);
}

} // namespace accrue
