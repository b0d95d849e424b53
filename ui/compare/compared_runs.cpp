// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compared_runs.h"

#include <QAction>
#include <QKeyEvent>
#include <QListView>
#include <QMenu>
#include <QPushButton>

#include "ui/models/chosen_runs_model.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/run_delegates.h"

#include <algorithm>

// Two ways to remove a run: the action of the page removes all selected ones, and the cross of a
// row its own run, selected or not.

namespace accrue {

namespace {

RunId idAt(const QModelIndex& index)
{
    return static_cast<RunId>(index.data(ChosenRunsModel::RunIdRole).toLongLong());
}

} // namespace

ComparedRuns::ComparedRuns(QAction* remove, QWidget* parent)
    : QWidget(parent)
    , m_remove(remove)
    , m_model(new ChosenRunsModel(this))
    , m_list(new QListView(this))
{
    buildList();
    setFocusProxy(m_list);
    auto* add = new QPushButton(themedIcon(QLatin1String("runs")), tr("Choose runs"), this);
    add->setToolTip(tr("Open the list of runs and check those to compare"));
    connect(add, &QPushButton::clicked, this, &ComparedRuns::chooseRequested);
    makeColumn(this, { m_list, add })->setStretch(0, 1);
}

void ComparedRuns::buildList()
{
    m_list->setModel(m_model);
    m_list->setObjectName(QStringLiteral("chosenRuns"));
    m_list->setAccessibleName(tr("Compared runs"));
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    // The cross of a row appears when the mouse is over it, without a pressed button.
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMinimumWidth(180);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* delegate = new ChosenRunDelegate(m_list);
    m_list->setItemDelegate(delegate);
    m_list->installEventFilter(this);
    connect(delegate, &ChosenRunDelegate::removeClicked, this,
        [this](const QModelIndex& index) { Q_EMIT removeRequested(idAt(index)); });
    connect(m_list, &QWidget::customContextMenuRequested, this, &ComparedRuns::showMenu);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &ComparedRuns::selectedRunsChanged);
}

std::vector<RunId> ComparedRuns::selectedRuns() const
{
    std::vector<RunId> runs;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes())
        runs.push_back(idAt(index));
    return runs;
}

void ComparedRuns::selectRuns(const std::vector<RunId>& runs)
{
    QItemSelection selection;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (const QModelIndex index = m_model->index(row);
            std::find(runs.begin(), runs.end(), idAt(index)) != runs.end())
            selection.select(index, index);
    m_list->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void ComparedRuns::showMenu(const QPoint& position)
{
    QMenu menu(this);
    menu.addAction(m_remove);
    menu.exec(m_list->viewport()->mapToGlobal(position));
}

// In the list both keys remove a run, even if the user has given the action another shortcut.
bool ComparedRuns::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
            m_remove->trigger();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace accrue
