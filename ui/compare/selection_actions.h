// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QList>
#include <QObject>

#include <vector>

class QAction;
class QWidget;

namespace accrue {

class RunSelection;

// What can be done with the selected runs of a comparison. GUI thread.
class SelectionActions : public QObject {
    Q_OBJECT
public:
    // Becomes a child of the page, to which the actions belong; `selection` is borrowed.
    SelectionActions(RunSelection& selection, QWidget& page);

    QAction* remove() const { return m_remove; } // from the comparison
    QAction* keep() const { return m_keep; } // alone, as a comparison of their own
    QAction* showInTable() const { return m_inTable; } // and hide the others
    QAction* stop() const { return m_stop; }
    QList<QAction*> others() const { return { m_keep, m_inTable, m_stop }; } // than to remove

    // All that are compared, of which some may be selected; with none selected, those that are
    // being trained are stopped.
    void setRuns(const std::vector<RunRecord>& runs);

Q_SIGNALS:
    void comparisonRequested(const std::vector<accrue::RunId>& runs); // of these, in this order
    void tableRequested();
    void stopRequested(const std::vector<accrue::RunId>& runs);

private:
    void update();
    void compareSelected(bool selected); // or those that are not
    void hideOthers();
    // The selected ones that are being trained; without a selection the only one that is.
    std::vector<RunId> runsToStop() const;

    RunSelection& m_selection;
    std::vector<RunId> m_live;
    QAction* m_remove;
    QAction* m_keep;
    QAction* m_inTable;
    QAction* m_stop;
};

} // namespace accrue
