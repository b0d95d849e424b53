// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/main_window.h"

#include "engine/experiment/places.h"
#include "engine/experiment/recipe.h"
#include "ui/models/run_words.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/help_dialog.h"
#include "ui/pages/icons.h"
#include "ui/pages/message_model.h"
#include "ui/pages/message_panel.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/run_strip.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/settings_page.h"
#include "ui/pages/sidebar.h"
#include "ui/pages/train_page.h"
#include "ui/run/run_progress.h"

#include <QActionGroup>
#include <QCloseEvent>
#include <QEventLoop>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <exception>
#include <utility>

namespace accrue {

namespace {

constexpr QSize kFirstSize { 1280, 800 };
constexpr int kQuestionIcon = 32;
constexpr QSize kLeastSize { 960, 640 };

QString memoryFile()
{
    return QString::fromStdString((userConfigDirectory() / "workbench.ini").string());
}

QString text(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

QVariantList numbersOf(const std::vector<RunId>& runs)
{
    QVariantList numbers;
    for (const RunId run : runs)
        numbers << QVariant::fromValue(qint64 { numberOf(run) });
    return numbers;
}

} // namespace

MainWindow::MainWindow(Backend& backend, Theme& theme,
    std::optional<std::filesystem::path> dataDirectory, QWidget* parent)
    : QMainWindow(parent)
    , m_backend(backend)
    , m_theme(theme)
    , m_dataDirectory(std::move(dataDirectory))
    , m_memory(memoryFile(), QSettings::IniFormat)
    , m_messages(new MessageModel(this))
{
    setWindowTitle(tr("Accrue"));
    setMinimumSize(kLeastSize);
    makeActions();
    makePages();
    makeMenus();
    connectBackend();
    connectPages();
    connectSettings();
    restore();
    m_train->setDataDirectories(dataDirectories());
    showEngine();
    showStrip();
}

MainWindow::~MainWindow() = default;

QAction* MainWindow::makeAction(
    const char* icon, const QString& text, const QKeySequence& key, const QString& tip)
{
    auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
    action->setShortcut(key);
    action->setToolTip(
        key.isEmpty() ? tip : tr("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
    return action;
}

QAction* MainWindow::addPageAction(Page page, const char* icon, const QString& title)
{
    const int number = static_cast<int>(page) + 1;
    QAction* action =
        makeAction(icon, title, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number)),
            tr("Go to %1").arg(title));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, page] { showPage(page); });
    m_pageActions.push_back(action);
    return action;
}

void MainWindow::makeActions()
{
    addPageAction(Page::Train, "train", tr("Train"));
    addPageAction(Page::Runs, "runs", tr("Runs"));
    addPageAction(Page::Compare, "compare", tr("Compare"));
    addPageAction(Page::Preferences, "settings", tr("Settings"));
    auto* pages = new QActionGroup(this);
    for (QAction* action : m_pageActions)
        pages->addAction(action);

    m_openLog = makeAction(
        "log", tr("Open run log…"), Qt::CTRL | Qt::Key_O, tr("Show and write another run log"));
    m_toggleMessages = makeAction(
        "messages", tr("Messages"), Qt::CTRL | Qt::Key_M, tr("Show or close all messages"));
    m_shortcuts = makeAction(
        "help", tr("Help and shortcuts"), Qt::Key_F1, tr("What the words mean, and all shortcuts"));
    m_quit = makeAction("quit", tr("Quit"), Qt::CTRL | Qt::Key_Q, tr("Close the workbench"));
    m_toggleMessages->setCheckable(true);
    connect(m_openLog, &QAction::triggered, this, &MainWindow::chooseRunLog);
    connect(m_shortcuts, &QAction::triggered, this, &MainWindow::showShortcuts);
    connect(m_quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::makePages()
{
    m_train = new TrainPage(m_backend, this);
    m_runs = new RunsPage(m_backend.follower, this);
    m_compare = new ComparePage(m_backend.follower, this);
    m_settings = new SettingsPage(this);
    m_stack = new QStackedWidget(this);
    for (QWidget* page : std::initializer_list<QWidget*> { m_train, m_runs, m_compare, m_settings })
        m_stack->addWidget(page);

    m_strip = new RunStrip(m_train->pauseAction(), m_train->stopAction(), this);
    m_panel = new MessagePanel(*m_messages, this);
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_panel);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 0);

    auto* central = new QWidget(this);
    auto* across = new QHBoxLayout(central);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(0);
    across->addWidget(new Sidebar(m_pageActions, central));
    auto* down = new QVBoxLayout;
    down->setSpacing(0);
    down->addWidget(m_strip);
    down->addWidget(m_splitter, 1);
    across->addLayout(down, 1);
    setCentralWidget(central);
}

