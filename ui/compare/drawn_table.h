// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QWidget;

namespace accrue {

class CompareTab;
class CsvExport;
class RunLogFollower;

// Writes what the shown tab draws into a CSV file. GUI thread.
class DrawnTable : public QObject {
    Q_OBJECT
public:
    using ShownTab = std::function<CompareTab&()>;
    // All are borrowed and outlive this; questions belong to `page`, which owns this.
    DrawnTable(const RunLogFollower& follower, CsvExport& csv, QWidget& page, ShownTab shown);

    QAction* action() const { return m_action; }
    void setRuns(const std::vector<RunId>& runs); // those that are drawn, or another tab
    // Without a question for the path. Must not block; ignored while a file is being written.
    void saveTo(const QString& path);

private:
    void ask();
    void update();

    const RunLogFollower& m_follower;
    CsvExport& m_csv;
    QWidget& m_page;
    ShownTab m_shown;
    QAction* m_action;
    std::vector<RunId> m_runs;
};

} // namespace accrue
