// SPDX-License-Identifier: Apache-2.0
#include "ui/train/live_charts.h"

#include "ui/charts/metric_chart.h"
#include "ui/curves/chart_buttons.h"
#include "ui/curves/grid_settings.h"
#include "ui/models/format.h"
#include "ui/models/run_palette.h"
#include "ui/models/run_progress.h"
#include "ui/models/run_words.h"
#include "ui/train/live_curves.h"
#include "ui/train/rank_chart.h"
#include "ui/train/shown_run.h"
#include "ui/train/step_parts_bar.h"
#include "ui/widgets/chart_pictures.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QActionGroup>
#include <QFrame>
#include <QGridLayout>
#include <QGuiApplication>
#include <QMenu>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

constexpr double kNearBudget = 2; // times the highest peak, up to which a budget is drawn
constexpr int kRoomForThreeRows = 560; // pixels
constexpr int kBuckets =
    180; // lowest and highest of each: a bucket for about two pixels of a chart

constexpr std::array kSmoothing { 0, 50, 75, 90, 97 }; // of smoothingWeight

// All that the charts and the fields beside them draw.
constexpr std::array kDrawn { MetricId::Loss, MetricId::TestLoss, MetricId::ValidationLoss,
    MetricId::TrainAccuracy, MetricId::TestAccuracy, MetricId::ValidationAccuracy,
    MetricId::PeakBytes, MetricId::Throughput, MetricId::LearningRate, MetricId::StepMs,
    MetricId::DataMs, MetricId::ForwardMs, MetricId::BackwardMs, MetricId::OptimizerMs };

// Of curves in one chart that all have the colour of their run.
constexpr std::array kStyles { Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine };

} // namespace

// The charts draw what the run log has and nothing else, so that a live run, a finished one and one
// that another process trains look alike. They do not use the controller of the run.
LiveCharts::LiveCharts(RunLogFollower& follower, QWidget* parent)
    : QWidget(parent)
    , m_follower(follower)
    , m_query(follower.addQuery({}))
    , m_loss(new MetricChart(this))
    , m_accuracy(new MetricChart(this))
    , m_memory(new MetricChart(this))
    , m_throughput(new MetricChart(this))
    , m_ranks(new RankChart(this))
    , m_all { m_loss, m_accuracy, m_memory, m_throughput, m_ranks->chart() }
    , m_parts(new StepPartsBar(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(8);
    grid->addWidget(card(m_loss), 0, 0);
    grid->addWidget(card(m_accuracy), 0, 1);
    m_memoryCard = card(m_memory);
    grid->addWidget(m_memoryCard, 1, 0);
    grid->addWidget(card(m_throughput, m_parts), 1, 1);
    m_ranksCard = card(m_ranks);
    m_ranksCard->hide();
    showRanks();
    nameCharts();
    connectCharts();
}

LiveCharts::~LiveCharts()
{
    m_follower.removeQuery(m_query);
}

void LiveCharts::connectCharts()
{
    for (MetricChart* chart : m_all) {
        connect(chart, &MetricChart::neededLeftChanged, this, &LiveCharts::alignPlots);
        connect(chart, &MetricChart::pictureRequested, this, [this, chart] {
            const QString name = chart->accessibleName().section(QLatin1Char(','), 0, 0).toLower();
            askAndSavePicture(*this, *chart,
                m_run ? QStringLiteral("%1-%2").arg(fileNameOf({ *m_run }), name) : name);
        });
        connect(chart, &MetricChart::menuOpening, this,
            [this, chart](QMenu* menu) { fillMenu(*menu, *chart); });
        m_links.add(*chart);
    }
    // That of the ranks has its legend where the buttons would be; its menu opens by a right click.
    for (MetricChart* chart : { m_loss, m_accuracy, m_memory, m_throughput }) {
        m_buttons[chart] = new ChartButtons(*chart);
        connect(m_buttons[chart], &ChartButtons::enlargeToggled, this,
            [this, chart] { toggleEnlarged(*chart); });
    }
    alignPlots();
    connect(m_ranks, &RankChart::metricChosen, this, &LiveCharts::ask);
    connect(&m_follower, &RunLogFollower::seriesChanged, this,
        [this](int query, const std::shared_ptr<const SeriesBatch>& batch) {
            // An answer without series is that to the query of hidden charts.
            if (query != m_query || !m_run || (batch->series.empty() && batch->summaries.empty()))
                return;
            m_batch = batch;
            take(*batch);
        });
    // Colours are part of the curves, so that these must be set again.
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, [this] {
            if (m_batch != nullptr)
                take(*m_batch);
        });
}

