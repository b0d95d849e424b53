// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_sparklines.h"

#include "ui/charts/curve_look.h"
#include "ui/models/format.h"
#include "ui/models/run_palette.h"
#include "ui/rows/curve_picture.h"
#include "ui/widgets/theme.h"

#include <QPainter>

namespace accrue {

namespace {

constexpr int kCurveHeight = 44; // pixels
constexpr int kGap = 16;
constexpr double kLine = 1.6;

} // namespace

RunSparklines::RunSparklines(RunCurves& curves, QWidget* parent)
    : QWidget(parent)
    , m_curves(curves)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(&curves, &RunCurves::changed, this, qOverload<>(&QWidget::update));
}

QSize RunSparklines::sizeHint() const
{
    return { 200, kCurveHeight + fontMetrics().height() + 8 };
}

void RunSparklines::showRun(const RunRecord* run)
{
    m_run = run != nullptr ? std::optional(*run) : std::nullopt;
    setAccessibleName(words());
    setToolTip(words());
    update();
}

QString RunSparklines::words() const
{
    return m_run
        ? tr("%1, %2").arg(titleOf(RunCurves::Kind::Loss), titleOf(RunCurves::Kind::Accuracy))
        : QString();
}

// A run that was not evaluated yet has a dash.
QString RunSparklines::titleOf(RunCurves::Kind kind) const
{
    return kind == RunCurves::Kind::Loss
        ? tr("Loss %1").arg(numberText(m_run->lastLoss, 3))
        : tr("Accuracy %1").arg(percentText(bestAccuracyOf(*m_run)));
}

void RunSparklines::paintOne(QPainter& painter, const QRect& place, RunCurves::Kind kind)
{
    const int title = fontMetrics().height();
    painter.setPen(themeColors().muted);
    painter.drawText(place.adjusted(0, 0, 0, title - place.height()), Qt::AlignLeft,
        fontMetrics().elidedText(titleOf(kind), Qt::ElideRight, place.width()));
    const QRect box = place.adjusted(0, title + 4, 0, 0);
    painter.setPen(themeColors().border);
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    const RunCurves::Curve* const curve = m_curves.curve(m_run->id, kind);
    if (curve == nullptr)
        return;
    const RunStyle look = styleOf(m_run->id, backgroundOf(palette()));
    paintCurve(painter, QRectF(box).adjusted(2, 3, -2, -4), curve->points,
        penOf(look.color, Qt::SolidLine, kLine));
}

void RunSparklines::paintEvent(QPaintEvent* /*event*/)
{
    if (!m_run)
        return;
    QPainter painter(this);
    const int wide = (width() - kGap) / 2;
    const int high = sizeHint().height() - 4;
    paintOne(painter, QRect(0, 0, wide, high), RunCurves::Kind::Loss);
    paintOne(painter, QRect(wide + kGap, 0, wide, high), RunCurves::Kind::Accuracy);
}

} // namespace accrue
