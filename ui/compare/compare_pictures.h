// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QLatin1String>
#include <QList>
#include <QObject>

#include <vector>

class QAction;
class QTabWidget;
class QToolButton;
class QWidget;

namespace accrue {

class CompareCurves;
class CompareTab;

// Saves and copies the charts of the shown tab, and makes the button of all exports. GUI thread.
class ComparePictures : public QObject {
    Q_OBJECT
public:
    // All are borrowed and outlive this; questions belong to `page`, which owns this.
    ComparePictures(QTabWidget& tabs, CompareCurves& curves, QWidget& page);

    QAction* saveAction() const { return m_save; } // the chart, as SVG or PNG
    QAction* copyAction() const { return m_copy; }
    void offerFor(CompareTab& tab); // saves its chart when its menu requests that
    void setRuns(const std::vector<RunId>& runs); // those that the charts show, or another tab
    // A menu of all of it, followed by `tables`.
    QToolButton* makeButton(const QList<QAction*>& tables, QWidget* parent);

private:
    CompareTab& shown() const;
    bool showsCurves() const;
    void saveChart(QLatin1String kind);
    void saveAllCharts(QLatin1String kind);

    QTabWidget& m_tabs;
    CompareCurves& m_curves;
    QWidget& m_page;
    QAction* m_save;
    QAction* m_copy;
    std::vector<RunId> m_runs;
};

} // namespace accrue