QWidget* LiveCharts::card(QWidget* content, QWidget* below)
{
    auto* frame = new QFrame(this);
    frame->setProperty("card", true);
    QVBoxLayout* layout = makeColumn(frame, { content }, { 8, 8, 8, 8 }, 4);
    layout->setStretch(0, 1);
    if (below != nullptr) // inset to where the chart's title begins
        layout->addLayout(makeRow(nullptr, { below }, { 8, 0, 8, 0 }));
    return frame;
}

void LiveCharts::nameCharts()
{
    const auto number = [](double value) { return numberText(value); };
    const auto count = [](double value) { return countText(std::llround(value)); };
    const auto bytes = [](double value) { return bytesText(std::llround(value)); };
    const auto percent = [](double value) { return percentText(value); };
    const auto name = [&](MetricChart* chart, const QString& title, const QString& y,
                          const QString& empty, const ValueFormatter& formatter) {
        chart->setTitle(title);
        chart->setAccessibleName(title);
        chart->setAxisTitles(tr("step"), y);
        chart->setEmptyText(empty);
        chart->setValueFormatter(formatter);
        chart->setXFormatter(count);
    };
    name(m_loss, metricTitle(MetricId::Loss), {}, tr("The loss of every step appears here."),
        number);
    name(m_accuracy, tr("Accuracy"), {}, tr("Accuracy appears after the first epoch."), percent);
    name(m_memory, metricTitle(MetricId::PeakBytes), {},
        tr("Peak memory of the training appears here."), bytes);
    name(m_throughput, metricTitle(MetricId::Throughput), tr("img/s"),
        tr("Images per second appear here."), count);
    // NaN leaves the upper end to the data.
    const double free = std::numeric_limits<double>::quiet_NaN();
    for (MetricChart* chart : { m_loss, m_memory, m_throughput })
        chart->setYRangeHint(0, free);
    m_memory->setValueFormatter(bytes, PlotAxis::Ticks::Bytes);
}

bool LiveCharts::isForeign() const
{
    const RunRecord* const run = listedRun(m_follower, m_run);
    return run != nullptr && !hasRecipe(*run);
}

void LiveCharts::nameLogged(const LoggedPanels& panels)
{
    const double free = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < panels.size(); ++i) {
        MetricChart* const chart = m_all[i];
        const auto& [title, metrics] = panels[i];
        const std::string metric = metrics.empty() ? std::string() : metrics.front();
        const bool isBytes = metricNamed(metric).format == MetricFormat::Bytes;
        chart->setTitle(title);
        chart->setAccessibleName(title);
        chart->setAxisTitles(tr("step"), {});
        chart->setEmptyText(tr("Nothing else was logged."));
        chart->setValueFormatter([metric](double value) { return metricText(metric, value); },
            isBytes ? PlotAxis::Ticks::Bytes : PlotAxis::Ticks::Round);
        chart->setYRangeHint(free, free);
        chart->resetAxes();
    }
}

// Which metrics there are is known from their summaries, and may change while the run is logged.
void LiveCharts::showLogged(const SeriesBatch& batch, const QColor& color)
{
    if (batch.summaries.empty()) // the answer to what was asked before the log listed the run
        return ask();
    const LoggedPanels panels = loggedPanels(batch.summaries.front().metrics);
    if (m_logged != panels) {
        nameLogged(panels);
        m_logged = panels;
        ask();
    }
    for (std::size_t i = 0; i < panels.size(); ++i) {
        std::vector<ChartCurve> curves;
        std::size_t style = 0;
        for (const std::string& metric : panels[i].metrics)
            addCurve(curves, batch, metric, metricTitle(metric), color, kStyles.at(style++));
        m_all[i]->setCurves(std::move(curves));
    }
}

void LiveCharts::showRun(const std::optional<RunId>& run)
{
    m_run = run;
    if (std::exchange(m_logged, std::nullopt))
        nameCharts();
    // At once: until the answer arrives, curves of the earlier run would be under the new title.
    m_batch.reset();
    m_learningRate.reset();
    m_parts->setParts({});
    for (MetricChart* chart : m_all) {
        chart->setCurves({});
        chart->setMarkers({});
        chart->setLevels({});
        chart->resetAxes();
    }
    m_ranks->clear();
    showRanks();
    ask();
}

