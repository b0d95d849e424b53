// SPDX-License-Identifier: Apache-2.0
#include "ui/train/batch_bar.h"

#include "ui/models/batch_words.h"
#include "ui/widgets/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace accrue {

namespace {

constexpr double kGap = 2; // between blocks
constexpr double kTailGap = 16; // between the window and the tail
constexpr double kSmallestBlock = 3; // below it, blocks cannot be distinguished
constexpr double kStripe = 4; // represents several of those
constexpr double kLargestTailShare = 0.42;
constexpr double kFaded = 0.35; // opacity

double sumOf(const std::vector<std::int64_t>& slices)
{
    return static_cast<double>(std::accumulate(slices.begin(), slices.end(), std::int64_t { 0 }));
}

void paintBlock(QPainter& painter, const QRectF& block, const QString& text, bool tail)
{
    const ThemeColors& colors = themeColors();
    if (tail) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(QBrush(colors.accent, Qt::BDiagPattern));
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.accentFill);
    }
    painter.drawRoundedRect(block, 3, 3);
    // Without a number rather than with a part of it, which would be read as another number.
    if (tail || painter.fontMetrics().horizontalAdvance(text) + 6 > block.width())
        return;
    painter.setPen(Qt::white);
    painter.drawText(block, Qt::AlignCenter, text);
}

// Too many to be distinguished: stripes, with their number and size among them.
void paintStripes(QPainter& painter, const QRectF& area, const QString& text)
{
    // The stripes are stretched a little, so that they end where the area does.
    const int count = std::max(1, static_cast<int>((area.width() + kGap) / (kStripe + kGap)));
    const double pitch = (area.width() + kGap) / count;
    const auto paint = [&](int from, int stripes, const QString& said) {
        const QRectF block(
            area.left() + from * pitch, area.top(), stripes * pitch - kGap, area.height());
        paintBlock(painter, block, said, false);
    };
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 16;
    const int covered = wide <= area.width() ? static_cast<int>(std::ceil(wide / pitch)) : 0;
    // The text replaces whole stripes in the middle, so that it cuts none in two.
    const int first = (count - covered) / 2;
    for (int i = 0; i < count; ++i)
        if (i < first || i >= first + covered)
            paint(i, 1, {});
    if (covered > 0)
        paint(first, covered, text);
}

// Blocks in proportion to their sizes; too many for the width become stripes.
void paintBlocks(
    QPainter& painter, const QRectF& area, const std::vector<std::int64_t>& slices, bool tail)
{
    const double gaps = kGap * static_cast<double>(slices.size() - 1);
    const double perSample = (area.width() - gaps) / sumOf(slices);
    if (perSample * static_cast<double>(slices.front()) < kSmallestBlock) {
        if (tail)
            paintBlock(painter, area, {}, tail);
        else
            paintStripes(painter, area, slicesText(slices));
        return;
    }
    double x = area.left();
    for (const std::int64_t samples : slices) {
        // A last micro-batch that is much smaller than the others is still drawn.
        const double width = std::max(1.0, perSample * static_cast<double>(samples));
        paintBlock(
            painter, QRectF(x, area.top(), width, area.height()), QString::number(samples), tail);
        x += width + kGap;
    }
}

} // namespace

BatchBar::BatchBar(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Batch bar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BatchBar::setSlices(std::vector<std::int64_t> window, std::vector<std::int64_t> tail)
{
    // The plan is checked with every letter that is typed.
    if (window == m_window && tail == m_tail)
        return;
    m_window = std::move(window);
    m_tail = std::move(tail);
    update();
}

void BatchBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!isEnabled()) // an earlier plan, which must not look like that of the form
        painter.setOpacity(kFaded);
    const QRectF area = QRectF(rect()).adjusted(0.5, 2.5, -0.5, -2.5);
    if (m_window.empty()) {
        painter.setPen(QPen(themeColors().control, 1, Qt::DashLine));
        painter.drawRoundedRect(area, 3, 3);
        return;
    }
    if (m_tail.empty()) {
        paintBlocks(painter, area, m_window, false);
        return;
    }
    const double room = area.width() - kTailGap;
    const double share = sumOf(m_tail) / (sumOf(m_window) + sumOf(m_tail));
    // The tail has at most this share of the width, so that the window stays readable beside a long
    // one.
    const double tailWidth = std::max(12.0, room * std::min(share, kLargestTailShare));
    paintBlocks(painter, area.adjusted(0, 0, -(tailWidth + kTailGap), 0), m_window, false);
    paintBlocks(painter, area.adjusted(area.width() - tailWidth, 0, 0, 0), m_tail, true);
}

} // namespace accrue
