// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/step_parts_bar.h"

#include "ui/models/format.h"
#include "ui/pages/theme.h"
#include "ui/pages/window_view.h"

#include <QPainter>

#include <cmath>

namespace accrue {

namespace {

constexpr int kBarHeight = 8;
constexpr int kSwatch = 8;

struct Part {
    QString name;
    double milliseconds;
    QColor color;
};

QString millisecondsText(double value)
{
    return value >= 100 ? countText(std::llround(value)) : numberText(value, 2);
}

std::array<Part, 5> partsOf(const StepParts& parts)
{
    return { Part { StepPartsBar::tr("data"), parts.data, phaseColor(Phase::Data) },
        Part { StepPartsBar::tr("forward"), parts.forward, phaseColor(Phase::Forward) },
        Part { StepPartsBar::tr("backward"), parts.backward, phaseColor(Phase::Backward) },
        Part { StepPartsBar::tr("step"), parts.optimizer, phaseColor(Phase::Optimizer) },
        Part { StepPartsBar::tr("other"), parts.other, themeColors().control } };
}

} // namespace

StepPartsBar::StepPartsBar(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Where a step's time goes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepPartsBar::setParts(const StepParts& parts)
{
    m_parts = parts;
    QString words = tr("One step takes %1 ms").arg(millisecondsText(parts.total()));
    for (const Part& part : partsOf(parts))
        words += tr("\n%1: %2 ms").arg(part.name, millisecondsText(part.milliseconds));
    setToolTip(words);
    update();
}

QSize StepPartsBar::sizeHint() const
{
    return { 240, kBarHeight + 4 + fontMetrics().height() };
}

QSize StepPartsBar::minimumSizeHint() const
{
    return { 120, sizeHint().height() };
}

void StepPartsBar::paintEvent(QPaintEvent*)
{
    const double total = m_parts.total();
    if (!(total > 0))
        return;
    QPainter painter(this);
    painter.setPen(Qt::NoPen);
    double x = 0;
    double textX = 0;
    const int textTop = kBarHeight + 4;
    for (const Part& part : partsOf(m_parts)) {
        const double width = this->width() * part.milliseconds / total;
        painter.fillRect(QRectF(x, 0, width, kBarHeight), part.color);
        x += width;
        const QString text = tr("%1 %2 ms").arg(part.name, millisecondsText(part.milliseconds));
        const double textWidth = kSwatch + 4 + fontMetrics().horizontalAdvance(text) + 10;
        if (textX + textWidth - 10 > this->width() || part.milliseconds < 0.005 * total)
            continue;
        const int middle = textTop + fontMetrics().height() / 2;
        painter.fillRect(QRectF(textX, middle - kSwatch / 2.0, kSwatch, kSwatch), part.color);
        painter.setPen(themeColors().muted);
        painter.drawText(QPointF(textX + kSwatch + 4, textTop + fontMetrics().ascent()), text);
        textX += textWidth;
    }
}

} // namespace accrue
