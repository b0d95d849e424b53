// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_strip.h"

#include "ui/models/run_palette.h"
#include "ui/pages/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kBarSteps = 1000;
constexpr int kNarrow = 1000; // of the strip; below it the title is
constexpr int kWidestTitle = 216;
constexpr int kNarrowTitle = 160;

// Wide enough for the longest text, so that the bar does not dance. Of a fixed size, so that a new
// text does not lay out the window again, five times a second.
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
    if (width > label->maximumWidth())
        label->setFixedWidth(width);
    label->setText(text);
}

// As wide as the widest of its texts, so that another one shifts nothing.
class SteadyButton : public QToolButton {
public:
    SteadyButton(QStringList texts, QWidget* parent)
        : QToolButton(parent)
        , m_texts(std::move(texts))
    {
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
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    QStringList m_texts;
};

QToolButton* actionButton(QAction* action, const QStringList& texts, QWidget* parent)
{
    auto* button = new SteadyButton(texts, parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setProperty("framed", true);
    button->setFocusPolicy(Qt::StrongFocus);
    QSizePolicy keepsItsRoom = button->sizePolicy();
    keepsItsRoom.setRetainSizeWhenHidden(true); // it is the highest part of the strip
    button->setSizePolicy(keepsItsRoom);
    return button;
}

} // namespace

RunStrip::RunStrip(QAction* pause, QAction* stop, QAction* cancel, QWidget* parent)
    : QFrame(parent)
    , m_dot(new ColorDot(this))
    , m_title(new QLabel(this))
    , m_state(new QLabel(this))
    , m_steps(numberLabel(this, tr("step 99 999 of 99 999")))
    , m_bar(new QProgressBar(this))
    , m_percent(numberLabel(this, tr("100.0 %")))
    , m_left(numberLabel(this, tr("59:59 left")))
    , m_rate(numberLabel(this, tr("99 999 img/s")))
    , m_memory(numberLabel(this, {}))
    , m_pause(actionButton(pause, { tr("Pause"), tr("Resume") }, this))
    , m_stop(actionButton(stop, { stop->text(), tr("Cancel") }, this))
    , m_stopAction(stop)
    , m_cancelAction(cancel)
{
    setObjectName(QStringLiteral("runStrip"));
    setAccessibleName(tr("What trains, or is measured"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 12, 6);
    layout->setSpacing(12);
    m_title->setProperty("role", QStringLiteral("section"));
    m_title->setTextFormat(Qt::PlainText);
    m_state->setProperty("role", QStringLiteral("muted"));
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setMinimumWidth(48);
    m_bar->setAccessibleName(tr("Progress"));
    for (QWidget* widget : std::initializer_list<QWidget*> { m_dot, m_title, m_state, m_steps })
        layout->addWidget(widget);
    layout->addWidget(m_bar, 1);
    for (QWidget* widget :
        std::initializer_list<QWidget*> { m_percent, m_left, m_rate, m_memory, m_pause, m_stop })
        layout->addWidget(widget);
}

void RunStrip::showTitle(const QString& title)
{
    m_title->setText(m_title->fontMetrics().elidedText(
        title, Qt::ElideMiddle, width() < kNarrow ? kNarrowTitle : kWidestTitle));
    m_title->setToolTip(title);
}

void RunStrip::showParts(bool work, Steers steers)
{
    for (QWidget* widget : std::initializer_list<QWidget*> { m_dot, m_title, m_bar })
        widget->setVisible(work);
    m_pause->setVisible(steers == Steers::Run);
    m_stop->setVisible(steers != Steers::Nothing);
    QAction* ends = steers == Steers::Fit ? m_cancelAction : m_stopAction;
    if (m_stop->defaultAction() == ends)
        return;
    m_stop->removeAction(m_stop->defaultAction());
    m_stop->setDefaultAction(ends);
}

void RunStrip::showNumbers(const ShownProgress& progress, bool counted)
{
    setNumber(m_steps, progress.steps);
    m_bar->setRange(0, counted ? kBarSteps : 0);
    m_bar->setValue(static_cast<int>(progress.share * kBarSteps));
    setNumber(m_percent, progress.percent);
    setNumber(m_left, progress.timeLeft);
    setNumber(m_rate, progress.rate);
    m_memoryTexts = progress.memory;
    m_memory->setToolTip(progress.memoryMeaning);
    fitNumbers();
}

// The rate goes first where there is no room, then words of the memory.
void RunStrip::fitNumbers()
{
    const auto widthOf = [this](const QString& text) {
        return m_memory->fontMetrics().horizontalAdvance(text);
    };
    const int rate = m_rate->maximumWidth() + layout()->spacing();
    int room = width() - layout()->minimumSize().width() + m_memory->maximumWidth()
        + (m_rate->isHidden() ? 0 : rate);
    const QString longest = m_memoryTexts.value(0);
    m_rate->setVisible(longest.isEmpty() || widthOf(longest) + rate <= room);
    room -= m_rate->isHidden() ? 0 : rate;
    const auto shown = std::find_if(m_memoryTexts.begin(), m_memoryTexts.end(),
        [&](const QString& text) { return widthOf(text) <= room; });
    const QString text = shown != m_memoryTexts.end() ? *shown : QString();
    m_memory->setFixedWidth(widthOf(text));
    m_memory->setText(text);
}

void RunStrip::showNothing()
{
    m_state->setText(tr("Nothing trains"));
    showParts(false, Steers::Nothing);
    showNumbers({}, /*counted=*/true);
}

void RunStrip::showWork(
    const QString& name, const QString& state, const ShownProgress& progress, Steers steers)
{
    m_dot->setColor(themeColors().control);
    showTitle(name);
    m_state->setText(state);
    showParts(true, steers);
    showNumbers(progress, /*counted=*/!progress.percent.isEmpty());
}

void RunStrip::showRun(const RunRecord& run, bool ours, const QString& state)
{
    const ShownProgress progress = progressOf(run);
    m_dot->setColor(styleOf(run.id, backgroundOf(palette())).color);
    showTitle(progress.title);
    m_state->setText(ours ? state : tr("%1, started elsewhere").arg(state));
    showParts(true, ours ? Steers::Run : Steers::Nothing);
    showNumbers(progress, /*counted=*/run.totalSteps > 0);
}

void RunStrip::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitNumbers();
}

ColorDot::ColorDot(QWidget* parent)
    : QWidget(parent)
{
    setFixedSize(sizeHint());
}

void ColorDot::setColor(const QColor& color)
{
    if (color == m_color)
        return;
    m_color = color;
    update();
}

void ColorDot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_color);
    painter.drawEllipse(rect());
}

} // namespace accrue
