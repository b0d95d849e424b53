// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/action_registry.h"
#include "ui/run/backend.h"
#include "ui/widgets/theme.h"
#include "ui/window/window_memory.h"

#include <QMainWindow>

#include <filesystem>
#include <optional>
#include <vector>

class QStackedWidget;

namespace accrue {

class ArchiveDeletion;
class CommandPalette;
class ComparePage;
class DeviceLoss;
class ExperimentDraft;
class ImportLinks;
class MemoryPage;
class MessageModel;
class MessagePanel;
class MessageSplitter;
class Page;
class PageLinks;
class QueueLinks;
class RunStrip;
class RunsPage;
class SettingsPage;
class TrainPage;
class WindowActions;
class WindowClosing;
struct Language;
struct PaletteEntry;

// The frame: it combines pages, run strip and messages and shows one page at a time. WindowActions
// makes its menus, WindowMemory stores its state, PageLinks connects the pages, and WindowClosing
// ends it. GUI thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // `backend` and `theme` are borrowed and outlive the window. `dataDirectory` is the one named
    // on the command line; it is searched before all others.
    MainWindow(
        Backend& backend, Theme& theme, std::optional<std::filesystem::path> dataDirectory = {});

    Page& page() const; // the one that is shown
    void showPage(Page& page); // one of the window's
    ExperimentDraft& draft() const { return *m_draft; }
    TrainPage& train() const { return *m_train; }
    RunsPage& runs() const { return *m_runs; }
    ComparePage& compare() const { return *m_compare; }
    MemoryPage& memory() const { return *m_memoryPage; }
    MessageModel& messages() const { return *m_messages; }
    DeviceLoss& deviceLoss() const { return *m_deviceLoss; }
    ActionRegistry& registry() { return m_registry; }
    WindowClosing& closing() const { return *m_closing; }
    // WindowClosing::stopAndWait(), and stores the window's state: for the end of the session, when
    // the program is ended as soon as this returns.
    void stopAndWait();
    // Continues with another run log; refused with a message while a run is being written, or if
    // the file is no run log.
    void openRunLog(const std::filesystem::path& file);
    // Resumes this run as soon as the log is read; shows a message if there is no such run.
    void resume(RunId run);
    void rememberState() { m_memory.remember(); } // as when it is closed

Q_SIGNALS:
    void languageChosen(const accrue::Language& language);

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void makePages(Theme& theme);
    template <typename Added> Added* add(Added* page);
    void layOut();
    void connectActions();
    void connectPages();
    void connectMessages();
    void keepState();

    void explain(const QString& word); // where the help does not: the words of the page
    void focusPage();
    void showWhetherWritable();
    void readDataDirectories(); // and searches them for the data set
    void tellUnwritten(RunId run);
    void chooseRunLog();
    void chooseLanguage(const Language& language);
    std::vector<PaletteEntry> paletteEntries();

    Backend& m_backend;
    std::optional<std::filesystem::path> m_dataDirectory;
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
    std::vector<Page*> m_pages; // in the order of the sidebar
    ExperimentDraft* m_draft = nullptr;
    TrainPage* m_train = nullptr;
    RunsPage* m_runs = nullptr;
    ComparePage* m_compare = nullptr;
    MemoryPage* m_memoryPage = nullptr;
    SettingsPage* m_settings = nullptr;
    PageLinks* m_links = nullptr;
    QueueLinks* m_queue = nullptr;
    ImportLinks* m_import = nullptr;
    RunStrip* m_strip = nullptr;
    MessagePanel* m_panel = nullptr;
    CommandPalette* m_palette = nullptr;
};

} // namespace accrue
