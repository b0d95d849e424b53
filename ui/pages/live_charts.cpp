// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/live_charts.h"

#include "ui/charts/metric_chart.h"
#include "ui/models/format.h"
#include "ui/models/run_palette.h"
#include "ui/models/run_words.h"
#include "ui/pages/chart_pictures.h"
#include "ui/pages/step_parts_bar.h"
#include "ui/pages/theme.h"
#include "ui/run/run_progress.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

constexpr double kNearBudget = 2; // times the highest peak, up to which a budget is drawn
constexpr int kBuckets =
    180; // lowest and highest of each: a bucket for about two pixels of a chart

// All that the charts and the fields beside them draw.
const char* const kMetrics[] = { "loss", "test_loss", "validation_loss", "train_accuracy",
    "test_accuracy", "validation_accuracy", "peak_bytes", "throughput", "learning_rate", "step_ms",
    "data_ms", "forward_ms", "backward_ms", "optimizer_ms" };

const std::vector<SeriesPoint>& pointsOf(const SeriesBatch& batch, const char* metric)
{
    static const std::vector<SeriesPoint> none;
    for (const SeriesBatch::Series& series : batch.series)
        if (series.metric == metric)
            return series.points;
    return none;
}

std::optional<std::int64_t> budgetOf(
    const std::shared_ptr<const RunList>& runs, const std::optional<RunId>& id)
{
    if (runs == nullptr)
        return {};
    for (const RunRecord& run : *runs)
        if (id && run.id == *id)
            return budgetOfPeaks(run);
    return {};
}

double lastOf(const SeriesBatch& batch, const char* metric)
{
    const std::vector<SeriesPoint>& points = pointsOf(batch, metric);
    return points.empty() || !std::isfinite(points.back().y) ? 0 : points.back().y;
}

Background background()
{
    const bool dark = Theme::instance() != nullptr && Theme::instance()->isDark();
    return dark ? Background::Dark : Background::Light;
}

ChartCurve curve(const QString& title, const QColor& color, Qt::PenStyle line,
    const std::vector<SeriesPoint>& points)
{
    return { .id = title, .title = title, .color = color, .line = line, .points = points };
}

// All in the colour of the run, as its dot: the line tells training from test. Validation has a
// curve only where samples are held out.
std::vector<ChartCurve> results(const SeriesBatch& batch, const QColor& color, const char* train,
    const char* test, const char* validation)
{
    using Charts = LiveCharts;
    std::vector<ChartCurve> curves {
        curve(Charts::tr("train"), color, Qt::SolidLine, pointsOf(batch, train)),
        curve(Charts::tr("test"), color, Qt::DashLine, pointsOf(batch, test)),
    };
    const std::vector<SeriesPoint>& held = pointsOf(batch, validation);
    if (!held.empty())
        curves.push_back(curve(Charts::tr("validation"), color, Qt::DotLine, held));
    return curves;
}

} // namespace

LiveCharts::LiveCharts(RunLogFollower& follower, QWidget* parent)
    : QWidget(parent)
    , m_follower(follower)
    , m_query(follower.addQuery({}))
    , m_loss(new MetricChart(this))
    , m_accuracy(new MetricChart(this))
    , m_memory(new MetricChart(this))
    , m_throughput(new MetricChart(this))
    , m_parts(new StepPartsBar(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(8);
    grid->addWidget(card(m_loss), 0, 0);
    grid->addWidget(card(m_accuracy), 0, 1);
    grid->addWidget(card(m_memory), 1, 0);
    grid->addWidget(card(m_throughput, m_parts), 1, 1);
    for (int i = 0; i < 2; ++i) {
        grid->setRowStretch(i, 1);
        grid->setColumnStretch(i, 1);
    }
    nameCharts();
    for (const MetricChart* chart : all())
        connect(chart, &MetricChart::neededLeftChanged, this, &LiveCharts::alignPlots);
    alignPlots();
    connectPictures();
    connect(&m_follower, &RunLogFollower::seriesChanged, this,
        [this](int query, const std::shared_ptr<const SeriesBatch>& batch) {
            if (query != m_query || !m_run || batch->series.empty())
                return;
            m_batch = batch;
            take(*batch);
        });
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, [this] {
            if (m_batch != nullptr)
                take(*m_batch);
        });
}

LiveCharts::~LiveCharts()
{
    m_follower.removeQuery(m_query);
}

QWidget* LiveCharts::card(QWidget* content, QWidget* below)
{
    auto* frame = new QFrame(this);
    frame->setProperty("card", true);
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(4);
    layout->addWidget(content, 1);
    if (below != nullptr) {
        auto* inset = new QHBoxLayout; // where the chart's title begins
        inset->setContentsMargins(8, 0, 8, 0);
        inset->addWidget(below);
        layout->addLayout(inset);
    }
    return frame;
}

