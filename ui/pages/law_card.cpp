// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/law_card.h"

#include "engine/door/fastest_split.h"
#include "engine/door/memory_advice.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/fixes.h"
#include "ui/charts/metric_chart.h"
#include "ui/models/format.h"
#include "ui/models/law_words.h"
#include "ui/pages/chart_pictures.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/law_answers.h"
#include "ui/pages/law_charts.h"
#include "ui/pages/reserved_label.h"
#include "ui/pages/theme.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kHeight = 440;

} // namespace

LawCard::LawCard(Backend& backend, QWidget* parent)
    : QFrame(parent)
    , m_backend(backend)
{
    setProperty("card", true);
    makeActions();
    auto* head = buildHead();
    makeButtons();
    m_status = new ReservedLabel(/*characters=*/160, this);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_formula = new ReservedLabel(/*characters=*/160, this);
    m_formula->setProperty("role", QLatin1String("muted"));
    m_formula->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_fastest = new ReservedLabel(/*characters=*/200, this);
    m_texts = new QVBoxLayout;
    m_texts->setSpacing(6);
    for (QWidget* each : { m_status, m_formula, m_fastest })
        m_texts->addWidget(each);
    m_choices = new QVBoxLayout;
    m_choices->setSpacing(8);
    for (QPushButton* each : { m_useButton, m_fastestButton })
        m_choices->addWidget(each);
    auto* body = new QHBoxLayout;
    body->setSpacing(12);
    body->addLayout(m_texts, 1);
    body->addLayout(m_choices);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addLayout(body, 1);
    setMinimumHeight(kHeight);
    connectBackend();
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, [this] {
            if (isVisible())
                showLaw();
        });
    showAll();
}

QLabel* LawCard::statusLabel() const
{
    return m_status;
}

QLabel* LawCard::formulaLabel() const
{
    return m_formula;
}

QLabel* LawCard::fastestLabel() const
{
    return m_fastest;
}

// ---- building --------------------------------------------------------------------------------

void LawCard::makeActions()
{
    const auto make = [this](const char* icon, const QString& text, const QKeySequence& keys) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(keys);
        return action;
    };
    m_measure = make("memory", tr("Measure which micro-batch fits"), Qt::Key_F7);
    m_use = make("check", tr("Use this micro-batch"), Qt::Key_F8);
    m_useFastest = make("check", tr("Use the fastest split"), Qt::SHIFT | Qt::Key_F8);
    m_savePicture = make(
        "save", tr("Save the memory model's chart as picture…"), Qt::CTRL | Qt::SHIFT | Qt::Key_M);
    m_savePicture->setToolTip(tr("Save the chart of this card as SVG or PNG"));
    connect(m_measure, &QAction::triggered, this, &LawCard::measureOrCancel);
    connect(m_savePicture, &QAction::triggered, this, &LawCard::savePicture);
    connect(m_use, &QAction::triggered, this, [this] { request(fixToUse()); });
    connect(m_useFastest, &QAction::triggered, this, [this] { request(fixToUseFastest()); });
}

void LawCard::connectBackend()
{
    const FitController& fits = m_backend.fits;
    connect(&fits, &FitController::progressed, this, &LawCard::showStatus);
    connect(&fits, &FitController::stateChanged, this, &LawCard::showAll);
    connect(&fits, &FitController::ended, this, &LawCard::take);
    connect(&m_backend.controller, &RunController::stateChanged, this, &LawCard::showActions);
    connect(&m_backend.engine, &EngineHost::engineLoaded, this, &LawCard::showAll);
    connect(&m_backend.engine, &EngineHost::engineMissed, this, &LawCard::showAll);
}

