// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/curves/run_curves.h"
#include "ui/run/run_log_follower.h"

#include <QFrame>

#include <memory>

class QMenu;

namespace accrue {

class ChartButtons;
class MetricChart;

// One chart of the grid: a metric of the compared runs, with its own query of the log. GUI thread.
class ChartTile : public QFrame {
    Q_OBJECT
public:
    // `follower` is borrowed and outlives the tile.
    ChartTile(RunLogFollower& follower, TileSettings settings, QWidget* parent);
    ~ChartTile() override;

    const TileSettings& settings() const { return m_settings; }
    void setSettings(const TileSettings& settings); // of the same metric
    MetricChart* chart() const { return m_chart; }
    ChartButtons* buttons() const { return m_buttons; }
    void setEnlarged(bool enlarged);
    bool isEnlarged() const { return m_isEnlarged; }

    // What all charts of the grid have in common; the tile asks the log and draws.
    void setGrid(const GridSettings& grid, bool wasAxis);
    void setLooks(std::shared_ptr<const ComparedLooks> looks);
    void setAsking(bool asking); // false: the page is hidden
    // Other runs, or another axis: what is drawn is gone until the next answer.
    void reset();

Q_SIGNALS:
    void settingsChanged(); // from its menu
    void enlargeToggled();
    void removeRequested();
    void moveRequested(int by); // places: -1 or 1
    void metricRequested(); // another one
    void curvesDrawn();

private:
    void showAxes();
    void ask();
    void draw();
    void fillMenu(QMenu& menu);
    void addSmoothing(QMenu& menu);
    FollowQuery query() const;

    RunLogFollower& m_follower;
    RunLogFollower::QueryId m_query;
    TileSettings m_settings;
    GridSettings m_grid;
    std::shared_ptr<const ComparedLooks> m_looks; // null: none yet
    std::shared_ptr<const SeriesBatch> m_batch; // the last answer; null: none yet
    MetricChart* m_chart;
    ChartButtons* m_buttons;
    bool m_isAsking = false;
    bool m_isEnlarged = false;
};

} // namespace accrue
