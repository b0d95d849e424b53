// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QObject>
#include <QString>

#include <vector>

class QAction;
class QWidget;

namespace accrue {

class RunListView;
class RunLogFollower;
class RunTagging;
class RunUndo;

// What can be done with the selected runs, except exporting. Each action is enabled exactly when it
// can do something; if it needs more than a selection, its tooltip states why it is disabled.
// Changes to the log are requested by signals. GUI thread.
class RunActions : public QObject {
    Q_OBJECT
public:
    struct Actions {
        QAction* open = nullptr; // the curves of the run
        QAction* compare = nullptr;
        QAction* addToCompare = nullptr; // beside the runs that are compared already
        QAction* baseline = nullptr; // or none any more
        QAction* check = nullptr; // to compare, or not any more
        QAction* resume = nullptr;
        QAction* stop = nullptr; // those that are in progress
        QAction* sweep = nullptr; // of the run's settings
        QAction* duplicate = nullptr;
        QAction* rename = nullptr;
        QAction* note = nullptr;
        QAction* tags = nullptr;
        QAction* archive = nullptr; // or out of the archive
        QAction* remove = nullptr; // for good
        QAction* undo = nullptr; // of archiving, tags and names
        QAction* reveal = nullptr;
    };

    // All are borrowed and outlive this; shortcuts work in `page`, and questions and notices belong
    // to it.
    RunActions(const RunLogFollower& follower, RunListView& list, QWidget& page);

    const Actions& all() const { return m_actions; }
    void setWhyNotTrain(const QString& why); // why nothing can be trained now; empty: it can
    void setWhyNotWrite(const QString& why) { m_whyNotWrite = why; } // shown by update()
    void update(); // by what is selected now
    RunTagging& tagging() const { return *m_tagging; } // which requests changes of tags
    RunUndo& changes() const { return *m_undo; } // that can be taken back

Q_SIGNALS:
    void opened(accrue::RunId run);
    void compareRequested(const std::vector<accrue::RunId>& runs);
    void addToCompareRequested(const std::vector<accrue::RunId>& runs);
    void baselineToggled(accrue::RunId run);
    void resumeRequested(const accrue::RunRecord& run);
    void duplicateRequested(const accrue::RunRecord& run); // into the form
    void stopRequested(const std::vector<accrue::RunId>& runs); // all are in progress
    void sweepRequested(const accrue::RunRecord& run);
    void noteRequested(); // for the selected run: gives the note the focus
    void archiveRequested(accrue::RunId run, bool archived);
    void deleteRequested(const std::vector<accrue::RunId>& runs); // after a question

private:
    void make();
    void makeChanging(); // what is written to the log
    void updateResume();
    std::vector<RunId> liveRuns() const; // of the selected ones
    void updateChanging();
    QString whyNotDelete() const; // any run now
    void reveal();

    void rename();
    void renameAll(const std::vector<RunId>& runs, const QString& name);
    void archive();
    void request(const std::vector<RunId>& runs, bool archived);
    bool areArchived(const std::vector<RunId>& runs) const; // all, and there is one
    QString wordsFor(const std::vector<RunId>& runs) const; // “a” #1, or 3 runs

    const RunLogFollower& m_follower;
    RunListView& m_list;
    QWidget& m_page;
    Actions m_actions;
    QString m_whyNotTrain;
    QString m_whyNotWrite; // why the log cannot be changed; empty: it can
    RunUndo* m_undo;
    RunTagging* m_tagging;
};

} // namespace accrue
