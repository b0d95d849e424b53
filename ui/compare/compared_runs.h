// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_palette.h"

#include <QWidget>

#include <vector>

class QAction;
class QListView;

namespace accrue {

class ChosenRunsModel;

// The list of the runs that are compared, and the button that leads to where they are chosen. GUI
// thread.
class ComparedRuns : public QWidget {
    Q_OBJECT
public:
    // `remove` removes the selected runs; borrowed, for the menu of the list and the Delete key.
    explicit ComparedRuns(QAction* remove, QWidget* parent = nullptr);

    ChosenRunsModel& model() const { return *m_model; }
    std::vector<RunId> selectedRuns() const;
    void selectRuns(const std::vector<RunId>& runs);

Q_SIGNALS:
    void selectedRunsChanged();
    void removeRequested(accrue::RunId run); // by its cross
    void chooseRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildList();
    void showMenu(const QPoint& position);

    QAction* m_remove;
    ChosenRunsModel* m_model;
    QListView* m_list;
};

} // namespace accrue
