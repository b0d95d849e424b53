// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QWidget;

namespace accrue {

class RunTableModel;

// The changes of runs that can be taken back, the last one first. Each is reported by a notice that
// offers it. GUI thread.
class RunUndo : public QObject {
    Q_OBJECT
public:
    struct Change {
        std::vector<RunId> runs;
        QString done; // "Archived 3 runs."
        QString undone; // "Restored 3 runs."
        std::function<void()> undo;
    };

    // Both are borrowed and outlive this; the shortcut works in `page`.
    RunUndo(const RunTableModel& runs, QWidget& page);

    QAction* action() const { return m_action; }
    void add(const Change& change); // which was just made
    void setWhyNotWrite(const QString& why);
    void forgetMissingRuns(); // what cannot be taken back as a whole, because a run was deleted
    void forget(); // another log

private:
    void undo();
    void drop(const Change& change);
    void update();

    const RunTableModel& m_runs;
    QWidget& m_page;
    QAction* m_action;
    QString m_whyNotWrite;
    std::vector<Change> m_changes; // the last one at the end
};

} // namespace accrue
