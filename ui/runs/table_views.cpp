// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/table_views.h"

#include "ui/runs/column_menu.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/questions.h"

#include <QMenu>

#include <algorithm>

namespace accrue {

TableViews::TableViews(const TableState& state, QWidget& page)
    : QObject(&page)
    , m_state(state)
    , m_page(page)
{
}

std::vector<TableViews::View>::iterator TableViews::find(const QString& name)
{
    return std::find_if(
        m_views.begin(), m_views.end(), [&](const View& view) { return view.name == name; });
}

QStringList TableViews::names() const
{
    QStringList names;
    for (const View& view : m_views)
        names.append(view.name);
    return names;
}

void TableViews::fill(QMenu& menu, const ColumnMenu& columns, const QList<QAction*>& actions)
{
    qDeleteAll(menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu.clear(); // which leaves its submenus
    addViews(menu);
    menu.addSeparator();
    columns.fill(*menu.addMenu(tr("Columns")));
    menu.addActions(actions);
}

void TableViews::addViews(QMenu& menu)
{
    for (const QString& name : names()) {
        QAction* const action = menu.addAction(name);
        action->setCheckable(true);
        action->setChecked(name == m_last);
        connect(action, &QAction::triggered, this, [this, name] { show(name); });
    }
    connect(menu.addAction(tr("Save view as…")), &QAction::triggered, this, &TableViews::askName);
    if (m_views.empty())
        return;
    QMenu* const removing = menu.addMenu(tr("Delete view"));
    for (const QString& name : names())
        connect(
            removing->addAction(name), &QAction::triggered, this, [this, name] { remove(name); });
}

void TableViews::askName()
{
    askLine(m_page,
        { tr("Save view"),
            tr("Name of the view. It keeps columns, order, widths, sorting, search and groups:"),
            m_last, tr("Save") },
        [this](const QString& name) { save(name); });
}

void TableViews::save(const QString& name)
{
    const QString plain = name.simplified();
    if (plain.isEmpty())
        return NoticeSlot::of(m_page).reportProblem(
            tr("A view needs a name. Type one, such as “best by memory”."));
    const auto found = find(plain);
    if (found == m_views.end())
        m_views.push_back({ plain, m_state.save() });
    else
        found->state = m_state.save();
    m_last = plain;
    NoticeSlot::of(m_page).tell(tr("Saved the view “%1”.").arg(plain));
}

void TableViews::show(const QString& name)
{
    const auto found = find(name);
    if (found == m_views.end())
        return;
    if (m_state.restore(found->state))
        m_last = name;
    else
        NoticeSlot::of(m_page).reportProblem(
            tr("The view “%1” was saved by another version of Accrue. Save it again.").arg(name));
}

void TableViews::remove(const QString& name)
{
    const auto found = find(name);
    if (found == m_views.end())
        return;
    const View gone = *found;
    const auto place = found - m_views.begin();
    m_views.erase(found);
    NoticeSlot::of(m_page).tell(
        tr("Deleted the view “%1”.").arg(name), tr("Undo"), [this, gone, place] {
            m_views.insert(m_views.begin() + std::min<std::ptrdiff_t>(place, names().size()), gone);
        });
}

QVariant TableViews::kept() const
{
    QVariantList views;
    for (const View& view : m_views)
        views.append(QVariant(QVariantList { view.name, view.state }));
    return views;
}

void TableViews::giveBack(const QVariant& kept)
{
    m_views.clear();
    for (const QVariant& view : kept.toList())
        if (const QVariantList parts = view.toList(); parts.size() == 2)
            m_views.push_back({ parts[0].toString(), parts[1].toByteArray() });
}

} // namespace accrue
