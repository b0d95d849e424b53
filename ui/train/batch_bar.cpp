// SPDX-License-Identifier: Apache-2.0
#include "ui/train/batch_bar.h"

#include "engine/experiment/window_sequence.h"
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
constexpr std::int64_t kMostRows = 8; // of devices

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
    const QFontMetrics metrics = painter.fontMetrics();
    if (tail || metrics.horizontalAdvance(text) + 6 > block.width()
        || metrics.ascent() > block.height())
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

double perSample(const QRectF& area, const std::vector<std::int64_t>& slices)
{
    const double gaps = kGap * static_cast<double>(slices.size() - 1);
    return (area.width() - gaps) / sumOf(slices);
}

// Blocks in proportion to their sizes.
void paintBlocks(QPainter& painter, const QRectF& area, const std::vector<std::int64_t>& slices,
    double widthOfSample, bool tail)
{
    double x = area.left();
    for (const std::int64_t samples : slices) {
        // A last micro-batch that is much smaller than the others is still drawn; a device without
        // a sample has a gap.
        const double width = std::max(1.0, widthOfSample * static_cast<double>(samples));
        if (samples > 0)
            paintBlock(painter, QRectF(x, area.top(), width, area.height()),
                QString::number(samples), tail);
        x += width + kGap;
    }
}

// What one device computes of the slices.
std::vector<std::int64_t> sharesOf(
    const std::vector<std::int64_t>& slices, std::int64_t device, std::int64_t devices)
{
    std::vector<std::int64_t> shares;
    shares.reserve(slices.size());
    for (const std::int64_t samples : slices)
        shares.push_back(shareOf({ .samples = samples }, device, devices).samples);
    return shares;
}

// What the device computes of the slices; too many for the width become stripes. The first device
// has the largest shares, by which all are drawn.
void paintDevice(QPainter& painter, const QRectF& area, const std::vector<std::int64_t>& shares,
    const std::vector<std::int64_t>& first, bool tail)
{
    const double widthOfSample = perSample(area, first);
    if (widthOfSample * static_cast<double>(first.front()) >= kSmallestBlock)
        paintBlocks(painter, area, shares, widthOfSample, tail);
    else if (tail)
        paintBlock(painter, area, {}, tail);
    else
        paintStripes(painter, area, slicesText(shares));
}

// One row for each device, the first ones and the last.
void paintRows(QPainter& painter, const QRectF& area, const std::vector<std::int64_t>& slices,
    std::int64_t devices, bool tail)
{
    const std::int64_t rows = std::min(devices, kMostRows);
    const double gap = rows > 4 ? 1 : kGap;
    const double height =
        (area.height() - gap * static_cast<double>(rows - 1)) / static_cast<double>(rows);
    const std::vector<std::int64_t> first = sharesOf(slices, 0, devices);
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t device = row + 1 == rows ? devices - 1 : row;
        const QRectF line(area.left(), area.top() + static_cast<double>(row) * (height + gap),
            area.width(), height);
        paintDevice(painter, line, sharesOf(slices, device, devices), first, tail);
    }
}

} // namespace

BatchBar::BatchBar(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Batch bar"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BatchBar::setSlices(
    std::vector<std::int64_t> window, std::vector<std::int64_t> tail, std::int64_t devices)
{
    // The plan is checked with every letter that is typed.
    if (window == m_window && tail == m_tail && devices == m_devices)
        return;
    m_devices = devices;
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
        paintRows(painter, area, m_window, m_devices, false);
        return;
    }
    const double room = area.width() - kTailGap;
    const double share = sumOf(m_tail) / (sumOf(m_window) + sumOf(m_tail));
    // The tail has at most this share of the width, so that the window stays readable beside a long
    // one.
    const double tailWidth = std::max(12.0, room * std::min(share, kLargestTailShare));
    paintRows(painter, area.adjusted(0, 0, -(tailWidth + kTailGap), 0), m_window, m_devices, false);
    paintRows(painter, area.adjusted(area.width() - tailWidth, 0, 0, 0), m_tail, m_devices, true);
}

} // namespace accrue