// The button is the action: its text, and why it is off. As wide as any of `texts`, so that nothing
// beside it moves.
void LawCard::followAction(QPushButton* button, QAction* action, const QStringList& texts)
{
    int width = 0;
    for (const QString& text : texts) {
        button->setText(text);
        width = std::max(width, button->sizeHint().width());
    }
    button->setMinimumWidth(width);
    const auto follow = [button, action] {
        button->setText(action->text());
        button->setToolTip(action->toolTip());
        button->setEnabled(action->isEnabled());
    };
    connect(action, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
}

QLayout* LawCard::buildHead()
{
    m_subject = new ElidedLabel(this);
    m_subject->setProperty("role", QLatin1String("muted"));
    m_measureButton = new QPushButton(this);
    followAction(m_measureButton, m_measure,
        { tr("Measure which micro-batch fits"), tr("Measure again"), tr("Cancelling …") });
    m_pictureButton = new QToolButton(this);
    m_pictureButton->setDefaultAction(m_savePicture);
    m_pictureButton->setProperty("framed", true);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(makeSectionLabel(tr("Memory model: which micro-batch fits"), this));
    head->addWidget(m_subject, 1);
    head->addWidget(m_measureButton);
    head->addWidget(m_pictureButton);
    return head;
}

void LawCard::makeButtons()
{
    m_useButton = new QPushButton(this);
    followAction(
        m_useButton, m_use, { tr("Use this micro-batch"), tr("Use b = %1 (largest)").arg(1024) });
    m_fastestButton = new QPushButton(this);
    followAction(m_fastestButton, m_useFastest,
        { tr("Use the fastest split"),
            tr("Use %1 (fastest)").arg(splitText({ .micro = 1024, .steps = 128 })) });
}

// With the first look at the card, because charts take their time.
void LawCard::addBody()
{
    m_charts = new LawCharts(this);
    m_answers = new LawAnswers(this);
    m_texts->addWidget(m_charts, 1);
    m_choices->addWidget(m_answers, 1);
    connect(m_charts, &LawCharts::pictureRequested, this, &LawCard::savePicture);
    connect(m_answers, &LawAnswers::emulateRequested, this, &LawCard::emulateRequested);
    // What is made later comes last in the window otherwise.
    QWidget* before = m_fastestButton;
    for (QWidget* next :
        std::initializer_list<QWidget*> { m_charts->tabBar(), m_charts->byMicro()->focusProxy(),
            m_charts->bySteps()->focusProxy(), m_answers->cardBox(), m_answers->table() }) {
        setTabOrder(before, next);
        before = next;
    }
}

// ---- the question ----------------------------------------------------------------------------

void LawCard::setExperiment(
    const Experiment& experiment, const QString& problem, const std::optional<MemoryFit>& law)
{
    if (!isSameQuestion(experiment, m_experiment))
        m_problem.clear();
    m_experiment = experiment;
    m_formProblem = problem;
    m_fit = law;
    showAll();
}

void LawCard::setDataDirectories(const std::vector<std::filesystem::path>& directories)
{
    m_dataDirectories = directories;
}

std::string LawCard::fingerprint(const Experiment& experiment) const
{
    return memoryFingerprint(experiment, deviceOf(experiment));
}

std::string LawCard::deviceOf(const Experiment& experiment) const
{
    const DeviceInfo* device = m_backend.engine.deviceFor(experiment.run.device);
    return device != nullptr ? device->id : experiment.run.device;
}

// What a fit answers: its law, and what fits the budget.
bool LawCard::isSameQuestion(const Experiment& one, const Experiment& other) const
{
    return one.memory.budget == other.memory.budget && fingerprint(one) == fingerprint(other);
}

QString LawCard::whyNotMeasure() const
{
    const QString why = whyNotCompute(m_backend);
    return why.isEmpty() ? m_formProblem : why;
}

void LawCard::measureOrCancel()
{
    FitController& fits = m_backend.fits;
    if (fits.isActive())
        fits.stop();
    else if (whyNotMeasure().isEmpty()) {
        m_problem.clear();
        fits.start({ m_experiment, m_dataDirectories, /*alsoSteps=*/true, /*alsoSpeeds=*/true });
    }
}

// Of one that was stopped nothing is known. The law itself comes back with the form.
void LawCard::take(const MemoryFit& fit, const QString& notKept)
{
    if (fit.stopped)
        return;
    const Experiment& asked = m_backend.fits.experiment();
    const QString problem = QString::fromStdString(fit.problem);
    if (!fit.law.lines.empty()) {
        m_measured = fingerprint(asked);
        m_notKept =
            notKept.isEmpty() ? QString() : tr("The memory model is not stored: %1.").arg(notKept);
    }
    if (isSameQuestion(asked, m_experiment))
        m_problem = problem;
    else if (!problem.isEmpty())
        Q_EMIT said(tr("%1: %2").arg(lawSubject(asked, deviceOf(asked)), problem),
            RunMessage::Severity::Error);
    showAll();
}

// ---- what the form makes of it ---------------------------------------------------------------

std::int64_t LawCard::largestMicro() const
{
    return m_fit ? fittingMicro(*m_fit, limitBytes(m_experiment, *m_fit)) : 0;
}

std::optional<Fix> LawCard::fixToUse() const
{
    const std::optional<BatchPlan> solved = solveBatch(m_experiment).plan;
    const std::int64_t largest = largestMicro();
    return solved && largest > 0 ? usingMicroThatFits(m_experiment, *solved, largest)
                                 : std::nullopt;
}

std::optional<std::int64_t> LawCard::microOf(const std::optional<Fix>& fix) const
{
    Experiment fixed = m_experiment;
    return fix && applyFix(fixed, *fix).empty() ? std::optional(fixed.batch.micro.value)
                                                : std::nullopt;
}

std::optional<SplitSpeed> LawCard::fastest() const
{
    const std::optional<BatchPlan> solved = solveBatch(m_experiment).plan;
    if (!m_fit || !solved)
        return std::nullopt;
    const auto found = fastestSplit(*m_fit, *solved, limitBytes(m_experiment, *m_fit));
    return found ? std::optional(found->split) : std::nullopt;
}

std::optional<Fix> LawCard::fixToUseFastest() const
{
    const std::optional<SplitSpeed> split = fastest();
    return split ? usingMicro(m_experiment, *solveBatch(m_experiment).plan, split->micro)
                 : std::nullopt;
}

void LawCard::request(std::optional<Fix> fix)
{
    const std::optional<std::int64_t> micro = microOf(fix);
    if (!micro)
        return;
    fix->label = tr("use micro-batch %1").arg(*micro).toStdString();
    Q_EMIT useMicroRequested(*fix);
}

bool LawCard::isInTheForm(std::int64_t micro) const
{
    const std::optional<BatchPlan> now = solveBatch(m_experiment).plan;
    return now && !microFollowsBudget(m_experiment) && now->micro == micro;
}

QString LawCard::whyNotUse() const
{
    if (!m_fit)
        return tr("Measure first which micro-batch fits.");
    if (!m_experiment.batch.schedule.empty())
        return tr("batch.schedule changes N while it trains; choose the micro-batch in the form.");
    const std::optional<std::int64_t> micro = microOf(fixToUse());
    if (!micro && !m_formProblem.isEmpty())
        return m_formProblem;
    if (!micro)
        return largestMicro() == 0
            ? tr("No micro-batch fits.")
            : tr("Micro-batches of up to %1 fit, but B cannot be cut into such; choose b in the "
                 "form.")
                  .arg(samplesText(largestMicro()));
    return isInTheForm(*micro) ? tr("The form has this micro-batch.") : QString();
}

QString LawCard::whyNotUseFastest() const
{
    const std::optional<SplitSpeed> split = fastest();
    if (!m_fit)
        return tr("Measure first which split is the fastest.");
    if (!split)
        return fastestText(*m_fit, m_experiment);
    if (isInTheForm(split->micro))
        return tr("The form has this micro-batch.");
    return fixToUseFastest() ? QString() : tr("B cannot be cut so; choose b in the form.");
}

// ---- showing ---------------------------------------------------------------------------------

void LawCard::showAll()
{
    m_subject->setFullText(
        tr("the form's %1").arg(lawSubject(m_experiment, deviceOf(m_experiment))));
    showActions();
    showStatus();
    if (isVisible()) // otherwise when it is shown
        showLaw();
}

void LawCard::showActions()
{
    const FitController& fits = m_backend.fits;
    const QString why = fits.isActive() ? QString() : whyNotMeasure();
    m_measure->setIcon(themedIcon(QLatin1String(fits.isActive() ? "stop" : "memory")));
    m_measure->setText(fits.state() == FitController::State::Stopping ? tr("Cancelling …")
            : fits.isActive()                                         ? tr("Cancel")
            : m_fit                                                   ? tr("Measure again")
                    : tr("Measure which micro-batch fits"));
    m_measure->setToolTip(fits.isActive() ? tr("Stop measuring; nothing of it is kept")
            : !why.isEmpty()
            ? why
            : tr("Compute some real windows, of a few sizes, and none that train"));
    m_measure->setEnabled(why.isEmpty()); // while it stops, too: the keyboard stays there
    const std::optional<std::int64_t> micro = microOf(fixToUse());
    showUse(*m_use,
        micro ? tr("Use b = %1 (largest)").arg(countText(*micro)) : tr("Use this micro-batch"),
        tr("Put the largest micro-batch that fits into the form. B stays: it is cut into as few "
           "and "
           "even micro-batches as fit"),
        whyNotUse());
    const std::optional<SplitSpeed> split = fastest();
    showUse(*m_useFastest,
        split ? tr("Use %1 (fastest)").arg(splitText(*split)) : tr("Use the fastest split"),
        tr("Put the fastest measured split that fits into the form; B stays"), whyNotUseFastest());
    m_savePicture->setEnabled(m_fit.has_value());
}

void LawCard::showUse(
    QAction& action, const QString& text, const QString& meaning, const QString& whyNot)
{
    action.setText(text);
    action.setToolTip(whyNot.isEmpty() ? meaning : whyNot);
    action.setEnabled(whyNot.isEmpty());
}

void LawCard::showStatus()
{
    const FitController& fits = m_backend.fits;
    const bool here = m_measured == fingerprint(m_experiment);
    QString text = tr("Peak memory grows with the micro-batch along a line. A few real windows "
                      "measure it; then this says which micro-batch fits which card.");
    QString role = QStringLiteral("muted");
    if (fits.state() == FitController::State::Stopping)
        text = tr("Stopping after this window …");
    else if (fits.isActive())
        text = fits.progress().micro == 0
            ? tr("Measuring: preparing …")
            : tr("Measuring: %1.").arg(fitProgressText(fits.progress()));
    else if (!m_problem.isEmpty()) {
        text = m_problem;
        role = QStringLiteral("error");
    } else if (m_fit) {
        text = verdictText(*m_fit, m_experiment);
        if (!here)
            text = tr("%1 Measured earlier.").arg(text);
        role.clear();
    } else if (!m_formProblem.isEmpty()) {
        text = m_formProblem;
        role = QStringLiteral("error");
    }
    if (here && !fits.isActive() && !m_notKept.isEmpty()) {
        text = tr("%1 %2").arg(text, m_notKept);
        role = m_problem.isEmpty() ? QStringLiteral("warning") : role;
    }
    m_status->setText(text);
    if (m_status->property("role").toString() != role)
        setStyleProperty(m_status, "role", role);
}

void LawCard::showLaw()
{
    if (m_charts == nullptr)
        addBody();
    m_formula->setText(m_fit ? lawText(*m_fit) : QString());
    m_fastest->setText(m_fit ? fastestText(*m_fit, m_experiment) : QString());
    m_answers->showAnswers(m_fit, m_experiment);
    if (m_fit)
        m_charts->showLaw(*m_fit, m_experiment);
    else
        m_charts->showNone(m_backend.fits.isActive()
                ? tr("The memory model is being measured.")
                : tr("Measure: the memory model is drawn here."));
}

// ---- pictures --------------------------------------------------------------------------------

void LawCard::savePicture()
{
    showLaw(); // it may be asked for before the page was seen
    askAndSavePicture(*this, *m_charts->inSight(), m_charts->pictureName());
}

void LawCard::saveShownPicture(const QString& path)
{
    accrue::savePicture(*m_charts->inSight(), path);
}

// ---- events ----------------------------------------------------------------------------------

void LawCard::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    showLaw();
    Q_EMIT lookRequested();
}

} // namespace accrue
