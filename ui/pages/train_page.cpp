// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/train_page.h"

#include "engine/experiment/format.h"
#include "engine/experiment/keys.h"
#include "ui/models/format.h"
#include "ui/models/law_words.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"
#include "ui/pages/checks_panel.h"
#include "ui/pages/data_fetch_row.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/learning_rate_row.h"
#include "ui/pages/live_charts.h"
#include "ui/pages/notice_slot.h"
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
#include <QStackedLayout>
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

QString replacedWords()
{
    return TrainPage::tr("The settings in the form were replaced.");
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
    showState();
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
    makeRunActions();
}

void TrainPage::makeRunActions()
{
    const auto make = [this](const char* icon, const QString& text, Qt::Key key) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(Qt::CTRL | Qt::SHIFT | key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(action);
        return action;
    };
    m_showLive = make("train", tr("Show live run"), Qt::Key_B);
    m_resume = make("start", tr("Resume"), Qt::Key_R);
    m_load = make("duplicate", tr("Load settings"), Qt::Key_S);
    m_comparePrevious = make("compare", tr("Compare with previous"), Qt::Key_P);
    connect(m_showLive, &QAction::triggered, this, [this] { showRun(m_backend.controller.run()); });
    const auto withShown = [this](QAction* action, void (TrainPage::*act)(const RunRecord&)) {
        connect(action, &QAction::triggered, this, [this, act] {
            if (const RunRecord* run = shownRecord())
                (this->*act)(RunRecord(*run)); // the list may be replaced meanwhile
        });
    };
    withShown(m_resume, &TrainPage::resumeRun);
    withShown(m_load, &TrainPage::loadSettings);
    withShown(m_comparePrevious, &TrainPage::compareWithPrevious);
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
    layout->addWidget(makeHeader());
    auto* scroll = m_settings = new QScrollArea(column);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Always there, so that the fields do not move when a sentence makes the form longer.
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_form = new ExperimentForm(scroll);
    scroll->setWidget(m_form);
    scroll->setAccessibleName(tr("Settings of the run"));
    layout->addWidget(scroll, 5);
    layout->addWidget(makeFooter(), 1);
    return column;
}

QWidget* TrainPage::makeHeader()
{
    auto* header = new QFrame(this);
    header->setObjectName(QStringLiteral("formHeader"));
    auto* layout = new QVBoxLayout(header);
    layout->setContentsMargins(16, 8, 16, 10);
    layout->setSpacing(6);
    m_recipes = new RecipeBar(header);
    layout->addWidget(makeSectionLabel(tr("Next run"), header));
    layout->addWidget(m_recipes);
    return header;
}

// The checks are beside Start, which they can hold back.
QWidget* TrainPage::makeFooter()
{
    auto* footer = new QFrame(this);
    footer->setObjectName(QStringLiteral("formFooter"));
    auto* layout = new QVBoxLayout(footer);
    layout->setContentsMargins(16, 8, 16, 12);
    layout->setSpacing(8);
    m_checks = new ChecksPanel(footer);
    m_startButton = new QPushButton(footer);
    m_startButton->setProperty("primary", true);
    m_startButton->setAccessibleName(tr("Start"));
    layout->addWidget(m_checks, 1);
    layout->addWidget(m_startButton);
    connect(m_startButton, &QPushButton::clicked, m_start, &QAction::trigger);
    connect(m_start, &QAction::changed, this, &TrainPage::showStart);
    showStart();
    return footer;
}

QWidget* TrainPage::makeLiveColumn()
{
    auto* column = new QWidget(this);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(8, 8, 12, 8);
    layout->setSpacing(8);
    m_charts = new LiveCharts(m_backend.follower, column);
    m_heading = new RunHeading(m_showLive, { m_resume, m_load, m_comparePrevious }, column);
    layout->addWidget(m_heading);
    layout->addWidget(m_charts, 1);
    layout->addWidget(makeWindowCard());
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
    auto* words = new QStackedLayout; // a problem takes the place of the words: nothing moves
    words->addWidget(m_windowWords);
    words->addWidget(m_rateRow->problemLabel());
    line->addLayout(words, 1);
    line->addWidget(m_rateRow);
    layout->addWidget(m_windowView);
    layout->addLayout(line);
    connect(m_rateRow, &LearningRateRow::problemChanged, words,
        [words](bool any) { words->setCurrentIndex(any ? 1 : 0); });
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
        withdrawUndo(); // it would take back something else
        m_recipes->showAsEdited();
    });
    connect(m_form, &ExperimentForm::restored, this, [this] {
        withdrawUndo();
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
    connect(m_checks, &ChecksPanel::fieldAsked, m_form, &ExperimentForm::showField);
    connect(m_form, &ExperimentForm::dataChanged, &m_dataTimer, qOverload<>(&QTimer::start));
    connect(&m_dataTimer, &QTimer::timeout, this, &TrainPage::lookForData);
    connect(m_form, &ExperimentForm::measureRequested, this, &TrainPage::measureRequested);
    connect(m_form, &ExperimentForm::explanationRequested, this, &TrainPage::explanationRequested);
    connect(m_form, &ExperimentForm::checked, this, &TrainPage::showState);
    connect(&m_probe, &DataSetProbe::dataSetFound, this, &TrainPage::takeDataStatus);
    DataFetchRow& fetch = m_form->dataFetch();
    connect(fetch.action(), &QAction::changed, this, &TrainPage::showState);
    connect(&fetch, &DataFetchRow::ended, this, &TrainPage::lookForData);
    connect(&fetch, &DataFetchRow::said, this, [this](const QString& sentence, bool wrong) {
        Q_EMIT said(
            sentence, wrong ? RunMessage::Severity::Error : RunMessage::Severity::Information);
    });
}

void TrainPage::connectRun()
{
    RunController& controller = m_backend.controller;
    connect(&controller, &RunController::stateChanged, this, &TrainPage::showState);
    connect(&controller, &RunController::measuringChanged, this, [this] {
        showHeading();
        if (!m_backend.controller.measuring())
            m_form->lookForLaw();
    });
    connect(&m_backend.fits, &FitController::stateChanged, this, &TrainPage::showState);
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
        showState();
    };
    connect(&m_backend.engine, &EngineHost::engineLoaded, this, showDevices);
    connect(&m_backend.engine, &EngineHost::deviceLost, this, showDevices);
    connect(&m_backend.engine, &EngineHost::engineMissed, this, &TrainPage::showState);
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
    m_probe.look(spelled(wanted.name).toStdString(), wanted.path, m_dataDirectories, wanted);
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
    m_recipes->setOrigin({});
    m_recipes->showAsEdited();
}

