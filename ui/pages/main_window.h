// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/theme.h"
#include "ui/run/backend.h"

#include <QMainWindow>
#include <QPointer>
#include <QSettings>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

class QMessageBox;
class QSplitter;
class QStackedWidget;

namespace accrue {

class ComparePage;
class MessageModel;
class MessagePanel;
class RunStrip;
class RunsPage;
class SettingsPage;
class TrainPage;
struct UserSettings;

// The frame: pages, run strip, messages, menus; what is remembered; and how it ends. GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Page { Train, Runs, Compare, Preferences };

    // `backend` and `theme` are borrowed and outlive the window. `dataDirectory` is the one named
    // on the command line; it goes before all others.
    MainWindow(Backend& backend, Theme& theme,
        std::optional<std::filesystem::path> dataDirectory = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    Page page() const;
    void showPage(Page page);
    TrainPage& train() const { return *m_train; }
    RunsPage& runs() const { return *m_runs; }
    ComparePage& compare() const { return *m_compare; }
    MessageModel& messages() const { return *m_messages; }
    RunStrip& runStrip() const { return *m_strip; }
    // The question that waits for an answer; null: none does.
    QMessageBox* closeQuestion() const;

    // Stops and saves a run, then closes without asking: for SIGTERM. Must not block.
    void stopAndClose();
    // The same before the session ends, when the program is ended as soon as this returns. Blocks
    // until everything is logged; events are processed meanwhile.
    void stopAndWait();
    // Goes on with another run log; refused with a message while a run is written.
    void openRunLog(const std::filesystem::path& file);

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeActions();
    void makePages();
    void makeMenus();
    void makeFileMenu();
    void makeRunMenu();
    void makeRunsMenu();
    void makeViewMenu();
    void makeHelpMenu();
    QAction* addPageAction(Page page, const char* icon, const QString& title);
    QAction* makeAction(
        const char* icon, const QString& text, const QKeySequence& key, const QString& tip);
    void connectBackend();
    void connectPages();
    void connectSettings();

    void focusPage();
    void takeRuns();
    void showStrip();
    void showEngine();
    void setTheme(ThemeChoice choice);
    void changeSettings(const std::function<void(UserSettings&)>& change);
    void setDataDirectory(const QString& folder);
    void chooseRunLog();
    void goToRun(RunId run);
    void askToClose();
    void showShortcuts();
    void showAbout();
    void remember();
    void restore();
    std::vector<std::filesystem::path> dataDirectories() const;

    Backend& m_backend;
    Theme& m_theme;
    std::optional<std::filesystem::path> m_dataDirectory; // of the command line
    QSettings m_memory; // where the window was, in the user's config directory
    bool m_closeWhenEnded = false;
    bool m_shown = false;
    QPointer<QMessageBox> m_closeQuestion;

    std::vector<QAction*> m_pageActions; // in the order of Page
    std::vector<QAction*> m_themeActions; // in the order of ThemeChoice
    QAction* m_openLog = nullptr;
    QAction* m_export = nullptr;
    QAction* m_toggleMessages = nullptr;
    QAction* m_shortcuts = nullptr;
    QAction* m_quit = nullptr;

    MessageModel* m_messages;
    QStackedWidget* m_stack = nullptr;
    QSplitter* m_splitter = nullptr; // pages above, messages below
    TrainPage* m_train = nullptr;
    RunsPage* m_runs = nullptr;
    ComparePage* m_compare = nullptr;
    SettingsPage* m_settings = nullptr;
    RunStrip* m_strip = nullptr;
    MessagePanel* m_panel = nullptr;
};

} // namespace accrue
