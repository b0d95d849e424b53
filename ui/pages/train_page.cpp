// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/train_page.h"

#include "engine/experiment/format.h"
#include "engine/experiment/keys.h"
#include "ui/models/law_words.h"
#include "ui/models/run_words.h"
#include "ui/pages/checks_panel.h"
#include "ui/pages/data_fetch_row.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/inline_message.h"
#include "ui/pages/learning_rate_row.h"
#include "ui/pages/live_charts.h"
#include "ui/pages/questions.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/run_heading.h"
#include "ui/pages/theme.h"
#include "ui/pages/window_view.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace accrue {

namespace {

constexpr int kFormWidth = 360;
constexpr int kLeastFormWidth = 320;
constexpr std::chrono::milliseconds kProgressEvery { 250 }; // where no step ends meanwhile
constexpr std::chrono::milliseconds kTypingPause { 150 };

RunMessage::Severity toldAs(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Error:
        return RunMessage::Severity::Error;
    case Finding::Severity::Warning:
        return RunMessage::Severity::Warning;
    case Finding::Severity::Note:
        break;
    }
    return RunMessage::Severity::Information;
}

QString spelled(DataName name)
{
    Experiment experiment;
    experiment.data.name = name;
    for (const auto& [key, value] : settingsOf(experiment))
        if (key == "data.name")
            return QString::fromStdString(settingText(value));
    return {};
}

} // namespace

TrainPage::TrainPage(Backend& backend, QWidget* parent)
    : QWidget(parent)
    , m_backend(backend)
{
    makeActions();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(4);
    m_splitter->addWidget(makeFormColumn());
    m_splitter->addWidget(makeLiveColumn());
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ kFormWidth, 3 * kFormWidth });
    layout->addWidget(m_splitter);
    m_progressTimer.setInterval(kProgressEvery);
    m_dataTimer.setInterval(kTypingPause);
    m_dataTimer.setSingleShot(true);
    connectForm();
    connectRun();
    m_recipes->chooseFirstRun();
    m_form->history().clear();
    showActions();
    showHeading();
    showProgress();
}

void TrainPage::makeActions()
{
    const auto make = [this](const char* icon, const QString& text, const QKeySequence& key) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(key);
        return action;
    };
    m_start = make("start", tr("Start"), Qt::Key_F5);
    m_pause = make("pause", tr("Pause"), Qt::Key_F6);
    m_stop = make("stop", tr("Stop"), Qt::SHIFT | Qt::Key_F5);
    m_changeRate = make("train", tr("Change the learning rate"), Qt::CTRL | Qt::Key_L);
    m_stop->setToolTip(tr("Stop training and save the model (Shift+F5)"));
    m_changeRate->setToolTip(tr("Change the learning rate of the run (Ctrl+L)"));
    connect(m_start, &QAction::triggered, this, &TrainPage::start);
    connect(m_stop, &QAction::triggered, this, [this] { m_backend.controller.stop(); });
    connect(m_pause, &QAction::triggered, this, [this] {
        RunController& controller = m_backend.controller;
        controller.canResume() ? controller.resume() : controller.pause();
    });
    connect(m_changeRate, &QAction::triggered, this, [this] { m_rateRow->focusField(); });
    makeUndo();
}

// Their shortcuts work in this page: on others nobody sees what they do.
void TrainPage::makeUndo()
{
    const auto make = [this](const char* icon, const QKeySequence& keys, const QString& tip) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), QString(), this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(tip);
        addAction(action);
        return action;
    };
    m_undo = make("undo", Qt::CTRL | Qt::Key_Z, tr("Take back the last change of the settings"));
    m_redo = make("redo", Qt::CTRL | Qt::SHIFT | Qt::Key_Z,
        tr("Change the settings again as before it was taken back"));
    connect(m_undo, &QAction::triggered, this, [this] { m_form->history().undo(); });
    connect(m_redo, &QAction::triggered, this, [this] { m_form->history().redo(); });
}

