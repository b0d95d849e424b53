// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/curve_grid.h"

#include "ui/charts/metric_chart.h"
#include "ui/curves/chart_tile.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace accrue {

namespace {

constexpr int kGap = 8; // pixels between charts
constexpr int kLeastWidth = 300; // of a chart
constexpr int kLeastHeight = 170;
constexpr int kMostColumns = 3;
constexpr int kWideEnough = 1300; // pixels from which five charts or more have three columns

} // namespace

CurveGrid::CurveGrid(RunLogFollower& follower, QWidget* parent)
    : QScrollArea(parent)
    , m_follower(follower)
    , m_content(new QWidget(this))
    , m_layout(new QGridLayout(m_content))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(kGap);
    setWidget(m_content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // its charts have it
    setSettings(GridSettings::usual());
}

// ---- settings --------------------------------------------------------------------------------

void CurveGrid::setSettings(const GridSettings& settings)
{
    const bool isOtherAxis = settings.x != m_settings.x || settings.logX != m_settings.logX;
    const bool areOtherTiles =
        !std::ranges::equal(settings.tiles, m_tiles, {}, &TileSettings::metric,
            [](const ChartTile* tile) -> const std::string& { return tile->settings().metric; });
    m_settings = settings;
    if (areOtherTiles)
        makeTiles();
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        m_tiles[i]->setSettings(settings.tiles[i]);
        m_tiles[i]->setGrid(m_settings, isOtherAxis || areOtherTiles);
    }
}

void CurveGrid::makeTiles()
{
    for (ChartTile* tile : std::exchange(m_tiles, {}))
        delete tile;
    for (const TileSettings& tile : m_settings.tiles)
        m_tiles.push_back(makeTile(tile));
    layOut();
}

void CurveGrid::takeSettings()
{
    m_settings.tiles.clear();
    for (const ChartTile* tile : m_tiles)
        m_settings.tiles.push_back(tile->settings());
    Q_EMIT settingsChanged();
}

void CurveGrid::setLooks(ComparedLooks looks)
{
    m_looks = std::make_shared<const ComparedLooks>(std::move(looks));
    for (ChartTile* tile : m_tiles)
        tile->setLooks(m_looks);
}

void CurveGrid::setAsking(bool asking)
{
    m_isAsking = asking;
    for (ChartTile* tile : m_tiles)
        tile->setAsking(asking);
}

void CurveGrid::resetCharts()
{
    for (ChartTile* tile : m_tiles)
        tile->reset();
}

void CurveGrid::emphasise(long long key)
{
    for (MetricChart* chart : charts())
        chart->emphasise(key);
}

// ---- charts ----------------------------------------------------------------------------------

ChartTile* CurveGrid::makeTile(const TileSettings& settings)
{
    auto* const tile = new ChartTile(m_follower, settings, m_content);
    MetricChart* const chart = tile->chart();
    m_links.add(*chart);
    chart->setPictureLegend(m_legend);
    connect(tile, &ChartTile::settingsChanged, this, &CurveGrid::takeSettings);
    connect(tile, &ChartTile::enlargeToggled, this, [this, tile] { toggleEnlarged(*tile); });
    connect(tile, &ChartTile::removeRequested, this, [this, tile] { remove(*tile); });
    connect(
        tile, &ChartTile::metricRequested, this, [this, tile] { Q_EMIT metricRequested(tile); });
    connect(tile, &ChartTile::moveRequested, this, [this, tile](int by) { move(*tile, by); });
    connect(chart, &MetricChart::curvePointedAt, this, &CurveGrid::pointedAt);
    connect(tile, &ChartTile::curvesDrawn, this, &CurveGrid::shareRange);
    connect(chart, &MetricChart::neededLeftChanged, this, &CurveGrid::alignPlots);
    connect(chart, &MetricChart::pictureRequested, this,
        [this, chart] { Q_EMIT pictureRequested(chart); });
    tile->setGrid(m_settings, true);
    if (m_looks)
        tile->setLooks(m_looks);
    tile->setAsking(m_isAsking);
    return tile;
}

std::set<std::string> CurveGrid::metrics() const
{
    std::set<std::string> metrics;
    for (const ChartTile* tile : m_tiles)
        metrics.insert(tile->settings().metric);
    return metrics;
}

void CurveGrid::restoreTiles(const std::vector<TileSettings>& tiles)
{
    GridSettings settings = m_settings;
    settings.tiles = tiles;
    setSettings(settings);
    Q_EMIT settingsChanged();
}

void CurveGrid::setPictureLegend(const std::vector<LegendEntry>& entries)
{
    m_legend = entries;
    for (MetricChart* chart : charts())
        chart->setPictureLegend(entries);
}

