// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pages/action_registry.h"
#include "ui/pages/theme.h"
#include "ui/pages/window_memory.h"
#include "ui/run/backend.h"

#include <QMainWindow>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

class QMessageBox;
class QStackedWidget;

namespace accrue {

class ArchiveDeletion;
class CommandPalette;
class ComparePage;
class DeviceLoss;
class MemoryPage;
class MessageModel;
class MessagePanel;
class MessageSplitter;
class RunStrip;
class RunsPage;
class SettingsPage;
class TrainPage;
class WindowActions;
class WindowClosing;
struct PaletteEntry;
struct UserSettings;

// The frame: it puts pages, run strip and messages together and leads from one to the other. Its
// menus are made in window_actions, what it remembers is kept by window_memory, and how it ends is
// in window_closing. GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Page { Train, Runs, Compare, Memory, Preferences };

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
    MemoryPage& memory() const { return *m_memoryPage; }
    MessageModel& messages() const { return *m_messages; }
    RunStrip& runStrip() const { return *m_strip; }
    DeviceLoss& deviceLoss() const { return *m_deviceLoss; }
    CommandPalette& commandPalette() const { return *m_palette; }
    ActionRegistry& registry() { return m_registry; }
    // The question that waits for an answer; null: none does.
    QMessageBox* closeQuestion() const;

    // Stops and saves a run, then closes without asking: for SIGTERM. Must not block.
    void stopAndClose();
    // The same before the session ends, when the program is ended as soon as this returns. Blocks
    // until everything is logged; events are processed meanwhile.
    void stopAndWait();
    // Goes on with another run log; refused with a message while a run is written, and where the
    // file is none.
    void openRunLog(const std::filesystem::path& file);
    // Goes on with this run as soon as the log is read; says so where it has no such run.
    void resume(RunId run);

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void makePages();
    void layOut();
    void connectActions();
    void connectBackend();
    void connectPages();
    void connectLaw();
    void connectRunsPage();
    void connectSettings();
    void keepState(); // these three: window_state.cpp
    void keepPages();
    void keepRuns();

    void explain(const QString& word); // where the help does not: the words of the page
    void focusPage();
    void showEngine();
    void showRunLog();
    void showWhetherWritable();
    void tellWhyNotTrain(); // to the Runs page, which resumes
    void setTheme(ThemeChoice choice);
    void changeSettings(const std::function<void(UserSettings&)>& change);
    void setDataDirectory(const QString& folder);
    void setDataDirectories(); // to those who search them
    void chooseRunLog();
    void goToRun(RunId run);
    std::vector<PaletteEntry> paletteEntries();
    std::vector<std::filesystem::path> dataDirectories() const;

    Backend& m_backend;
    Theme& m_theme;
    std::optional<std::filesystem::path> m_dataDirectory; // of the command line
    WindowMemory m_memory;
    ActionRegistry m_registry;
    WindowActions* m_actions;
    WindowClosing* m_closing;
    ArchiveDeletion* m_archive;
    DeviceLoss* m_deviceLoss;
    bool m_painted = false;

    MessageModel* m_messages;
    QStackedWidget* m_stack = nullptr;
    MessageSplitter* m_splitter = nullptr;
    TrainPage* m_train = nullptr;
    RunsPage* m_runs = nullptr;
    ComparePage* m_compare = nullptr;
    MemoryPage* m_memoryPage = nullptr;
    SettingsPage* m_settings = nullptr;
    RunStrip* m_strip = nullptr;
    MessagePanel* m_panel = nullptr;
    CommandPalette* m_palette = nullptr;
};

} // namespace accrue
