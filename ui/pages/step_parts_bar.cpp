// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/step_parts_bar.h"

#include "ui/charts/live_description.h"
#include "ui/models/format.h"
#include "ui/pages/theme.h"
#include "ui/pages/window_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr int kBarHeight = 8;
constexpr int kSwatch = 8;
constexpr int kEntryGap = 10;

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
    , m_description(new LiveDescription(this, [this] { return words(); }))
{
    setAccessibleName(tr("Where a step's time goes"));
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

// Made when it is asked for, not with every step.
bool StepPartsBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), words(), this);
    return true;
}

QSize StepPartsBar::sizeHint() const
{
    return { 240, kBarHeight + 4 + fontMetrics().height() };
}

QSize StepPartsBar::minimumSizeHint() const
{
    return { 120, sizeHint().height() };
}

// What fits: with unit, without, then without what takes little time.
QStringList StepPartsBar::legendTexts() const
{
    const auto parts = partsOf(m_parts);
    for (const double least : { 0.005, 0.02, 0.1 })
        for (const QString& form : { tr("%1 %2 ms"), tr("%1 %2") }) {
            QStringList texts;
            double width = 0;
            for (const Part& part : parts) {
                const bool shown = part.milliseconds >= least * m_parts.total();
                texts << (shown ? form.arg(part.name, millisecondsText(part.milliseconds))
                                : QString());
                width += shown ? entryWidth(texts.back()) : 0;
            }
            if (width - kEntryGap <= this->width())
                return texts;
        }
    return {};
}

double StepPartsBar::entryWidth(const QString& text) const
{
    return kSwatch + 4 + fontMetrics().horizontalAdvance(text) + kEntryGap;
}

void StepPartsBar::paintEvent(QPaintEvent*)
{
    const double total = m_parts.total();
    if (!(total > 0))
        return;
    QPainter painter(this);
    painter.setPen(themeColors().muted);
    const QStringList texts = legendTexts();
    const auto parts = partsOf(m_parts);
    const int textTop = kBarHeight + 4;
    const double swatchTop = textTop + (fontMetrics().height() - kSwatch) / 2.0;
    double barX = 0;
    double textX = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double width = this->width() * parts[i].milliseconds / total;
        painter.fillRect(QRectF(barX, 0, width, kBarHeight), parts[i].color);
        barX += width;
        const QString text = texts.value(static_cast<qsizetype>(i));
        if (text.isEmpty())
            continue;
        painter.fillRect(QRectF(textX, swatchTop, kSwatch, kSwatch), parts[i].color);
        painter.drawText(QPointF(textX + kSwatch + 4, textTop + fontMetrics().ascent()), text);
        textX += entryWidth(text);
    }
}

} // namespace accrue
