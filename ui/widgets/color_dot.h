// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QWidget>

namespace accrue {

// A dot in a run's colour, whose shape stands for the line of its curves (markOf).
class ColorDot : public QWidget {
    Q_OBJECT
public:
    explicit ColorDot(QWidget* parent = nullptr);
    void setLook(const QColor& color, Qt::PenStyle line = Qt::SolidLine);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor m_color;
    Qt::PenStyle m_line = Qt::SolidLine;
};

} // namespace accrue
