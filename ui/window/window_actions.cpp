// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_actions.h"

#include "ui/actions/action_registry.h"
#include "ui/widgets/layouts.h"

#include <QAction>
#include <QActionGroup>
#include <QFrame>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

// Actions of the frame are made in the constructor, before there are pages: the settings page uses
// those for themes and run log. Menus are made when all pages have added their entries.

namespace accrue {

WindowActions::WindowActions(ActionRegistry& registry, QMainWindow& window)
    : QObject(&window)
    , m_registry(registry)
    , m_window(window)
{
    makeThemes();
    m_openLog = makeAction(
        m_window, { "log", tr("Open run log…"), Qt::CTRL | Qt::Key_O, tr("Open another run log") });
    m_import = makeAction(m_window,
        { "open", tr("Import runs…"), Qt::CTRL | Qt::ALT | Qt::Key_I,
            tr("Import runs from another run log, a CSV file or TensorBoard's event files, which "
               "can also be dropped on the window") });
    m_messages = makeAction(m_window,
        { "messages", tr("Messages"), Qt::CTRL | Qt::Key_M, tr("Show or close all messages") });
    m_messages->setCheckable(true);
    m_palette = makeAction(m_window,
        { "search", tr("Command palette…"), Qt::CTRL | Qt::Key_K,
            tr("Find an action, a recipe or a run") });
    m_help = makeAction(
        m_window, { "help", tr("Help and shortcuts"), Qt::Key_F1, tr("Terms and shortcuts") });
    m_about = makeAction(m_window,
        { "info", tr("About Accrue"), Qt::SHIFT | Qt::Key_F1, tr("Versions and licence") });
    m_quit = makeAction(
        m_window, { "quit", tr("Quit"), Qt::CTRL | Qt::Key_Q, tr("Close the workbench") });
}

QAction* WindowActions::addChoice(std::vector<QAction*>& actions, const ActionLook& look)
{
    // The group checks exactly one of its actions.
    auto* const group = actions.empty() ? new QActionGroup(this) : actions.front()->actionGroup();
    QAction* const action = makeAction(m_window, look);
    action->setCheckable(true);
    group->addAction(action);
    actions.push_back(action);
    return action;
}

QAction* WindowActions::addPage(const Page& page)
{
    const Page::Identity& of = page.identity();
    return addChoice(m_pages, { of.icon, of.title, of.keys, tr("Go to %1").arg(of.title) });
}

void WindowActions::makeThemes()
{
    const auto add = [this](const QString& text, Qt::Key key, const QString& tip) {
        addChoice(m_themes, { "theme", text, Qt::CTRL | Qt::SHIFT | key, tip })
            ->setIconVisibleInMenu(false); // it would take the place of the check mark
    };
    add(tr("System theme"), Qt::Key_Y, tr("Follow the desktop's light or dark theme"));
    add(tr("Light theme"), Qt::Key_L, tr("Use the light theme"));
    add(tr("Dark theme"), Qt::Key_D, tr("Use the dark theme"));
}

// Tooltips state why an entry is disabled.
void WindowActions::addMenu(const QString& title)
{
    m_menu = m_window.menuBar()->addMenu(title);
    m_menu->setToolTipsVisible(true);
}

void WindowActions::add(
    const QString& id, QAction* action, const QString& needs, const QString& title)
{
    m_menu->addAction(action);
    // A mnemonic is for menus only.
    m_registry.add(id, withoutMnemonic(m_menu->title()), action, needs, title);
}

void WindowActions::addEntries(const std::vector<Page::MenuEntry>& entries)
{
    for (const Page::MenuEntry& entry : entries)
        if (entry.id != nullptr)
            add(QLatin1String(entry.id), entry.action, entry.needs, entry.title);
        else
            m_menu->addSeparator();
}

void WindowActions::addEntries(const std::vector<Page*>& pages, Page::Menu menu)
{
    for (const Page* page : pages) {
        const std::vector<Page::MenuEntry>& entries = page->entries(menu);
        // No separator at the top of a menu.
        if (!entries.empty() && !m_menu->isEmpty())
            m_menu->addSeparator();
        addEntries(entries);
    }
}

void WindowActions::makeMenus(const std::vector<Page*>& pages)
{
    addMenu(tr("&File"));
    addEntries(pages, Page::Menu::File);
    addEntries({ {}, { "log.open", m_openLog, tr("Stop the run in progress first.") },
        { "log.import", m_import }, {}, { "window.quit", m_quit } });
    addMenu(tr("&Edit"));
    addEntries(pages, Page::Menu::Edit);
    for (const Page* page : pages)
        if (const auto& entries = page->entries(Page::Menu::Own); !entries.empty()) {
            const QString& title = page->identity().title;
            // Only a letter that the keyboard has can be a mnemonic
            addMenu(title.at(0).unicode() < 128 ? QLatin1Char('&') + title : title);
            addEntries(entries);
        }
    makeViewMenu(pages);
    addMenu(tr("&Help"));
    addEntries({ { "help.help", m_help }, { "help.about", m_about } });
}

void WindowActions::makeViewMenu(const std::vector<Page*>& pages)
{
    addMenu(tr("&View"));
    addEntries({ { "view.palette", m_palette }, {} });
    for (std::size_t i = 0; i < pages.size(); ++i)
        add(QLatin1String("view.") + pages[i]->id(), m_pages.at(i), {},
            tr("Page %1").arg(plainText(*m_pages.at(i))));
    addEntries({ {}, { "view.messages", m_messages }, {}, { "view.systemTheme", m_themes.at(0) },
        { "view.lightTheme", m_themes.at(1) }, { "view.darkTheme", m_themes.at(2) } });
}

QWidget* WindowActions::makeSidebar(QWidget* parent) const
{
    auto* sidebar = new QFrame(parent);
    sidebar->setObjectName(QStringLiteral("sidebar"));
    sidebar->setAccessibleName(tr("Pages"));
    sidebar->setFixedWidth(88);
    auto* layout = makeColumn(sidebar, {}, { 6, 8, 6, 8 }, 4);
    for (QAction* page : m_pages) {
        if (page == m_pages.back())
            layout->addStretch(1);
        auto* button = new QToolButton(sidebar);
        button->setDefaultAction(page);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize({ 22, 22 });
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setFocusPolicy(Qt::TabFocus); // a click leaves the focus on the page
        layout->addWidget(button);
    }
    return sidebar;
}

} // namespace accrue
