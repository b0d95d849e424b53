// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/page.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

template <typename Entries> auto entryOf(Entries& entries, std::string_view id)
{
    return std::find_if(entries.begin(), entries.end(),
        [id](const Page::MenuEntry& entry) { return entry.id != nullptr && entry.id == id; });
}

} // namespace

Page::Page(Identity identity, QWidget* parent)
    : QWidget(parent)
    , m_identity(std::move(identity))
{
}

QAction* Page::action(std::string_view id) const
{
    // The ids are literals in this program, so a missing one is a defect that ends it.
    for (const auto& menu : m_menus)
        if (const auto found = entryOf(menu, id); found != menu.end())
            return found->action;
    qFatal(
        "The page %s has no action %.*s.", m_identity.id, static_cast<int>(id.size()), id.data());
}

void Page::addToMenu(Menu menu, const std::vector<MenuEntry>& entries)
{
    std::vector<MenuEntry>& all = m_menus.at(indexOf(menu));
    all.insert(all.end(), entries.begin(), entries.end());
}

void Page::insertBelow(std::string_view id, const MenuEntry& entry)
{
    std::vector<MenuEntry>& own = m_menus.at(indexOf(Menu::Own));
    const auto above = entryOf(own, id);
    own.insert(above == own.end() ? above : above + 1, entry);
}

bool Page::focusMainPart()
{
    if (focusProxy() == nullptr || !takesKeys(*focusProxy()))
        return false;
    setFocus(Qt::OtherFocusReason);
    return true;
}

bool takesKeys(const QWidget& widget)
{
    return widget.isEnabled() && widget.isVisible();
}

} // namespace accrue
