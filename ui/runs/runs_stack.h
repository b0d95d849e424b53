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
// matches the search, or that the log has no runs or cannot be read. GUI thread.
class RunsStack : public QStackedWidget {
    Q_OBJECT
public:
    // Both become children of this.
    RunsStack(RunListView& list, RunDetailsPane& details, QWidget* parent);

    enum class Content { Runs, NoMatch, Empty };
    // By what the list shows now. `isRead`: the log was read, or cannot be read because of
    // `logProblem`.
    Content showContent(bool isRead, const QString& logProblem);
    QSplitter& splitter() const { return *m_splitter; } // of table and details

Q_SIGNALS:
    void trainRequested(); // the button of the empty page
    void searchCleared(); // the button shown if no run matches

private:
    Content contentOf(bool isRead) const;

    RunListView& m_list;
    QSplitter* m_splitter;
    QStackedWidget* m_left; // the table, or that no run matches
    EmptyPage* m_empty;
};

} // namespace accrue