// The log lists a run that begins only after its first events. In a low window three rows would
// leave little of each chart: there the devices have the place of the memory, which is one of the
// metrics that they can show.
void LiveCharts::showRanks()
{
    const bool isLow = height() < kRoomForThreeRows;
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->addWidget(m_ranksCard, isLow ? 1 : 2, 0, 1, isLow ? 1 : 2); // moves it
    showCards();
}

void LiveCharts::showCards()
{
    const RunRecord* const run = listedRun(m_follower, m_run);
    const bool isOfSeveral = run != nullptr && run->plan.devices > 1;
    const bool isLow = height() < kRoomForThreeRows;
    auto* grid = static_cast<QGridLayout*>(layout());
    std::array<bool, 3> rows {};
    std::array<bool, 2> columns {};
    for (int i = 0; i < grid->count(); ++i) {
        QWidget* const each = grid->itemAt(i)->widget();
        const bool hasRoom =
            each == m_memoryCard ? !isOfSeveral || !isLow : each != m_ranksCard || isOfSeveral;
        const bool isChosen = m_enlarged == nullptr || each->isAncestorOf(m_enlarged);
        each->setVisible(hasRoom && isChosen);
        if (!hasRoom || !isChosen)
            continue;
        int row = 0;
        int column = 0;
        int tall = 1;
        int wide = 1;
        grid->getItemPosition(i, &row, &column, &tall, &wide);
        rows.at(static_cast<std::size_t>(row)) = true;
        for (int at = column; at < column + wide; ++at)
            columns.at(static_cast<std::size_t>(at)) = true;
    }
    // An empty row would have its share of the height.
    for (int row = 0; row < static_cast<int>(rows.size()); ++row)
        grid->setRowStretch(row, rows[static_cast<std::size_t>(row)] ? 1 : 0);
    for (int column = 0; column < static_cast<int>(columns.size()); ++column)
        grid->setColumnStretch(column, columns[static_cast<std::size_t>(column)] ? 1 : 0);
}

void LiveCharts::toggleEnlarged(MetricChart& chart)
{
    m_enlarged = m_enlarged == &chart ? nullptr : &chart;
    for (const auto& [each, buttons] : m_buttons)
        buttons->setEnlarged(each == m_enlarged);
    showCards();
    alignPlots();
    chart.setFocus();
}

// ---- menu of a chart -------------------------------------------------------------------------

void LiveCharts::setSmoothing(double weight)
{
    m_smoothing = weight;
    ask();
}

void LiveCharts::fillMenu(QMenu& menu, MetricChart& chart)
{
    QMenu* const smoothing = menu.addMenu(tr("Smoothing of all charts"));
    auto* const only = new QActionGroup(smoothing);
    for (const int value : kSmoothing) {
        const double weight = smoothingWeight(value);
        QAction* const action =
            smoothing->addAction(value == 0 ? tr("None") : QString::number(weight, 'f', 2), this,
                [this, weight] { setSmoothing(weight); });
        action->setCheckable(true);
        action->setChecked(weight == m_smoothing);
        only->addAction(action);
    }
    menu.addAction(themedIcon(QLatin1String(m_enlarged == &chart ? "shrink" : "enlarge")),
        m_enlarged == &chart ? tr("Show all charts") : tr("Enlarge"), this,
        [this, &chart] { toggleEnlarged(chart); });
    menu.addSeparator();
}

void LiveCharts::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool wasLow = event->oldSize().height() < kRoomForThreeRows;
    if (wasLow != (height() < kRoomForThreeRows))
        showRanks();
}

void LiveCharts::ask()
{
    FollowQuery query;
    query.buckets = kBuckets;
    query.smoothing = m_smoothing;
    // A query without series costs the follower nothing while the page is hidden.
    if (m_run && m_seen && isForeign()) {
        query.summariesOf = { *m_run };
        for (const LoggedPanel& panel : m_logged.value_or(LoggedPanels {}))
            for (const std::string& metric : panel.metrics)
                query.series.push_back({ *m_run, metric });
    } else if (m_run && m_seen) {
        for (const MetricId metric : kDrawn)
            query.series.push_back({ *m_run, nameOf(metric) });
        for (const std::string& metric : m_ranks->drawn())
            query.series.push_back({ *m_run, metric });
    }
    m_follower.setQuery(m_query, std::move(query));
}

void LiveCharts::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_seen = true;
    ask();
}

void LiveCharts::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_seen = false; // also of a minimised window, whose widgets stay "visible"
    ask();
}

