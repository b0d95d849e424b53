// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_table_model.h"
#include "ui/run/run_log_follower.h"

#include <QModelIndex>
#include <QWidget>

#include <functional>
#include <memory>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTimer;
class QToolButton;
QT_END_NAMESPACE

namespace accrue {

class CsvExport;
class EmptyPage;
class ElidedLabel;
class NoticeSlot;
class RunDetailsPane;
class RunSortFilterModel;
class RunTable;

// All runs of the log. It reads; what it wants written is asked for by signals and seen when the
// follower tells of it. GUI thread.
class RunsPage : public QWidget {
    Q_OBJECT
public:
    // `follower` is borrowed and outlives the page.
    explicit RunsPage(RunLogFollower& follower, QWidget* parent = nullptr);
    ~RunsPage() override;

    RunTableModel& model() { return *m_model; }
    std::vector<RunId> checkedRuns() const;
    std::vector<RunId> selectedRuns() const; // in the order shown
    void selectRun(RunId run); // shows it, clearing a filter that hides it

    // For menus and the command palette; each is enabled exactly when it can do something, and its
    // shortcut works while the page is shown.
    QAction* openAction() const { return m_open; } // the curves of the run
    QAction* compareAction() const { return m_compare; }
    QAction* checkAction() const { return m_check; } // to compare, or not any more
    QAction* resumeAction() const { return m_resume; }
    QAction* duplicateAction() const { return m_duplicate; }
    QAction* renameAction() const { return m_rename; }
    QAction* noteAction() const { return m_note; }
    QAction* tagsAction() const { return m_tags; }
    QAction* archiveAction() const { return m_archive; }
    QAction* undoAction() const { return m_undo; } // of archiving
    QAction* exportAction() const { return m_export; }
    QAction* exportWideAction() const { return m_exportWide; }
    QAction* revealAction() const { return m_reveal; }
    QAction* showArchivedAction() const { return m_showArchived; }
    QAction* searchAction() const { return m_search; }
    QAction* showDetailsAction() const { return m_showDetails; }
    QAction* fitColumnsAction() const { return m_fitColumns; }
    QAction* sortByStartAction() const { return m_sortByStart; }

    bool isExporting() const; // a CSV file is being written
    CsvExport& exporter() const { return *m_csv; }
    // Writes CSV of targetRuns() without asking where. Must not block.
    void exportTo(const QString& path, bool wide);