void TrainPage::setExperiment(const Experiment& experiment, const QString& origin)
{
    replaceForm(experiment, tr("settings of a run"));
    m_recipes->showOrigin(origin);
}

void TrainPage::loadSettings(const RunRecord& run)
{
    setExperiment(run.experiment, tr("settings of %1").arg(runTitle(run)));
}

// What one typed and this overwrites is said to be undoable; the menu undoes the rest, too.
void TrainPage::replaceForm(
    const Experiment& experiment, const QString& step, const QString& recipe)
{
    const Experiment before = m_form->experiment();
    m_form->replace(experiment, step, recipe);
    const bool edited = !(before == m_loaded) && !(before == experiment);
    m_loaded = m_form->experiment();
    if (!edited)
        return withdrawUndo();
    NoticeSlot::of(*this).tell(replacedWords(), tr("Undo"), [this] { m_form->history().undo(); });
}

void TrainPage::withdrawUndo()
{
    NoticeSlot::of(*this).withdraw(replacedWords());
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
    const QString why = whyNotCompute(m_backend);
    if (!why.isEmpty())
        return why;
    if (!m_whyNotWrite.isEmpty())
        return m_whyNotWrite;
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
    m_form->showPending();
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
    if (run.outcome == RunOutcome::Completed)
        return askHowLong(run);
    m_startProblem.clear();
    showRun(run.id);
    m_backend.controller.goOn(run, m_dataDirectories);
}

void TrainPage::askHowLong(const RunRecord& run)
{
    constexpr std::int64_t kMost = 1'000'000'000;
    const std::int64_t length = std::min(lengthOf(run), kMost - 1);
    askCount(*window(),
        { tr("Train %1 for longer").arg(runTitle(run)), howLongText(run),
            static_cast<int>(length + 1), static_cast<int>(kMost),
            static_cast<int>(std::min(2 * length, kMost)), tr("Resume") },
        [this, run](int wanted) {
            if (!whyNotTrain().isEmpty())
                return;
            m_startProblem.clear();
            showRun(run.id);
            m_backend.controller.goOn(run, m_dataDirectories, RunController::Damaged::Ask, wanted);
        });
}

void TrainPage::askPastDamaged(
    const RunRecord& run, const ResumeChoice& choice, std::optional<std::int64_t> length)
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
            tr("Resume from %1").arg(from), tr("Leave it") },
        [this, run, length] {
            if (whyNotTrain().isEmpty())
                m_backend.controller.goOn(
                    run, m_dataDirectories, RunController::Damaged::PassOver, length);
        });
}

void TrainPage::showRun(const std::optional<RunId>& run)
{
    m_run = run;
    m_charts->showRun(run);
    showHeading();
    showProgress();
    showRate();
}

void TrainPage::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    showState();
}

void TrainPage::showFirst(const std::vector<RunId>& wanted)
{
    if (m_run || m_backend.controller.isActive())
        return;
    std::optional<RunId> newest;
    for (const RunRecord& run : *m_backend.follower.runs()) {
        if (std::find(wanted.begin(), wanted.end(), run.id) != wanted.end())
            return showRun(run.id);
        if (!run.archived && (!newest || *newest < run.id))
            newest = run.id;
    }
    if (newest)
        showRun(newest);
}

