// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/law_card.h"

#include "ui/actions/make_action.h"
#include "ui/charts/metric_chart.h"
#include "ui/memory/law_answers.h"
#include "ui/memory/law_charts.h"
#include "ui/models/law_words.h"
#include "ui/widgets/chart_pictures.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/reserved_label.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QTabBar>
#include <QTableWidget>

#include <algorithm>

// The card shows the memory model of the form, and never one of its own: setQuestion() passes an
// experiment with the model that the form has found, and changes are emitted as requests. Otherwise
// actions in the menu could apply the micro-batch of one model to the form of another while the
// page is hidden. Space is reserved for everything that appears and disappears (status, formula,
// charts, cards), because Cancel, Measure again and Use are beside it and are clicked while a
// measurement changes the texts.

namespace accrue {

namespace {

constexpr int kHeight = 440;

// The button shows the action: its text, and why it is disabled. It is as wide as the widest of
// `texts`, so that nothing beside it moves.
void followAction(QPushButton* button, QAction* action, const QStringList& texts)
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
    QObject::connect(action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    follow();
}

} // namespace

LawCard::LawCard(Backend& backend, QWidget* parent)
    : QFrame(parent)
    , m_backend(backend)
    , m_measurement(new LawMeasurement(backend, this))
{
    setProperty("card", true);
    makeActions();
    auto* layout = makeColumn(this, {}, { 12, 8, 12, 8 }, 6);
    layout->addLayout(buildHead());
    layout->addLayout(buildBody(), 1);
    setMinimumHeight(kHeight);
    connect(m_measurement, &LawMeasurement::changed, this, &LawCard::showAll);
    connect(m_measurement, &LawMeasurement::progressed, this, &LawCard::showStatus);
    connect(m_measurement, &LawMeasurement::reported, this, &LawCard::reported);
    // The colours of curves, levels and markers were read from the theme when they were drawn.
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, [this] {
            if (isVisible())
                showLaw();
        });
    showAll();
}

// ---- building --------------------------------------------------------------------------------

void LawCard::makeActions()
{
    m_measure = makeAction(*this, { "memory", tr("Measure which micro-batch fits"), Qt::Key_F7 },
        [this] { m_measurement->startOrCancel(); });
    m_use = makeAction(*this, { "check", tr("Use this micro-batch"), Qt::Key_F8 },
        [this] { request(adviseLargest(m_measurement->question())); });
    m_useFastest =
        makeAction(*this, { "check", tr("Use the fastest split"), Qt::SHIFT | Qt::Key_F8 },
            [this] { request(adviseFastest(m_measurement->question())); });
    m_savePicture = makeAction(*this,
        { "save", tr("Save the memory model's chart as picture…"), Qt::CTRL | Qt::SHIFT | Qt::Key_M,
            tr("Save this chart as SVG or PNG") },
        [this] { savePicture(); });
}

QLayout* LawCard::buildHead()
{
    m_subject = new ElidedLabel(this);
    m_subject->setProperty("role", QLatin1String("muted"));
    m_measureButton = new QPushButton(this);
    followAction(m_measureButton, m_measure,
        { tr("Measure which micro-batch fits"), tr("Measure again"), tr("Cancelling…") });
    auto* head = makeRow(nullptr,
        { makeLabel("section", tr("Memory model: which micro-batch fits"), this), m_subject,
            m_measureButton, makeFramedButton(m_savePicture, this) });
    head->setStretchFactor(m_subject, 1);
    return head;
}

void LawCard::makeButtons()
{
    m_useButton = new QPushButton(this);
    followAction(m_useButton, m_use,
        { tr("Use this micro-batch"), tr("Use %1 (largest)").arg(QLatin1String("b = 1024")) });
    m_fastestButton = new QPushButton(this);
    followAction(m_fastestButton, m_useFastest,
        { tr("Use the fastest split"),
            tr("Use %1 (fastest)").arg(splitText({ .micro = 1024, .steps = 128 })) });
}

QLayout* LawCard::buildBody()
{
    makeButtons();
    m_status = new ReservedLabel(/*characters=*/160, this);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_formula = new ReservedLabel(/*characters=*/160, this);
    m_formula->setProperty("role", QLatin1String("muted"));
    m_formula->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_fastest = new ReservedLabel(/*characters=*/200, this);
    m_texts = makeColumn(nullptr, { m_status, m_formula, m_fastest }, {}, 6);
    m_choices = makeColumn(nullptr, { m_useButton, m_fastestButton });
    auto* body = makeRow(nullptr, {}, {}, 12);
    body->addLayout(m_texts, 1);
    body->addLayout(m_choices);
    return body;
}

