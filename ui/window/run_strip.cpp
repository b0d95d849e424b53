// SPDX-License-Identifier: Apache-2.0
#include "ui/window/run_strip.h"

#include "ui/models/run_palette.h"
#include "ui/models/run_words.h"
#include "ui/widgets/color_dot.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

// The strip is updated five times a second while a run trains. In a layout, a label whose text
// changes makes the whole window lay itself out again. So numbers are in labels of a fixed size,
// names in labels that elide by themselves, and fit(), not the layout, decides which part is
// visible at which width.

namespace accrue {

namespace {

constexpr int kBarSteps = 1000;
constexpr int kLeastBar = 48; // pixels; hidden if there is less space
constexpr int kWidestTitle = 260;
constexpr int kLeastTitle = 96;
constexpr int kLeastState = 64;
constexpr int kIcon = 16;

// Wide enough for the longest text, so that the bar does not change its width. Of a fixed size, so
// that a new text does not lay out the window again, five times a second.
QLabel* numberLabel(QWidget* parent, const QString& longest)
{
    auto* label = new QLabel(parent);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    const QFontMetrics metrics = label->fontMetrics();
    label->setFixedSize(metrics.horizontalAdvance(longest), metrics.height());
    return label;
}

void setNumber(QLabel* label, const QString& text)
{
    const int width = label->fontMetrics().horizontalAdvance(text);
    // A label only grows: if it also shrank, its neighbours would move with every text.
    if (width > label->maximumWidth())
        label->setFixedWidth(width);
    label->setText(text);
}

int wantedWidth(const ElidedLabel& label)
{
    const int wide = label.fontMetrics().horizontalAdvance(label.fullText());
    return std::min(wide + 1, kWidestTitle);
}

// Shrinks the part by what is lacking; what it cannot shrink remains for the others.
void shrink(ElidedLabel& label, int& lacking, int least)
{
    const int wanted = wantedWidth(label);
    const int wide = std::max(std::min(least, wanted), wanted - lacking);
    lacking -= wanted - wide;
    if (wide != label.maximumWidth() || wide != label.minimumWidth())
        label.setFixedWidth(wide);
}

// A button as wide as the widest of its texts, so that another text moves nothing.
class SteadyButton : public QToolButton {
public:
    SteadyButton(QAction* action, QStringList texts, QWidget* parent)
        : QToolButton(parent)
        , m_texts(std::move(texts))
    {
        setDefaultAction(action);
        setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        setProperty("framed", true);
        setFocusPolicy(Qt::StrongFocus);
    }

