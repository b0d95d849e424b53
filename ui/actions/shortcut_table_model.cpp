// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/shortcut_table_model.h"

#include "ui/actions/shortcut_rules.h"
#include "ui/widgets/theme.h"

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

void ShortcutTableModel::reload()
{
    beginResetModel();
    endResetModel();
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
    setData(index(row, Shortcut), QVariant::fromValue(entry(row).standard), Qt::EditRole);
}

const ActionRegistry::Entry& ShortcutTableModel::entry(int row) const
{
    return m_registry.entries().at(static_cast<std::size_t>(row));
}

bool ShortcutTableModel::isWrong(int row) const
{
    return m_refusals.count(row) > 0 || !m_registry.conflictsOf(entry(row)).isEmpty();
}

QString ShortcutTableModel::note(int row) const
{
    const auto refused = m_refusals.find(row);
    if (refused != m_refusals.end())
        return refused->second;
    const QStringList others = m_registry.conflictsOf(entry(row));
    if (!others.isEmpty())
        return tr("Conflicts with “%1”; neither works.").arg(others.join(tr("”, “")));
    if (!isChanged(row))
        return {};
    const QKeySequence& standard = entry(row).standard;
    return standard.isEmpty()
        ? tr("Changed; default: none")
        : tr("Changed; default: %1").arg(standard.toString(QKeySequence::NativeText));
}

QVariant ShortcutTableModel::data(const QModelIndex& index, int role) const
{
    const ActionRegistry::Entry& shown = entry(index.row());
    const QKeySequence keys = shown.action->shortcut();
    if (role == Qt::ForegroundRole && index.column() == Note)
        return isWrong(index.row()) ? themeColors().error : themeColors().muted;
    if (role == Qt::ForegroundRole && index.column() == Menu)
        return themeColors().muted;
    if (role == Qt::ToolTipRole)
        return index.column() == Note ? note(index.row()) : plainTip(*shown.action);
    if (role == Qt::EditRole && index.column() == Shortcut)
        return QVariant::fromValue(keys);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Menu:
        return shown.group;
    case Action:
        return shown.title;
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
    // Keys of another action are not reassigned at once. The first time, the note of the row is a
    // question; the same keys for the same row are the answer, and anything else withdraws the
    // question.
    const std::pair<int, QKeySequence> wanted { index.row(), keys };
    const bool answered = m_asked == wanted;
    m_asked = { -1, {} };
    const ActionRegistry::Entry& changed = entry(index.row());
    // Standard keys need not pass the rules: Reset must always work.
    const QString problem = keys == changed.standard ? QString() : shortcutProblem(keys);
    const QString asked = problem.isEmpty() && !answered ? question(index.row(), keys) : QString();
    if (problem.isEmpty() && asked.isEmpty()) {
        m_registry.setShortcut(changed.id, keys);
        return true;
    }
    if (!asked.isEmpty())
        m_asked = wanted;
    // The notes of all rows change, because the refusal of another row is removed.
    m_refusals = { { index.row(), problem + asked } };
    Q_EMIT dataChanged(this->index(0, Note), this->index(rowCount() - 1, Note));
    return false;
}

QString ShortcutTableModel::question(int row, const QKeySequence& keys) const
{
    const QStringList others = m_registry.othersWith(entry(row), keys);
    if (others.isEmpty())
        return {};
    return tr("Press again to move %1 from “%2” to this action.")
        .arg(keys.toString(QKeySequence::NativeText), others.join(tr("”, “")));
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
