// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>

#include <vector>

namespace accrue {

// So many pixels of one colour, side by side.
struct Stretch {
    QColor color;
    int left = 0;
    int width = 0;
    int right() const { return left + width; }
};

// What a widget paints at a height, from left to right.
inline std::vector<Stretch> paintedRow(QWidget& widget, int y)
{
    const QImage image = widget.grab().toImage();
    std::vector<Stretch> row;
    for (int x = 0; x < image.width(); ++x) {
        if (row.empty() || row.back().color != image.pixelColor(x, y))
            row.push_back({ image.pixelColor(x, y), x });
        ++row.back().width;
    }
    return row;
}

inline std::vector<Stretch> stretchesOf(const std::vector<Stretch>& row, const QColor& color)
{
    std::vector<Stretch> found;
    for (const Stretch& stretch : row)
        if (stretch.color == color)
            found.push_back(stretch);
    return found;
}

} // namespace accrue
