// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/comparison_table.h"
#include "engine/runs/run_record.h"

#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

class QAction;
class QWidget;

namespace accrue {

class CsvExport;
class OutsideExports;
class RunLogFollower;

// Writes the compared runs to files, one at a time: their series, the table, a report. GUI thread.
class CompareExport : public QObject {
    Q_OBJECT
public:
    // All are borrowed and outlive this; questions and notices belong to `page`.
    CompareExport(const RunLogFollower& follower, QWidget& page);

    QAction* seriesAction() const { return m_series; }
    QAction* tableAction() const { return m_table; }
    OutsideExports& outside() const { return *m_outside; } // the report, and to TensorBoard
    QList<QAction*> actions() const; // of all exports of runs
    CsvExport& csv() const { return *m_csv; }
    void setRuns(const std::vector<RunId>& runs); // those that are in the log
    using Request = std::function<TableRequest()>;
    void setTable(Request request) { m_tableRequest = std::move(request); } // what is seen of it

    // Without a question for the path. Must not block; ignored while a file is being written.
    void exportTableTo(const QString& path);
    void exportSeriesTo(const QString& path);

private:
    void ask(const QString& title, const QString& ending,
        void (CompareExport::*save)(const QString& path));
    void update();

    const RunLogFollower& m_follower;
    QWidget& m_page;
    CsvExport* m_csv;
    QAction* m_series;
    QAction* m_table;
    OutsideExports* m_outside;
    std::vector<RunId> m_runs;
    Request m_tableRequest = [] { return TableRequest(); };
};

} // namespace accrue
