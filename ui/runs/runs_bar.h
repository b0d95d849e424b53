// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/runs/run_actions.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace accrue {

class GroupButton;
class RunExport;
class RunSearch;

// The line above the table of runs: the search, and buttons for frequent actions. GUI thread.
class RunsBar : public QWidget {
    Q_OBJECT
public:
    // The actions are borrowed. The keys of `find` are in the tip of the search.
    RunsBar(const RunActions::Actions& runs, const RunExport& files, QAction* find,
        QAction* showDetails, QWidget* parent);

    RunSearch& search() const { return *m_search; }
    GroupButton& groups() const { return *m_groups; }
    QToolButton& views() const { return *m_views; } // with an empty menu
    void setRoomy(bool roomy); // if not, a menu replaces some buttons

private:
    QToolButton* add(QAction* action, Qt::ToolButtonStyle style = Qt::ToolButtonIconOnly);
    QToolButton* addMenu(Qt::ToolButtonStyle style, const QList<QAction*>& actions);
    void addCompare(QAction* compare);
    void addViews();
    void addMore(const RunActions::Actions& runs);
    void addExport(const RunExport& files);

    RunSearch* m_search;
    GroupButton* m_groups;
    QToolButton* m_views = nullptr;
    std::vector<QToolButton*> m_icons;
    QToolButton* m_more = nullptr;
};

} // namespace accrue
