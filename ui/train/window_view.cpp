// SPDX-License-Identifier: Apache-2.0
#include "ui/train/window_view.h"

#include "ui/charts/live_description.h"
#include "ui/models/format.h"
#include "ui/widgets/phase_color.h"
#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr double kGap = 3;
constexpr double kSmallestBox = 9; // a letter does not fit into a smaller one
constexpr double kStepWidth = 48;

// In the order of Phase; idle has other words.
constexpr std::array kPhaseWords { "", QT_TR_NOOP("preparing data and model"),
    QT_TR_NOOP("micro-batch %1 of %2, data"), QT_TR_NOOP("micro-batch %1 of %2, forward"),
    QT_TR_NOOP("micro-batch %1 of %2, backward"),
    QT_TR_NOOP("step: the optimizer updates the parameters"),
    QT_TR_NOOP("evaluating on the test set"), QT_TR_NOOP("saving a checkpoint"),
    QT_TR_NOOP("paused") };

bool isInMicroBatch(Phase phase)
{
    return phase == Phase::Data || phase == Phase::Forward || phase == Phase::Backward;
}

bool isTraining(Phase phase)
{
    return isInMicroBatch(phase) || phase == Phase::Optimizer;
}

// Black or white, whichever has the higher contrast (relative luminance as WCAG has it).
QColor readableOn(const QColor& ground)
{
    const auto linear = [](float channel) { return std::pow(channel, 2.2F); };
    const float luminance = 0.2126F * linear(ground.redF()) + 0.7152F * linear(ground.greenF())
        + 0.0722F * linear(ground.blueF());
    return luminance > 0.18F ? Qt::black : Qt::white;
}

void paintBox(
    QPainter& painter, const QRectF& box, const QString& text, Phase phase, bool lit, bool done)
{
    const ThemeColors& colors = themeColors();
    QColor fill = lit || done ? phaseColor(phase) : colors.track;
    if (done && !lit)
        fill.setAlphaF(0.45F);
    painter.setPen(lit ? QPen(colors.text, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 3, 3);
    if (painter.fontMetrics().horizontalAdvance(text) + 4 > box.width())
        return;
    painter.setPen(lit ? readableOn(fill) : colors.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace

WindowView::WindowView(QWidget* parent)
    : QWidget(parent)
    , m_description(new LiveDescription(this, [this] { return words(); }))
{
    setAccessibleName(tr("Window view"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void WindowView::setMicroBatches(std::uint32_t count)
{
    if (count == m_microBatches)
        return;
    m_microBatches = count;
    m_description->refresh();
    update();
}

void WindowView::setProgress(const Progress& progress)
{
    // Called at least four times a second, while a micro-batch may take seconds.
    if (progress.phase == m_progress.phase && progress.microBatch == m_progress.microBatch
        && progress.ofMicroBatches == m_progress.ofMicroBatches)
        return;
    m_progress = progress;
    m_description->refresh();
    update();
}

QString WindowView::words() const
{
    if (m_progress.phase != Phase::Idle) {
        const QString words = tr(kPhaseWords.at(static_cast<std::size_t>(m_progress.phase)));
        return isInMicroBatch(m_progress.phase)
            ? words.arg(m_progress.microBatch).arg(m_progress.ofMicroBatches)
            : words;
    }
    return m_microBatches == 0
        ? tr("B, b and N do not fit together yet")
        : countedText(m_microBatches, tr("one window: 1 micro-batch, then one step"),
            tr("one window: %1 micro-batches, then one step"));
}

std::uint32_t WindowView::shownMicroBatches() const
{
    return m_progress.ofMicroBatches > 0 ? m_progress.ofMicroBatches : m_microBatches;
}

void WindowView::paintPairs(QPainter& painter, const QRectF& area)
{
    const std::uint32_t count = shownMicroBatches();
    // A box has no more than 44 pixels: few micro-batches do not fill a wide window.
    const double width = std::min(44.0, (area.width() - kGap) / count / 2 - kGap);
    const Phase phase = m_progress.phase;
    const bool training = isTraining(phase);
    double x = area.left();
    for (std::uint32_t i = 1; i <= count; ++i) {
        const bool here = isInMicroBatch(phase) && i == m_progress.microBatch;
        // At the optimizer's step all micro-batches are done.
        const bool past = phase == Phase::Optimizer || (training && i < m_progress.microBatch);
        const QRectF forward(x, area.top(), width, area.height());
        // Reading data lights the forward box: it is the next thing that happens to this micro-
        // batch.
        paintBox(painter, forward, tr("f", "forward"), Phase::Forward,
            here && phase != Phase::Backward, past || (here && phase == Phase::Backward));
        const QRectF backward = forward.translated(width + 1, 0);
        paintBox(painter, backward, tr("b", "backward"), Phase::Backward,
            here && phase == Phase::Backward, past);
        x += 2 * (width + kGap) - kGap + 1 + kGap;
    }
}

void WindowView::paintBar(QPainter& painter, const QRectF& area)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColors().track);
    painter.drawRoundedRect(area, 3, 3);
    if (!isTraining(m_progress.phase) || m_progress.ofMicroBatches == 0)
        return;
    // During the update every micro-batch is done, whatever number was reported last.
    const double share = m_progress.phase == Phase::Optimizer
        ? 1.0
        : static_cast<double>(m_progress.microBatch) / m_progress.ofMicroBatches;
    painter.setBrush(phaseColor(m_progress.phase));
    painter.drawRoundedRect(
        QRectF(area.left(), area.top(), area.width() * share, area.height()), 3, 3);
}

void WindowView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
    const std::uint32_t count = shownMicroBatches();
    if (count == 0)
        return;
    const QRectF boxes = area.adjusted(0, 0, -(kStepWidth + kGap), 0);
    // Two boxes for each micro-batch; where letters do not fit in them, one bar shows how far the
    // window is.
    const double perBox = boxes.width() / count / 2 - kGap;
    double right = boxes.right();
    if (perBox >= kSmallestBox) {
        paintPairs(painter, boxes);
        right = boxes.left() + count * (2 * (std::min(44.0, perBox) + kGap) + 1);
    } else {
        paintBar(painter, boxes);
    }
    const QRectF step(
        std::min(right + kGap, area.right() - kStepWidth), area.top(), kStepWidth, area.height());
    paintBox(painter, step, tr("step", "phase"), Phase::Optimizer,
        m_progress.phase == Phase::Optimizer, false);
}

} // namespace accrue