void MainWindow::makeMenus()
{
    makeFileMenu();
    makeRunMenu();
    makeRunsMenu();
    makeViewMenu();
    makeHelpMenu();
}

void MainWindow::makeFileMenu()
{
    RecipeBar& recipes = m_train->recipes();
    recipes.openAction()->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_O);
    recipes.saveAction()->setShortcut(Qt::CTRL | Qt::Key_S);
    recipes.copyAction()->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    recipes.showAction()->setShortcut(Qt::CTRL | Qt::Key_T);
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    menu->setToolTipsVisible(true);
    menu->addActions(
        { recipes.openAction(), recipes.saveAction(), recipes.copyAction(), recipes.showAction() });
    menu->addSeparator();
    menu->addAction(m_openLog);
    menu->addSeparator();
    menu->addAction(m_quit);
}

void MainWindow::makeRunMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Train"));
    menu->setToolTipsVisible(true);
    menu->addActions({ m_train->startAction(), m_train->pauseAction(), m_train->stopAction() });
    menu->addSeparator();
    menu->addAction(m_train->learningRateAction());
}

void MainWindow::makeRunsMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Runs"));
    menu->setToolTipsVisible(true);
    menu->addActions({ m_runs->searchAction(), m_runs->compareAction(), m_runs->duplicateAction(),
        m_runs->renameAction(), m_runs->noteAction(), m_runs->archiveAction(),
        m_runs->revealAction(), m_runs->showArchivedAction() });
    menu->addSeparator();
    menu->addActions({ m_runs->exportAction(), m_runs->exportWideAction() });
    QMenu* comparing = menuBar()->addMenu(tr("&Compare"));
    comparing->setToolTipsVisible(true);
    comparing->addActions({ m_compare->exportTableAction(), m_compare->exportSeriesAction(),
        m_compare->savePictureAction() });
}

void MainWindow::makeViewMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    menu->setToolTipsVisible(true);
    for (QAction* action : m_pageActions)
        menu->addAction(action);
    menu->addSeparator();
    menu->addAction(m_toggleMessages);
    QMenu* themes = menu->addMenu(themedIcon(QLatin1String("theme")), tr("Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = { { ThemeChoice::System,
                                                            tr("As the system") },
        { ThemeChoice::Light, tr("Light") }, { ThemeChoice::Dark, tr("Dark") } };
    for (const auto& choice : choices) {
        QAction* action = themes->addAction(choice.second);
        action->setCheckable(true);
        group->addAction(action);
        m_themeActions.push_back(action);
        connect(
            action, &QAction::triggered, this, [this, theme = choice.first] { setTheme(theme); });
    }
}

void MainWindow::makeHelpMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(m_shortcuts);
    QAction* about = menu->addAction(themedIcon(QLatin1String("info")), tr("About Accrue"));
    connect(about, &QAction::triggered, this, &MainWindow::showAbout);
}

