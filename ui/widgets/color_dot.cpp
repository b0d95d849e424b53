// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/color_dot.h"

#include <QPainter>

namespace accrue {

ColorDot::ColorDot(QWidget* parent)
    : QWidget(parent)
{
    setFixedSize(10, 10);
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
