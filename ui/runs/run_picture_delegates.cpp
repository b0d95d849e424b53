// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_picture_delegates.h"

#include <QMouseEvent>
#include <QPainter>

#include "ui/charts/curve_look.h"
#include "ui/models/run_palette.h"
#include "ui/models/run_table_model.h"
#include "ui/rows/curve_picture.h"
#include "ui/rows/tag_colors.h"
#include "ui/widgets/theme.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr int kMostPictures = 500;
constexpr int kCurveWidth = 84; // pixels
constexpr double kCurveLine = 1.4;
constexpr int kMargin = 7; // of a cell, at each side
constexpr int kChipPadding = 7;
constexpr int kChipGap = 4;
constexpr int kLeastChip = 34;
constexpr int kMostWidth = 220; // of the column by itself

} // namespace

// ---- curves ----------------------------------------------------------------------------------

RunCurveDelegate::RunCurveDelegate(RunCurves& curves, RunCurves::Kind kind, QObject* parent)
    : RunCellDelegate(parent)
    , m_curves(curves)
    , m_kind(kind)
    , m_pictures(kMostPictures)
{
}

void RunCurveDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    RunCellDelegate::paint(painter, option, index);
    if (index.data(RunTableModel::GroupRole).toBool())
        return;
    const RunId run { index.data(RunTableModel::RunIdRole).toLongLong() };
    const RunCurves::Curve* const curve = m_curves.curve(run, m_kind);
    if (curve == nullptr)
        return;
    const RunStyle look = styleOf(run, backgroundOf(option.palette));
    const qreal ratio = painter->device()->devicePixelRatioF();
    painter->drawPixmap(
        option.rect.topLeft(), pictureOf(*curve, option.rect.size(), look.color, ratio));
}

QPixmap RunCurveDelegate::pictureOf(
    const RunCurves::Curve& curve, const QSize& size, const QColor& color, qreal ratio) const
{
    const QString key = QStringLiteral("%1 %2x%3 %4 %5")
                            .arg(curve.version)
                            .arg(size.width())
                            .arg(size.height())
                            .arg(color.rgb())
                            .arg(ratio);
    if (const QPixmap* known = m_pictures.object(key))
        return *known;
    auto* picture = new QPixmap(size * ratio);
    picture->setDevicePixelRatio(ratio);
    picture->fill(Qt::transparent);
    QPainter painter(picture);
    // Solid: a dashed line this small is no form any more.
    paintCurve(painter, QRectF(QPointF(), size).adjusted(kMargin, 6, -kMargin, -6), curve.points,
        penOf(color, Qt::SolidLine, kCurveLine));
    painter.end();
    const QPixmap made = *picture;
    m_pictures.insert(key, picture);
    return made;
}

QSize RunCurveDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return { kCurveWidth, RunCellDelegate::sizeHint(option, index).height() };
}

// ---- tags ------------------------------------------------------------------------------------

std::vector<RunTagsDelegate::Chip> RunTagsDelegate::chipsIn(
    const QRect& cell, const QFontMetrics& metrics, const QStringList& tags)
{
    const int high = metrics.height() + 4;
    const int top = cell.center().y() - high / 2;
    const int end = cell.right() - kMargin;
    int left = cell.left() + kMargin;
    std::vector<Chip> chips;
    for (qsizetype i = 0; i < tags.size(); ++i) {
        const auto wide = [&](const QString& text) {
            return metrics.horizontalAdvance(text) + 2 * kChipPadding;
        };
        const QString rest = QStringLiteral("+%1").arg(tags.size() - i);
        const bool isLast = i + 1 == tags.size();
        const int room = end - left - (isLast ? 0 : wide(rest) + kChipGap);
        const int width = std::min(wide(tags[i]), room);
        // A first tag is elided, so that a narrow column still shows a tag; a later one is counted.
        if (width < (chips.empty() ? kLeastChip : wide(tags[i]))) {
            chips.push_back({ QRect(left, top, wide(rest), high), rest, {} });
            break;
        }
        chips.push_back({ QRect(left, top, width, high),
            metrics.elidedText(tags[i], Qt::ElideRight, width - 2 * kChipPadding), tags[i] });
        left += width + kChipGap;
    }
    return chips;
}

void RunTagsDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    paintGround(painter, ground);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(option.font);
    const QStringList tags = index.data(RunTableModel::TagsRole).toStringList();
    for (const Chip& chip : chipsIn(option.rect, QFontMetrics(option.font), tags)) {
        const QColor color = chip.tag.isEmpty() ? themeColors().muted : tagColor(chip.tag);
        paintChip(*painter, chip.place, color, chip.text);
    }
    painter->restore();
    paintFocus(painter, option);
}

QSize RunTagsDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QStringList tags = index.data(RunTableModel::TagsRole).toStringList();
    const QFontMetrics metrics(option.font);
    int wide = 2 * kMargin;
    for (const QString& tag : tags)
        wide += metrics.horizontalAdvance(tag) + 2 * kChipPadding + kChipGap;
    return { std::min(wide, kMostWidth), RunCellDelegate::sizeHint(option, index).height() };
}

bool RunTagsDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
    const QStyleOptionViewItem& option, const QModelIndex& index)
{
    const auto* const mouse = dynamic_cast<QMouseEvent*>(event);
    if (event->type() != QEvent::MouseButtonRelease || mouse->button() != Qt::LeftButton
        || mouse->modifiers() != Qt::NoModifier) // which extend the selection
        return RunCellDelegate::editorEvent(event, model, option, index);
    const QStringList tags = index.data(RunTableModel::TagsRole).toStringList();
    for (const Chip& chip : chipsIn(option.rect, QFontMetrics(option.font), tags))
        if (!chip.tag.isEmpty() && chip.place.contains(mouse->pos())) {
            Q_EMIT tagClicked(chip.tag);
            return true;
        }
    return RunCellDelegate::editorEvent(event, model, option, index);
}

} // namespace accrue
