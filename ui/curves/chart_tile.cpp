// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/chart_tile.h"

#include "ui/charts/metric_chart.h"
#include "ui/curves/chart_buttons.h"
#include "ui/curves/metric_choice.h"
#include "ui/models/run_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QActionGroup>
#include <QMenu>
#include <QSignalBlocker>

#include <array>
#include <limits>
#include <utility>

namespace accrue {

namespace {

// Of a chart's own menu: weights between them make no visible difference.
constexpr std::array kSmoothing { 0, 50, 75, 90, 97 };

} // namespace

ChartTile::ChartTile(RunLogFollower& follower, TileSettings settings, QWidget* parent)
    : QFrame(parent)
    , m_follower(follower)
    , m_query(follower.addQuery())
    , m_settings(std::move(settings))
    , m_chart(new MetricChart(this))
    , m_buttons(new ChartButtons(*m_chart))
{
    setProperty("card", true);
    makeColumn(this, { m_chart }, { 1, 1, 1, 1 });
    m_chart->setLegendShown(false);
    m_chart->setEmptyText(tr("None of these runs has logged this metric yet."));
    m_chart->setLogY(m_settings.logY);
    m_chart->setOutliersIgnored(m_settings.ignoresOutliers);
    connect(m_buttons, &ChartButtons::enlargeToggled, this, &ChartTile::enlargeToggled);
    connect(m_chart, &MetricChart::logYChanged, this, [this](bool on) {
        m_settings.logY = on;
        Q_EMIT settingsChanged();
    });
    connect(m_chart, &MetricChart::outliersIgnoredChanged, this, [this](bool ignored) {
        m_settings.ignoresOutliers = ignored;
        Q_EMIT settingsChanged();
    });
    connect(m_chart, &MetricChart::menuOpening, this, [this](QMenu* menu) { fillMenu(*menu); });
    connect(&m_follower, &RunLogFollower::seriesChanged, this,
        [this](int query, const std::shared_ptr<const SeriesBatch>& batch) {
            if (query != m_query || batch->series.empty())
                return;
            m_batch = batch;
            draw();
        });
    showAxes();
}

ChartTile::~ChartTile()
{
    m_follower.removeQuery(m_query);
}

void ChartTile::setSettings(const TileSettings& settings)
{
    m_settings = settings;
    const QSignalBlocker silent(this); // of settingsChanged
    m_chart->setLogY(settings.logY);
    m_chart->setOutliersIgnored(settings.ignoresOutliers);
}

void ChartTile::setEnlarged(bool enlarged)
{
    m_isEnlarged = enlarged;
    m_buttons->setEnlarged(enlarged);
}

// ---- what is drawn ---------------------------------------------------------------------------

void ChartTile::setGrid(const GridSettings& grid, bool wasAxis)
{
    m_grid = grid;
    if (wasAxis)
        reset();
    else
        ask();
}

void ChartTile::setLooks(std::shared_ptr<const ComparedLooks> looks)
{
    m_looks = std::move(looks);
    ask();
    draw();
}

void ChartTile::setAsking(bool asking)
{
    m_isAsking = asking;
    ask();
}

// The old curves are removed at once and not with the next answer: until then they would be on axes
// that are not theirs.
void ChartTile::reset()
{
    m_batch.reset();
    showAxes();
    m_chart->setCurves({});
    m_chart->setRibbons({});
    m_chart->setLogX(m_grid.logX);
    const double free = std::numeric_limits<double>::quiet_NaN();
    m_chart->setXRangeHint(free, free);
    m_chart->resetAxes();
    ask();
}

void ChartTile::showAxes()
{
    const auto formatOf = [](const std::string& metric) {
        return [metric](double value) { return metricText(metric, value); };
    };
    const auto ticksOf = [](const std::string& metric) {
        return metricNamed(metric).format == MetricFormat::Bytes ? PlotAxis::Ticks::Bytes
                                                                 : PlotAxis::Ticks::Round;
    };
    m_chart->setTitle(curveTitle(m_settings.metric));
    m_buttons->setEnlarged(m_isEnlarged);
    m_chart->setValueFormatter(formatOf(m_settings.metric), ticksOf(m_settings.metric));
    const auto& [axis, over] = m_grid.x;
    m_chart->setAxisTitles(over.empty() ? axisTitle(axis) : curveTitle(over), {});
    if (over.empty())
        m_chart->setXFormatter([of = axis](double value) { return axisText(of, value); });
    else
        m_chart->setXFormatter(formatOf(over), ticksOf(over));
}

FollowQuery ChartTile::query() const
{
    FollowQuery query;
    if (!m_isAsking || !m_looks)
        return query;
    for (const RunRecord& run : m_looks->runs) {
        query.series.push_back({ run.id, m_settings.metric });
        if (!m_grid.x.metric.empty() && m_grid.x.metric != m_settings.metric)
            query.series.push_back({ run.id, m_grid.x.metric });
    }
    query.axis = m_grid.x.metric.empty() ? m_grid.x.axis : Axis::Step;
    query.buckets = FollowQuery::kWhole;
    query.smoothing = smoothingWeight(m_settings.smoothing.value_or(m_grid.smoothing));
    return query;
}

void ChartTile::ask()
{
    m_follower.setQuery(m_query, query());
}

void ChartTile::draw()
{
    if (!m_batch || !m_looks)
        return;
    DrawnCurves drawn = drawnCurves(*m_looks, *m_batch, m_settings.metric, m_grid.x.metric);
    m_chart->setRibbons(std::move(drawn.ribbons));
    m_chart->setCurves(std::move(drawn.curves));
    Q_EMIT curvesDrawn();
}

// ---- menu ------------------------------------------------------------------------------------

void ChartTile::addSmoothing(QMenu& menu)
{
    QMenu* const smoothing = menu.addMenu(tr("Smoothing"));
    auto* const only = new QActionGroup(smoothing);
    const auto offer = [&](const QString& text, const std::optional<int>& value) {
        QAction* const action = smoothing->addAction(text);
        action->setCheckable(true);
        action->setChecked(value == m_settings.smoothing);
        only->addAction(action);
        connect(action, &QAction::triggered, this, [this, value] {
            m_settings.smoothing = value;
            ask();
            Q_EMIT settingsChanged();
        });
    };
    offer(tr("As all charts"), std::nullopt);
    for (const int value : kSmoothing)
        offer(value == 0 ? tr("None") : QString::number(smoothingWeight(value), 'f', 2), value);
}

void ChartTile::fillMenu(QMenu& menu)
{
    addSmoothing(menu);
    // Later: its list would lose the focus to what had it before the menu.
    connect(menu.addAction(tr("Other metric…")), &QAction::triggered, this,
        &ChartTile::metricRequested, Qt::QueuedConnection);
    menu.addSeparator();
    menu.addAction(themedIcon(QLatin1String(m_isEnlarged ? "shrink" : "enlarge")),
        m_isEnlarged ? tr("Show all charts") : tr("Enlarge"), this, &ChartTile::enlargeToggled);
    const auto offerMove = [&](const QString& text, int by) {
        menu.addAction(text, this, [this, by] { Q_EMIT moveRequested(by); });
    };
    offerMove(tr("Move forward"), -1);
    offerMove(tr("Move back"), 1);
    // Later: the menu belongs to the chart, which this destroys.
    connect(menu.addAction(themedIcon(QLatin1String("close")), tr("Remove chart")),
        &QAction::triggered, this, &ChartTile::removeRequested, Qt::QueuedConnection);
    menu.addSeparator();
}

} // namespace accrue
