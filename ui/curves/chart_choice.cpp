// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/chart_choice.h"

#include "ui/choices/choice_panel.h"
#include "ui/curves/chart_buttons.h"
#include "ui/curves/chart_tile.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/metric_choice.h"
#include "ui/models/format.h"
#include "ui/widgets/notice_slot.h"

#include <QToolButton>

#include <algorithm>
#include <vector>

namespace accrue {

namespace {

std::vector<std::string> namesOf(const QStringList& metrics)
{
    std::vector<std::string> names;
    for (const QString& metric : metrics)
        names.push_back(metric.toStdString());
    return names;
}

} // namespace

ChartChoice::ChartChoice(CurveGrid& grid)
    : QObject(&grid)
    , m_grid(grid)
{
    connect(&grid, &CurveGrid::settingsChanged, this, &ChartChoice::showChoices);
    connect(
        &grid, &CurveGrid::metricRequested, this, [this](ChartTile* tile) { openToChange(*tile); });
}

ChartChoice::~ChartChoice() = default;

ChoicePanel* ChartChoice::panel() const
{
    return m_panel;
}

void ChartChoice::setMetrics(const std::set<std::string>& metrics)
{
    m_metrics = metrics;
    showChoices();
}

// ---- the panel -------------------------------------------------------------------------------

ChoicePanel& ChartChoice::panelFor(const ChartTile* tile)
{
    if (m_panel == nullptr) {
        m_panel = new ChoicePanel(metricSearch(), m_grid.window());
        connect(m_panel, &ChoicePanel::chosen, this, &ChartChoice::take);
        connect(m_panel, &ChoicePanel::allRequested, this, &ChartChoice::takeAll);
        connect(this, &QObject::destroyed, m_panel, &QObject::deleteLater);
    }
    m_panel->setSeveral(tile == nullptr ? GridSettings::kMostTiles : 0,
        tr("There are at most %1 charts: search for fewer, or remove some."));
    return *m_panel;
}

void ChartChoice::openToAdd(QWidget& below)
{
    m_tile = nullptr;
    ChoicePanel& panel = panelFor(nullptr);
    panel.setChoices({}); // the place of before is no place to begin at
    panel.setChoices(metricChoices(m_metrics, m_grid.metrics()));
    panel.openBelow(below);
}

void ChartChoice::openToChange(ChartTile& tile)
{
    m_tile = &tile;
    const std::string& metric = tile.settings().metric;
    ChoicePanel& panel = panelFor(&tile);
    panel.setChoices(metricChoices(m_metrics, { metric }));
    panel.openBelow(*tile.buttons()->menuButton(), QString::fromStdString(metric));
}

void ChartChoice::showChoices()
{
    if (m_panel != nullptr && m_panel->isVisible())
        m_panel->setChoices(metricChoices(m_metrics,
            m_tile != nullptr ? std::set { m_tile->settings().metric } : m_grid.metrics()));
}

// ---- what is chosen --------------------------------------------------------------------------

void ChartChoice::take(const QString& metric)
{
    const std::string name = metric.toStdString();
    if (m_tile != nullptr)
        m_grid.setMetric(*m_tile, name);
    else if (m_grid.metrics().contains(name))
        m_grid.removeCharts({ name });
    else
        m_grid.addCharts({ name });
}

void ChartChoice::takeAll(const QStringList& metrics, bool add)
{
    const GridSettings before = m_grid.settings();
    if (add)
        m_grid.addCharts(namesOf(metrics));
    else
        m_grid.removeCharts(namesOf(metrics));
    const auto count = static_cast<std::int64_t>(m_grid.settings().tiles.size())
        - static_cast<std::int64_t>(before.tiles.size());
    const QString told = add
        ? countedText(count, tr("1 chart was added."), tr("%1 charts were added."))
        : countedText(-count, tr("1 chart was removed."), tr("%1 charts were removed."));
    NoticeSlot::of(m_grid).tell(told, tr("Undo"), [grid = QPointer(&m_grid), before] {
        if (grid != nullptr)
            grid->restoreTiles(before.tiles);
    });
}

} // namespace accrue