void LiveCharts::shareSteps(const SeriesBatch& batch)
{
    // Accuracy has a point per evaluation only: with a range of its own it would end earlier.
    double last = 0;
    for (const SeriesBatch::Series& series : batch.series)
        if (!series.points.empty())
            last = std::max(last, series.points.back().x);
    for (MetricChart* chart : m_all)
        chart->setXRangeHint(0, last);
}

// Labels of different width would put the same step at different places in the four charts.
void LiveCharts::alignPlots()
{
    int left = 0;
    for (const MetricChart* chart : m_all)
        if (chart->isVisibleTo(this))
            left = std::max(left, chart->neededLeft());
    for (MetricChart* chart : m_all)
        chart->setLeastLeft(left);
}

void LiveCharts::take(const SeriesBatch& batch)
{
    showRanks();
    shareSteps(batch);
    // The palette of the application: that of a widget may follow a new theme only after this.
    const QColor color = styleOf(*m_run, backgroundOf(QGuiApplication::palette())).color;
    showMarkers(batch);
    if (isForeign())
        return showLogged(batch, color);
    m_loss->setCurves(
        results(batch, color, MetricId::Loss, MetricId::TestLoss, MetricId::ValidationLoss));
    m_accuracy->setCurves(results(batch, color, MetricId::TrainAccuracy, MetricId::TestAccuracy,
        MetricId::ValidationAccuracy));
    const auto drawOne = [&](MetricChart* chart, MetricId metric, const QString& title) {
        std::vector<ChartCurve> curves;
        addCurve(curves, batch, nameOf(metric), title, color);
        chart->setCurves(std::move(curves));
    };
    drawOne(m_memory, MetricId::PeakBytes, tr("peak"));
    showBudget(batch);
    drawOne(m_throughput, MetricId::Throughput, tr("img/s"));
    m_ranks->draw(batch.series, color);
    takeStepParts(batch);
    const std::vector<SeriesPoint>& rates = pointsOf(batch, MetricId::LearningRate);
    // By its step and not by its value: an unchanged rate is still the rate of a newer step.
    if (!rates.empty() && (!m_learningRate || rates.back().x != m_rateStep)) {
        m_learningRate = rates.back().y;
        m_rateStep = rates.back().x;
        Q_EMIT learningRateRead();
    }
}

// A budget that these peaks may reach is drawn as a line across if it is near.
void LiveCharts::showBudget(const SeriesBatch& batch)
{
    double highest = 0;
    for (const SeriesPoint& point : pointsOf(batch, MetricId::PeakBytes))
        highest = std::max(highest, point.y);
    std::vector<ChartLevel> levels;
    const RunRecord* const run = listedRun(m_follower, m_run);
    const std::optional<std::int64_t> budget = run != nullptr ? budgetOfPeaks(*run) : std::nullopt;
    if (budget && static_cast<double>(*budget) <= kNearBudget * highest)
        levels.push_back({ static_cast<double>(*budget), tr("budget %1").arg(bytesText(*budget)),
            themeColors().error });
    m_memory->setLevels(std::move(levels));
}

void LiveCharts::takeStepParts(const SeriesBatch& batch)
{
    StepParts parts { .data = lastOf(batch, MetricId::DataMs),
        .forward = lastOf(batch, MetricId::ForwardMs),
        .backward = lastOf(batch, MetricId::BackwardMs),
        .optimizer = lastOf(batch, MetricId::OptimizerMs) };
    // The parts are measured one by one and may add up to a little more than the whole.
    parts.other = std::max(0.0, lastOf(batch, MetricId::StepMs) - parts.total());
    m_parts->setParts(parts);
}

void LiveCharts::showMarkers(const SeriesBatch& batch)
{
    const ThemeColors& colors = themeColors();
    std::vector<ChartMarker> markers;
    for (const RunMarker& marker : batch.markers) {
        // Its step was trained again after a resume.
        if (marker.superseded)
            continue;
        const bool bad = marker.severity != RunMessage::Severity::Information;
        // Checkpoints are many, and neither they nor the end change what the curves show.
        const bool isPlain = marker.kind == RunMarker::Kind::Checkpoint
            || (marker.kind == RunMarker::Kind::Ended && !bad);
        markers.push_back({ static_cast<double>(marker.step), messageText(marker.text),
            bad ? colors.warning : colors.muted, {}, /*hasLine=*/!isPlain });
    }
    for (MetricChart* chart : m_all)
        chart->setMarkers(markers);
}

} // namespace accrue
