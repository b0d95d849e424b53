// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/shortcut_table_model.h"

#include "ui/pages/action_registry.h"
#include "ui/pages/shortcut_rules.h"
#include "ui/pages/theme.h"

#include <QAction>
#include <QColor>

namespace accrue {

ShortcutTableModel::ShortcutTableModel(ActionRegistry& registry, QObject* parent)
    : QAbstractTableModel(parent)
    , m_registry(registry)
{
    connect(&registry, &ActionRegistry::shortcutsChanged, this, &ShortcutTableModel::takeChange);
}

void ShortcutTableModel::takeChange()
{
    m_refusals.clear();
    m_asked = { -1, {} };
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ShortcutTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_registry.entries().size());
}

int ShortcutTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

void ShortcutTableModel::reset(int row)
{
    setData(index(row, Shortcut),
        QVariant::fromValue(m_registry.entries().at(static_cast<std::size_t>(row)).standard),
        Qt::EditRole);
}

bool ShortcutTableModel::isChanged(int row) const
{
    return m_registry.isChanged(m_registry.entries().at(static_cast<std::size_t>(row)));
}

bool ShortcutTableModel::isWrong(int row) const
{
    const auto& entry = m_registry.entries().at(static_cast<std::size_t>(row));
    return m_refusals.count(row) > 0 || !m_registry.conflictsOf(entry).isEmpty();
}

QString ShortcutTableModel::note(int row) const
{
    const auto refused = m_refusals.find(row);
    if (refused != m_refusals.end())
        return refused->second;
    const auto& entry = m_registry.entries().at(static_cast<std::size_t>(row));
    const QStringList others = m_registry.conflictsOf(entry);
    if (!others.isEmpty())
        return tr("Also “%1”: neither works.").arg(others.join(tr("”, “")));
    if (!m_registry.isChanged(entry))
        return {};
    return entry.standard.isEmpty()
        ? tr("Changed; it came with none.")
        : tr("Changed; it came with %1.").arg(entry.standard.toString(QKeySequence::NativeText));
}

QVariant ShortcutTableModel::data(const QModelIndex& index, int role) const
{
    const auto& entry = m_registry.entries().at(static_cast<std::size_t>(index.row()));
    const QKeySequence keys = entry.action->shortcut();
    if (role == WrongRole)
        return isWrong(index.row());
    if (role == Qt::ForegroundRole && index.column() == Note)
        return isWrong(index.row()) ? themeColors().error : themeColors().muted;
    if (role == Qt::ForegroundRole && index.column() == Menu)
        return themeColors().muted;
    if (role == Qt::ToolTipRole)
        return index.column() == Note ? note(index.row()) : plainTip(*entry.action);
    if (role == Qt::EditRole && index.column() == Shortcut)
        return QVariant::fromValue(keys);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Menu:
        return entry.group;
    case Action:
        return entry.title;
    case Shortcut:
        return keys.toString(QKeySequence::NativeText);
    default:
        return note(index.row());
    }
}

bool ShortcutTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || index.column() != Shortcut)
        return false;
    const auto keys = value.value<QKeySequence>();
    const std::pair<int, QKeySequence> wanted { index.row(), keys };
    const bool answered = m_asked == wanted;
    m_asked = { -1, {} };
    const bool isStandard =
        keys == m_registry.entries().at(static_cast<std::size_t>(index.row())).standard;
    const QString problem = isStandard ? QString() : shortcutProblem(keys);
    const QString asked = problem.isEmpty() && !answered ? question(index.row(), keys) : QString();
    if (problem.isEmpty() && asked.isEmpty()) {
        m_registry.takeShortcut(
            m_registry.entries().at(static_cast<std::size_t>(index.row())).id, keys);
        return true;
    }
    if (!asked.isEmpty())
        m_asked = wanted;
    refuse(index.row(), problem + asked);
    return false;
}

void ShortcutTableModel::refuse(int row, const QString& why)
{
    m_refusals = { { row, why } };
    Q_EMIT dataChanged(index(0, Note), index(rowCount() - 1, Note));
}

QString ShortcutTableModel::question(int row, const QKeySequence& keys) const
{
    const auto& entry = m_registry.entries().at(static_cast<std::size_t>(row));
    const auto others = m_registry.othersWith(entry, keys);
    if (others.empty())
        return {};
    QStringList titles;
    for (const auto& other : others)
        titles << other.title;
    return tr("Press again to take %1 from “%2”.")
        .arg(keys.toString(QKeySequence::NativeText), titles.join(tr("”, “")));
}

QVariant ShortcutTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString titles[] = { tr("Menu"), tr("Action"), tr("Shortcut"), QString() };
    return titles[section];
}

Qt::ItemFlags ShortcutTableModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags all = QAbstractTableModel::flags(index);
    return index.column() == Shortcut ? all | Qt::ItemIsEditable : all;
}

} // namespace accrue
