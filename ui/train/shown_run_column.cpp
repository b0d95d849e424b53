// SPDX-License-Identifier: Apache-2.0
#include "ui/train/shown_run_column.h"

#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "engine/runs/settled_settings.h"
#include "ui/actions/make_action.h"
#include "ui/draft/experiment_draft.h"
#include "ui/models/key_words.h"
#include "ui/models/law_words.h"
#include "ui/models/run_words.h"
#include "ui/train/learning_rate_row.h"
#include "ui/train/live_charts.h"
#include "ui/train/run_heading.h"
#include "ui/train/run_start.h"
#include "ui/train/shown_run.h"
#include "ui/train/window_view.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/inline_message.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QFrame>
#include <QStackedLayout>

#include <algorithm>
#include <chrono>
#include <utility>

namespace accrue {

namespace {
constexpr std::chrono::milliseconds kProgressEvery { 250 }; // if no step ends meanwhile
constexpr std::int64_t kMostLogged = 1'000'000; // micro-batches that another program may claim

// Of a window, in force; 0: a script has not logged how many it adds up.
std::int64_t microBatchesOf(const RunRecord& run)
{
    if (hasRecipe(run))
        return planInForce(run).steps;
    const std::optional<SettingValue> logged = settledSetting(run, key::batchSteps);
    const auto* const steps = logged ? std::get_if<std::int64_t>(&*logged) : nullptr;
    return steps != nullptr && *steps <= kMostLogged ? std::max<std::int64_t>(0, *steps) : 0;
}

// A tenth, with the digits that a person would type.
QString smallerRate(const RunRecord& run)
{
    return QString::fromStdString(formatNumber(run.experiment.optimizer.lr / 10, 3));
}

} // namespace

// Two sources meet here: the log, from which the heading, the charts and the actions come for any
// run, and the controller, which knows what the engine does right now, but only for the run of this
// window. isLiveHere states whether the controller is about the shown run.
ShownRunColumn::ShownRunColumn(const Parts& parts, QWidget& page)
    : QWidget(&page)
    , m_parts(parts)
    , m_controller(parts.backend.controller)
{
    m_progressTimer.setInterval(kProgressEvery);
    makeActions(page);
    m_heading = new RunHeading(m_showLive, { m_resume, m_load, m_compare }, this);
    m_failure = new InlineMessage(this);
    m_charts = new LiveCharts(m_parts.backend.follower, this);
    makeColumn(this, { m_heading, m_failure, m_charts, makeWindowCard() }, { 8, 8, 12, 8 })
        ->setStretchFactor(m_charts, 1);
    connectRun();
}

// ---- building ----------------------------------------------------------------------------------

void ShownRunColumn::makeActions(QWidget& page)
{
    const auto make = [&page](const char* icon, const QString& text, Qt::Key key,
                          const std::function<void()>& act) {
        return makePageAction(page, { icon, text, Qt::CTRL | Qt::SHIFT | key }, act);
    };
    const auto withRecord = [this](auto act) {
        return [this, act] {
            if (const RunRecord* run = m_parts.run.record())
                act(RunRecord(*run)); // a copy: the list may be replaced meanwhile
        };
    };
    m_showLive = make(
        "train", tr("Show live run"), Qt::Key_B, [this] { m_parts.run.show(m_controller.run()); });
    m_resume = make("start", tr("Resume"), Qt::Key_R,
        withRecord([this](const RunRecord& run) { m_parts.start.resume(run); }));
    m_load = make("duplicate", tr("Load settings"), Qt::Key_S,
        withRecord([this](const RunRecord& run) { Q_EMIT loadRequested(run); }));
    m_compare = make("compare", tr("Compare with previous"), Qt::Key_P, [this] {
        if (const RunRecord* previous = m_parts.run.previous())
            Q_EMIT compareRequested({ previous->id, *m_parts.run.id() });
    });
}

QWidget* ShownRunColumn::makeWindowCard()
{
    auto* card = new QFrame(this);
    card->setProperty("card", true);
    m_windowView = new WindowView(card);
    m_windowWords = new ElidedLabel(card);
    m_windowWords->setProperty("role", QStringLiteral("muted"));
    m_rateRow = new LearningRateRow(card);
    auto* words = new QStackedLayout; // a problem replaces the words, so that nothing moves
    words->addWidget(m_windowWords);
    words->addWidget(m_rateRow->problemLabel());
    QHBoxLayout* line = makeRow(nullptr);
    line->addLayout(words, 1);
    line->addWidget(m_rateRow);
    makeColumn(card, { m_windowView }, { 12, 8, 12, 8 })->addLayout(line);
    connect(m_rateRow, &LearningRateRow::problemChanged, words,
        [words](bool any) { words->setCurrentIndex(any ? 1 : 0); });
    return card;
}

void ShownRunColumn::connectRun()
{
    connect(&m_controller, &RunController::measuringChanged, this, &ShownRunColumn::showHeading);
    connect(&m_controller, &RunController::runStarted, this, [this](RunId run) {
        // Before the run is shown, so that a rate requested for the run before is not shown for
        // this one.
        m_rateRow->begin();
        m_parts.run.show(run);
    });
    connect(&m_parts.run, &ShownRun::shown, this, &ShownRunColumn::show);
    connect(&m_parts.run, &ShownRun::recordChanged, this, [this] {
        showHeading();
        showProgress();
    });
    connect(m_charts, &LiveCharts::learningRateRead, this, &ShownRunColumn::takeRate);
    connect(m_rateRow, &LearningRateRow::rateAsked, &m_controller, &RunController::setLearningRate);
    connect(&m_progressTimer, &QTimer::timeout, this, &ShownRunColumn::showProgress);
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, &ShownRunColumn::showHeading);
}

