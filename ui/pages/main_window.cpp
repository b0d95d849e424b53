// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/main_window.h"

#include "engine/experiment/keys.h"
#include "engine/experiment/places.h"
#include "engine/experiment/recipe.h"
#include "ui/models/run_words.h"
#include "ui/pages/archive_deletion.h"
#include "ui/pages/command_palette.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/device_loss.h"
#include "ui/pages/empty_page.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/file_dialogs.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/help_dialog.h"
#include "ui/pages/inline_message.h"
#include "ui/pages/law_card.h"
#include "ui/pages/live_charts.h"
#include "ui/pages/memory_page.h"
#include "ui/pages/message_model.h"
#include "ui/pages/message_panel.h"
#include "ui/pages/message_splitter.h"
#include "ui/pages/notice_slot.h"
#include "ui/pages/palette_sources.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/run_strip.h"
#include "ui/pages/run_strip_updates.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/settings_page.h"
#include "ui/pages/sidebar.h"
#include "ui/pages/train_page.h"
#include "ui/pages/window_actions.h"
#include "ui/pages/window_closing.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QPointer>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace accrue {

namespace {

constexpr QSize kFirstSize { 1280, 800 };
constexpr QSize kLeastSize { 960, 640 };
const QString kThemeKey = QStringLiteral("window/theme");

QString text(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

Fix withBudget(const std::optional<Bytes>& budget)
{
    Experiment emulating;
    emulating.memory.budget = budget;
    const std::string size = settingText(settingOf(emulating, "memory.budget").value());
    const QString label = budget
        ? MainWindow::tr("emulate a card of %1").arg(QString::fromStdString(size))
        : MainWindow::tr("emulate no card");
    return { label.toStdString(), { "memory.budget=" + size } };
}

bool takesKeys(const QWidget& widget)
{
    return widget.isEnabled() && widget.isVisible();
}

} // namespace

MainWindow::MainWindow(Backend& backend, Theme& theme,
    std::optional<std::filesystem::path> dataDirectory, QWidget* parent)
    : QMainWindow(parent)
    , m_backend(backend)
    , m_theme(theme)
    , m_dataDirectory(std::move(dataDirectory))
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
    makePages();
    layOut();
    connectActions();
    connectBackend();
    connectPages();
    connectLaw();
    connectRunsPage();
    connectSettings();
    showPage(Page::Train);
    // Not before: with a style sheet every widget that is put into another is polished again, which
    // takes three times as long as polishing all of them once here.
    setTheme(choiceOf(m_memory.settings().value(kThemeKey, 0), ThemeChoice::Dark));
    keepState();
    m_memory.restore();
    m_memory.openLog(m_backend.log.file());
    setDataDirectories();
    showEngine();
    showRunLog();
}

MainWindow::~MainWindow() = default;

// ---- building --------------------------------------------------------------------------------

void MainWindow::makePages()
{
    m_stack = new QStackedWidget(this);
    new NoticeSlot(*m_stack); // before a page asks for one
    m_train = new TrainPage(m_backend, this);
    m_runs = new RunsPage(m_backend.follower, this);
    m_compare = new ComparePage(m_backend.follower, this);
    m_compare->equivalence().setDistance(
        [&engine = m_backend.engine](const auto& a, const auto& b) {
            const LoadedEngine loaded = engine.await();
            if (loaded.engine != nullptr)
                return loaded.engine->distance(a, b);
            ParameterDistance unknown;
            unknown.problem = loaded.problem;
            return unknown;
        });
    m_memoryPage = new MemoryPage(m_backend, this);
    m_actions->makeMenus(*m_train, *m_runs, *m_compare, *m_memoryPage,
        m_archive->action()); // the settings show all of them
    m_closing->watch(m_runs->exporter());
    m_closing->watch(m_compare->exporter());
    m_settings = new SettingsPage(m_registry, this);
    for (QWidget* page :
        std::initializer_list<QWidget*> { m_train, m_runs, m_compare, m_memoryPage, m_settings })
        m_stack->addWidget(page);
    m_strip = new RunStrip(
        m_train->pauseAction(), m_train->stopAction(), m_memoryPage->law().measureAction(), this);
    new RunStripUpdates(m_backend, *m_strip, this);
    m_panel = new MessagePanel(*m_messages, m_actions->messages(), this);
}

