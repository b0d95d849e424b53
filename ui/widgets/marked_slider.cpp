// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/marked_slider.h"

#include "ui/widgets/theme.h"

#include <QPainter>
#include <QStyleOptionSlider>

#include <utility>

namespace accrue {

MarkedSlider::MarkedSlider(QWidget* parent)
    : QSlider(Qt::Horizontal, parent)
{
}

void MarkedSlider::setMarks(std::vector<int> values)
{
    if (values == m_marks)
        return;
    m_marks = std::move(values);
    update();
}

// Behind the handle, which a tick is higher than.
void MarkedSlider::paintEvent(QPaintEvent* event)
{
    QStyleOptionSlider option;
    initStyleOption(&option);
    const auto partOf = [&](QStyle::SubControl part) {
        return style()->subControlRect(QStyle::CC_Slider, &option, part, this);
    };
    // As the style places its handle: the middle of the handle at the lowest value is half its
    // width from the end of the groove.
    const QRect groove = partOf(QStyle::SC_SliderGroove);
    const int handle = partOf(QStyle::SC_SliderHandle).width();
    QPainter painter(this);
    for (const int value : m_marks) {
        const int along =
            QStyle::sliderPositionFromValue(minimum(), maximum(), value, groove.width() - handle);
        painter.fillRect(
            groove.left() + handle / 2 + along - 1, 0, 2, height(), themeColors().warning);
    }
    // Two painters must not be active on one widget.
    painter.end();
    QSlider::paintEvent(event);
}

} // namespace accrue
