// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/color_dot.h"

#include "ui/charts/curve_look.h"

#include <QPainter>

namespace accrue {

namespace {
constexpr int kSize = 12;
}

ColorDot::ColorDot(QWidget* parent)
    : QWidget(parent)
{
    setFixedSize(kSize, kSize);
}

void ColorDot::setLook(const QColor& color, Qt::PenStyle line)
{
    if (color == m_color && line == m_line)
        return;
    m_color = color;
    m_line = line;
    update();
}

void ColorDot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = kSize / 2.0;
    painter.fillPath(markOf(m_line, { middle, middle }, middle - 1.9), m_color);
}

} // namespace accrue