void MainWindow::layOut()
{
    m_splitter = new MessageSplitter(m_stack, m_panel, this);
    auto* central = new QWidget(this);
    auto* across = new QHBoxLayout(central);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(0);
    across->addWidget(new Sidebar(m_actions->pages(), central));
    auto* down = new QVBoxLayout;
    down->setSpacing(0);
    down->addWidget(m_strip);
    down->addWidget(m_deviceLoss->message());
    down->addWidget(m_splitter, 1);
    across->addLayout(down, 1);
    setCentralWidget(central);
    m_palette = new CommandPalette([this] { return paletteEntries(); }, this);
}

void MainWindow::connectActions()
{
    for (std::size_t i = 0; i < m_actions->pages().size(); ++i)
        connect(m_actions->pages()[i], &QAction::triggered, this,
            [this, page = static_cast<Page>(i)] { showPage(page); });
    for (std::size_t i = 0; i < m_actions->themes().size(); ++i)
        connect(m_actions->themes()[i], &QAction::triggered, this,
            [this, theme = static_cast<ThemeChoice>(i)] { setTheme(theme); });
    connect(m_actions->openLog(), &QAction::triggered, this, &MainWindow::chooseRunLog);
    connect(m_actions->palette(), &QAction::triggered, m_palette, &CommandPalette::toggle);
    connect(m_actions->help(), &QAction::triggered, this,
        [this] { explain(labelOfField(QApplication::focusWidget())); });
    connect(m_actions->about(), &QAction::triggered, this,
        [this] { showAbout(this, m_backend.engine); });
    connect(m_actions->quit(), &QAction::triggered, this, &QWidget::close);
}

void MainWindow::explain(const QString& word)
{
    showHelp(this, m_registry, static_cast<HelpTopic>(page()), word);
}

void MainWindow::connectBackend()
{
    RunLogFollower& follower = m_backend.follower;
    connect(&follower, &RunLogFollower::runsChanged, this,
        [this](const std::shared_ptr<const RunList>& runs) { m_messages->setRuns(runs); });
    connect(&follower, &RunLogFollower::fileChanged, m_messages, &MessageModel::forgetLog);
    connect(&follower, &RunLogFollower::markersChanged, this,
        [this](
            const std::shared_ptr<const MarkerList>& latest) { m_messages->setMarkers(*latest); });
    connect(&follower, &RunLogFollower::failed, this,
        [this](const QString& problem) { m_messages->say(problem, RunMessage::Severity::Error); });
    connect(&follower, &RunLogFollower::recovered, this,
        [this] { m_messages->say(tr("The run log can be read again.")); });
    connect(&m_backend.log, &LogHost::changeFailed, this, [this](const QString& problem) {
        m_messages->say(problem, RunMessage::Severity::Error);
        m_runs->showFailedChange(problem);
    });
    connect(&m_backend.log, &LogHost::upgrading, this,
        [this](const QString& what) { m_messages->say(what); });
    connect(&m_backend.controller, &RunController::stateChanged, this, &MainWindow::showRunLog);
    connect(&m_backend.controller, &RunController::runEnded, this, [this](RunId run) {
        const QString& unwritten = m_backend.controller.unwritten();
        if (unwritten.isEmpty())
            return;
        m_messages->say(unwritten, RunMessage::Severity::Error, run);
        NoticeSlot::of(*this).tellProblem(unwritten);
    });
    connect(&m_backend.engine, &EngineHost::engineLoaded, this, &MainWindow::showEngine);
    connect(&m_backend.engine, &EngineHost::deviceLost, this, &MainWindow::showEngine);
    connect(&m_backend.engine, &EngineHost::engineMissed, this, [this](const QString& problem) {
        m_messages->say(problem, RunMessage::Severity::Error);
        showEngine();
    });
}