// Called at the first look at the card, because charts take time to build.
void LawCard::addBody()
{
    m_charts = new LawCharts(this);
    m_answers = new LawAnswers(this);
    m_texts->addWidget(m_charts, 1);
    m_choices->addWidget(m_answers, 1);
    connect(m_charts, &LawCharts::pictureRequested, this, &LawCard::savePicture);
    connect(m_answers, &LawAnswers::emulateRequested, this, &LawCard::emulateRequested);
    // Widgets that are made later would otherwise be last in the tab order.
    QWidget* before = m_fastestButton;
    for (QWidget* next : std::initializer_list<QWidget*> { m_charts->tabBar(), m_charts->byMicro(),
             m_charts->bySteps(), m_answers->cardBox(), m_answers->table() }) {
        setTabOrder(before, next);
        before = next;
    }
}

// ---- the question ----------------------------------------------------------------------------

void LawCard::request(const LawAdvice& advice)
{
    if (advice.fix)
        Q_EMIT useMicroRequested(*advice.fix);
}

// ---- showing ---------------------------------------------------------------------------------

void LawCard::showAll()
{
    m_subject->setFullText(tr("the form's %1").arg(m_measurement->subject()));
    showActions();
    showStatus();
    if (isVisible()) // otherwise when it is shown
        showLaw();
}

void LawCard::showActions()
{
    showMeasure();
    const LawAdvice largest = adviseLargest(m_measurement->question());
    m_use->setText(largest.choice.isEmpty() ? tr("Use this micro-batch")
                                            : tr("Use %1 (largest)").arg(largest.choice));
    enable(*m_use, largest.whyNot,
        tr("Put the largest micro-batch that fits into the form. B stays the same and is split "
           "into as few and as even micro-batches as fit."));
    const LawAdvice fastest = adviseFastest(m_measurement->question());
    m_useFastest->setText(fastest.choice.isEmpty() ? tr("Use the fastest split")
                                                   : tr("Use %1 (fastest)").arg(fastest.choice));
    enable(*m_useFastest, fastest.whyNot,
        tr("Put the fastest measured split that fits into the form. B stays the same."));
    m_savePicture->setEnabled(fit().has_value());
}

void LawCard::showMeasure()
{
    const FitController& fits = m_backend.fits;
    m_measure->setIcon(themedIcon(QLatin1String(fits.isActive() ? "stop" : "memory")));
    m_measure->setText(fits.state() == FitController::State::Stopping ? tr("Cancelling…")
            : fits.isActive()                                         ? tr("Cancel")
            : fit()                                                   ? tr("Measure again")
                    : tr("Measure which micro-batch fits"));
    // Enabled while it stops, too, so that it does not lose the focus.
    if (fits.isActive())
        enable(*m_measure, {}, tr("Stop measuring and discard the measurement"));
    else
        enable(*m_measure, m_measurement->whyNot(),
            tr("Compute a few real windows of different sizes, without training"));
}

void LawCard::showStatus()
{
    const LawMeasurement::Status status = m_measurement->status();
    m_status->setText(status.text);
    setStyleProperty(m_status, "role", status.role);
}

void LawCard::showLaw()
{
    if (m_charts == nullptr)
        addBody();
    const LawQuestion& question = m_measurement->question();
    m_formula->setText(question.law ? lawText(*question.law) : QString());
    m_fastest->setText(question.law ? fastestText(question) : QString());
    m_answers->showAnswers(question);
    if (question.law)
        m_charts->showLaw(question);
    else
        m_charts->showNone(m_backend.fits.isActive()
                ? tr("Measuring the memory model.")
                : tr("Press Measure to draw the memory model here."));
}

// ---- pictures --------------------------------------------------------------------------------

void LawCard::savePicture()
{
    showLaw(); // may be called before the page was visible
    askAndSavePicture(*this, *m_charts->inSight(), m_charts->pictureName());
}

// ---- events ----------------------------------------------------------------------------------

void LawCard::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    showLaw();
    Q_EMIT lookRequested();
}

} // namespace accrue
