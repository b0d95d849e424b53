// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QWidget>

namespace accrue {

// A round dot in a run's colour.
class ColorDot : public QWidget {
    Q_OBJECT
public:
    explicit ColorDot(QWidget* parent = nullptr);
    void setColor(const QColor& color);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QColor m_color;
};

} // namespace accrue
