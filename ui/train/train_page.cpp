// SPDX-License-Identifier: Apache-2.0
#include "ui/train/train_page.h"

#include "engine/experiment/fixes.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/recipe.h"
#include "ui/actions/make_action.h"
#include "ui/draft/experiment_draft.h"
#include "ui/models/key_words.h"
#include "ui/models/run_words.h"
#include "ui/train/data_download_row.h"
#include "ui/train/experiment_form.h"
#include "ui/train/forecast_bar.h"
#include "ui/train/learning_rate_row.h"
#include "ui/train/live_charts.h"
#include "ui/train/next_run_column.h"
#include "ui/train/rank_chart.h"
#include "ui/train/recipe_bar.h"
#include "ui/train/shown_run.h"
#include "ui/train/shown_run_column.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_slot.h"

#include <QEvent>
#include <QSplitter>

namespace accrue {

namespace {

constexpr int kFormWidth = 360;

QString replacedWords()
{
    return TrainPage::tr("The settings in the form were replaced.");
}

} // namespace

// The page connects its two columns and holds no state of its own: the draft, the shown run and the
// reasons why nothing can start are objects that both columns use.
TrainPage::TrainPage(Backend& backend, ExperimentDraft& draft, QWidget* parent)
    : Page({ "train", "train", tr("Train"), Qt::CTRL | Qt::Key_1 }, parent)
    , m_backend(backend)
    , m_draft(draft)
    , m_starter(new RunStart(backend, draft, *this))
    , m_shown(new ShownRun(backend.follower, this))
{
    makeActions();
    layOut();
    connectNextRun();
    connectRun();
    fillMenus();
    m_next->recipes().chooseFirstRun();
    // The first recipe is the initial state, not a step to undo.
    m_draft.history().clear();
    // The run may have begun in a window of another language, which this one replaces.
    if (m_backend.controller.isActive() && m_backend.controller.run())
        m_shown->show(m_backend.controller.run());
    showState();
}

// ---- building ----------------------------------------------------------------------------------

void TrainPage::makeActions()
{
    RunController& controller = m_backend.controller;
    m_start =
        makeAction(*this, { "start", tr("Start"), Qt::Key_F5 }, [this] { m_starter->start(); });
    m_sweep = makeAction(*this,
        { "group", tr("Sweep…"), Qt::CTRL | Qt::SHIFT | Qt::Key_F5,
            tr("Train several runs that differ in some settings") },
        [this] {
            m_draft.showPending();
            Q_EMIT sweepRequested();
        });
    m_pause = makeAction(*this, { "pause", tr("Pause"), Qt::Key_F6 },
        [&controller] { controller.canResume() ? controller.resume() : controller.pause(); });
    m_stop = makeAction(*this,
        { "stop", tr("Stop"), Qt::SHIFT | Qt::Key_F5, tr("Stop training and save a checkpoint") },
        [&controller] { controller.stop(); });
    m_changeRate = makeAction(*this,
        { "train", tr("Change the learning rate"), Qt::CTRL | Qt::Key_L,
            tr("Change the learning rate of the run") },
        [this] { m_run->learningRate().focusField(); });
    // These shortcuts work only on this page: on others nobody sees what they change.
    m_undo = makePageAction(*this,
        { "undo", {}, Qt::CTRL | Qt::Key_Z, tr("Undo the last change of the settings") },
        [this] { m_draft.history().undo(); });
    m_redo = makePageAction(*this,
        { "redo", {}, Qt::CTRL | Qt::SHIFT | Qt::Key_Z, tr("Redo the change of the settings") },
        [this] { m_draft.history().redo(); });
}

void TrainPage::layOut()
{
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(4);
    m_next = new NextRunColumn(m_draft, *m_starter, { *m_start, *m_sweep }, this);
    m_run = new ShownRunColumn({ m_backend, m_draft, *m_starter, *m_shown }, *this);
    m_splitter->addWidget(m_next);
    m_splitter->addWidget(m_run);
    // A wider window gives its additional width to the charts; the form has the width that the user
    // set.
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ kFormWidth, 3 * kFormWidth });
    makeRow(this, { m_splitter });
    // The form's fields show them in their menus instead of their own undo.
    m_next->form().addActions({ m_undo, m_redo });
}