QWidget* TrainPage::makeFormColumn()
{
    auto* column = new QFrame(this);
    column->setObjectName(QStringLiteral("formColumn"));
    column->setMinimumWidth(kLeastFormWidth);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_recipes = new RecipeBar(column);
    m_recipes->setObjectName(QStringLiteral("formHeader"));
    m_recipes->setAttribute(Qt::WA_StyledBackground);
    m_recipes->setContentsMargins(16, 10, 16, 10);
    layout->addWidget(m_recipes);

    auto* scroll = m_settings = new QScrollArea(column);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Always there, so that the fields do not move when a sentence makes the form longer.
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_form = new ExperimentForm(scroll);
    scroll->setWidget(m_form);
    scroll->setAccessibleName(tr("Settings of the run"));
    layout->addWidget(scroll, 1);
    m_formMessage = new InlineMessage(column);
    layout->addWidget(m_formMessage);

    auto* footer = new QFrame(column);
    footer->setObjectName(QStringLiteral("formFooter"));
    auto* below = new QVBoxLayout(footer);
    below->setContentsMargins(16, 12, 16, 12);
    below->setSpacing(8);
    m_startButton = new QPushButton(footer);
    m_startButton->setProperty("primary", true);
    m_startButton->setAccessibleName(tr("Start"));
    m_why = new QLabel(footer);
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_why->setProperty("role", QStringLiteral("muted"));
    below->addWidget(m_startButton);
    below->addWidget(m_why);
    layout->addWidget(footer);
    connect(m_startButton, &QPushButton::clicked, m_start, &QAction::trigger);
    connect(m_start, &QAction::changed, this, &TrainPage::showStart);
    showStart();
    return column;
}

QWidget* TrainPage::makeLiveColumn()
{
    auto* column = new QWidget(this);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(8, 8, 12, 8);
    layout->setSpacing(8);
    m_charts = new LiveCharts(m_backend.follower, column);
    m_checks = new ChecksPanel(column);
    m_heading = new RunHeading(column);
    layout->addWidget(m_heading);
    layout->addWidget(m_charts, 1);
    layout->addWidget(makeWindowCard());
    layout->addWidget(m_checks);
    return column;
}

QWidget* TrainPage::makeWindowCard()
{
    auto* card = new QFrame(this);
    card->setProperty("card", true);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(8);
    m_windowView = new WindowView(card);
    m_windowWords = new ElidedLabel(card);
    m_windowWords->setProperty("role", QStringLiteral("muted"));
    m_rateRow = new LearningRateRow(card);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_windowWords, 1);
    line->addWidget(m_rateRow);
    layout->addWidget(m_windowView);
    layout->addLayout(line);
    layout->addWidget(m_rateRow->problemLabel());
    return card;
}

void TrainPage::connectForm()
{
    m_recipes->setSource([this] { return m_form->experiment(); });
    connect(m_recipes, &RecipeBar::recipeChosen, this, &TrainPage::takeRecipe);
    connect(m_recipes, &RecipeBar::saved, this, [this](const QString& file) {
        Q_EMIT said(tr("The recipe was saved as %1.").arg(file), RunMessage::Severity::Information);
    });
    connect(m_recipes, &RecipeBar::copied, this, [this] {
        Q_EMIT said(
            tr("The command line that trains this was copied."), RunMessage::Severity::Information);
    });
    connect(m_recipes, &RecipeBar::failed, this,
        [this](const QString& problem) { Q_EMIT said(problem, RunMessage::Severity::Error); });
    connect(m_recipes, &RecipeBar::recipeShown, m_form, &ExperimentForm::setRecipe);
    connect(m_form, &ExperimentForm::edited, this, [this] {
        m_formMessage->hide(); // its Undo would take back something else
        m_recipes->showAsEdited();
    });
    connect(m_form, &ExperimentForm::restored, this, [this] {
        m_formMessage->hide();
        m_recipes->showRecipe(m_form->recipe());
    });
    connect(m_form, &ExperimentForm::fieldShown, this, [this](QWidget* row) {
        // When it has its place: it may just have been unfolded.
        QTimer::singleShot(0, row, [this, row] { m_settings->ensureWidgetVisible(row, 0, 24); });
    });
    m_form->addActions({ m_undo, m_redo });
    connect(&m_form->history(), &FormHistory::changed, this, &TrainPage::showUndo);
    showUndo();
    connect(m_checks, &ChecksPanel::fixAsked, m_form, &ExperimentForm::applyFix);
    connect(m_form, &ExperimentForm::dataChanged, &m_dataTimer, qOverload<>(&QTimer::start));
    connect(&m_dataTimer, &QTimer::timeout, this, &TrainPage::lookForData);
    connect(m_form, &ExperimentForm::measureRequested, this, &TrainPage::measureRequested);
    connect(m_form, &ExperimentForm::checked, this, &TrainPage::showChecks);
    connect(&m_probe, &DataSetProbe::dataSetFound, this, &TrainPage::takeDataStatus);
    DataFetchRow& fetch = m_form->dataFetch();
    connect(fetch.action(), &QAction::changed, this, &TrainPage::showChecks);
    connect(&fetch, &DataFetchRow::ended, this, &TrainPage::lookForData);
    connect(&fetch, &DataFetchRow::said, this, [this](const QString& sentence, bool wrong) {
        Q_EMIT said(
            sentence, wrong ? RunMessage::Severity::Error : RunMessage::Severity::Information);
    });
}

