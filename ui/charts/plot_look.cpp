// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/plot_look.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>

// Greys are mixed from ink and ground, and not taken from the theme: on either background they
// stand out by the same share.

namespace accrue {

PlotLook::PlotLook(const QWidget& widget)
    : font(widget.font())
    , small(font)
    , palette(widget.palette())
{
    // A font has its size in pixels or in points; the other one is -1.
    if (small.pixelSize() > 0)
        small.setPixelSize(std::max(9, small.pixelSize() - 2));
    else
        small.setPointSizeF(small.pointSizeF() * 0.88);
}

QColor PlotLook::muted(double share) const
{
    const QColor ink = color(QPalette::Text);
    const QColor ground = color(QPalette::Base);
    const auto mix = [share](int a, int b) {
        return static_cast<int>(std::lround(a * share + b * (1 - share)));
    };
    return QColor(mix(ink.red(), ground.red()), mix(ink.green(), ground.green()),
        mix(ink.blue(), ground.blue()));
}

double PlotLook::smallHeight() const
{
    return QFontMetricsF(small).height();
}

QColor withAlpha(QColor color, int alpha)
{
    color.setAlpha(alpha);
    return color;
}

void paintOnGround(
    QPainter& painter, const PlotLook& look, const QRectF& place, const QString& text)
{
    painter.fillRect(place, withAlpha(look.color(QPalette::Base), 215));
    painter.setFont(look.small);
    painter.setPen(look.color(QPalette::Text));
    painter.drawText(place, Qt::AlignCenter, text);
}

} // namespace accrue
