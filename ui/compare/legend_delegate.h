// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace accrue {

// A row of the list of compared runs, which is the legend of all charts: a sample of the line, the
// title, what differs, an eye that hides the curve, and a cross that removes the run.
class LegendDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;

    // The lines of a row as they are drawn.
    static QStringList textsAt(const QStyleOptionViewItem& option, const QModelIndex& index);

Q_SIGNALS:
    void removeClicked(const QModelIndex& index);
    void eyeClicked(const QModelIndex& index);

private:
    void paintText(QPainter& painter, const QStyleOptionViewItem& option, const QRect& row,
        const QModelIndex& index) const;
    void paintButtons(
        QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
};

} // namespace accrue