void TrainPage::connectRun()
{
    RunController& controller = m_backend.controller;
    connect(&controller, &RunController::stateChanged, this, [this] {
        showActions();
        showHeading();
        showProgress();
    });
    connect(&controller, &RunController::measuringChanged, this, [this] {
        showHeading();
        if (!m_backend.controller.measuring())
            m_form->lookForLaw();
    });
    connect(&m_backend.fits, &FitController::stateChanged, this, [this] {
        showActions();
        showHeading();
    });
    connect(&m_backend.fits, &FitController::ended, this,
        [this](const MemoryFit& fit, const QString& notKept) {
            m_form->takeLaw(m_backend.fits.experiment(), fit, notKept.isEmpty());
        });
    connect(&controller, &RunController::runStarted, this, [this](RunId run) {
        m_backend.follower.refresh();
        m_rateRow->begin(m_backend.controller.experiment().optimizer.lr,
            m_backend.controller.learningRateFactor());
        showRun(run);
    });
    connect(&controller, &RunController::runEnded, this, [this] { m_backend.follower.refresh(); });
    connect(&controller, &RunController::startFailed, this, [this](const QString& problem) {
        m_startProblem = problem;
        Q_EMIT said(tr("The run did not start. %1").arg(problem), RunMessage::Severity::Error);
        showHeading();
    });
    connect(&controller, &RunController::foundDamaged, this, &TrainPage::askPastDamaged);
    const auto showDevices = [this] {
        m_form->setDevices(m_backend.engine.devices(), m_backend.engine.versions().torch);
        showChecks();
    };
    connect(&m_backend.engine, &EngineHost::engineLoaded, this, showDevices);
    connect(&m_backend.engine, &EngineHost::deviceLost, this, showDevices);
    connect(&m_backend.engine, &EngineHost::engineMissed, this, &TrainPage::showChecks);
    connect(&m_backend.follower, &RunLogFollower::runsChanged, this, [this] {
        showHeading();
        showProgress();
    });
    connectLog();
    connect(m_charts, &LiveCharts::learningRateRead, this, &TrainPage::takeRate);
    connect(m_rateRow, &LearningRateRow::factorAsked, &controller,
        &RunController::setLearningRateFactor);
    connect(m_rateRow, &LearningRateRow::refused, this,
        [this](const QString& why) { Q_EMIT said(why, RunMessage::Severity::Warning); });
    connect(&m_progressTimer, &QTimer::timeout, this, &TrainPage::showProgress);
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, &TrainPage::showHeading);
}

void TrainPage::connectLog()
{
    const RunLogFollower& follower = m_backend.follower;
    connect(&follower, &RunLogFollower::fileChanged, this, [this] {
        m_logProblem.clear();
        m_startProblem.clear();
        showRun(std::nullopt);
    });
    connect(&follower, &RunLogFollower::failed, this, [this](const QString& problem) {
        m_logProblem = problem;
        showHeading();
    });
    connect(&follower, &RunLogFollower::recovered, this, [this] {
        m_logProblem.clear();
        showHeading();
    });
}

void TrainPage::setDataDirectories(const std::vector<std::filesystem::path>& directories)
{
    m_dataDirectories = directories;
    lookForData();
}

void TrainPage::lookForData()
{
    m_dataTimer.stop();
    const DataSettings& wanted = m_form->experiment().data;
    m_probe.look(spelled(wanted.name).toStdString(), wanted.path, m_dataDirectories);
}

// An answer about what was typed before says nothing about what stands there now.
void TrainPage::takeDataStatus(const DataSetStatus& status)
{
    if (m_dataTimer.isActive())
        return;
    m_dataMissing = !status.problem.empty();
    m_form->setDataStatus(status);
}

// Its files may have been put there meanwhile, and its memory measured.
bool TrainPage::event(QEvent* event)
{
    const bool seen = event->type() == QEvent::WindowActivate || event->type() == QEvent::Show;
    if (seen && m_dataMissing)
        lookForData();
    if (seen)
        m_form->lookForLaw();
    return QWidget::event(event);
}

void TrainPage::beginWith(const Experiment& experiment)
{
    m_form->setExperiment(experiment);
    m_loaded = m_form->experiment();
    m_recipes->showAsEdited();
}

void TrainPage::setExperiment(const Experiment& experiment)
{
    replaceForm(experiment, tr("settings of a run"));
    m_recipes->showAsEdited();
}

