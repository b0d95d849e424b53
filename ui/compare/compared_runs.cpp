// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compared_runs.h"

#include <QAction>
#include <QKeyEvent>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>

#include "ui/compare/group_bar.h"
#include "ui/compare/legend_delegate.h"
#include "ui/curves/run_selection.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <functional>

// Two ways to remove a run: the action of the page removes all selected ones, and the cross of a
// row its own run, selected or not.

namespace accrue {

namespace {

bool has(const std::vector<RunId>& runs, RunId run)
{
    return std::ranges::find(runs, run) != runs.end();
}

} // namespace

ComparedRuns::ComparedRuns(RunSelection& selection, const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_actions(actions)
    , m_model(new ChosenRunsModel(this))
    , m_list(new QListView(this))
    , m_bar(new GroupBar(selection, this))
{
    buildList();
    connectSelection();
    setFocusProxy(m_list);
    auto* add = new QPushButton(themedIcon(QLatin1String("runs")), tr("Choose runs"), this);
    add->setToolTip(tr("Open the list of runs and check those to compare"));
    connect(add, &QPushButton::clicked, this, &ComparedRuns::chooseRequested);
    makeColumn(this, { m_list, m_bar, add })->setStretch(0, 1);
}

void ComparedRuns::buildList()
{
    m_list->setModel(m_model);
    m_list->setObjectName(QStringLiteral("chosenRuns"));
    m_list->setAccessibleName(tr("Compared runs"));
    m_list->setAccessibleDescription(tr("Space hides a curve or shows it, Enter shows it alone"));
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setResizeMode(QListView::Adjust); // rows have two or three lines
    // The buttons of a row appear when the mouse is over it, without a pressed button.
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMinimumWidth(180);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* delegate = new LegendDelegate(m_list);
    m_list->setItemDelegate(delegate);
    m_list->installEventFilter(this);
    m_list->viewport()->installEventFilter(this);
    connect(delegate, &LegendDelegate::removeClicked, this, [this](const QModelIndex& index) {
        Q_EMIT removeRequested(m_model->runsAt(index).front());
    });
    connect(delegate, &LegendDelegate::eyeClicked, this,
        [this](const QModelIndex& index) { toggle(m_model->runsAt(index)); });
    connect(m_list, &QWidget::customContextMenuRequested, this, &ComparedRuns::showMenu);
}

void ComparedRuns::connectSelection()
{
    connect(m_list, &QListView::entered, this,
        [this](const QModelIndex& index) { m_selection.pointAt(m_model->runsAt(index)); });
    connect(m_list, &QListView::doubleClicked, this,
        [this](const QModelIndex& index) { m_selection.showAlone(m_model->runsAt(index)); });
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        [this] { m_selection.select(chosenRows()); });
    connect(&m_selection, &RunSelection::selectedChanged, this, &ComparedRuns::showSelection);
    connect(m_model, &QAbstractItemModel::modelReset, this, &ComparedRuns::showSelection);
    connect(&m_selection, &RunSelection::hiddenChanged, this,
        [this] { m_model->setHidden([this](RunId run) { return !m_selection.isShown(run); }); });
    connect(&m_selection, &RunSelection::pointedAtChanged, this,
        [this] { m_model->setPointedAt(m_selection.pointedAt()); });
}

void ComparedRuns::setLooks(
    const std::vector<CurveGroup>& groups, const RunStyling& styling, Background background)
{
    std::vector<ChosenRunsModel::Group> rows;
    rows.reserve(groups.size());
    for (const CurveGroup& group : groups)
        rows.push_back({ group.title, group.runs });
    m_model->setBackground(background);
    m_model->setGroups(rows);
    if (!styling.key.isEmpty())
        m_model->setStyles(styling.ofRuns, styling.ofGroups);
}

std::vector<RunId> ComparedRuns::chosenRows() const
{
    std::vector<RunId> runs;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes())
        for (const RunId run : m_model->runsAt(index))
            if (!has(runs, run))
                runs.push_back(run);
    return runs;
}

std::vector<RunId> ComparedRuns::selectedRuns() const
{
    return m_selection.selected();
}

void ComparedRuns::selectRuns(const std::vector<RunId>& runs)
{
    m_selection.select(runs);
}

// Also after the rows were made again, which deselects them.
void ComparedRuns::showSelection()
{
    if (chosenRows() == m_selection.selected())
        return;
    QItemSelection selection;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row);
        const std::vector<RunId> runs = m_model->runsAt(index);
        if (std::ranges::all_of(
                runs, [this](RunId run) { return has(m_selection.selected(), run); }))
            selection.select(index, index);
    }
    const QSignalBlocker silent(m_list->selectionModel());
    m_list->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    m_list->viewport()->update();
}

void ComparedRuns::toggle(const std::vector<RunId>& runs)
{
    const bool anyShown =
        std::ranges::any_of(runs, [this](RunId run) { return m_selection.isShown(run); });
    m_selection.setHidden(runs, anyShown);
}

void ComparedRuns::showMenu(const QPoint& position)
{
    const std::vector<RunId> runs = chosenRows();
    QMenu menu(this);
    const bool anyShown =
        std::ranges::any_of(runs, [this](RunId run) { return m_selection.isShown(run); });
    const auto offer = [&](const char* icon, const QString& text,
                           const std::function<void()>& act) {
        menu.addAction(themedIcon(QLatin1String(icon)), text, this, act)->setEnabled(!runs.empty());
    };
    offer(anyShown ? "eye-off" : "eye", anyShown ? tr("Hide curve") : tr("Show curve"),
        [this, runs] { toggle(runs); });
    offer("eye", tr("Show alone"), [this, runs] { m_selection.showAlone(runs); });
    offer("pin", tr("Use as baseline"), [this, runs] { m_selection.setBaseline(runs.front()); });
    menu.addAction(tr("Show all"), &m_selection, &RunSelection::showAll);
    menu.addSeparator();
    menu.addActions(m_actions.others);
    menu.addSeparator();
    menu.addAction(m_actions.remove);
    menu.exec(m_list->viewport()->mapToGlobal(position));
}

// In the list both keys remove a run, even if the user has given the action another shortcut.
bool ComparedRuns::useKey(int key)
{
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace)
        m_actions.remove->trigger();
    else if (key == Qt::Key_Space)
        toggle(chosenRows());
    else if (key == Qt::Key_Return || key == Qt::Key_Enter)
        m_selection.showAlone(chosenRows());
    else
        return false;
    return true;
}

bool ComparedRuns::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress
        && useKey(static_cast<QKeyEvent*>(event)->key()))
        return true;
    if (watched == m_list->viewport() && event->type() == QEvent::Leave)
        m_selection.pointAt({});
    return QWidget::eventFilter(watched, event);
}

} // namespace accrue
