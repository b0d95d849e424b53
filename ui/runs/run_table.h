// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/widgets/section_header.h"

#include <QTableView>

namespace accrue {

class RunTable;

// The headers of RunTable: that of the first column stays in sight, and a sorted column has room
// for its arrow.
class RunTableHeader : public SectionHeader {
    Q_OBJECT
public:
    explicit RunTableHeader(QWidget* parent);

protected:
    QSize sectionSizeFromContents(int section) const override;
    Sign signOf(int section) const override;
    void paintSign(QPainter& painter, int section, int left, int middle) const override;
    QColor ink() const override;
    void paintEvent(QPaintEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    const RunTable& table() const;
    int movedAt(const QPoint& position) const; // pixels to where the section under it is

    int m_moved = 0; // the same where the mouse was pressed
};

// The table of runs. Its first column, the name, stays in sight while the others scroll beneath it,
// and takes the room that they leave until somebody gives it a width. GUI thread.
class RunTable : public QTableView {
    Q_OBJECT
public:
    explicit RunTable(QWidget* parent = nullptr);

    // Of the first column; 0 while it is where it belongs, at the left end of all.
    int frozenWidth() const;
    void fitColumns(); // to what they hold; the name takes no more than a share of the table
    // The columns up to `last` are those that had better be seen without scrolling.
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
