// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace accrue {

class CsvExport;
class OutsideExports;
class RunListView;
class RunLogFollower;

// Writes the chosen runs of the table to files, one at a time. GUI thread.
class RunExport : public QObject {
    Q_OBJECT
public:
    // All are borrowed and outlive this; questions and notices belong to `page`.
    RunExport(const RunLogFollower& follower, const RunListView& list, QWidget& page);

    QAction* seriesAction() const { return m_series; } // every metric of every step
    QAction* rowsAction() const { return m_rows; } // one row per run
    OutsideExports& outside() const { return *m_outside; }
    QList<QAction*> actions() const; // of all exports
    void update(); // names and enables them by what is chosen now

    CsvExport& exporter() const { return *m_csv; }
    // What writes a CSV of the runs that are chosen now, or of all shown ones, to the path that it
    // is called with. `wide`: a row per run, otherwise one per step. Must not block.
    std::function<void(const QString& path)> exportOf(bool wide);

private:
    void ask(bool wide);

    const RunLogFollower& m_follower;
    const RunListView& m_list;
    QWidget& m_page;
    CsvExport* m_csv;
    QAction* m_series;
    QAction* m_rows;
    OutsideExports* m_outside;
};

} // namespace accrue
