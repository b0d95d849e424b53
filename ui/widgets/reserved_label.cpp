// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/reserved_label.h"

#include <QEvent>
#include <QResizeEvent>

#include <algorithm>

namespace accrue {

namespace {

// Words of usual length, because the room is measured with their line breaks.
QString usualText(int characters)
{
    const QString word = QStringLiteral("one sample fits ");
    return word.repeated(characters / static_cast<int>(word.size()) + 1).left(characters);
}

} // namespace

ReservedLabel::ReservedLabel(int characters, QWidget* parent)
    : QLabel(parent)
    , m_usual(usualText(characters))
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAlignment(Qt::AlignLeft | Qt::AlignTop);
    // Its height is fixed by hand: layouts that know heights for widths make a page scroll.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    reserve();
}

void ReservedLabel::setText(const QString& text)
{
    if (text == QLabel::text())
        return;
    QLabel::setText(text);
    reserve();
}

int ReservedLabel::heightOf(const QString& text) const
{
    const QRect room(0, 0, std::max(1, width()), 0);
    return fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height();
}

void ReservedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    // reserve() sets the height, which brings another resize event.
    if (event->oldSize().width() != event->size().width())
        reserve();
}

void ReservedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        reserve();
}

void ReservedLabel::reserve()
{
    setFixedHeight(std::max(heightOf(m_usual), heightOf(text())));
}

} // namespace accrue