void MainWindow::connectBackend()
{
    RunLogFollower& follower = m_backend.follower;
    connect(&follower, &RunLogFollower::runsChanged, this, &MainWindow::takeRuns);
    connect(&follower, &RunLogFollower::markersChanged, this,
        [this](
            const std::shared_ptr<const MarkerList>& latest) { m_messages->setMarkers(*latest); });
    connect(&follower, &RunLogFollower::failed, this,
        [this](const QString& problem) { m_messages->say(problem, RunMessage::Severity::Error); });
    connect(&follower, &RunLogFollower::recovered, this,
        [this] { m_messages->say(tr("The run log can be read again.")); });
    connect(&m_backend.log, &LogHost::changeFailed, this, [this](const QString& problem) {
        m_messages->say(problem, RunMessage::Severity::Error);
        m_runs->showProblem(problem);
    });
    connect(&m_backend.controller, &RunController::stateChanged, this, &MainWindow::showStrip);
    connect(&m_backend.controller, &RunController::stateChanged, this, &MainWindow::showEngine);
    const auto ended = [this] {
        delete m_closeQuestion;
        if (m_closeWhenEnded)
            close();
    };
    connect(&m_backend.controller, &RunController::runEnded, this, ended);
    connect(&m_backend.controller, &RunController::startFailed, this, ended);
    connect(&m_backend.engine, &EngineHost::engineLoaded, this, &MainWindow::showEngine);
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
    connect(m_panel, &MessagePanel::runChosen, this, &MainWindow::goToRun);
    connect(m_panel, &MessagePanel::openChanged, m_toggleMessages, &QAction::setChecked);
    connect(m_toggleMessages, &QAction::triggered, m_panel, &MessagePanel::setOpen);

    connect(m_runs, &RunsPage::compareRequested, this, [this](const std::vector<RunId>& runs) {
        m_compare->setRuns(runs);
        showPage(Page::Compare);
    });
    connect(m_runs, &RunsPage::duplicateRequested, this, [this](const RunRecord& run) {
        m_train->setExperiment(run.experiment);
        showPage(Page::Train);
    });
    connect(m_runs, &RunsPage::runActivated, this, [this](RunId run) {
        m_train->showRun(run);
        showPage(Page::Train);
    });
    connect(m_runs, &RunsPage::trainRequested, this, [this] { showPage(Page::Train); });
    connect(m_runs->searchAction(), &QAction::triggered, this, [this] { showPage(Page::Runs); });
    connect(m_compare, &ComparePage::runsPageRequested, this, [this] { showPage(Page::Runs); });
    LogHost& log = m_backend.log;
    connect(m_runs, &RunsPage::renameRequested, &log, &LogHost::rename);
    connect(m_runs, &RunsPage::noteRequested, &log, &LogHost::setNote);
    connect(m_runs, &RunsPage::archiveRequested, &log, &LogHost::setArchived);
}

void MainWindow::connectSettings()
{
    connect(m_settings, &SettingsPage::themeChosen, this, &MainWindow::setTheme);
    connect(m_settings, &SettingsPage::runLogRequested, this, &MainWindow::chooseRunLog);
    connect(m_settings, &SettingsPage::dataDirectoryChosen, this, &MainWindow::setDataDirectory);
    connect(m_settings, &SettingsPage::runLogKept, this, [this] {
        changeSettings([this](UserSettings& settings) { settings.runLog = m_backend.log.file(); });
        showEngine();
    });
    m_settings->showDataDirectory(readUserSettings().dataDirectory);
}

MainWindow::Page MainWindow::page() const
{
    return static_cast<Page>(m_stack->currentIndex());
}

void MainWindow::showPage(Page page)
{
    m_stack->setCurrentIndex(static_cast<int>(page));
    m_pageActions[static_cast<std::size_t>(page)]->setChecked(true);
    focusPage();
}

// The keyboard follows to the page, whose shortcuts work only then.
void MainWindow::focusPage()
{
    QWidget* const shown = m_stack->currentWidget();
    if (focusWidget() != nullptr && shown->isAncestorOf(focusWidget()))
        return;
    for (QWidget* widget = shown->nextInFocusChain(); widget != shown;
         widget = widget->nextInFocusChain())
        if (shown->isAncestorOf(widget) && (widget->focusPolicy() & Qt::TabFocus) != 0
            && widget->isEnabled() && widget->isVisibleTo(shown)) {
            widget->setFocus(Qt::OtherFocusReason);
            return;
        }
}

