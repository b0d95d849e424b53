// SPDX-License-Identifier: Apache-2.0
#include "ui/train/window_view.h"

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

constexpr double kGap = 3;
constexpr double kSmallestBox = 9; // a letter does not fit into a smaller one
constexpr double kStepWidth = 48;
constexpr std::int64_t kMostRows = 16; // of devices
constexpr double kLeastForText = 12; // pixels of a row
constexpr int kSmallLetters = 10; // in several rows
constexpr double kNumberWidth = 16; // of a rank

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
    const bool isLow = box.height() < kLeastForText - 2;
    painter.setPen(lit && !isLow ? QPen(colors.text, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    const double corner = isLow ? 1 : 3;
    painter.drawRoundedRect(box, corner, corner);
    if (isLow || painter.fontMetrics().horizontalAdvance(text) + 4 > box.width())
        return;
    painter.setPen(lit ? readableOn(fill) : colors.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

// "0, 2–14"
QString rangesText(const std::vector<std::size_t>& ranks)
{
    QStringList texts;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::size_t first = ranks[i];
        while (i + 1 < ranks.size() && ranks[i + 1] == ranks[i] + 1)
            ++i;
        const QString text = QString::number(first);
        texts.append(first == ranks[i] ? text : QStringLiteral("%1–%2").arg(text).arg(ranks[i]));
    }
    return texts.join(WindowView::tr(", "));
}

// Pixels between two rows of so many.
double gapOf(int rows)
{
    return rows > 8 ? 1 : 2;
}

double rowHeightOf(int rows)
{
    constexpr std::array kUpToFour { 24, 18, 14, 13 };
    if (rows <= static_cast<int>(kUpToFour.size()))
        return kUpToFour.at(static_cast<std::size_t>(rows - 1));
    return rows > 8 ? 4 : 8;
}

} // namespace

WindowView::WindowView(QWidget* parent)
    : QWidget(parent)
    , m_description(new LiveDescription(this, [this] { return words(); }))
{
    setAccessibleName(tr("Window view"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

int WindowView::heightOf(int rows)
{
    return static_cast<int>(rows * rowHeightOf(rows) + (rows - 1) * gapOf(rows));
}

void WindowView::setPlan(std::uint32_t microBatches, std::int64_t devices)
{
    if (microBatches == m_microBatches && devices == m_devices)
        return;
    m_microBatches = microBatches;
    m_devices = devices;
    m_rows = static_cast<int>(std::clamp<std::int64_t>(devices, 1, kMostRows));
    updateGeometry();
    m_description->refresh();
    update();
}

void WindowView::setProgressOfRanks(std::vector<Progress> progress)
{
    // Called at least four times a second, while a micro-batch may take seconds.
    if (progress.empty() || progress == m_progress)
        return;
    m_progress = std::move(progress);
    m_description->refresh();
    update();
}

Progress WindowView::progressOf(std::size_t rank) const
{
    return rank < m_progress.size() ? m_progress[rank] : Progress {};
}

QString WindowView::wordsOf(const Progress& progress) const
{
    const QString words = tr(kPhaseWords.at(static_cast<std::size_t>(progress.phase)));
    return isInMicroBatch(progress.phase)
        ? words.arg(progress.microBatch).arg(progress.ofMicroBatches)
        : words;
}

QString WindowView::words() const
{
    if (m_progress.front().phase != Phase::Idle)
        return wordsOfRanks();
    return m_microBatches == 0
        ? tr("B, b and N do not fit together yet")
        : countedText(m_microBatches, tr("one window: 1 micro-batch, then one step"),
            tr("one window: %1 micro-batches, then one step"));
}

// The same of all ranks, or what groups of them do, in the order of their first ranks. A rank that
// has ended does nothing.
QString WindowView::wordsOfRanks() const
{
    QStringList states;
    std::vector<std::vector<std::size_t>> ranks; // of each state
    for (std::size_t rank = 0; rank < m_progress.size(); ++rank) {
        if (m_progress[rank].phase == Phase::Idle)
            continue;
        const QString state = wordsOf(m_progress[rank]);
        qsizetype at = states.indexOf(state);
        if (at < 0) {
            at = states.size();
            states.append(state);
            ranks.emplace_back();
        }
        ranks[static_cast<std::size_t>(at)].push_back(rank);
    }
    const bool areAllKnown = m_devices <= static_cast<std::int64_t>(m_progress.size());
    if (states.size() == 1 && areAllKnown)
        return states.first();
    for (qsizetype i = 0; i < states.size(); ++i)
        states[i] =
            tr("%1 (rank %2)").arg(states[i], rangesText(ranks[static_cast<std::size_t>(i)]));
    return states.join(tr("; "));
}

// The label beside it has space for one line.
bool WindowView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_devices == 1)
        return QWidget::event(event);
    QStringList lines;
    for (std::size_t rank = 0; rank < m_progress.size(); ++rank)
        if (m_progress[rank].phase != Phase::Idle)
            lines.append(tr("rank %1: %2").arg(rank).arg(wordsOf(m_progress[rank])));
    QToolTip::showText(
        static_cast<QHelpEvent*>(event)->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

std::uint32_t WindowView::shownMicroBatches() const
{
    std::uint32_t most = 0;
    for (const Progress& progress : m_progress)
        most = std::max(most, progress.ofMicroBatches);
    return most > 0 ? most : m_microBatches;
}

void WindowView::paintPairs(QPainter& painter, const QRectF& area, const Progress& progress) const
{
    const std::uint32_t count = shownMicroBatches();
    // A box has no more than 44 pixels: few micro-batches do not fill a wide window.
    const double width = std::min(44.0, (area.width() - kGap) / count / 2 - kGap);
    const Phase phase = progress.phase;
    const bool training = isTraining(phase);
    double x = area.left();
    for (std::uint32_t i = 1; i <= count; ++i) {
        const bool here = isInMicroBatch(phase) && i == progress.microBatch;
        // At the optimizer's step all micro-batches are done.
        const bool past = phase == Phase::Optimizer || (training && i < progress.microBatch);
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

void WindowView::paintBar(QPainter& painter, const QRectF& area, const Progress& progress) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColors().track);
    painter.drawRoundedRect(area, 3, 3);
    if (!isTraining(progress.phase) || progress.ofMicroBatches == 0)
        return;
    // During the update every micro-batch is done, whatever number was reported last.
    const double share = progress.phase == Phase::Optimizer
        ? 1.0
        : static_cast<double>(progress.microBatch) / progress.ofMicroBatches;
    painter.setBrush(phaseColor(progress.phase));
    painter.drawRoundedRect(
        QRectF(area.left(), area.top(), area.width() * share, area.height()), 3, 3);
}

void WindowView::paintRow(QPainter& painter, const QRectF& area, const Progress& progress) const
{
    const std::uint32_t count = shownMicroBatches();
    const QRectF boxes = area.adjusted(0, 0, -(kStepWidth + kGap), 0);
    // Two boxes for each micro-batch; where letters do not fit in them, one bar shows how far the
    // window is.
    const double perBox = boxes.width() / count / 2 - kGap;
    double right = boxes.right();
    if (perBox >= kSmallestBox) {
        paintPairs(painter, boxes, progress);
        right = boxes.left() + count * (2 * (std::min(44.0, perBox) + kGap) + 1);
    } else {
        paintBar(painter, boxes, progress);
    }
    const QRectF step(
        std::min(right + kGap, area.right() - kStepWidth), area.top(), kStepWidth, area.height());
    paintBox(painter, step, tr("step", "phase"), Phase::Optimizer,
        progress.phase == Phase::Optimizer, false);
}

void WindowView::paintEvent(QPaintEvent*)
{
    if (shownMicroBatches() == 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double height = rowHeightOf(m_rows);
    const bool hasNumbers = m_rows > 1 && height >= kLeastForText;
    if (m_rows > 1) { // so that letters fit into rows
        QFont font = painter.font();
        font.setPixelSize(kSmallLetters);
        painter.setFont(font);
    }
    for (int row = 0; row < m_rows; ++row) {
        const std::int64_t rank = row + 1 == m_rows ? m_devices - 1 : row;
        QRectF line(1, row * (height + gapOf(m_rows)), width() - 2, height);
        if (height >= kLeastForText) // the outline of a lit box
            line.adjust(0, 1, 0, -1);
        if (hasNumbers) {
            painter.setPen(themeColors().muted);
            painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, QString::number(rank));
            line.setLeft(line.left() + kNumberWidth);
        }
        paintRow(painter, line, progressOf(static_cast<std::size_t>(rank)));
    }
}

} // namespace accrue
