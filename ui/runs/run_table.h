// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/widgets/section_header.h"

#include <QTableView>

namespace accrue {

class RunTable;

// The headers of RunTable: that of the first column remains visible, and a sorted column has space
// for its arrow.
class RunTableHeader : public SectionHeader {
    Q_OBJECT
public:
    explicit RunTableHeader(QWidget* parent);

    // Of the box in the first section, which stands for those of all rows.
    void setCheckState(Qt::CheckState state);
    QRect checkBox() const; // in the viewport; empty if that section is hidden

Q_SIGNALS:
    void checkClicked();

protected:
    QSize sectionSizeFromContents(int section) const override;
    Sign signOf(int section) const override;
    void paintSign(QPainter& painter, int section, int left, int middle) const override;
    int leadOf(int section) const override;
    void paintEvent(QPaintEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    const RunTable& table() const;
    int movedAt(const QPoint& position) const; // pixels to where the section under it is

    bool pressesCheckBox(QEvent* event);

    Qt::CheckState m_checked = Qt::Unchecked;
    bool m_pressed = false; // the mouse, in the box
    int m_moved = 0; // the same where the mouse was pressed
};

// The table of runs. Its first column, the name, remains visible while the others scroll beneath
// it, and has the remaining width until the user sets one. GUI thread.
class RunTable : public QTableView {
    Q_OBJECT
public:
    explicit RunTable(QWidget* parent = nullptr);

    RunTableHeader& header() const;

    // The width of the frozen first column; 0 while it is in its own place, at the left end.
    int frozenWidth() const;
    void fitColumns(); // to their contents; the name has no more than a share of the table
    // The columns up to `last` should be visible without scrolling.
    void setLeading(int last) { m_leading = last; }
    void stretchName();
    bool isNameSized() const { return m_nameSized; } // by a person
    void setNameSized(bool sized) { m_nameSized = sized; }

    QModelIndex indexAt(const QPoint& position) const override;
    QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool canFreeze() const; // it leaves room for others
    int widthOf(int first, int last) const; // of those that are shown
    void setNameWidth(int width);
    void paintFrozenCell(QPainter& painter, const QModelIndex& index);

    int m_leading = 0;
    bool m_nameSized = false;
    bool m_sizing = false; // by this
};

} // namespace accrue
