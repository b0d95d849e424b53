// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/column_menu.h"

#include "engine/runs/run_keys.h"
#include "ui/models/run_words.h"
#include "ui/run/log_words.h"
#include "ui/runs/run_list_view.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/questions.h"

#include <QAction>
#include <QHeaderView>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr std::size_t kMostOthers = 12; // keys of other programs that are listed

} // namespace

ColumnMenu::ColumnMenu(RunListView& list, const QList<QAction*>& actions, QWidget& page)
    : QObject(&page)
    , m_list(list)
    , m_page(page)
{
    QHeaderView* const header = list.horizontalHeader();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this,
        [this, header, actions](const QPoint& position) {
            QMenu menu(&m_page);
            fill(menu);
            menu.addSeparator();
            menu.addActions(actions);
            menu.exec(header->mapToGlobal(position));
        });
}

void ColumnMenu::fill(QMenu& menu) const
{
    menu.setToolTipsVisible(true);
    for (int column = 0; column < m_list.shown().columnCount(); ++column)
        addColumn(menu, column);
    addOthers(menu);
    menu.addSeparator();
    QAction* const other = menu.addAction(tr("Other key…"));
    other->setToolTip(tr("Add a column for any key of the search or of a recipe"));
    connect(other, &QAction::triggered, this, [this] { askKey({}); });
}

void ColumnMenu::setOtherKeys(std::vector<std::string> keys)
{
    m_others = std::move(keys);
}

// Those that have no column yet.
void ColumnMenu::addOthers(QMenu& menu) const
{
    const std::vector<std::string> shown = m_list.runs().extraKeys();
    std::size_t count = 0;
    for (const std::string& key : m_others) {
        if (std::find(shown.begin(), shown.end(), key) != shown.end() || count++ >= kMostOthers)
            continue;
        const QString name = QString::fromStdString(key);
        QAction* const action = menu.addAction(name);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, name] { addKeys(name); });
    }
}

void ColumnMenu::addColumn(QMenu& menu, int column) const
{
    const auto ask = [&](int role) {
        return m_list.shown().headerData(column, Qt::Horizontal, role).toString();
    };
    QAction* const action = menu.addAction(ask(Qt::DisplayRole));
    action->setToolTip(ask(Qt::ToolTipRole));
    action->setCheckable(true);
    action->setChecked(!m_list.isColumnHidden(column));
    // The name has the check box and the run's colour: a table without it is of no use.
    action->setEnabled(column != RunTableModel::Name);
    connect(action, &QAction::toggled, this, [this, column](bool shown) { show(column, shown); });
}

// A column of another key is removed, not hidden.
void ColumnMenu::show(int column, bool shown) const
{
    if (column < RunTableModel::ColumnCount) {
        m_list.setColumnHidden(column, !shown);
        return m_list.stretchName();
    }
    std::vector<std::string> keys = m_list.runs().extraKeys();
    keys.erase(keys.begin() + (column - RunTableModel::ColumnCount));
    m_list.runs().setExtraKeys(keys);
}

void ColumnMenu::askKey(const QString& proposed) const
{
    askLine(m_page,
        { tr("Columns of other keys"),
            tr("Keys of the search or of a recipe, such as parameters or optimizer.momentum:"),
            proposed, tr("Add columns") },
        [this](const QString& line) { addKeys(line); });
}

// What is no key is asked for again, so that it can be corrected.
void ColumnMenu::addKeys(const QString& line) const
{
    QStringList unknown;
    std::vector<std::string> keys = m_list.runs().extraKeys();
    for (const std::string& key : tagsInLine(line)) { // split as a line of tags
        if (!readingOf(key, m_others)) {
            NoticeSlot::of(m_page).reportProblem(
                withWindowQuotes(QString::fromStdString(unknownRunKey(key).text())));
            unknown.append(QString::fromStdString(key));
            continue;
        }
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(key);
    }
    m_list.runs().setExtraKeys(keys);
    if (!unknown.isEmpty())
        askKey(unknown.join(QStringLiteral(", ")));
}

} // namespace accrue