void LiveCharts::nameCharts()
{
    const auto number = [](double value) { return numberText(value); };
    const auto count = [](double value) { return countText(std::llround(value)); };
    const auto bytes = [](double value) { return bytesText(std::llround(value)); };
    const auto percent = [](double value) { return percentText(value); };
    struct Named {
        MetricChart* chart;
        QString title;
        QString y;
        QString empty;
        MetricChart::Formatter formatter;
    };
    const Named all[] = {
        { m_loss, tr("Loss"), {}, tr("The loss of every step appears here."), number },
        { m_accuracy, tr("Accuracy"), {}, tr("Accuracy appears after the first epoch."), percent },
        { m_memory, metricTitle("peak_bytes"), {}, tr("Peak memory of the training appears here."),
            bytes },
        { m_throughput, tr("Throughput"), tr("img/s"), tr("Images a second appear here."), count },
    };
    for (const Named& named : all) {
        named.chart->setTitle(named.title);
        named.chart->setAccessibleName(named.title);
        named.chart->setAxisTitles(tr("step"), named.y);
        named.chart->setEmptyText(named.empty);
        named.chart->setValueFormatter(named.formatter);
        named.chart->setXFormatter(count);
    }
    const double free = std::numeric_limits<double>::quiet_NaN();
    m_loss->setYRangeHint(0, free);
    m_memory->setYRangeHint(0, free);
    m_throughput->setYRangeHint(0, free);
    m_memory->setYInBytes(true);
    m_memory->setLegendVisible(false);
    m_throughput->setLegendVisible(false);
}

void LiveCharts::connectPictures()
{
    for (MetricChart* chart : { m_loss, m_accuracy, m_memory, m_throughput })
        connect(chart, &MetricChart::pictureRequested, this, [this, chart] {
            const QString name = chart->title().section(QLatin1Char(','), 0, 0).toLower();
            askAndSavePicture(*this, *chart, name);
        });
}

void LiveCharts::showRun(const std::optional<RunId>& run)
{
    m_run = run;
    m_drawn = false;
    m_batch.reset();
    m_learningRate.reset();
    m_parts->setParts({});
    for (MetricChart* chart : all()) {
        chart->setCurves({});
        chart->setMarkers({});
        chart->setLevels({});
        chart->resetAxes();
    }
    ask();
}

void LiveCharts::ask()
{
    FollowQuery query;
    query.buckets = kBuckets;
    if (m_run && m_seen)
        for (const char* metric : kMetrics)
            query.series.push_back({ *m_run, metric });
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
    double last = 0;
    for (const SeriesBatch::Series& series : batch.series)
        if (!series.points.empty())
            last = std::max(last, series.points.back().x);
    for (MetricChart* chart : all())
        chart->setXRangeHint(0, last);
}

void LiveCharts::alignPlots()
{
    int left = 0;
    for (const MetricChart* chart : all())
        left = std::max(left, chart->neededLeft());
    for (MetricChart* chart : all())
        chart->setLeastLeft(left);
}

void LiveCharts::take(const SeriesBatch& batch)
{
    shareSteps(batch);
    const QColor color = styleOf(*m_run, background()).color;
    m_loss->setCurves(results(batch, color, "loss", "test_loss", "validation_loss"));
    m_accuracy->setCurves(
        results(batch, color, "train_accuracy", "test_accuracy", "validation_accuracy"));
    m_memory->setCurves({ curve(tr("peak"), color, Qt::SolidLine, pointsOf(batch, "peak_bytes")) });
    showBudget(batch);
    m_throughput->setCurves(
        { curve(tr("img/s"), color, Qt::SolidLine, pointsOf(batch, "throughput")) });
    showMarkers(batch);
    takeStepParts(batch);
    const std::vector<SeriesPoint>& rates = pointsOf(batch, "learning_rate");
    if (!rates.empty() && (!m_learningRate || rates.back().x != m_rateStep)) {
        m_learningRate = rates.back().y;
        m_rateStep = rates.back().x;
        Q_EMIT learningRateRead();
    }
    if (!m_drawn && !pointsOf(batch, "loss").empty()) {
        m_drawn = true;
        Q_EMIT firstPointDrawn(*m_run);
    }
}

// Where a budget is near that these peaks may reach, it is a line across.
void LiveCharts::showBudget(const SeriesBatch& batch)
{
    double highest = 0;
    for (const SeriesPoint& point : pointsOf(batch, "peak_bytes"))
        highest = std::max(highest, point.y);
    std::vector<ChartLevel> levels;
    const std::optional<std::int64_t> budget = budgetOf(m_follower.runs(), m_run);
    if (budget && static_cast<double>(*budget) <= kNearBudget * highest)
        levels.push_back({ static_cast<double>(*budget), tr("budget %1").arg(bytesText(*budget)),
            themeColors().error });
    m_memory->setLevels(std::move(levels));
}

void LiveCharts::takeStepParts(const SeriesBatch& batch)
{
    StepParts parts { .data = lastOf(batch, "data_ms"),
        .forward = lastOf(batch, "forward_ms"),
        .backward = lastOf(batch, "backward_ms"),
        .optimizer = lastOf(batch, "optimizer_ms") };
    parts.other = std::max(0.0, lastOf(batch, "step_ms") - parts.total());
    m_parts->setParts(parts);
}

void LiveCharts::showMarkers(const SeriesBatch& batch)
{
    const ThemeColors& colors = themeColors();
    std::vector<ChartMarker> markers;
    for (const RunMarker& marker : batch.markers) {
        if (marker.superseded)
            continue;
        const bool bad = marker.severity != RunMessage::Severity::Information;
        markers.push_back({ static_cast<double>(marker.step), QString::fromStdString(marker.text),
            bad ? colors.warning : colors.muted });
    }
    for (MetricChart* chart : all())
        chart->setMarkers(markers);
}

} // namespace accrue