    QSize sizeHint() const override
    {
        QSize size = QToolButton::sizeHint();
        const int shown = fontMetrics().horizontalAdvance(text());
        int widest = shown;
        for (const QString& text : m_texts)
            widest = std::max(widest, fontMetrics().horizontalAdvance(text));
        size.rwidth() += widest - shown;
        return size;
    }
    // A layout must not make the button narrower than its widest text.
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    QStringList m_texts;
};

} // namespace

RunStrip::RunStrip(QAction* pause, QAction* stop, QAction* cancel, QWidget* parent)
    : QFrame(parent)
    , m_dot(new ColorDot(this))
    , m_title(new ElidedLabel(this))
    , m_state(new ElidedLabel(this))
    , m_steps(numberLabel(this, tr("step 99 999 of 99 999")))
    , m_bar(new QProgressBar(this))
    , m_percent(numberLabel(this, tr("100.0 %")))
    , m_left(numberLabel(this, tr("59:59 left")))
    , m_rate(numberLabel(this, tr("99 999 img/s")))
    , m_memory(numberLabel(this, {}))
    , m_lock(new IconLabel(kIcon, this))
    , m_readOnly(makeLabel("warning", tr("Read-only log"), this))
    , m_pause(new SteadyButton(pause, { tr("Pause"), tr("Resume") }, this))
    , m_stop(new SteadyButton(stop, { stop->text(), tr("Cancel") }, this))
    , m_queue(new QToolButton(this))
    , m_stopAction(stop)
    , m_cancelAction(cancel)
{
    setObjectName(QStringLiteral("runStrip"));
    setAccessibleName(tr("Current run or measurement"));
    auto* layout = makeRow(this, { m_dot, m_title, m_state, m_steps }, { 16, 6, 12, 6 }, 12);
    m_title->setProperty("role", QStringLiteral("section"));
    m_state->setProperty("role", QStringLiteral("muted"));
    for (ElidedLabel* label : { m_title, m_state })
        label->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // as fit() has it
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setMinimumWidth(kLeastBar);
    m_bar->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_lock->setObjectName(QStringLiteral("readOnly"));
    m_lock->hide();
    m_readOnly->hide();
    m_bar->setAccessibleName(tr("Progress"));
    m_queue->setAccessibleName(tr("Queue"));
    m_queue->setAutoRaise(true);
    m_queue->setFocusPolicy(Qt::TabFocus);
    m_queue->hide();
    layout->addWidget(m_bar, 1);
    layout->addStretch(0);
    for (QWidget* widget : std::initializer_list<QWidget*> {
             m_percent, m_left, m_rate, m_memory, m_queue, m_lock, m_readOnly, m_pause, m_stop })
        layout->addWidget(widget);
    setFixedHeight(m_stop->sizeHint().height() + 2 * 6 + 1); // its buttons come and go
}

// One button stops a run and cancels a fit, so that it stays in place when one follows the other.
void RunStrip::showParts(bool work, Steers steers)
{
    m_works = work;
    for (QWidget* widget : std::initializer_list<QWidget*> { m_dot, m_steps, m_percent })
        widget->setVisible(work);
    m_pause->setVisible(steers == Steers::Run);
    m_stop->setVisible(steers != Steers::Nothing);
    QAction* ends = steers == Steers::Fit ? m_cancelAction : m_stopAction;
    if (m_stop->defaultAction() == ends)
        return;
    m_stop->removeAction(m_stop->defaultAction());
    m_stop->setDefaultAction(ends);
}

void RunStrip::showWords(const QString& title, const QString& state)
{
    m_title->setFullText(title);
    m_title->setVisible(!title.isEmpty());
    m_state->setFullText(state);
    m_state->setVisible(!state.isEmpty());
}

void RunStrip::showNumbers(const ShownProgress& progress, bool counted)
{
    setNumber(m_steps, progress.steps);
    m_bar->setRange(0, counted ? kBarSteps : 0); // without a range it shows an indefinite progress
    m_bar->setValue(static_cast<int>(progress.share * kBarSteps));
    setNumber(m_percent, progress.percent);
    setNumber(m_left, progress.timeLeft);
    setNumber(m_rate, progress.rate);
    m_memoryTexts = progress.memory;
    m_memory->setToolTip(progress.memoryMeaning);
    m_left->setVisible(!progress.timeLeft.isEmpty());
    fit();
}

// By the size hints of the other parts, not by their sizes: fit() may have made them smaller.
int RunStrip::roomForRest() const
{
    const QMargins margins = layout()->contentsMargins();
    int taken = margins.left() + margins.right() - layout()->spacing();
    for (const QWidget* widget : std::initializer_list<QWidget*> {
             m_dot, m_steps, m_percent, m_left, m_queue, m_lock, m_readOnly, m_pause, m_stop })
        if (!widget->isHidden())
            taken += std::clamp(
                         widget->sizeHint().width(), widget->minimumWidth(), widget->maximumWidth())
                + layout()->spacing();
    for (const ElidedLabel* label : { m_title, m_state })
        taken += label->isHidden() ? 0 : wantedWidth(*label) + layout()->spacing();
    return width() - taken;
}

void RunStrip::showMemory(const QString& text)
{
    const int wide = m_memory->fontMetrics().horizontalAdvance(text);
    if (wide != m_memory->maximumWidth())
        m_memory->setFixedWidth(wide);
    m_memory->setText(text);
    m_memory->setVisible(!text.isEmpty());
}

// If there is too little space the bar is hidden first, then the rate, then words of the memory.
// What remains ends in "…".
void RunStrip::fit()
{
    const int spacing = layout()->spacing();
    const int rate = m_rate->text().isEmpty() ? 0 : m_rate->maximumWidth() + spacing;
    const auto memory = [&](const QString& text) {
        return m_memory->fontMetrics().horizontalAdvance(text) + spacing;
    };
    fitQueue();
    const int room = roomForRest();
    const int longest = m_memoryTexts.isEmpty() ? 0 : memory(m_memoryTexts.front());
    m_bar->setVisible(m_works && kLeastBar + spacing + rate + longest <= room);
    m_rate->setVisible(rate > 0 && rate + longest <= room);
    const int rest = room - (m_rate->isHidden() ? 0 : rate);
    const auto fits = [&](const QString& text) { return memory(text) <= rest; };
    const auto shown = std::find_if(m_memoryTexts.begin(), m_memoryTexts.end(), fits);
    showMemory(shown != m_memoryTexts.end() ? *shown : QString());
    int lacking = std::max(0, -room);
    shrink(*m_state, lacking, kLeastState);
    shrink(*m_title, lacking, kLeastTitle);
}

void RunStrip::showQueue(const QString& text, const QString& brief, const QString& tip)
{
    m_queueText = text;
    m_queueBrief = brief;
    m_queue->setToolTip(tip);
    m_queue->setVisible(!text.isEmpty());
    fit();
}

// The texts differ in how much of the other parts can be shown beside them.
void RunStrip::fitQueue()
{
    const QFontMetrics metrics = m_queue->fontMetrics();
    const int longer =
        metrics.horizontalAdvance(m_queueText) - metrics.horizontalAdvance(m_queue->text());
    const QString& text = roomForRest() < longer ? m_queueBrief : m_queueText;
    if (text != m_queue->text())
        m_queue->setText(text);
}

void RunStrip::setReadOnly(const QString& why)
{
    for (QLabel* label : std::initializer_list<QLabel*> { m_lock, m_readOnly }) {
        label->setVisible(!why.isEmpty());
        label->setToolTip(why);
    }
    m_lock->setAccessibleName(why);
    m_lock->setIcon(QLatin1String("lock"), &ThemeColors::warning);
    fit();
}

void RunStrip::showNothing()
{
    m_paceOf.reset(); // the number may be another run's in the next log
    showWords({}, tr("No run in progress"));
    showParts(false, Steers::Nothing);
    showNumbers({}, /*counted=*/true);
}

void RunStrip::showWork(
    const QString& name, const QString& state, const ShownProgress& progress, Steers steers)
{
    m_dot->setLook(themeColors().control); // a run's own colour comes from its number
    showWords(name, state);
    showParts(true, steers);
    showNumbers(progress, /*counted=*/!progress.percent.isEmpty());
}

void RunStrip::showRun(const RunRecord& run, bool ours, const QString& state, bool isNamed)
{
    // The pace comes from the run's records in the log, so that a run of another process has one.
    if (m_paceOf != run.id)
        m_pace = TrainingPace::ofWholeRun();
    m_paceOf = run.id;
    m_pace.add(run.seconds, run.step, run.samples);
    const ShownProgress progress = progressOf(run, m_pace);
    const RunStyle look = styleOf(run.id, backgroundOf(palette()));
    m_dot->setLook(look.color, look.line);
    const QString known = isNamed ? stateText(run) : QString();
    const QString shown = ours ? state : tr("%1, started elsewhere").arg(state);
    showWords(isNamed ? QString() : progress.title, shown == known ? QString() : shown);
    showParts(true, ours ? Steers::Run : Steers::Nothing);
    showNumbers(progress, /*counted=*/run.totalSteps > 0);
}

void RunStrip::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fit();
}

} // namespace accrue
