// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include "engine/base/language.h"
#include "engine/base/places.h"
#include "ui/actions/command_palette.h"
#include "ui/actions/page.h"
#include "ui/actions/palette_sources.h"
#include "ui/compare/compare_page.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/memory_page.h"
#include "ui/models/message_model.h"
#include "ui/models/run_words.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_page.h"
#include "ui/train/data_download_row.h"
#include "ui/train/train_page.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_slot.h"
#include "ui/window/archive_deletion.h"
#include "ui/window/device_loss.h"
#include "ui/window/help_dialog.h"
#include "ui/window/import_links.h"
#include "ui/window/message_panel.h"
#include "ui/window/page_links.h"
#include "ui/window/queue_links.h"
#include "ui/window/run_strip.h"
#include "ui/window/run_strip_updates.h"
#include "ui/window/settings_page.h"
#include "ui/window/window_actions.h"
#include "ui/window/window_closing.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <chrono>
#include <utility>

// The window makes its parts and connects them; what they do is in the parts. Their order matters
// three times. The notice slot comes before the pages, which look for it. Pages come before the
// menus and the settings, which list their actions. State is restored last, because it selects
// pages, runs and settings, which must exist.

namespace accrue {

namespace {

constexpr QSize kFirstSize { 1280, 800 };
constexpr QSize kLeastSize { 960, 640 };

QString text(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

} // namespace

MainWindow::MainWindow(
    Backend& backend, Theme& theme, std::optional<std::filesystem::path> dataDirectory)
    : m_backend(backend)
    , m_dataDirectory(std::move(dataDirectory))
    , m_memory(backend.follower)
    , m_registry(m_memory.settings())
    , m_actions(new WindowActions(m_registry, *this))
    , m_closing(new WindowClosing(backend, *this))
    , m_archive(new ArchiveDeletion(backend, *this))
    , m_deviceLoss(new DeviceLoss(backend, *this))
    , m_messages(new MessageModel(this))
{
    connect(m_closing, &WindowClosing::stayed, m_deviceLoss, &DeviceLoss::stay);
    setWindowTitle(tr("Accrue"));
    setMinimumSize(kLeastSize);
    resize(kFirstSize);
    makePages(theme);
    layOut();
    connectActions();
    connectPages();
    connectMessages();
    showPage(*m_train);
    // The style sheet is applied last: with one, every widget that is added to another is polished
    // again, which takes three times as long as polishing all of them once here.
    // takes three times as long as polishing all of them once here.
    m_settings->applyTheme();
    keepState();
    m_memory.restore();
    m_memory.openLog(m_backend.log.file());
    readDataDirectories();
    showWhetherWritable();
}

// ---- building --------------------------------------------------------------------------------

template <typename Added> Added* MainWindow::add(Added* page)
{
    m_pages.push_back(page);
    m_stack->addWidget(page);
    m_actions->addPage(*page);
    return page;
}

// A page is registered by one line here. The tab order follows the order of creation, and so do the
// sidebar, the menus and the shortcuts of the help.
void MainWindow::makePages(Theme& theme)
{
    m_stack = new QStackedWidget(this);
    new NoticeSlot(*m_stack); // before a page looks for one
    m_draft = new ExperimentDraft;
    m_train = add(new TrainPage(m_backend, *m_draft, this));
    m_runs = add(new RunsPage(m_backend.follower, this));
    m_compare = add(new ComparePage(m_backend.follower, this));
    m_memoryPage = add(new MemoryPage(m_backend, *m_draft, this));
    m_settings =
        add(new SettingsPage(m_backend, theme, m_registry, *m_actions, m_memory.settings(), this));

    m_runs->insertBelow("runs.archive", { "runs.deleteArchived", m_archive->action() });
    m_queue = new QueueLinks(
        m_backend, { *m_draft, *m_train, *m_runs }, [this](Page& page) { showPage(page); }, this);
    m_actions->makeMenus(m_pages);
    m_settings->listActions();
    m_strip = new RunStrip(m_train->action("train.pause"), m_train->action("train.stop"),
        m_memoryPage->action("memory.measure"), this);
    (new RunStripUpdates(m_backend, *m_strip, this))->leaveNameTo(*m_train, *m_stack);
    m_panel = new MessagePanel(*m_messages, m_actions->messages(), this);
}

void MainWindow::layOut()
{
    m_splitter = new MessageSplitter(m_stack, m_panel, this);
    auto* central = new QWidget(this);
    auto* across = makeRow(central, { m_actions->makeSidebar(central) }, {}, 0);
    auto* down = makeColumn(nullptr, { m_strip, m_deviceLoss->message() }, {}, 0);
    down->addWidget(m_splitter, 1);
    across->addLayout(down, 1);
    setCentralWidget(central);
    // Not before: children are destroyed in their order, and pages still use the draft meanwhile.
    m_draft->setParent(this);
    m_palette = new CommandPalette([this] { return paletteEntries(); }, this);
}

void MainWindow::connectActions()
{
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        connect(m_actions->pages()[i], &QAction::triggered, this,
            [this, page = m_pages[i]] { showPage(*page); });
    connect(m_actions->openLog(), &QAction::triggered, this, &MainWindow::chooseRunLog);
    connect(m_actions->palette(), &QAction::triggered, m_palette, &CommandPalette::toggle);
    connect(m_actions->help(), &QAction::triggered, this,
        [this] { explain(labelOfField(QApplication::focusWidget())); });
    connect(m_actions->about(), &QAction::triggered, this,
        [this] { showAbout(this, m_backend.engine); });
    connect(m_actions->quit(), &QAction::triggered, this, &QWidget::close);
}

void MainWindow::connectPages()
{
    for (Page* page : m_pages) {
        connect(page, &Page::reported, this,
            [this](const QString& words, RunMessage::Severity severity) {
                m_messages->say(words, severity);
            });
        if (CsvExport* const exporter = page->exporter())
            m_closing->watch(*exporter);
        // The effect of a menu entry or of the palette is visible on its page.
        for (const Page::Menu menu : { Page::Menu::File, Page::Menu::Edit, Page::Menu::Own })
            for (const Page::MenuEntry& entry : page->entries(menu))
                if (entry.action != nullptr && entry.leads == Page::Leads::Here)
                    connect(
                        entry.action, &QAction::triggered, this, [this, page] { showPage(*page); });
    }
    for (const EmptyPage* empty : findChildren<EmptyPage*>())
        connect(empty, &EmptyPage::openLogRequested, this, &MainWindow::chooseRunLog);
    connect(m_train, &TrainPage::explanationRequested, this, &MainWindow::explain);
    connect(
        m_settings, &SettingsPage::dataDirectoriesChanged, this, &MainWindow::readDataDirectories);
    connect(m_settings, &SettingsPage::languageChosen, this, &MainWindow::chooseLanguage);
    m_links = new PageLinks(
        m_backend, { *m_draft, *m_train, *m_runs, *m_compare, *m_memoryPage },
        [this](Page& page) { showPage(page); }, this);
    connect(m_strip->queueButton(), &QToolButton::clicked, m_queue, &QueueLinks::showQueue);
    m_import = new ImportLinks(m_backend,
        { *m_runs, *this, [this](Page& page) { showPage(page); },
            [this](const QString& recipe) { m_links->openRecipe(recipe); } },
        *m_actions->importRuns());
    m_closing->watch(m_import->importer());
    connect(m_panel, &MessagePanel::runChosen, m_links, &PageLinks::showInTable);
    connect(&m_backend.controller, &RunController::stateChanged, this,
        &MainWindow::showWhetherWritable);
}

// Background events become messages, which can be read later: notices disappear.
void MainWindow::connectMessages()
{
    const auto sayProblem = [this](const QString& problem) {
        m_messages->say(problem, RunMessage::Severity::Error);
    };
    RunLogFollower& follower = m_backend.follower;
    connect(&follower, &RunLogFollower::runsChanged, m_messages, &MessageModel::setRuns);
    connect(&follower, &RunLogFollower::fileChanged, m_messages, &MessageModel::forgetLog);
    connect(&follower, &RunLogFollower::markersChanged, this,
        [this](
            const std::shared_ptr<const MarkerList>& latest) { m_messages->setMarkers(*latest); });
    connect(&follower, &RunLogFollower::failed, this, sayProblem);
    connect(&follower, &RunLogFollower::recovered, this,
        [this] { m_messages->say(tr("The run log can be read again.")); });
    connect(&m_backend.log, &LogHost::changeFailed, this, sayProblem);
    connect(&m_backend.log, &LogHost::upgrading, this,
        [this](const QString& what) { m_messages->say(what); });
    connect(&m_backend.engine, &EngineHost::engineMissed, this, sayProblem);
    connect(m_import, &ImportLinks::reported, this,
        [this](const QString& words, RunMessage::Severity severity) {
            m_messages->say(words, severity);
        });
    connect(&m_backend.controller, &RunController::runEnded, this, &MainWindow::tellUnwritten);
    connect(
        &m_runs->runActions(), &RunActions::deleteRequested, m_archive, &ArchiveDeletion::askAbout);
    connect(m_archive, &ArchiveDeletion::runsDeleted, this,
        [this](const QString& words, RunMessage::Severity severity) {
            m_messages->say(words, severity);
            NoticeSlot::of(*m_runs).tell(words);
        });
}

// In the order in which it is restored: the page last, when all pages have their state.
void MainWindow::keepState()
{
    m_memory.keep({ QStringLiteral("window/place"), [this] { return placeOf(*this); },
        [this](const QVariant& place) { putBack(*this, place); } });
    m_memory.keep({ QStringLiteral("window/messagesOpen"), [this] { return m_panel->isOpen(); },
        [this](const QVariant& open) { m_panel->setOpen(open.toBool()); } });
    m_memory.keep(
        { QStringLiteral("window/messagesHeight"), [this] { return m_splitter->openHeight(); },
            [this](const QVariant& height) { m_splitter->setOpenHeight(height.toInt()); } });
    m_memory.keep({ QStringLiteral("window/saveFolder"), [] { return saveFolder(); },
        [](const QVariant& folder) { setSaveFolder(folder.toString()); } });
    for (Page* page : m_pages)
        m_memory.keep(*page);
    m_memory.keep({ QStringLiteral("window/page"), [this] { return m_stack->currentIndex(); },
        [this](const QVariant& last) {
            // The settings may be those of a version with more pages.
            const int most = static_cast<int>(m_pages.size()) - 1;
            showPage(*m_pages[static_cast<std::size_t>(std::clamp(last.toInt(), 0, most))]);
        } });
}

// ---- pages -----------------------------------------------------------------------------------

Page& MainWindow::page() const
{
    return *m_pages[static_cast<std::size_t>(m_stack->currentIndex())];
}

void MainWindow::showPage(Page& page)
{
    m_stack->setCurrentWidget(&page);
    NoticeSlot::of(*this).setArea(page.noticeArea());
    m_actions->pages()[static_cast<std::size_t>(m_stack->currentIndex())]->setChecked(true);
    focusPage();
}

// The keyboard focus follows to the page, because its shortcuts work only then.
void MainWindow::focusPage()
{
    QWidget* const shown = m_stack->currentWidget();
    const QWidget* const last = focusWidget();
    if (last != nullptr && takesKeys(*last) && shown->isAncestorOf(last))
        return;
    for (QWidget* widget = shown->nextInFocusChain(); widget != shown;
         widget = widget->nextInFocusChain())
        if (shown->isAncestorOf(widget) && (widget->focusPolicy() & Qt::TabFocus) != 0
            && widget->isEnabled() && widget->isVisibleTo(shown)) {
            widget->setFocus(Qt::OtherFocusReason);
            return;
        }
}

// Also called if the widget with the focus is hidden or disabled. The next one in the tab order may
// be anywhere then: the focus stays on the page.
bool MainWindow::focusNextPrevChild(bool next)
{
    const QWidget* const last = focusWidget();
    if (last == nullptr || takesKeys(*last) || !page().isVisible())
        return QMainWindow::focusNextPrevChild(next);
    if (!page().focusQuietPart())
        focusPage();
    return true;
}

// F1 in a field opens the help at the field's label; if that is not explained there, at the page.
void MainWindow::explain(const QString& word)
{
    showHelp(this, m_registry, page().helpTopic(), word);
}

std::vector<PaletteEntry> MainWindow::paletteEntries()
{
    std::vector<PaletteEntry> entries = actionEntries(m_registry);
    const auto append = [&](const std::vector<PaletteEntry>& more) {
        entries.insert(entries.end(), more.begin(), more.end());
    };
    if (const std::shared_ptr<const RunList> runs = m_backend.follower.runs())
        append(runEntries(*runs, [this](RunId run) { m_links->showInTable(run); }));
    append(recipeEntries([this](const QString& recipe) { m_links->openRecipe(recipe); }));
    return entries;
}

// A new window replaces this one, so that everything that only its pages do must have ended.
void MainWindow::chooseLanguage(const Language& language)
{
    if (&language == &accrue::language())
        return;
    if (m_closing->isTransferring() || m_train->findChild<DataDownloadRow*>()->isDownloading()) {
        NoticeSlot::of(*this).reportProblem(tr("An export, an import or a download is in progress. "
                                               "Choose the language again when it has finished."));
        m_settings->showLanguage();
        return;
    }
    Q_EMIT languageChosen(language);
}

// Read from the settings each time: the command line may have changed them.
void MainWindow::readDataDirectories()
{
    m_backend.dataDirectories = dataDirectories(m_dataDirectory);
    m_train->starter().surroundings().lookForData();
}

// ---- run log ---------------------------------------------------------------------------------

// Called with every change of the controller's state: the file may have become writable, or the
// opposite, since.
void MainWindow::showWhetherWritable()
{
    const QString why = LogHost::whyNotWritable(m_backend.log.file());
    m_strip->setReadOnly(why);
    for (Page* page : m_pages)
        page->setWhyNotWrite(why);
    m_archive->setWhyNotWrite(why);
    m_queue->setWhyNotWrite(why);
    m_import->setWhyNotWrite(why);
    m_links->reportWhyNotTrain();
}

// Both as a message, which remains, and as a notice, which is noticed.
void MainWindow::tellUnwritten(RunId run)
{
    const QString& unwritten = m_backend.controller.unwritten();
    if (unwritten.isEmpty())
        return;
    m_messages->say(unwritten, RunMessage::Severity::Error, run);
    NoticeSlot::of(*this).reportProblem(unwritten);
}

void MainWindow::chooseRunLog()
{
    askOpenOrNew(*this, tr("Open or create a run log"), text(m_backend.log.file().parent_path()),
        tr("Run logs (*.db);;All files (*)"), QStringLiteral(".db"),
        [this](const QString& file) { openRunLog(file.toStdString()); });
}

void MainWindow::openRunLog(const std::filesystem::path& file)
{
    if (m_backend.controller.isActive()) {
        m_messages->say(tr("A run in %1 is in progress. Stop it before you open another log.")
                            .arg(text(m_backend.log.file())),
            RunMessage::Severity::Warning);
        return;
    }
    if (m_import->importer().isRunning()) {
        m_messages->say(tr("Runs are being imported into %1. Open another log when that has ended.")
                            .arg(text(m_backend.log.file())),
            RunMessage::Severity::Warning);
        return;
    }
    const QString problem = LogHost::problemOf(file);
    if (!problem.isEmpty()) {
        m_messages->say(
            tr("%1 The open run log is still %2.").arg(problem, text(m_backend.log.file())),
            RunMessage::Severity::Error);
        return;
    }
    m_memory.closeLog(); // while the pages still show it
    m_backend.log.switchTo(file);
    m_backend.follower.setFile(file);
    m_memory.openLog(file);
    m_messages->say(tr("Opened the run log %1.").arg(text(file)));
    m_settings->showRunLog();
    showWhetherWritable();
}

// For the command line. The log has not been read by then: its first list decides whether the run
// exists.
void MainWindow::resume(RunId run)
{
    const auto resumeListed = [this, run] {
        if (const RunRecord* const found = m_runs->model().find(run))
            m_links->resume(*found);
        else
            m_messages->say(tr("%1 contains no run %2 to resume.")
                                .arg(text(m_backend.log.file()), runNumber(run)),
                RunMessage::Severity::Error);
    };
    connect(&m_backend.follower, &RunLogFollower::runsChanged, this, resumeListed,
        Qt::SingleShotConnection);
}

// ---- beginning and end -----------------------------------------------------------------------

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    // A minimised window is not painted: the timer loads the engine all the same. Loading twice
    // does nothing.
    constexpr std::chrono::seconds kPaintedBy { 2 }; // unless it is minimised
    QTimer::singleShot(kPaintedBy, this, [this] { m_backend.engine.load(); });
}

// The engine is loaded after the pages are painted, which is when this paint ends: while libraries
// are loaded no plugin can be, and painting loads the plugin of the icons.
void MainWindow::paintEvent(QPaintEvent* event)
{
    QMainWindow::paintEvent(event);
    if (!std::exchange(m_painted, true))
        QTimer::singleShot(0, this, [this] { m_backend.engine.load(); });
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_closing->mayClose()) {
        event->ignore();
        return;
    }
    rememberState();
    event->accept();
}

void MainWindow::stopAndWait()
{
    rememberState(); // there will be no close event
    m_closing->stopAndWait();
}

} // namespace accrue