QMessageBox* MainWindow::closeQuestion() const
{
    return m_closeQuestion;
}

void MainWindow::takeRuns()
{
    if (const std::shared_ptr<const RunList> runs = m_backend.follower.runs())
        m_messages->setRuns(*runs);
    showStrip();
}

// Our own run first, otherwise the newest that another process trains.
void MainWindow::showStrip()
{
    const RunController& controller = m_backend.controller;
    const std::shared_ptr<const RunList> runs = m_backend.follower.runs();
    const RunRecord* shown = nullptr;
    if (runs != nullptr)
        for (const RunRecord& run : *runs) {
            const bool ours = controller.isActive() && controller.run() == run.id;
            if (ours || (shown == nullptr && isLive(run) && controller.run() != run.id))
                shown = &run;
            if (ours)
                break;
        }
    const bool ours = shown != nullptr && controller.run() == shown->id;
    m_strip->setVisible(shown != nullptr || controller.isActive());
    if (controller.isActive() && !ours) {
        m_strip->showStarting(QString::fromStdString(controller.experiment().name));
        return;
    }
    if (shown == nullptr)
        return;
    QString state = stateText(*shown);
    if (controller.state() == RunController::State::Stopping && ours)
        state = tr("stopping");
    else if (controller.state() == RunController::State::Pausing && ours)
        state = tr("pausing");
    m_strip->showRun(*shown, ours, state);
}

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
                        QString::fromStdString(device.detail));
    }
    m_settings->showEngine(words);
    const bool mayChange = !m_backend.controller.isActive();
    const std::filesystem::path& log = m_backend.log.file();
    m_settings->showRunLog(log, log == defaultRunLog(), mayChange);
    m_openLog->setEnabled(mayChange);
}

void MainWindow::setTheme(ThemeChoice choice)
{
    m_theme.apply(choice);
    m_settings->showTheme(choice);
    m_themeActions[static_cast<std::size_t>(choice)]->setChecked(true);
    m_memory.setValue(QStringLiteral("window/theme"), static_cast<int>(choice));
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
    m_train->setDataDirectories(dataDirectories());
}