void MainWindow::connectPages()
{
    connect(m_train, &TrainPage::said, this,
        [this](const QString& words, RunMessage::Severity severity) {
            m_messages->say(words, severity);
        });
    connect(m_train, &TrainPage::explanationRequested, this, &MainWindow::explain);
    connect(m_train, &TrainPage::measureRequested, this, [this] { showPage(Page::Memory); });
    connect(m_panel, &MessagePanel::runChosen, this, &MainWindow::goToRun);
    connect(m_compare, &ComparePage::runsPageRequested, this, [this] { showPage(Page::Runs); });
    connect(m_memoryPage, &MemoryPage::trainRequested, this, [this] { showPage(Page::Train); });
    // What is done to a page from the menu or the palette is seen there.
    for (const EmptyPage* empty : findChildren<EmptyPage*>())
        connect(empty, &EmptyPage::openLogRequested, this, &MainWindow::chooseRunLog);
    for (const ActionRegistry::Entry& entry : m_registry.entries()) {
        const bool leads = entry.action == m_runs->openAction()
            || entry.action == m_runs->compareAction() || entry.action == m_runs->resumeAction()
            || entry.action == m_runs->duplicateAction()
            || entry.action == m_memoryPage->law().useAction()
            || entry.action == m_memoryPage->law().useFastestAction(); // elsewhere
        if (entry.action->parent() == m_runs && !leads)
            connect(entry.action, &QAction::triggered, this, [this] { showPage(Page::Runs); });
        else if (entry.action->parent() == m_compare)
            connect(entry.action, &QAction::triggered, this, [this] { showPage(Page::Compare); });
        else if (!leads
            && (entry.action->parent() == m_memoryPage
                || entry.action->parent() == &m_memoryPage->law()))
            connect(entry.action, &QAction::triggered, this, [this] { showPage(Page::Memory); });
    }
    for (QAction* action : { m_train->startAction(), m_train->learningRateAction(),
             m_train->undoAction(), m_train->redoAction(), m_train->resumeAction(),
             m_train->loadAction(), m_train->showLiveAction() })
        connect(action, &QAction::triggered, this, [this] { showPage(Page::Train); });
}

// The law of memory is about what stands in the form, and what it says goes back there.
void MainWindow::connectLaw()
{
    LawCard& law = m_memoryPage->law();
    const auto tell = [this, &law] {
        const ExperimentForm& form = m_train->form();
        law.setExperiment(form.experiment(), form.check().firstError, form.check().law);
    };
    connect(&m_train->form(), &ExperimentForm::checked, this, tell);
    tell();
    connect(&law, &LawCard::lookRequested, &m_train->form(), &ExperimentForm::lookForLaw);
    connect(
        &law, &LawCard::said, this, [this](const QString& words, RunMessage::Severity severity) {
            m_messages->say(words, severity);
        });
    connect(&law, &LawCard::useMicroRequested, this, [this](const Fix& fix) {
        showPage(Page::Train); // where it is seen, and can be undone
        m_train->form().applyFix(fix);
    });
    connect(&law, &LawCard::emulateRequested, this, [this](const std::optional<Bytes>& budget) {
        const QPointer<QWidget> keyboard(focusWidget());
        m_train->form().applyFix(withBudget(budget));
        if (keyboard != nullptr)
            keyboard->setFocus(Qt::OtherFocusReason);
    });
}

void MainWindow::connectRunsPage()
{
    const auto compare = [this](const std::vector<RunId>& runs) {
        m_compare->setRuns(runs);
        showPage(Page::Compare);
    };
    connect(m_runs, &RunsPage::compareRequested, this, compare);
    connect(m_train, &TrainPage::compareRequested, this, compare);
    connect(m_runs, &RunsPage::resumeRequested, this, [this](const RunRecord& run) {
        m_train->resumeRun(run);
        showPage(Page::Train);
    });
    connect(
        &m_backend.controller, &RunController::stateChanged, this, &MainWindow::tellWhyNotTrain);
    connect(&m_backend.fits, &FitController::stateChanged, this, &MainWindow::tellWhyNotTrain);
    connect(&m_backend.engine, &EngineHost::engineMissed, this, &MainWindow::tellWhyNotTrain);
    connect(m_runs, &RunsPage::duplicateRequested, this, [this](const RunRecord& run) {
        m_train->loadSettings(run);
        showPage(Page::Train);
    });
    connect(m_runs, &RunsPage::runActivated, this, [this](RunId run) {
        m_train->showRun(run);
        showPage(Page::Train);
    });
    connect(m_runs, &RunsPage::trainRequested, this, [this] { showPage(Page::Train); });
    LogHost& log = m_backend.log;
    connect(m_runs, &RunsPage::renameRequested, &log, &LogHost::rename);
    connect(m_runs, &RunsPage::noteRequested, &log, &LogHost::setNote);
    connect(m_runs, &RunsPage::tagsRequested, &log, &LogHost::changeTags);
    connect(m_runs, &RunsPage::archiveRequested, &log, &LogHost::setArchived);
    connect(m_archive->action(), &QAction::triggered, this, [this] { showPage(Page::Runs); });
    connect(m_archive, &ArchiveDeletion::runsDeleted, this,
        [this](const QString& words, RunMessage::Severity severity) {
            m_messages->say(words, severity);
            m_runs->showNote(words);
        });
}

