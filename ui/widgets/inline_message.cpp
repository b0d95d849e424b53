// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/inline_message.h"

#include <QAccessible>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <chrono>
#include <cmath>
#include <utility>

namespace accrue {

using namespace std::chrono_literals;

namespace {

constexpr auto kNoteStays = 10s;
constexpr int kProgressSteps = 1000;

} // namespace

InlineMessage::InlineMessage(QWidget* parent)
    : QFrame(parent)
    , m_icon(new IconLabel(16, this))
    , m_text(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_button(new QPushButton(this))
    , m_close(new QToolButton(this))
    , m_timer(new QTimer(this))
{
    setProperty("card", true);
    setUpSentences(*m_text);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(160);
    m_close->setIcon(themedIcon(QLatin1String("close")));
    m_close->setToolTip(tr("Close this message"));
    m_close->setAccessibleName(tr("Close this message"));
    m_timer->setSingleShot(true);

    makeRow(this, { m_icon, m_text, m_progress, m_button, m_close }, { 12, 6, 8, 6 })
        ->setStretchFactor(m_text, 1);

    connect(m_close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_timer, &QTimer::timeout, this, [this] {
        // The user is about to press it with the keyboard.
        if (m_button->hasFocus() || m_close->hasFocus())
            m_timer->start(kNoteStays);
        else
            hide();
    });
    connect(m_button, &QPushButton::clicked, this, [this] {
        // Hidden first, and the action removed: the action may show a message in this same place.
        hide();
        if (const auto act = std::exchange(m_act, {}))
            act();
    });
    hide();
}

void InlineMessage::present(
    Kind kind, const QString& text, const QString& button, std::function<void()> act)
{
    m_act = std::move(act);
    m_text->setText(text);
    m_button->setText(button);
    m_button->setVisible(static_cast<bool>(m_act));
    m_progress->setVisible(kind == Kind::Progress);
    m_close->setVisible(kind != Kind::Progress);
    m_goes = kind == Kind::Note; // with an offer, too: it is never the only way
    // By colour and by shape: not everybody can distinguish the colours.
    const bool wrong = kind == Kind::Problem;
    m_icon->setIcon(QLatin1String(wrong ? "error" : "info"),
        wrong ? &ThemeColors::error : &ThemeColors::accent);
    setAccessibleName(text);
    m_progress->setAccessibleName(text);
    // The timer of an earlier message must not close this one. Under the pointer nothing
    // disappears.
    m_timer->stop();
    if (m_goes && !underMouse())
        m_timer->start(kNoteStays);
    show();
    // Otherwise a screen reader would announce nothing: the focus stays where it is.
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void InlineMessage::enterEvent(QEnterEvent* event)
{
    QFrame::enterEvent(event);
    m_timer->stop();
}

void InlineMessage::leaveEvent(QEvent* event)
{
    QFrame::leaveEvent(event);
    // A hidden message also receives the event, and its timer would hide the next one.
    if (m_goes && !isHidden())
        m_timer->start(kNoteStays);
}

void InlineMessage::tell(const QString& text, const QString& button, std::function<void()> act)
{
    present(Kind::Note, text, button, std::move(act));
}

void InlineMessage::reportProblem(
    const QString& text, const QString& button, std::function<void()> act)
{
    present(Kind::Problem, text, button, std::move(act));
}

void InlineMessage::tellProgress(const QString& text, std::function<void()> cancel)
{
    m_progress->setValue(0);
    present(Kind::Progress, text, tr("Cancel"), std::move(cancel));
}

void InlineMessage::setProgress(double share)
{
    m_progress->setValue(static_cast<int>(std::lround(share * kProgressSteps)));
}

QString InlineMessage::text() const
{
    return isHidden() ? QString() : m_text->text();
}

} // namespace accrue