void TrainPage::showChecks()
{
    const auto fieldOf = [this](const std::string& key) {
        const FormRow* row = m_form->row(key);
        return row != nullptr && m_form->isUsed(key) ? row->title() : QString();
    };
    const auto inWords = [this](const std::string& message) { return m_form->inWords(message); };
    std::vector<ChecksPanel::Line> lines = linesOf(m_form->check(), { fieldOf, inWords });
    offerData(lines);
    const QString why = whyNotTrain();
    if (!why.isEmpty()) {
        const bool wrong = m_backend.engine.state() == EngineHost::State::Missing;
        lines.insert(lines.begin(),
            { wrong ? ChecksPanel::Sign::Error : ChecksPanel::Sign::Note, why, {}, nullptr, {},
                {} });
    }
    m_checks->setLines(std::move(lines));
}

// Of what the form, the engine and the controller say.
void TrainPage::showState()
{
    showChecks();
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
    const QString failed = m_form->dataFetch().words();
    for (ChecksPanel::Line& line : lines)
        if (line.key == problem->key && line.sign == ChecksPanel::Sign::Error) {
            line.action = fetch;
            if (!failed.isEmpty())
                line.text += QLatin1Char(' ') + failed;
        }
}

void TrainPage::showActions()
{
    const RunController& controller = m_backend.controller;
    const QString why = whyNotStart();
    m_start->setEnabled(why.isEmpty());
    m_start->setToolTip(
        why.isEmpty() ? tr("Start training (F5)") : m_form->inWords(why.toStdString()));
    const bool resume = controller.canResume();
    m_pause->setEnabled(controller.canPause() || resume);
    m_pause->setText(resume ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(themedIcon(resume ? QLatin1String("start") : QLatin1String("pause")));
    m_pause->setToolTip(
        resume ? tr("Resume (F6)") : tr("Pause within one micro-batch; nothing is lost (F6)"));
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

const RunRecord* TrainPage::shownRecord() const
{
    const std::shared_ptr<const RunList> runs = m_backend.follower.runs();
    if (!m_run || runs == nullptr)
        return nullptr;
    const auto found = std::find_if(
        runs->begin(), runs->end(), [this](const RunRecord& run) { return run.id == *m_run; });
    return found != runs->end() ? &*found : nullptr; // the follower keeps the list until the next
}

QString TrainPage::variantOf(const RunRecord& run) const
{
    const RunRecord* first = firstOfItsName(*m_backend.follower.runs(), run);
    return first != nullptr ? variantText(run, *first) : QString();
}

const RunRecord* TrainPage::previousOf(const RunRecord& run) const
{
    const RunRecord* previous = nullptr;
    for (const RunRecord& other : *m_backend.follower.runs())
        if (!other.archived && other.id < run.id
            && (previous == nullptr || previous->id < other.id))
            previous = &other;
    return previous;
}

void TrainPage::compareWithPrevious(const RunRecord& run)
{
    if (const RunRecord* previous = previousOf(run))
        Q_EMIT compareRequested({ previous->id, run.id });
}

void TrainPage::showHeading()
{
    const RunRecord* record = shownRecord();
    if (record != nullptr)
        m_heading->showRun(*record, variantOf(*record));
    else
        showNoRun();
    showRunActions(record);
    const std::optional<BatchPlan>& next = m_form->check().plan;
    const std::int64_t steps = record != nullptr ? planInForce(*record).steps
        : next                                   ? next->steps
                                                 : 0;
    m_windowView->setMicroBatches(static_cast<std::uint32_t>(steps));
}

void TrainPage::showRunActions(const RunRecord* shown)
{
    const QString none = tr("No run is shown.");
    QString why = shown != nullptr ? RunController::whyNotGoOn(*shown) : none;
    if (why.isEmpty())
        why = whyNotTrain();
    m_resume->setEnabled(why.isEmpty());
    const bool completed = shown != nullptr && shown->outcome == RunOutcome::Completed;
    m_resume->setToolTip(!why.isEmpty() ? why
            : completed                 ? tr("Train this run for more epochs")
                                        : tr("Continue this run from its last checkpoint"));
    m_load->setEnabled(shown != nullptr);
    m_load->setToolTip(shown != nullptr
            ? tr("Copy the settings of this run into the form of the next run")
            : none);
    const RunRecord* previous = shown != nullptr ? previousOf(*shown) : nullptr;
    m_comparePrevious->setEnabled(previous != nullptr);
    m_comparePrevious->setToolTip(previous != nullptr
            ? tr("Compare this run with %1").arg(runTitle(*previous))
            : tr("There is no earlier run."));
    const std::optional<RunId> live = m_backend.controller.run();
    const bool elsewhere = m_backend.controller.isActive() && live && live != m_run;
    m_showLive->setEnabled(elsewhere);
    m_showLive->setToolTip(elsewhere
            ? tr("Show the run that is in progress, %1").arg(runNumber(*live))
            : tr("No other run is in progress in this window."));
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
            : m_start->isEnabled() ? tr("Press Start to train the settings on the left.")
                                   : tr("It cannot start yet; the checks beside Start say why."),
        !problem.isEmpty());
}

void TrainPage::showProgress()
{
    const RunController& controller = m_backend.controller;
    const bool live = controller.isActive() && (!m_run || controller.run() == m_run);
    m_windowView->setProgress(live ? controller.progress() : Progress {});
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
