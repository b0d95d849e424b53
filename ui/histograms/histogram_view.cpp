// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_view.h"

#include <QFrame>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>

#include "ui/charts/metric_chart.h"
#include "ui/histograms/histogram_overlay.h"
#include "ui/models/format.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr int kRowHeight = 26; // pixels
constexpr int kRunWidth = 150;
constexpr int kNumberWidth = 92;
constexpr int kDigits = 3;

QFrame* cardOf(QWidget* content, QWidget* parent)
{
    auto* const frame = new QFrame(parent);
    frame->setProperty("card", true);
    makeColumn(frame, { content }, { 1, 1, 1, 1 });
    return frame;
}

QScrollArea* scrolled(QWidget* content, QWidget* parent)
{
    auto* const area = new QScrollArea(parent);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

QSplitter* splitter(Qt::Orientation orientation, QWidget* parent)
{
    auto* const made = new QSplitter(orientation, parent);
    made->setChildrenCollapsible(false);
    made->setHandleWidth(8);
    return made;
}

} // namespace

HistogramView::HistogramView(QWidget* parent)
    : QWidget(parent)
    , m_maps(new HistogramMaps(this))
    , m_overlay(new MetricChart(this))
    , m_readout(new HistogramReadout(this))
    , m_table(new QTableView(this))
{
    m_overlay->setTitle(tr("Histograms")); // until there is a step
    m_overlay->setLegendShown(false); // the list of runs is one
    m_overlay->setValueFormatter([](double share) { return percentText(share); });
    m_overlay->setXFormatter([](double value) { return numberText(value, kDigits); });
    buildTable();
    auto* const below = splitter(Qt::Horizontal, this);
    below->addWidget(cardOf(m_overlay, below));
    below->addWidget(cardOf(m_table, below));
    below->setSizes({ 460, 540 });
    m_below = below;
    auto* const all = splitter(Qt::Vertical, this);
    all->addWidget(cardOf(scrolled(m_maps, all), all));
    all->addWidget(below);
    all->setStretchFactor(0, 1);
    all->setSizes({ 420, 220 });
    makeColumn(this, { all });
    connectParts();
}

void HistogramView::buildTable()
{
    m_table->setModel(m_readout);
    setUpRows(*m_table, kRowHeight);
    m_table->setAccessibleName(tr("Numbers at the step"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setMouseTracking(true);
    m_table->setMinimumHeight(110);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultSectionSize(kNumberWidth);
    m_table->horizontalHeader()->resizeSection(HistogramReadout::Run, kRunWidth);
}

void HistogramView::connectParts()
{
    connect(m_maps, &HistogramMaps::stepChanged, this, &HistogramView::showStep);
    connect(m_maps, &HistogramMaps::panelPointedAt, this, &HistogramView::pointedAt);
    connect(m_maps, &HistogramMaps::panelClicked, this, &HistogramView::clicked);
    connect(m_overlay, &MetricChart::curvePointedAt, this, &HistogramView::pointedAt);
    connect(m_table, &QTableView::entered, this, [this](const QModelIndex& index) {
        Q_EMIT pointedAt(m_readout->panels()[static_cast<std::size_t>(index.row())].key);
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &HistogramView::takeRows);
}

// ---- what is shown ---------------------------------------------------------------------------

void HistogramView::showRuns(HistogramPanels panels, const Words& words)
{
    m_values = words.values;
    m_below->setVisible(!panels.empty());
    m_maps->setTitle(words.title);
    m_maps->setPanels(std::move(panels)); // and with them the step
}

void HistogramView::showNone(const QString& why)
{
    m_maps->setEmptyText(why);
    showRuns({}, { m_maps->title(), m_values });
}

void HistogramView::setScales(const MapScales& scales)
{
    m_maps->setScales(scales);
    showStep();
}

void HistogramView::resetAxes()
{
    m_overlay->setCurves({}); // those of the old axes are nowhere on the new ones
    m_overlay->resetAxes();
    m_maps->chooseStep(std::nullopt);
    showStep();
}

void HistogramView::showStep()
{
    const HistogramPanels& panels = m_maps->panels();
    if (panels.empty()) {
        m_overlay->setCurves({});
        m_readout->show({}, 0);
        return;
    }
    const std::int64_t step = m_maps->step();
    const HistogramOverlay overlay = histogramOverlay(panels, step, m_maps->scales().outliers);
    m_overlay->setTitle(tr("At step %1").arg(countText(step)));
    m_overlay->setAxisTitles(
        m_values, tr("Share in each %1").arg(numberText(overlay.binWidth, kDigits)));
    m_overlay->setCurves(overlay.curves);
    m_readout->show(panels, step);
}

// ---- selection -------------------------------------------------------------------------------

void HistogramView::setPointedAt(const std::vector<long long>& keys)
{
    m_maps->setPointedAt(keys);
    m_overlay->emphasise(keys.size() == 1 ? keys.front() : 0);
}

void HistogramView::setSelected(const std::vector<long long>& keys)
{
    m_maps->setSelected(keys);
    QItemSelection rows;
    const HistogramPanels& panels = m_readout->panels();
    for (std::size_t i = 0; i < panels.size(); ++i)
        if (std::ranges::find(keys, panels[i].key) != keys.end()) {
            const QModelIndex index = m_readout->index(static_cast<int>(i), 0);
            rows.select(index, index);
        }
    m_isSelecting = true;
    m_table->selectionModel()->select(
        rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_isSelecting = false;
}

void HistogramView::takeRows()
{
    if (m_isSelecting)
        return;
    std::vector<long long> keys;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
        keys.push_back(m_readout->panels()[static_cast<std::size_t>(row.row())].key);
    Q_EMIT selectionRequested(keys);
}

} // namespace accrue
