// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

#include <set>
#include <string>

class QWidget;

namespace accrue {

class ChartTile;
class ChoicePanel;
class CurveGrid;

// Which charts a grid has: the panel that finds metrics, adds charts of them, one or all that
// match, removes them, or gives a chart another one. What it changed at once can be undone. GUI
// thread.
class ChartChoice : public QObject {
    Q_OBJECT
public:
    explicit ChartChoice(CurveGrid& grid); // its parent
    ~ChartChoice() override;

    void setMetrics(const std::set<std::string>& metrics); // that the runs have
    void openToAdd(QWidget& below);
    void openToChange(ChartTile& tile);
    ChoicePanel* panel() const; // null: it was never open

private:
    ChoicePanel& panelFor(const ChartTile* tile);
    void showChoices();
    void take(const QString& metric);
    void takeAll(const QStringList& metrics, bool add);

    CurveGrid& m_grid;
    std::set<std::string> m_metrics;
    QPointer<ChoicePanel> m_panel; // a child of the window
    QPointer<ChartTile> m_tile; // that gets another metric; null: charts are added
};

} // namespace accrue
