// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

namespace accrue {

// The cells of a comparison's table: the best value of a row bold and green, the worst italic and
// grey, a rule above the results; behind the value its difference to the baseline.
class TableCells : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    static void paintDifference(
        QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index);
};

} // namespace accrue
