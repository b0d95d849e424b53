// SPDX-License-Identifier: Apache-2.0
#include "tests/support/steady_geometry.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>

namespace accrue::test {

namespace {

// The content that scrolls, or the window.
const QWidget* groundOf(const QWidget& widget)
{
    const QWidget* ground = &widget;
    while (ground->parentWidget() != nullptr && !ground->isWindow()) {
        const QWidget* parent = ground->parentWidget();
        const auto* area = qobject_cast<const QScrollArea*>(parent->parentWidget());
        if (area != nullptr && area->widget() == ground)
            return ground;
        ground = parent;
    }
    return ground;
}

QRect placeOf(const QWidget& widget)
{
    return { widget.mapTo(groundOf(widget), QPoint(0, 0)), widget.size() };
}

bool isInList(const QWidget& widget)
{
    for (const QWidget* above = widget.parentWidget(); above != nullptr;
         above = above->parentWidget())
        if (qobject_cast<const QAbstractItemView*>(above) != nullptr
            || above->property("list").toBool())
            return true;
    return false;
}

bool isRecorded(const QWidget& widget)
{
    const bool control = qobject_cast<const QLineEdit*>(&widget) != nullptr
        || qobject_cast<const QComboBox*>(&widget) != nullptr
        || qobject_cast<const QAbstractButton*>(&widget) != nullptr
        || qobject_cast<const QAbstractItemView*>(&widget) != nullptr;
    const bool chart = QByteArrayView(widget.metaObject()->className()).endsWith("Chart");
    return (control || chart) && widget.isVisible() && !isInList(widget);
}

QString nameOf(const QWidget& widget)
{
    if (!widget.accessibleName().isEmpty())
        return widget.accessibleName();
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button != nullptr && !button->text().isEmpty()
        ? button->text()
        : QString::fromLatin1(widget.metaObject()->className());
}

QString textOf(const QRect& rect)
{
    return QStringLiteral("(%1,%2 %3x%4)")
        .arg(rect.x())
        .arg(rect.y())
        .arg(rect.width())
        .arg(rect.height());
}

} // namespace

SteadyGeometry::SteadyGeometry(const QWidget& window)
{
    for (const QWidget* widget : window.findChildren<const QWidget*>())
        if (isRecorded(*widget))
            m_places.push_back({ widget, placeOf(*widget) });
}

QStringList SteadyGeometry::moved() const
{
    QStringList moved;
    for (const Place& place : m_places) {
        if (place.widget == nullptr || !place.widget->isVisible())
            continue;
        const QRect now = placeOf(*place.widget);
        if (now != place.rect)
            moved << QStringLiteral("%1: %2 is now %3")
                         .arg(nameOf(*place.widget), textOf(place.rect), textOf(now));
    }
    return moved;
}

} // namespace accrue::test