// ---- showing -----------------------------------------------------------------------------------

void ShownRunColumn::show(const std::optional<RunId>& run)
{
    m_charts->showRun(run);
    showHeading();
    showProgress();
    showRate();
}

void ShownRunColumn::showState()
{
    showRate();
    if (m_controller.isActive())
        m_progressTimer.start();
    else
        m_progressTimer.stop();
    showHeading();
    showProgress();
}

void ShownRunColumn::showHeading()
{
    const RunRecord* record = m_parts.run.record();
    if (record != nullptr)
        m_heading->showRun(*record, m_parts.run.variant());
    else
        showNoRun();
    showFailure(record);
    showActions();
    // Without a run, the window of the next one is drawn, as far as its settings have a plan.
    const std::optional<ResolvedExperiment>& next = m_parts.draft.check().resolved;
    const BatchPlan plan = record != nullptr ? planInForce(*record)
        : next                               ? next->plan
                                             : BatchPlan { .steps = 0 };
    m_windowView->setPlan(
        static_cast<std::uint32_t>(record != nullptr ? microBatchesOf(*record) : plan.steps),
        std::max<std::int64_t>(1, plan.devices));
}

// The whole sentence, once for each end of a run: it may be closed.
void ShownRunColumn::showFailure(const RunRecord* run)
{
    const bool failed = run != nullptr && run->outcome && isFailure(*run->outcome);
    const std::optional<RunId> now = failed ? std::optional(run->id) : std::nullopt;
    if (std::exchange(m_failed, now) == now)
        return;
    if (!failed)
        return m_failure->hide();
    const QString why = withLabels(run->message.text());
    if (run->outcome != RunOutcome::Diverged || !hasRecipe(*run))
        return m_failure->reportProblem(why);
    const QString rate = smallerRate(*run);
    m_failure->reportProblem(why, tr("Start again with learning rate %1").arg(rate),
        [this, again = *run, rate] { Q_EMIT retryRequested(again, rate); });
}

// No run was chosen, or the log does not list it.
void ShownRunColumn::showNoRun()
{
    const bool active = m_controller.isActive();
    const QString& ofStart = m_parts.start.problem();
    const QString& problem = ofStart.isEmpty() ? m_parts.run.logProblem() : ofStart;
    // A run that was listed and trains will be listed again, so its title remains.
    const QString title = active && m_parts.run.id() ? QString()
        : active                                     ? tr("Preparing…")
        : problem.isEmpty()                          ? tr("No run yet")
                                                     : tr("No run");
    const std::optional<FitProgress>& window = m_controller.measuring();
    const QString preparing = window
        ? tr("Measuring which micro-batch fits the budget before training: %1.")
              .arg(fitProgressText(*window))
        : QString();
    const bool canStart = m_parts.start.whyNotStart().isEmpty();
    m_heading->showNoRun(title,
        !problem.isEmpty() ? problem
            : active       ? preparing
            : canStart     ? tr("Press Start to train with the settings on the left.")
                           : tr("The settings cannot be trained yet. See the checks."),
        !problem.isEmpty());
}

void ShownRunColumn::showActions()
{
    const RunRecord* const run = m_parts.run.record();
    const QString none = run != nullptr ? QString() : tr("No run is shown.");
    QString why = run != nullptr ? RunController::whyNotResume(*run) : none;
    if (why.isEmpty())
        why = m_parts.start.whyNotTrain();
    const bool completed = run != nullptr && hasItsLength(*run);
    enable(*m_resume, why,
        completed ? tr("Train this run for more epochs")
                  : tr("Resume this run from its last checkpoint"));
    enable(*m_load, run != nullptr ? whyNoRecipe(*run) : none,
        tr("Copy the settings of this run into the form of the next run"));
    const RunRecord* const previous = m_parts.run.previous();
    enable(*m_compare,
        run != nullptr && previous != nullptr ? QString() : tr("There is no earlier run."),
        previous != nullptr ? tr("Compare this run with %1").arg(runTitle(*previous)) : QString());
    const std::optional<RunId> live = m_controller.run();
    // Disabled while the run in progress is the one that is shown.
    const bool elsewhere = m_controller.isActive() && live && live != m_parts.run.id();
    enable(*m_showLive, elsewhere ? QString() : tr("No other run is in progress in this window."),
        elsewhere ? tr("Show the run in progress, %1").arg(runNumber(*live)) : QString());
}

void ShownRunColumn::showProgress()
{
    // Without a shown run, the one that is being prepared is meant.
    const bool live = m_controller.isActive() && (!m_parts.run.id() || isLiveHere());
    m_windowView->setProgressOfRanks(
        live ? m_controller.progressOfRanks() : std::vector { Progress {} });
    const RunRecord* const run = m_parts.run.record();
    const bool isKnown = run == nullptr || microBatchesOf(*run) > 0 || hasRecipe(*run);
    m_windowWords->setFullText(isKnown ? m_windowView->words() : QString());
    m_windowView->parentWidget()->setVisible(isKnown); // nobody knows the windows of a script's run
    if (m_progressTimer.isActive())
        m_progressTimer.start(); // restarted, because everything else that is new was just painted
}

bool ShownRunColumn::isLiveHere() const
{
    return m_controller.isActive() && m_parts.run.id() && m_controller.run() == m_parts.run.id();
}

void ShownRunColumn::takeRate()
{
    if (isLiveHere())
        m_rateRow->read(m_charts->learningRateStep(), m_controller.learningRateStep());
    showRate();
}

void ShownRunColumn::showRate()
{
    m_rateRow->showRate(isLiveHere(), m_charts->learningRate());
}

} // namespace accrue
