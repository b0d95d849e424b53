// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QIcon>
#include <QLabel>
#include <QLatin1String>

namespace accrue {

struct ThemeColors;

// An icon of resources/icons, drawn in the theme's text colour at the moment of painting: grey when
// disabled, the accent when checked. `name` is the file's stem.
QIcon themedIcon(QLatin1String name);
// The same in one colour, as a picture of `size` device-independent pixels.
QPixmap iconPixmap(QLatin1String name, const QColor& color, int size, qreal ratio);

// Such a picture, which has its colour in it and is painted again in each theme.
class IconLabel : public QLabel {
    Q_OBJECT
public:
    explicit IconLabel(int size, QWidget* parent);
    void setIcon(QLatin1String name, QColor ThemeColors::*color);

protected:
    void changeEvent(QEvent* event) override;

private:
    int m_size;
    QLatin1String m_name; // empty: none yet
    QColor ThemeColors::*m_color = nullptr;
};

} // namespace accrue
