// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/icons.h"

#include "ui/widgets/theme.h"

#include <QByteArray>
#include <QEvent>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace accrue {

namespace {

// The pictures are drawn in #808080, the one colour that is replaced.
QByteArray recolored(const QString& name, const QColor& color)
{
    QFile file(QStringLiteral(":/accrue/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().replace(QByteArrayLiteral("#808080"), color.name().toLatin1());
}

// An engine rather than pixmaps: the colours are looked up whenever the icon is painted, so that an
// icon that was set once follows the theme, and it is sharp at every scale.
class ThemedIconEngine : public QIconEngine {
public:
    explicit ThemedIconEngine(QString name)
        : m_name(std::move(name))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const ThemeColors& colors = themeColors();
        const QColor& color = mode == QIcon::Disabled ? colors.disabled
            : state == QIcon::On                      ? colors.accent
                                                      : colors.text;
        QSvgRenderer renderer(recolored(m_name, color));
        const int side = qMin(rect.width(), rect.height());
        QRect square(0, 0, side, side);
        square.moveCenter(rect.center());
        renderer.render(painter, square);
    }

    // The default does not clear the pixmap before it paints.
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_name); }

private:
    QString m_name;
};

} // namespace

QIcon themedIcon(QLatin1String name)
{
    return QIcon(new ThemedIconEngine(name));
}

QPixmap iconPixmap(QLatin1String name, const QColor& color, int size, qreal ratio)
{
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(recolored(name, color)).render(&painter, QRectF(0, 0, size, size));
    return pixmap;
}

IconLabel::IconLabel(int size, QWidget* parent)
    : QLabel(parent)
    , m_size(size)
{
}

void IconLabel::setIcon(QLatin1String name, QColor ThemeColors::*color)
{
    m_name = name;
    m_color = color;
    setPixmap(iconPixmap(name, themeColors().*color, m_size, devicePixelRatioF()));
}

void IconLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    const bool recolored =
        event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange;
    if (recolored && !m_name.isEmpty())
        setIcon(m_name, m_color);
}

} // namespace accrue
