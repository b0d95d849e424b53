// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPixmap>
#include <QStyledItemDelegate>

namespace accrue {

// A run's dot, whose shape stands for the line of its curves (markOf); `size` in
// device-independent pixels.
QPixmap runDot(const QColor& color, Qt::PenStyle line, int size, qreal ratio);

// Only what the style paints behind an item: selection, hover and background.
void paintGround(QPainter* painter, QStyleOptionViewItem option);
// The keyboard focus: the current cell of a view that has the focus.
void paintFocus(QPainter* painter, const QStyleOptionViewItem& option);
// Text on a ground of its colour with round ends; the text must fit.
void paintChip(QPainter& painter, const QRectF& place, const QColor& color, const QString& text);

// A cell of the run table, with a frame if it has the focus.
class RunCellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    // The width of the column's usual text, not only of the current one.
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

// The name column: check box, dot, name and number; of a group the sign that it is folded, and its
// title.
class RunNameDelegate : public RunCellDelegate {
    Q_OBJECT
public:
    using RunCellDelegate::RunCellDelegate;
    // After the name, if there is space: the settings in which the run differs from others of that
    // name.
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
        const QModelIndex& index) override;
    static QRect foldSign(const QRect& cell); // in the cell of a group

Q_SIGNALS:
    void foldClicked(const QModelIndex& group);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    static int indentOf(const QModelIndex& index);
    static void paintVariant(
        QPainter& painter, const QStyleOptionViewItem& item, const QString& variant);
};

// The state as a coloured chip.
class RunStateDelegate : public RunCellDelegate {
    Q_OBJECT
public:
    using RunCellDelegate::RunCellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace accrue