void MainWindow::connectSettings()
{
    connect(m_settings, &SettingsPage::themeChosen, this, &MainWindow::setTheme);
    connect(m_settings, &SettingsPage::runLogRequested, this, &MainWindow::chooseRunLog);
    connect(m_settings, &SettingsPage::dataDirectoryChosen, this, &MainWindow::setDataDirectory);
    connect(m_settings, &SettingsPage::runLogKept, this, [this] {
        changeSettings([this](UserSettings& settings) { settings.runLog = m_backend.log.file(); });
        showRunLog();
    });
    m_settings->showDataDirectory(readUserSettings().dataDirectory);
}

// ---- pages -----------------------------------------------------------------------------------

MainWindow::Page MainWindow::page() const
{
    return static_cast<Page>(m_stack->currentIndex());
}

void MainWindow::showPage(Page page)
{
    m_stack->setCurrentIndex(static_cast<int>(page));
    // Not over Start and the checks.
    QWidget& free = page == Page::Train ? static_cast<QWidget&>(m_train->charts()) : *m_stack;
    NoticeSlot::of(*this).setArea(free);
    m_actions->pages()[static_cast<std::size_t>(page)]->setChecked(true);
    focusPage();
}

// The keyboard follows to the page, whose shortcuts work only then.
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

// Also called where the widget with the keyboard is hidden or disabled. Then the next in the order
// may be anywhere: the keyboard stays with the page.
bool MainWindow::focusNextPrevChild(bool next)
{
    const QWidget* const last = focusWidget();
    QWidget* const shown = m_stack->currentWidget();
    if (last == nullptr || takesKeys(*last) || !shown->isVisible())
        return QMainWindow::focusNextPrevChild(next);
    if (shown == m_train)
        m_train->focusStart();
    else if (shown->focusProxy() != nullptr && takesKeys(*shown->focusProxy()))
        shown->setFocus(Qt::OtherFocusReason);
    else
        focusPage();
    return true;
}

void MainWindow::goToRun(RunId run)
{
    showPage(Page::Runs);
    m_runs->selectRun(run);
}

std::vector<PaletteEntry> MainWindow::paletteEntries()
{
    std::vector<PaletteEntry> entries = actionEntries(m_registry);
    const auto append = [&](const std::vector<PaletteEntry>& more) {
        entries.insert(entries.end(), more.begin(), more.end());
    };
    if (const std::shared_ptr<const RunList> runs = m_backend.follower.runs())
        append(runEntries(*runs, [this](RunId run) { goToRun(run); }));
    append(recipeEntries([this](const QString& recipe) {
        m_train->recipes().openRecipe(recipe);
        showPage(Page::Train);
    }));
    return entries;
}

// ---- settings --------------------------------------------------------------------------------

void MainWindow::showEngine()
{
    const EngineHost& engine = m_backend.engine;
    QString words = tr("loading");
    if (engine.state() == EngineHost::State::Missing)
        words = engine.problem();
    if (engine.state() == EngineHost::State::Ready) {
        words = tr("torch %1").arg(QString::fromStdString(engine.versions().torch));
        for (const DeviceInfo& device : engine.devices())
            words +=
                tr("\n%1: %2, %3")
                    .arg(QString::fromStdString(device.id), QString::fromStdString(device.name),
                        device.lost ? tr("has failed; restart Accrue to use it again")
                                    : QString::fromStdString(device.detail));
    }
    m_settings->showEngine(words);
}

void MainWindow::showRunLog()
{
    const bool mayChange = !m_backend.controller.isActive();
    const std::filesystem::path& log = m_backend.log.file();
    m_actions->openLog()->setEnabled(mayChange);
    m_settings->showRunLog(log, log == defaultRunLog(), m_actions->openLog());
    showWhetherWritable();
}