// An entry without `needs` belongs to an action whose tooltip states why it is disabled.
void TrainPage::fillMenus()
{
    constexpr Leads kNowhere = Leads::Elsewhere;
    const QString needs = tr("No run in progress in this window.");
    const RecipeBar& bar = m_next->recipes();
    addToMenu(Menu::File,
        { { "recipe.open", bar.openAction(), {}, {}, kNowhere },
            { "recipe.save", bar.saveAction(), {}, {}, kNowhere },
            { "recipe.copy", bar.copyAction(), {}, {}, kNowhere },
            { "recipe.show", bar.showAction(), {}, {}, kNowhere } });
    addToMenu(Menu::Edit,
        { { "edit.undo", m_undo, tr("There is nothing to undo."), tr("Undo") },
            { "edit.redo", m_redo, tr("There is nothing to redo."), tr("Redo") } });
    addToMenu(Menu::Own,
        {
            { "train.start", m_start },
            { "train.sweep", m_sweep, {}, {}, kNowhere },
            { "train.pause", m_pause, needs, tr("Pause or resume"), kNowhere },
            { "train.stop", m_stop, needs, {}, kNowhere },
            {},
            { "train.learningRate", m_changeRate, needs },
            {},
            { "train.resumeShown", m_run->resumeAction(), {}, tr("Resume the shown run") },
            { "train.loadSettings", m_run->loadAction(), {}, tr("Load the shown run's settings") },
            { "train.comparePrevious", m_run->compareAction(), {},
                tr("Compare the shown run with the previous one"), kNowhere },
            { "train.showLive", m_run->showLiveAction() },
        });
}

void TrainPage::connectNextRun()
{
    connect(&m_next->recipes(), &RecipeBar::reported, this, &Page::reported);
    connect(&m_draft, &ExperimentDraft::replaced, this, &TrainPage::offerUndo);
    connect(&m_draft.history(), &QUndoStack::indexChanged, this, &TrainPage::showUndo);
    const ExperimentForm& form = m_next->form();
    connect(&form.forecast(), &ForecastBar::measureRequested, this, &TrainPage::measureRequested);
    connect(&form.rows(), &FormRows::explanationRequested, this, &TrainPage::explanationRequested);
    connect(&form.dataDownload(), &DataDownloadRow::reported, this, &Page::reported);
    showUndo();
}

void TrainPage::connectRun()
{
    const RunController& controller = m_backend.controller;
    connect(m_starter, &RunStart::changed, this, &TrainPage::showState);
    connect(m_starter, &RunStart::starting, m_shown, &ShownRun::show);
    connect(&controller, &RunController::startFailed, this, [this](const QString& problem) {
        Q_EMIT reported(tr("The run did not start. %1").arg(problem), RunMessage::Severity::Error);
    });
    RunLogFollower* const follower = &m_backend.follower;
    // This process has just written: no need to wait for the follower's next look.
    connect(&controller, &RunController::runStarted, follower, &RunLogFollower::refresh);
    connect(&controller, &RunController::runEnded, follower, &RunLogFollower::refresh);
    connect(m_run, &ShownRunColumn::loadRequested, this, &TrainPage::loadSettings);
    connect(m_run, &ShownRunColumn::retryRequested, this, &TrainPage::retry);
    connect(m_run, &ShownRunColumn::compareRequested, this, &TrainPage::compareRequested);
}

// ---- the draft ---------------------------------------------------------------------------------

void TrainPage::loadSettings(const RunRecord& run)
{
    m_draft.replace(
        run.experiment, tr("settings of a run"), { tr("settings of %1").arg(runTitle(run)) });
}

void TrainPage::retry(const RunRecord& run, const QString& rate)
{
    loadSettings(run);
    m_draft.applyFix(setting(key::optimizerLr, rate.toStdString())); // so that the form shows it
    m_starter->start();
}

// Lost edits can be restored by one click, as long as that undoes the replacement.
void TrainPage::offerUndo(bool lostEdits)
{
    if (lostEdits)
        NoticeSlot::of(*this).tell(
            replacedWords(), tr("Undo"), [this] { m_draft.history().undo(); });
}