// What one typed and this overwrites is said to be undoable; the menu undoes the rest, too.
void TrainPage::replaceForm(
    const Experiment& experiment, const QString& step, const QString& recipe)
{
    const Experiment before = m_form->experiment();
    m_form->replace(experiment, step, recipe);
    const bool edited = !(before == m_loaded) && !(before == experiment);
    m_loaded = m_form->experiment();
    if (!edited) {
        m_formMessage->hide();
        return;
    }
    m_formMessage->tell(tr("The settings in the form were replaced."), tr("Undo"),
        [this] { m_form->history().undo(); });
}

void TrainPage::showUndo()
{
    const FormHistory& history = m_form->history();
    const QString undo = history.undoName();
    const QString redo = history.redoName();
    m_undo->setText(undo.isEmpty() ? tr("Undo") : tr("Undo %1").arg(undo));
    m_redo->setText(redo.isEmpty() ? tr("Redo") : tr("Redo %1").arg(redo));
    m_undo->setEnabled(history.canUndo());
    m_redo->setEnabled(history.canRedo());
}

void TrainPage::takeRecipe(const Recipe& recipe, const QString& nameOrPath)
{
    const QString name = QFileInfo(nameOrPath).completeBaseName();
    replaceForm(recipe.experiment, tr("recipe %1").arg(name), nameOrPath);
    for (const Finding& finding : recipe.findings) {
        const QString text = QString::fromStdString(finding.message);
        Q_EMIT said(finding.line > 0 ? tr("Line %1: %2").arg(finding.line).arg(text) : text,
            toldAs(finding.severity));
    }
}

QString TrainPage::whyNotTrain() const
{
    if (m_backend.controller.isActive())
        return tr("A run trains. Stop it, or wait until it has ended.");
    if (m_backend.engine.state() == EngineHost::State::Missing)
        return m_backend.engine.problem();
    if (m_backend.fits.isActive())
        return tr("Memory is being measured. Cancel that on the Memory page, or wait until it has "
                  "ended.");
    return {};
}

QString TrainPage::whyNotStart() const
{
    const QString why = whyNotTrain();
    return why.isEmpty() ? m_form->check().firstError : why;
}

void TrainPage::start()
{
    if (!whyNotStart().isEmpty())
        return;
    m_startProblem.clear();
    showRun(std::nullopt);
    lookForData(); // what was found may be gone: then the form says so beside the failed run
    m_backend.controller.start(m_form->experiment(), m_dataDirectories);
}

void TrainPage::resumeRun(const RunRecord& run)
{
    if (!whyNotTrain().isEmpty())
        return;
    m_startProblem.clear();
    showRun(run.id);
    m_backend.controller.goOn(run, m_dataDirectories);
}

void TrainPage::askPastDamaged(const RunRecord& run, const ResumeChoice& choice)
{
    QStringList problems;
    for (const SavedCheckpoint& damaged : choice.damaged)
        problems << QString::fromStdString(damaged.problem);
    const QString from = choice.newest
        ? tr("step %1").arg(QString::fromStdString(formatCount(choice.newest->at.step)))
        : tr("the beginning");
    askQuestion(*window(),
        { tr("Resume run %1").arg(runNumber(run.id)), problems.join(QLatin1Char('\n')),
            choice.newest ? tr("The one before it, of %1, is whole.").arg(from)
                          : tr("There is no other checkpoint of this run."),
            tr("Go on from %1").arg(from), tr("Leave it") },
        [this, run] {
            if (whyNotTrain().isEmpty())
                m_backend.controller.goOn(run, m_dataDirectories, RunController::Damaged::PassOver);
        });
}

void TrainPage::showRun(const std::optional<RunId>& run)
{
    m_run = run;
    m_charts->showRun(run);
    showHeading();
    showRate();
}

void TrainPage::showChecks()
{
    std::vector<ChecksPanel::Line> lines = linesOf(m_form->check());
    offerData(lines);
    const EngineHost& engine = m_backend.engine;
    if (engine.state() == EngineHost::State::Missing)
        lines.push_back({ ChecksPanel::Sign::Error, engine.problem(), {} });
    m_checks->setLines(std::move(lines));
    const std::optional<BatchPlan>& plan = m_form->check().plan;
    m_windowView->setMicroBatches(plan ? static_cast<std::uint32_t>(plan->steps) : 0);
    showActions();
    showHeading();
    showProgress();
}

