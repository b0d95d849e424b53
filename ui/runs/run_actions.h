// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

class QAction;
class QWidget;

namespace accrue {

class RunListView;
class RunLogFollower;

// What can be done with the selected runs, except exporting. Each action is enabled exactly when it
// can do something; if it needs more than a selection, its tooltip states why it is disabled.
// Changes to the log are requested by signals. GUI thread.
class RunActions : public QObject {
    Q_OBJECT
public:
    struct Actions {
        QAction* open = nullptr; // the curves of the run
        QAction* compare = nullptr;
        QAction* check = nullptr; // to compare, or not any more
        QAction* resume = nullptr;
        QAction* duplicate = nullptr;
        QAction* rename = nullptr;
        QAction* note = nullptr;
        QAction* tags = nullptr;
        QAction* archive = nullptr; // or out of the archive
        QAction* undo = nullptr; // of archiving
        QAction* reveal = nullptr;
    };

    // All are borrowed and outlive this; shortcuts work in `page`, and questions and notices belong
    // to it.
    RunActions(const RunLogFollower& follower, RunListView& list, QWidget& page);

    const Actions& all() const { return m_actions; }
    void setWhyNotTrain(const QString& why); // why nothing can be trained now; empty: it can
    void setWhyNotWrite(const QString& why) { m_whyNotWrite = why; } // shown by update()
    void update(); // by what is selected now
    void forgetMissingRuns(); // they were deleted: archiving them cannot be undone any more
    void forgetArchiving(); // for another log: nothing of it was archived here

Q_SIGNALS:
    void opened(accrue::RunId run);
    void compareRequested(const std::vector<accrue::RunId>& runs);
    void resumeRequested(const accrue::RunRecord& run);
    void duplicateRequested(const accrue::RunRecord& run); // into the form
    void noteRequested(); // for the selected run: gives the note the focus
    // Only the changes: the command line may have changed other tags meanwhile.
    void tagsRequested(accrue::RunId run, const std::vector<std::string>& added,
        const std::vector<std::string>& removed);
    void archiveRequested(accrue::RunId run, bool archived);

private:
    struct Archiving {
        std::vector<RunId> runs;
        bool archived = false; // otherwise they were taken out
        QString text; // of the notice that offers to undo it
    };

    void make();
    void makeChanging(); // what is written to the log
    void updateResume();
    void updateArchiving();
    void reveal();

    void askTags(const RunRecord& run, const QString& line); // which the question begins with
    void requestTags(const RunRecord& before, const QString& line);

    void archive();
    void undo();
    void request(const Archiving& archiving);
    bool areArchived(const std::vector<RunId>& runs) const; // all, and there is one
    QString textOf(const std::vector<RunId>& runs, bool archived) const;

    const RunLogFollower& m_follower;
    RunListView& m_list;
    QWidget& m_page;
    Actions m_actions;
    QString m_whyNotTrain;
    QString m_whyNotWrite; // why the log cannot be changed; empty: it can
    std::optional<Archiving> m_last; // empty: there is nothing to undo
};

} // namespace accrue
