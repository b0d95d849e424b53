// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/notice_slot.h"

#include <QEvent>
#include <QLayout>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kEdge = 16; // pixels to the edges of the page
constexpr int kBesideText = 240; // icon, button, cross
constexpr int kNarrowest = 360;
constexpr int kWidest = 860;

} // namespace

// A notice in the layout of its page moved the chart that the user was reading. This one is a child
// of the window, over the pages, and follows the area that it covers by filtering its events.
NoticeSlot::NoticeSlot(QWidget& area)
    : InlineMessage(area.window())
{
    setObjectName(QStringLiteral("notice"));
    setArea(area);
}

void NoticeSlot::setArea(QWidget& area)
{
    if (m_area != nullptr)
        m_area->removeEventFilter(this);
    m_area = &area;
    area.installEventFilter(this);
    if (!isHidden())
        place();
}

NoticeSlot& NoticeSlot::of(QWidget& anywhere)
{
    QWidget* const window = anywhere.window();
    // Looked up each time and not stored: every caller knows a widget of the window, and tests of
    // single pages have no main window.
    // tests of single pages have no main window.
    auto* slot = window->findChild<NoticeSlot*>(QString(), Qt::FindDirectChildrenOnly);
    return slot != nullptr ? *slot : *new NoticeSlot(*window);
}

void NoticeSlot::begin(const QObject& work, const QString& text, std::function<void()> cancel)
{
    // The same work may begin again, and must be listed only once.
    end(work);
    m_works.push_back({ &work, text, 0, std::move(cancel) });
    showWork();
}

void NoticeSlot::advance(const QObject& work, double share)
{
    for (Work& each : m_works)
        if (each.of == &work)
            each.share = share;
    if (m_shown == &work)
        setProgress(share);
}

void NoticeSlot::end(const QObject& work)
{
    std::erase_if(m_works, [&work](const Work& each) { return each.of == &work; });
    if (m_shown == &work)
        hide();
}

void NoticeSlot::withdraw(const QString& text)
{
    if (!text.isEmpty() && text == this->text())
        hide();
}

void NoticeSlot::showWork()
{
    if (m_works.empty())
        return;
    // A copy: pressing Cancel ends the work, which removes it from the list.
    const Work newest = m_works.back();
    tellProgress(newest.text, [this, newest] {
        end(*newest.of);
        newest.cancel();
    });
    setProgress(newest.share);
    m_shown = newest.of;
}

void NoticeSlot::present(
    Kind kind, const QString& text, const QString& button, std::function<void()> act)
{
    // Whatever is shown now is not the work; showWork sets it again after this.
    m_shown = nullptr;
    InlineMessage::present(kind, text, button, std::move(act));
    place();
}

void NoticeSlot::place()
{
    const int room = m_area->width() - 2 * kEdge;
    // As wide as the text on one line, within limits; beyond them the text wraps.
    const int wanted = fontMetrics().horizontalAdvance(text()) + kBesideText;
    const int wide = std::min(room, std::clamp(wanted, kNarrowest, kWidest));
    layout()->activate();
    const int high =
        layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(wide) : sizeHint().height();
    const QPoint corner((m_area->width() - wide) / 2, m_area->height() - high - kEdge);
    setGeometry(QRect(m_area->mapTo(parentWidget(), corner), QSize(wide, high)));
    // Above the widgets that were added to the window after the slot.
    raise();
}

bool NoticeSlot::eventFilter(QObject* watched, QEvent* event)
{
    const bool moved = event->type() == QEvent::Resize || event->type() == QEvent::Move;
    if (watched == m_area && moved && !isHidden())
        place();
    return InlineMessage::eventFilter(watched, event);
}

void NoticeSlot::hideEvent(QHideEvent* event)
{
    InlineMessage::hideEvent(event);
    if (!isHidden())
        return; // the window is
    m_shown = nullptr;
    // Not now: the pressed button may still emit signals.
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (isHidden())
                showWork();
        },
        Qt::QueuedConnection);
}

} // namespace accrue
