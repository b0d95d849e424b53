// SPDX-License-Identifier: Apache-2.0
#include "ui/train/step_parts_bar.h"

#include "ui/charts/live_description.h"
#include "ui/models/format.h"
#include "ui/widgets/phase_color.h"
#include "ui/widgets/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace accrue {

namespace {

constexpr int kBarHeight = 8;
constexpr int kSwatch = 8;
constexpr int kEntries = 5;

struct Part {
    QString name;
    double milliseconds;
    QColor color;
};

QString millisecondsText(double value)
{
    return value >= 100 ? countText(std::llround(value)) : numberText(value, 2);
}

// The font is as small as that of the charts' legends.
QFont legendFont(const QWidget& widget)
{
    QFont font = widget.font();
    font.setPixelSize(std::max(9, QFontInfo(font).pixelSize() - 2));
    return font;
}

std::array<Part, 5> partsOf(const StepParts& parts)
{
    return { Part { StepPartsBar::tr("data"), parts.data, phaseColor(Phase::Data) },
        Part { StepPartsBar::tr("forward"), parts.forward, phaseColor(Phase::Forward) },
        Part { StepPartsBar::tr("backward"), parts.backward, phaseColor(Phase::Backward) },
        Part { StepPartsBar::tr("step", "phase"), parts.optimizer, phaseColor(Phase::Optimizer) },
        Part { StepPartsBar::tr("other"), parts.other, themeColors().control } };
}

} // namespace

StepPartsBar::StepPartsBar(QWidget* parent)
    : QWidget(parent)
    , m_description(new LiveDescription(this, [this] { return words(); }))
{
    setAccessibleName(tr("Time of a step by part"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepPartsBar::setParts(const StepParts& parts)
{
    m_parts = parts;
    m_description->refresh();
    update();
}

QString StepPartsBar::words() const
{
    if (!(m_parts.total() > 0))
        return {};
    QStringList lines { tr("One step takes %1 ms").arg(millisecondsText(m_parts.total())) };
    for (const Part& part : partsOf(m_parts))
        lines.append(tr("%1: %2 ms").arg(part.name, millisecondsText(part.milliseconds)));
    return lines.join(QLatin1Char('\n'));
}

// Made when it is requested, not with every step.
bool StepPartsBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), words(), this);
    return true;
}

QSize StepPartsBar::sizeHint() const
{
    return { 240,
        kBarHeight + 4
            + ((kEntries + m_columns - 1) / m_columns) * QFontMetrics(legendFont(*this)).height() };
}

void StepPartsBar::paintEvent(QPaintEvent*)
{
    const double total = m_parts.total();
    if (!(total > 0))
        return;
    QPainter painter(this);
    painter.setFont(legendFont(*this));
    painter.setPen(themeColors().muted);
    const auto parts = partsOf(m_parts);
    double x = 0;
    // Bar and legend in one pass: the same colours in the same order.
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double width = this->width() * parts[i].milliseconds / total;
        painter.fillRect(QRectF(x, 0, width, kBarHeight), parts[i].color);
        x += width;
        const double column = static_cast<double>(this->width()) / m_columns;
        const auto place = static_cast<int>(i);
        const QRectF entry(column * (place % m_columns),
            kBarHeight + 4 + painter.fontMetrics().height() * (place / m_columns), column,
            painter.fontMetrics().height());
        painter.fillRect(QRectF(entry.left(), entry.center().y() - kSwatch / 2.0, kSwatch, kSwatch),
            parts[i].color);
        const QRectF room = entry.adjusted(kSwatch + 4, 0, -4, 0);
        const QString text =
            tr("%1 %2 ms").arg(parts[i].name, millisecondsText(parts[i].milliseconds));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room.width())));
    }
}

void StepPartsBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int entry = kSwatch + 8
        + QFontMetrics(legendFont(*this))
              .horizontalAdvance(tr("%1 %2 ms").arg(tr("backward"), tr("0.00")));
    // Measured with a long name and a usual number; an occasional longer one is elided.
    const int columns = width() >= 3 * entry ? 3 : 2;
    // The height depends on the columns, not on the parts.
    if (std::exchange(m_columns, columns) != columns)
        updateGeometry();
}

} // namespace accrue