// Beside the error that the data set is missing.
void TrainPage::offerData(std::vector<ChecksPanel::Line>& lines) const
{
    QAction* const fetch = m_form->dataFetch().action();
    const Finding* problem = findingFor(m_form->check().findings, "data.name");
    if (problem == nullptr || !fetch->isEnabled())
        return;
    for (ChecksPanel::Line& line : lines)
        if (line.text == QString::fromStdString(problem->message))
            line.action = fetch;
}

void TrainPage::showActions()
{
    const RunController& controller = m_backend.controller;
    const QString why = whyNotStart();
    m_start->setEnabled(why.isEmpty());
    m_start->setToolTip(why.isEmpty() ? tr("Start training (F5)") : why);
    m_why->setText(why);
    m_why->setVisible(!why.isEmpty());
    const bool resume = controller.canResume();
    m_pause->setEnabled(controller.canPause() || resume);
    m_pause->setText(resume ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(themedIcon(resume ? QLatin1String("start") : QLatin1String("pause")));
    m_pause->setToolTip(
        resume ? tr("Train on (F6)") : tr("Pause within one micro-batch; nothing is lost (F6)"));
    m_stop->setEnabled(controller.canStop());
    m_changeRate->setEnabled(controller.isActive());
    showRate();
    if (controller.isActive())
        m_progressTimer.start();
    else
        m_progressTimer.stop();
}

void TrainPage::focusStart()
{
    m_startWaits = !m_startButton->isEnabled();
    QWidget* const to = m_startWaits ? static_cast<QWidget*>(m_settings) : m_startButton;
    to->setFocus(Qt::OtherFocusReason);
}

// The button is the action, with its shortcut in sight.
void TrainPage::showStart()
{
    m_startButton->setEnabled(m_start->isEnabled());
    m_startButton->setToolTip(m_start->toolTip());
    m_startButton->setText(
        QStringList { m_start->text(), m_start->shortcut().toString(QKeySequence::NativeText) }
            .join(QStringLiteral("   "))
            .trimmed());
    if (!m_start->isEnabled() || !std::exchange(m_startWaits, false))
        return;
    if (m_settings->hasFocus()) // nobody has gone elsewhere meanwhile
        focusStart();
}

void TrainPage::showHeading()
{
    const std::shared_ptr<const RunList> runs = m_backend.follower.runs();
    const RunRecord* record = nullptr;
    if (m_run && runs != nullptr) {
        const auto found = std::find_if(
            runs->begin(), runs->end(), [this](const RunRecord& run) { return run.id == *m_run; });
        record = found != runs->end() ? &*found : nullptr;
    }
    if (record != nullptr)
        m_heading->showRun(*record);
    else
        showNoRun();
}

QString TrainPage::startingWords() const
{
    const std::optional<FitProgress>& window = m_backend.controller.measuring();
    if (!window)
        return {};
    return tr("Measuring first which micro-batch fits the budget: %1.")
        .arg(fitProgressText(*window));
}

// No run was chosen, or the log does not tell of it.
void TrainPage::showNoRun()
{
    const bool active = m_backend.controller.isActive();
    const QString& problem = m_startProblem.isEmpty() ? m_logProblem : m_startProblem;
    // A run that trains and was told of will be told of again: its title stays.
    const QString title = active && m_run ? QString()
        : active                          ? tr("Starting…")
        : problem.isEmpty()               ? tr("No run yet")
                                          : tr("No run");
    m_heading->showNoRun(title,
        !problem.isEmpty()         ? problem
            : active               ? startingWords()
            : m_start->isEnabled() ? tr("Press Start; the first points appear within two seconds.")
                                   : tr("It cannot start yet; the checks below say why."),
        !problem.isEmpty());
}

void TrainPage::showProgress()
{
    const RunController& controller = m_backend.controller;
    m_windowView->setProgress(controller.isActive() ? controller.progress() : Progress {});
    m_windowWords->setFullText(m_windowView->words());
    if (m_progressTimer.isActive())
        m_progressTimer.start(); // from now on: what else is new is painted with it
}

bool TrainPage::showsOwnRun() const
{
    const RunController& controller = m_backend.controller;
    return controller.isActive() && m_run && controller.run() == m_run;
}

void TrainPage::takeRate()
{
    if (showsOwnRun())
        m_rateRow->read(*m_charts->learningRate());
    showRate();
}

void TrainPage::showRate()
{
    m_rateRow->showRate(showsOwnRun(), m_charts->learningRate());
}

QByteArray TrainPage::saveState() const
{
    return m_splitter->saveState();
}

void TrainPage::restoreState(const QByteArray& state)
{
    if (!state.isEmpty())
        m_splitter->restoreState(state);
}

} // namespace accrue