    // Columns, sorting, splitter, search; what saveState gave.
    QByteArray saveState() const;
    bool restoreState(const QByteArray& state);

public Q_SLOTS:
    // Something that this page asked for could not be written: said in a notice, and the table
    // shows again what the log holds.
    void showFailedChange(const QString& problem);
    void showNote(const QString& note); // something that was done for this page
    void setWhyNotTrain(const QString& why); // why nothing can be trained now; empty: it can
    void setWhyNotWrite(const QString& why); // into the log; empty: it can be

Q_SIGNALS:
    void compareRequested(const std::vector<accrue::RunId>& runs);
    void checkedChanged(const std::vector<accrue::RunId>& runs);
    void resumeRequested(const accrue::RunRecord& run);
    void duplicateRequested(const accrue::RunRecord& run); // into the form
    void renameRequested(accrue::RunId run, const QString& name);
    void noteRequested(accrue::RunId run, const QString& note);
    void tagsRequested(accrue::RunId run, const std::vector<std::string>& added,
        const std::vector<std::string>& removed);
    void archiveRequested(accrue::RunId run, bool archived);
    void runActivated(accrue::RunId run); // its curves are to be shown
    void trainRequested(); // the empty page's button

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* makeAction(const char* icon, const QString& text, const QString& tip,
        const QKeySequence& shortcut, void (RunsPage::*act)());
    void buildActions();
    void buildViewActions();
    void buildTable();
    void buildHeaders();
    void connectChanges();
    QWidget* buildLine(); // below the search
    QToolButton* buildMore(QWidget* parent);
    QWidget* buildBar();
    void buildFilter(QWidget* parent);
    void buildExportButton(QWidget* parent);
    NoticeSlot& notice();
    void showKeys(); // in the tips of what stands for an action
    EmptyPage* buildEmpty();
    QWidget* buildNoMatch();
    void connectFollower();
    void setRuns(const std::shared_ptr<const RunList>& runs);
    void search(const QString& text); // at once; typing waits for its next letter
    void applyFilter();
    void showRightPage(); // table, empty page, or nothing matches
    void showRow(int row);
    void followNewest();
    bool isBusyWithRun() const; // a name or a note is being written
    void updateActions();
    bool isCheckedAt(const QPoint& position) const;
    void actOnSelection(bool selection); // whatever is checked: the menu of a run that is not
    void updateResumeAction();
    void updateWritingActions(const std::vector<RunId>& selected);
    void updateExportActions();
    void fitBar(); // to the width of the page
    void sizeColumns();
    static RunId idAt(const QModelIndex& index);
    bool isRenaming() const;
    bool areArchived(const std::vector<RunId>& runs) const; // all, and there is one
    void updateDetails();
    void updateCount();
    void showTableMenu(const QPoint& position);
    void showHeaderMenu(const QPoint& position);
    void open();
    void compare();
    void resume();
    void duplicate();
    void rename();
    void editNote();
    void editTags();
    void askTags(const RunRecord& run, const QString& line); // which the question begins with
    void requestTags(const RunRecord& before, const QString& line);
    void archive();
    void requestArchive(const std::vector<RunId>& runs, bool archived);
    QString archivedText(const std::vector<RunId>& runs, bool archived) const;
    void offerUndo(const std::vector<RunId>& runs, bool archived);
    void undo();
    void forgetUndo();
    void exportSeries();
    void exportWide();
    void askAndExport(bool wide);
    QString exportName(bool wide) const;
    std::function<void(const QString& path)> exportOf(bool wide);
    void reveal();
    void focusSearch();
    void toggleChecked();
    void fitColumns();
    void sortByStart();
    const RunRecord* currentRun() const;
    std::vector<RunId> chosenRuns() const; // the checked runs, otherwise the selected ones
    // What an action is about: the chosen runs, otherwise all shown.
    std::vector<RunId> targetRuns() const;

    RunLogFollower& m_follower;
    RunTableModel* m_model;
    RunSortFilterModel* m_sorted;
    RunTable* m_table = nullptr;
    RunDetailsPane* m_details = nullptr;
    QSplitter* m_splitter = nullptr;
    QStackedWidget* m_stack = nullptr;
    QStackedWidget* m_left = nullptr; // the table, or that nothing matches
    EmptyPage* m_empty = nullptr;
    QWidget* m_noMatch = nullptr;
    QLineEdit* m_filter = nullptr;
    QTimer* m_typing = nullptr; // runs while letters may follow
    ElidedLabel* m_help = nullptr; // examples of a search, or what is wrong with this one
    QLabel* m_count = nullptr;
    QToolButton* m_exporting = nullptr;
    QToolButton* m_more = nullptr; // what m_icons do, in a narrow window
    std::vector<QToolButton*> m_icons;
    bool m_followsNewest = true; // until the user selects a run
    bool m_listChanges = false; // the selection changes because the list does
    bool m_sized = false; // columns fit their contents once
    bool m_actsOnSelection = false; // whatever is checked
    QString m_logProblem; // the log cannot be read
    QString m_whyNotTrain;
    QString m_whyNotWrite;
    std::function<void()> m_undoing; // what m_undo does; empty: nothing
    std::vector<RunId> m_undoRuns; // which it is about
    QString m_undoText; // of the notice that offers it
    CsvExport* m_csv = nullptr;
    QAction* m_open = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_check = nullptr;
    QAction* m_resume = nullptr;
    QAction* m_duplicate = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_note = nullptr;
    QAction* m_tags = nullptr;
    QAction* m_archive = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_export = nullptr;
    QAction* m_exportWide = nullptr;
    QAction* m_reveal = nullptr;
    QAction* m_showArchived = nullptr;
    QAction* m_search = nullptr;
    QAction* m_showDetails = nullptr;
    QAction* m_fitColumns = nullptr;
    QAction* m_sortByStart = nullptr;
    bool m_detailsChosen = false; // by the user; before, there are details where there is room
};

} // namespace accrue
