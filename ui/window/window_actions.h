// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/make_action.h"
#include "ui/actions/page.h"

#include <QObject>

#include <vector>

class QAction;
class QMainWindow;
class QMenu;
class QWidget;

namespace accrue {

class ActionRegistry;

// The actions of the frame, and the menu bar with them and those of the pages. Every menu entry is
// in the registry. This class only makes them: the window connects them.
class WindowActions : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    WindowActions(ActionRegistry& registry, QMainWindow& window);

    // Makes the action that shows `page`. In the order of the pages.
    QAction* addPage(const Page& page);
    void makeMenus(const std::vector<Page*>& pages); // once, after all pages are added
    QWidget* makeSidebar(QWidget* parent) const; // a button for each page, the last at the bottom

    const std::vector<QAction*>& pages() const { return m_pages; }
    const std::vector<QAction*>& themes() const { return m_themes; } // in that of ThemeChoice
    QAction* openLog() const { return m_openLog; }
    QAction* importRuns() const { return m_import; }
    QAction* messages() const { return m_messages; }
    QAction* palette() const { return m_palette; }
    QAction* help() const { return m_help; }
    QAction* about() const { return m_about; }
    QAction* quit() const { return m_quit; }

private:
    // To `actions`, of which one is always checked.
    QAction* addChoice(std::vector<QAction*>& actions, const ActionLook& look);
    void makeThemes();
    void addMenu(const QString& title);
    // At the end of the menu that was added last, and to the registry.
    void add(const QString& id, QAction* action, const QString& needs, const QString& title);
    void addEntries(const std::vector<Page::MenuEntry>& entries);
    // The actions of all pages, with a separator between one page and the next.
    void addEntries(const std::vector<Page*>& pages, Page::Menu menu);
    void makeViewMenu(const std::vector<Page*>& pages);

    ActionRegistry& m_registry;
    QMainWindow& m_window;
    QMenu* m_menu = nullptr; // added last
    std::vector<QAction*> m_pages;
    std::vector<QAction*> m_themes;
    QAction* m_openLog;
    QAction* m_import;
    QAction* m_messages;
    QAction* m_palette;
    QAction* m_help;
    QAction* m_about;
    QAction* m_quit;
};

} // namespace accrue