void TrainPage::showUndo()
{
    const DraftHistory& history = m_draft.history();
    // The words change with each step; the registry keeps the plain ones for lists.
    const QString undo = history.undoText();
    const QString redo = history.redoText();
    m_undo->setText(undo.isEmpty() ? tr("Undo") : tr("Undo %1").arg(undo));
    m_redo->setText(redo.isEmpty() ? tr("Redo") : tr("Redo %1").arg(redo));
    m_undo->setEnabled(history.canUndo());
    m_redo->setEnabled(history.canRedo());
    NoticeSlot::of(*this).withdraw(replacedWords()); // its Undo would undo something else
}

// ---- runs --------------------------------------------------------------------------------------

void TrainPage::showState()
{
    m_next->showChecks();
    showSteering();
    m_run->showState();
}

void TrainPage::showSteering()
{
    const RunController& controller = m_backend.controller;
    const bool queues = m_starter->queues();
    m_start->setText(queues ? tr("Add to queue") : tr("Start"));
    enable(*m_start, withLabels(m_starter->whyNotStart().toStdString()),
        queues ? tr("Train this run after the one in progress") : tr("Start training"));
    const bool resume = controller.canResume();
    m_pause->setEnabled(controller.canPause() || resume);
    m_pause->setText(resume ? tr("Resume") : tr("Pause"));
    m_pause->setIcon(themedIcon(resume ? QLatin1String("start") : QLatin1String("pause")));
    m_pause->setToolTip(
        resume ? tr("Resume") : tr("Pause after the current micro-batch; nothing is lost"));
    m_stop->setEnabled(controller.canStop());
    m_changeRate->setEnabled(controller.isActive());
}

// ---- the window --------------------------------------------------------------------------------

bool TrainPage::event(QEvent* event)
{
    // Files may have been copied, and memory models measured, while another window was active.
    if (event->type() == QEvent::WindowActivate || event->type() == QEvent::Show)
        m_starter->surroundings().lookAgain();
    return Page::event(event);
}

bool TrainPage::focusMainPart()
{
    m_next->focusMainPart();
    return true;
}

// Not Start, which would begin to train again.
bool TrainPage::focusQuietPart()
{
    m_next->focusSettings();
    return true;
}

QWidget& TrainPage::noticeArea()
{
    return m_run->charts();
}

std::vector<KeptState> TrainPage::keptState()
{
    return {
        { QStringLiteral("train/splitter"), [this] { return m_splitter->saveState(); },
            [this](const QVariant& state) { m_splitter->restoreState(state.toByteArray()); } },
        { QStringLiteral("train/openParts"), [this] { return m_next->form().rows().openParts(); },
            [this](const QVariant& parts) {
                m_next->form().rows().setOpenParts(parts.toStringList());
            } },
        { QStringLiteral("train/rankMetric"),
            [this] { return QString::fromStdString(m_run->charts().ranks().chosenMetric()); },
            [this](const QVariant& name) { m_run->charts().ranks().setMetric(name.toString()); } },
        { QStringLiteral("train/recipe"),
            [this] { return QString::fromStdString(writeRecipe(m_draft.experiment())); },
            [this](const QVariant& toml) {
                // begin(), not replace(): restoring the last form is not a step to undo.
                m_draft.begin(parseRecipe(toml.toString().toStdString(), "last form").experiment);
            } },
        { QStringLiteral("train/origin"), [this] { return m_draft.origin().title; },
            [this](const QVariant& title) {
                // As edited, until the recipe of that name turns out to be equal (below).
                m_draft.setOrigin({ title.toString(), {}, /*edited=*/true });
            } },
        { QStringLiteral("train/recipeName"), [this] { return m_draft.origin().recipe; },
            [this](const QVariant& name) { m_next->recipes().showIfUnchanged(name.toString()); } },
    };
}

std::vector<KeptRuns> TrainPage::keptRuns()
{
    const auto take = [this] {
        const std::optional<RunId>& run = m_shown->id();
        return run ? std::vector { *run } : std::vector<RunId>();
    };
    // A run in progress is shown already, and the last session's run must not replace it.
    const auto giveBack = [this](const std::vector<RunId>& runs) {
        if (!m_backend.controller.isActive())
            m_shown->showFirst(runs);
    };
    return { { QStringLiteral("train/run"), take, giveBack } };
}

} // namespace accrue
