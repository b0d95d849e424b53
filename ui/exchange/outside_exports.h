// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QWidget;

namespace accrue {

class CsvExport;
class RunLogFollower;

// What a page offers of its runs to other programs: a report, which a browser shows, and folders
// for TensorBoard. GUI thread.
class OutsideExports : public QObject {
    Q_OBJECT
public:
    // Which runs an export is about when it is chosen.
    using Runs = std::function<std::vector<RunId>()>;

    // All are borrowed and outlive this; questions belong to `page`, which owns this.
    OutsideExports(const RunLogFollower& follower, CsvExport& writer, QWidget& page, Runs runs);

    QAction* reportAction() const { return m_report; }
    QAction* tensorBoardAction() const { return m_tensorBoard; }
    QList<QAction*> actions() const { return { m_report, m_tensorBoard }; }
    void update(); // names and enables them by the runs of now

    // Without a question for the path. Must not block; ignored while a file is being written.
    void reportTo(const QString& file);
    void tensorBoardTo(const QString& folder);

private:
    void askForReport();
    void askForFolder();

    const RunLogFollower& m_follower;
    CsvExport& m_writer;
    QWidget& m_page;
    const Runs m_runs;
    QAction* m_report;
    QAction* m_tensorBoard;
};

} // namespace accrue
