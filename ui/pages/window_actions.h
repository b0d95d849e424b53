// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <vector>

class QAction;
class QKeySequence;
class QMainWindow;
class QMenu;

namespace accrue {

class ActionRegistry;
class ComparePage;
class MemoryPage;
class RunsPage;
class TrainPage;

// The actions of the frame, and the menu bar with them and those of the pages. Whatever stands in a
// menu is in the registry. It only makes them: the window connects them.
class WindowActions : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    WindowActions(ActionRegistry& registry, QMainWindow& window);

    void makeMenus(const TrainPage& train, const RunsPage& runs, const ComparePage& compare,
        const MemoryPage& memory, QAction* deleteArchived);

    const std::vector<QAction*>& pages() const { return m_pages; } // in the order of the pages
    const std::vector<QAction*>& themes() const { return m_themes; } // in that of ThemeChoice
    QAction* openLog() const { return m_openLog; }
    QAction* messages() const { return m_messages; }
    QAction* palette() const { return m_palette; }
    QAction* help() const { return m_help; }
    QAction* about() const { return m_about; }
    QAction* quit() const { return m_quit; }

private:
    QAction* make(
        const char* icon, const QString& text, const QKeySequence& keys, const QString& tip);
    void makePages();
    void makeThemes();
    QMenu* addMenu(const QString& title);
    // At the end of the menu that was added last, and into the registry.
    void add(const char* id, QAction* action, const QString& needs = {}, const QString& title = {});
    void makeFileMenu(const TrainPage& train);
    void makeEditMenu(const TrainPage& train, const RunsPage& runs);
    void makeTrainMenu(const TrainPage& train);
    void makeRunsMenu(const RunsPage& runs, QAction* deleteArchived);
    void makeCompareMenu(const ComparePage& compare);
    void makeMemoryMenu(const MemoryPage& memory);
    void makeViewMenu();
    void makeHelpMenu();

    ActionRegistry& m_registry;
    QMainWindow& m_window;
    QMenu* m_menu = nullptr; // added last
    std::vector<QAction*> m_pages;
    std::vector<QAction*> m_themes;
    QAction* m_openLog;
    QAction* m_messages;
    QAction* m_palette;
    QAction* m_help;
    QAction* m_about;
    QAction* m_quit;
};

} // namespace accrue