void MainWindow::showWhetherWritable()
{
    const QString why = LogHost::whyNotWritable(m_backend.log.file());
    m_strip->setReadOnly(why);
    m_runs->setWhyNotWrite(why);
    m_train->setWhyNotWrite(why);
    m_archive->setWhyNotWrite(why);
    tellWhyNotTrain();
}

void MainWindow::tellWhyNotTrain()
{
    m_runs->setWhyNotTrain(m_train->whyNotTrain());
}

void MainWindow::setTheme(ThemeChoice choice)
{
    m_theme.apply(choice);
    m_settings->showTheme(choice);
    m_actions->themes()[static_cast<std::size_t>(choice)]->setChecked(true);
    m_memory.settings().setValue(kThemeKey, static_cast<int>(choice));
}

std::vector<std::filesystem::path> MainWindow::dataDirectories() const
{
    return accrue::dataDirectories(m_dataDirectory);
}

// Shared with the command line.
void MainWindow::changeSettings(const std::function<void(UserSettings&)>& change)
{
    UserSettings settings = readUserSettings();
    change(settings);
    try {
        writeUserSettings(settings);
    } catch (const std::exception& error) {
        m_messages->say(tr("The setting was not kept: %1").arg(QString::fromUtf8(error.what())),
            RunMessage::Severity::Error);
    }
}

void MainWindow::setDataDirectory(const QString& folder)
{
    changeSettings([&](UserSettings& settings) { settings.dataDirectory = folder.toStdString(); });
    setDataDirectories();
}

void MainWindow::setDataDirectories()
{
    m_train->setDataDirectories(dataDirectories());
    m_memoryPage->law().setDataDirectories(dataDirectories());
}

// ---- run log ---------------------------------------------------------------------------------

void MainWindow::chooseRunLog()
{
    askOpenOrNew(*this, tr("Open run log, or name a new one"),
        text(m_backend.log.file().parent_path()), tr("Run logs (*.db);;All files (*)"),
        QStringLiteral(".db"), [this](const QString& file) { openRunLog(file.toStdString()); });
}

void MainWindow::openRunLog(const std::filesystem::path& file)
{
    if (m_backend.controller.isActive()) {
        m_messages->say(tr("A run is being written into %1; stop it before opening another log.")
                            .arg(text(m_backend.log.file())),
            RunMessage::Severity::Warning);
        return;
    }
    const QString problem = LogHost::problemOf(file);
    if (!problem.isEmpty()) {
        m_messages->say(tr("%1 The run log is still %2.").arg(problem, text(m_backend.log.file())),
            RunMessage::Severity::Error);
        return;
    }
    m_memory.closeLog();
    m_backend.log.switchTo(file);
    m_backend.follower.setFile(file);
    m_memory.openLog(file);
    m_messages->say(tr("The run log is now %1.").arg(text(file)));
    showRunLog();
}

void MainWindow::resume(RunId run)
{
    const auto goOn = [this, run] {
        if (const RunRecord* const found = m_runs->model().find(run)) {
            m_train->resumeRun(*found);
            showPage(Page::Train);
        } else
            m_messages->say(
                tr("%1 has no run %2 to resume.").arg(text(m_backend.log.file()), runNumber(run)),
                RunMessage::Severity::Error);
    };
    connect(
        &m_backend.follower, &RunLogFollower::runsChanged, this, goOn, Qt::SingleShotConnection);
}

// ---- beginning and end -----------------------------------------------------------------------

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    constexpr std::chrono::seconds kPaintedBy { 2 }; // unless it is minimised
    QTimer::singleShot(kPaintedBy, this, [this] { m_backend.engine.load(); });
}

// The engine is loaded once the pages are painted, too, which is when this paint is over: while
// libraries are loaded no plugin can be, and painting loads that of the icons.
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
    m_memory.remember();
    event->accept();
}

QMessageBox* MainWindow::closeQuestion() const
{
    return m_closing->question();
}

void MainWindow::stopAndClose()
{
    m_closing->stopAndClose();
}

void MainWindow::stopAndWait()
{
    m_memory.remember();
    m_closing->stopAndWait();
}

} // namespace accrue