void CurveGrid::addCharts(const std::vector<std::string>& metrics)
{
    ChartTile* first = nullptr;
    for (ChartTile* each : m_tiles)
        each->setEnlarged(false);
    for (const std::string& metric : metrics) {
        if (m_tiles.size() >= GridSettings::kMostTiles)
            break;
        m_tiles.push_back(makeTile({ metric }));
        first = first == nullptr ? m_tiles.back() : first;
    }
    if (first == nullptr)
        return;
    layOut();
    takeSettings();
    // Once all of them are made; the layout gives it its place before it is scrolled to.
    QTimer::singleShot(0, first, [this, first] {
        QCoreApplication::sendPostedEvents(m_content, QEvent::LayoutRequest);
        m_layout->activate();
        ensureWidgetVisible(first);
    });
}

// A grid without a chart has nothing to offer: one stays if all should go.
void CurveGrid::removeCharts(const std::vector<std::string>& metrics)
{
    const auto goes = [&](const ChartTile* tile) {
        return std::ranges::find(metrics, tile->settings().metric) != metrics.end();
    };
    const ChartTile* const stays = std::ranges::all_of(m_tiles, goes) ? m_tiles.front() : nullptr;
    for (ChartTile* tile : std::vector(m_tiles))
        if (goes(tile) && tile != stays) {
            std::erase(m_tiles, tile);
            delete tile;
        }
    layOut();
    takeSettings();
}

void CurveGrid::remove(ChartTile& tile)
{
    if (m_tiles.size() == 1)
        return;
    std::erase(m_tiles, &tile);
    delete &tile;
    layOut();
    takeSettings();
}

void CurveGrid::setMetric(ChartTile& tile, const std::string& metric)
{
    if (tile.settings().metric == metric)
        return;
    const auto place = std::ranges::find(m_tiles, &tile);
    *place = makeTile({ metric });
    (*place)->setEnlarged(tile.isEnlarged());
    delete &tile;
    layOut();
    takeSettings();
}

void CurveGrid::move(ChartTile& tile, int by)
{
    const auto from = std::ranges::find(m_tiles, &tile);
    const auto place = from - m_tiles.begin() + by;
    if (place < 0 || place >= static_cast<std::ptrdiff_t>(m_tiles.size()))
        return;
    std::iter_swap(from, m_tiles.begin() + place);
    layOut();
    takeSettings();
}

void CurveGrid::toggleEnlarged(ChartTile& tile)
{
    const bool enlarge = !tile.isEnlarged();
    for (ChartTile* each : m_tiles)
        each->setEnlarged(enlarge && each == &tile);
    layOut();
    tile.chart()->setFocus();
}

std::vector<MetricChart*> CurveGrid::charts() const
{
    std::vector<MetricChart*> charts;
    for (const ChartTile* tile : m_tiles)
        charts.push_back(tile->chart());
    return charts;
}

MetricChart* CurveGrid::chartInFocus() const
{
    for (const ChartTile* tile : m_tiles)
        if (tile->isEnlarged() || tile->chart()->hasFocus())
            return tile->chart();
    return m_tiles.front()->chart();
}

// ---- layout ----------------------------------------------------------------------------------

void CurveGrid::layOut()
{
    std::vector<ChartTile*> shown;
    for (ChartTile* tile : m_tiles) {
        const bool isHidden =
            std::ranges::any_of(m_tiles, &ChartTile::isEnlarged) && !tile->isEnlarged();
        tile->setVisible(!isHidden);
        m_layout->removeWidget(tile);
        if (!isHidden)
            shown.push_back(tile);
    }
    const int count = static_cast<int>(shown.size());
    const int wide = viewport()->width();
    const int most = count > 4 && wide >= kWideEnough ? kMostColumns : 2;
    const int columns = std::clamp(std::min(count, wide / kLeastWidth), 1, most);
    for (int i = 0; i < count; ++i) {
        // The last row has no hole.
        const int rest = i == count - 1 ? columns - i % columns : 1;
        m_layout->addWidget(shown[static_cast<std::size_t>(i)], i / columns, i % columns, 1, rest);
        shown[static_cast<std::size_t>(i)]->setMinimumHeight(kLeastHeight);
    }
    for (int column = 0; column < kMostColumns; ++column)
        m_layout->setColumnStretch(column, column < columns ? 1 : 0);
    for (int row = 0; row < m_layout->rowCount(); ++row)
        m_layout->setRowStretch(row, row * columns < count ? 1 : 0);
    alignPlots();
}

// Labels of different width would put the same step at different places in charts of one size.
void CurveGrid::alignPlots()
{
    int left = 0;
    for (const MetricChart* chart : charts())
        left = std::max(left, chart->neededLeft());
    for (MetricChart* chart : charts())
        chart->setLeastLeft(left);
}

// A metric of each epoch begins later than one of each step, and would have another range.
void CurveGrid::shareRange()
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const MetricChart* chart : charts())
        if (const CurveExtent of = chart->curveExtent(); !of.isEmpty()) {
            low = std::min(low, of.lowX);
            high = std::max(high, of.highX);
        }
    if (low > high)
        return;
    const auto valueOf = [this](double at) { return m_settings.logX ? std::pow(10.0, at) : at; };
    for (MetricChart* chart : charts())
        chart->setXRangeHint(valueOf(low), valueOf(high));
}

void CurveGrid::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    layOut();
}

} // namespace accrue