void MainWindow::chooseRunLog()
{
    QFileDialog dialog(this, tr("Open run log, or name a new one"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setOption(QFileDialog::DontConfirmOverwrite);
    dialog.setLabelText(QFileDialog::Accept, tr("Open"));
    dialog.setNameFilter(tr("Run logs (*.db);;All files (*)"));
    dialog.setDefaultSuffix(QStringLiteral("db"));
    dialog.setDirectory(text(m_backend.log.file().parent_path()));
    if (dialog.exec() == QDialog::Accepted)
        openRunLog(dialog.selectedFiles().constFirst().toStdString());
}

void MainWindow::openRunLog(const std::filesystem::path& file)
{
    if (m_backend.controller.isActive()) {
        m_messages->say(tr("A run is being written into %1; stop it before opening another log.")
                            .arg(text(m_backend.log.file())),
            RunMessage::Severity::Warning);
        return;
    }
    m_backend.log.switchTo(file);
    m_backend.follower.setFile(file);
    m_compare->setRuns({});
    m_messages->say(tr("The run log is now %1.").arg(text(file)));
    showEngine();
}

void MainWindow::goToRun(RunId run)
{
    showPage(Page::Runs);
    m_runs->selectRun(run);
}

void MainWindow::askToClose()
{
    if (m_closeQuestion != nullptr) {
        m_closeQuestion->raise();
        return;
    }
    m_closeQuestion = new QMessageBox(QMessageBox::Question, tr("A run trains"),
        tr("“%1” still trains.")
            .arg(QString::fromStdString(m_backend.controller.experiment().name)),
        QMessageBox::NoButton, this);
    m_closeQuestion->setAttribute(Qt::WA_DeleteOnClose);
    m_closeQuestion->setIconPixmap(iconPixmap(
        QLatin1String("warning"), themeColors().warning, kQuestionIcon, devicePixelRatioF()));
    m_closeQuestion->setInformativeText(
        tr("Stopping saves the model and keeps everything that was logged."));
    QPushButton* stop = m_closeQuestion->addButton(tr("Stop and save"), QMessageBox::AcceptRole);
    QPushButton* stay = m_closeQuestion->addButton(tr("Stay"), QMessageBox::RejectRole);
    m_closeQuestion->setDefaultButton(stay);
    m_closeQuestion->setEscapeButton(stay);
    connect(stop, &QPushButton::clicked, this, &MainWindow::stopAndClose);
    m_closeQuestion->open(); // the run and its charts go on
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_backend.controller.isActive()) {
        event->ignore();
        if (!m_closeWhenEnded)
            askToClose();
        return;
    }
    remember();
    event->accept();
}

void MainWindow::stopAndClose()
{
    m_closeWhenEnded = true;
    if (!m_backend.controller.isActive())
        close();
    else
        m_backend.controller.stop();
}

void MainWindow::stopAndWait()
{
    remember();
    RunController& controller = m_backend.controller;
    if (!controller.isActive())
        return;
    QEventLoop loop;
    connect(&controller, &RunController::runEnded, &loop, &QEventLoop::quit);
    connect(&controller, &RunController::startFailed, &loop, &QEventLoop::quit);
    controller.stop();
    loop.exec();
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (std::exchange(m_shown, true))
        return;
    // After the first paint, so that the window never waits for the engine.
    QTimer::singleShot(0, this, [this] { m_backend.engine.load(); });
}

void MainWindow::showShortcuts()
{
    showHelp(this);
}

void MainWindow::showAbout()
{
    accrue::showAbout(this, m_backend.engine);
}

void MainWindow::remember()
{
    m_memory.setValue(QStringLiteral("window/geometry"), saveGeometry());
    m_memory.setValue(QStringLiteral("window/page"), static_cast<int>(page()));
    m_memory.setValue(QStringLiteral("window/messagesOpen"), m_panel->isOpen());
    m_memory.setValue(QStringLiteral("window/splitter"), m_splitter->saveState());
    m_memory.setValue(QStringLiteral("train/splitter"), m_train->saveState());
    m_memory.setValue(QStringLiteral("train/recipe"),
        QString::fromStdString(writeRecipe(m_train->form().experiment())));
    m_memory.setValue(QStringLiteral("runs/state"), m_runs->saveState());
    m_memory.setValue(QStringLiteral("compare/state"), m_compare->saveState());
    m_memory.setValue(QStringLiteral("compare/runs"), numbersOf(m_compare->runs()));
    m_memory.sync();
}

void MainWindow::restore()
{
    resize(kFirstSize);
    restoreGeometry(m_memory.value(QStringLiteral("window/geometry")).toByteArray());
    const auto choice = m_memory.value(QStringLiteral("window/theme"), 0).toInt();
    setTheme(static_cast<ThemeChoice>(std::clamp(choice, 0, 2)));
    m_panel->setOpen(m_memory.value(QStringLiteral("window/messagesOpen"), false).toBool());
    m_splitter->restoreState(m_memory.value(QStringLiteral("window/splitter")).toByteArray());
    m_train->restoreState(m_memory.value(QStringLiteral("train/splitter")).toByteArray());
    m_runs->restoreState(m_memory.value(QStringLiteral("runs/state")).toByteArray());
    m_compare->restoreState(m_memory.value(QStringLiteral("compare/state")).toByteArray());
    std::vector<RunId> chosen;
    for (const QVariant& number : m_memory.value(QStringLiteral("compare/runs")).toList())
        chosen.push_back(RunId { number.toLongLong() });
    m_compare->setRuns(chosen);
    const QString recipe = m_memory.value(QStringLiteral("train/recipe")).toString();
    if (!recipe.isEmpty())
        m_train->setExperiment(parseRecipe(recipe.toStdString(), "last form").experiment);
    const int last = m_memory.value(QStringLiteral("window/page"), 0).toInt();
    showPage(static_cast<Page>(std::clamp(last, 0, static_cast<int>(Page::Preferences))));
}

} // namespace accrue
