// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHeaderView>

namespace accrue {

struct ThemeColors;

// The column headers of the tables of runs: a bold title aligned as the values of its column, with
// space on the inner side for a sign, such as the arrow of a sorted column. An arrow above the
// title, where a style paints it, hides a letter. GUI thread.
class SectionHeader : public QHeaderView {
    Q_OBJECT
public:
    SectionHeader(QColor ThemeColors::*ink, QWidget* parent); // the colour of titles

protected:
    static constexpr int kPadding = 8; // pixels, as the style sheet has it

    struct Sign { // pixels
        int width = 0; // 0: none
        int gap = 0; // between it and the title
    };
    virtual Sign signOf(int section) const = 0;
    // `left` is its left edge, `middle` the height that it is centred at.
    virtual void paintSign(QPainter& painter, int section, int left, int middle) const = 0;

    // Pixels at the left of a title that is aligned there, for something that is painted before it.
    virtual int leadOf(int /*section*/) const { return 0; }

    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    QFont titleFont() const;
    QString titleOf(int section) const;

private:
    bool isRight(int section) const;

    QColor ThemeColors::*m_ink;
};

} // namespace accrue
