// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/curves/run_styling.h"

#include <QList>
#include <QWidget>

#include <vector>

class QAction;
class QListView;
class QModelIndex;

namespace accrue {

class ChosenRunsModel;
class GroupBar;
class RunSelection;

// The list of the runs that are compared, which is the legend of the charts, how they are grouped,
// and the button that leads to where they are chosen. GUI thread.
class ComparedRuns : public QWidget {
    Q_OBJECT
public:
    // What the menu of the list offers for the selected runs; `remove`, which is also the Delete
    // key's, removes them. All are borrowed.
    struct Actions {
        QAction* remove = nullptr;
        QList<QAction*> others {};
    };
    ComparedRuns(RunSelection& selection, const Actions& actions, QWidget* parent = nullptr);

    ChosenRunsModel& model() const { return *m_model; }
    GroupBar& bar() const { return *m_bar; }
    // Of the runs of the model.
    void setLooks(
        const std::vector<CurveGroup>& groups, const RunStyling& styling, Background background);
    std::vector<RunId> selectedRuns() const;
    void selectRuns(const std::vector<RunId>& runs);

Q_SIGNALS:
    void removeRequested(accrue::RunId run); // by its cross
    void chooseRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildList();
    void connectSelection();
    void showMenu(const QPoint& position);
    bool useKey(int key);
    void toggle(const std::vector<RunId>& runs); // whether they are shown
    void showSelection(); // of another view
    std::vector<RunId> chosenRows() const; // of the selected rows

    RunSelection& m_selection;
    Actions m_actions;
    ChosenRunsModel* m_model;
    QListView* m_list;
    GroupBar* m_bar;
};

} // namespace accrue
