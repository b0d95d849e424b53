// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>
#include <QString>

class QSplitter;

namespace accrue {

class EmptyPage;
class RunDetailsPane;
class RunListView;

// The table of runs with the details beside it, or what is shown in place of them: that no run
// matches the search, that all are archived, or that the log has no runs or cannot be read. GUI
// thread.
class RunsStack : public QStackedWidget {
    Q_OBJECT
public:
    // Both become children of this.
    RunsStack(RunListView& list, RunDetailsPane& details, QWidget* parent);

    enum class Content { Runs, NoMatch, Archived, Empty };
    // By what the list shows now. `isRead`: the log was read, or cannot be read because of
    // `logProblem`.
    Content showContent(bool isRead, const QString& logProblem);
    QSplitter& splitter() const { return *m_splitter; } // of table and details

Q_SIGNALS:
    void trainRequested(); // the button of the empty page
    void searchCleared(); // the button shown if no run matches
    void archivedRequested(); // the button shown if all runs are archived

private:
    Content contentOf(bool isRead) const;
    bool areAllArchived() const;

    RunListView& m_list;
    QSplitter* m_splitter;
    QStackedWidget* m_left; // a page for each Content but Empty
    EmptyPage* m_empty;
};

} // namespace accrue
