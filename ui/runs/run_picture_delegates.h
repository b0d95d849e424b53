// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/rows/run_curves.h"
#include "ui/widgets/run_delegates.h"

#include <QCache>
#include <QPixmap>
#include <QRect>
#include <QString>

#include <vector>

namespace accrue {

// A run's curve in its own colour; nothing until it was read.
class RunCurveDelegate : public RunCellDelegate {
    Q_OBJECT
public:
    // `curves` is borrowed.
    RunCurveDelegate(RunCurves& curves, RunCurves::Kind kind, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QPixmap pictureOf(
        const RunCurves::Curve& curve, const QSize& size, const QColor& color, qreal ratio) const;

    RunCurves& m_curves;
    RunCurves::Kind m_kind;
    // Of the rows painted last: drawing a smooth line anew costs more than the rest of its row.
    mutable QCache<QString, QPixmap> m_pictures;
};

// A run's tags as chips, each in the colour of its text; those for which there is no space are
// counted: “+2”. A click on a chip requests its tag.
class RunTagsDelegate : public RunCellDelegate {
    Q_OBJECT
public:
    using RunCellDelegate::RunCellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

    struct Chip {
        QRect place;
        QString text;
        QString tag; // empty: it counts those that have no space
    };
    // In their order. Pure.
    static std::vector<Chip> chipsIn(
        const QRect& cell, const QFontMetrics& metrics, const QStringList& tags);

Q_SIGNALS:
    void tagClicked(const QString& tag);
};

} // namespace accrue
