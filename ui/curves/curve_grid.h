// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot_legend.h"
#include "ui/curves/chart_links.h"
#include "ui/curves/grid_settings.h"
#include "ui/curves/run_curves.h"

#include <QScrollArea>

#include <memory>
#include <set>
#include <string>
#include <vector>

class QGridLayout;

namespace accrue {

class ChartTile;
class MetricChart;
class RunLogFollower;

// Charts of several metrics of the compared runs, beside and below each other, with one x axis and
// one cross-hair. GUI thread.
class CurveGrid : public QScrollArea {
    Q_OBJECT
public:
    // `follower` is borrowed and outlives the grid.
    explicit CurveGrid(RunLogFollower& follower, QWidget* parent = nullptr);

    const GridSettings& settings() const { return m_settings; }
    void setSettings(const GridSettings& settings); // charts whose metric stays are kept
    void setLooks(ComparedLooks looks);
    void setAsking(bool asking); // false: the page is hidden
    void resetCharts(); // other runs: axes and zoom are chosen again
    void emphasise(long long key); // in all charts; 0: nothing

    std::set<std::string> metrics() const; // of its charts
    // And scrolls to the first of them. There are GridSettings::kMostTiles at most.
    void addCharts(const std::vector<std::string>& metrics);
    void removeCharts(const std::vector<std::string>& metrics); // all of these metrics
    void remove(ChartTile& tile);
    void setMetric(ChartTile& tile, const std::string& metric); // at its place
    void restoreTiles(const std::vector<TileSettings>& tiles); // of before; all else stays
    void setPictureLegend(const std::vector<LegendEntry>& entries); // of each chart
    void move(ChartTile& tile, int by);
    void toggleEnlarged(ChartTile& tile);

    std::vector<MetricChart*> charts() const; // in their order
    const std::vector<ChartTile*>& tiles() const { return m_tiles; }
    MetricChart* chartInFocus() const; // the enlarged one, that with the focus, or the first
    ChartLinks& links() { return m_links; }

Q_SIGNALS:
    void settingsChanged(); // of a chart, or which there are
    void pointedAt(long long key); // by the mouse in any chart; 0: at nothing
    void pictureRequested(accrue::MetricChart* chart);
    void metricRequested(accrue::ChartTile* tile); // another one for it

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    ChartTile* makeTile(const TileSettings& settings);
    void makeTiles();
    void layOut();
    void alignPlots();
    void shareRange();
    void takeSettings(); // of the tiles

    RunLogFollower& m_follower;
    ChartLinks m_links;
    QWidget* m_content;
    QGridLayout* m_layout;
    std::vector<ChartTile*> m_tiles;
    std::vector<LegendEntry> m_legend; // of saved pictures
    GridSettings m_settings;
    std::shared_ptr<const ComparedLooks> m_looks; // null: none yet
    bool m_isAsking = false;
};

} // namespace accrue
