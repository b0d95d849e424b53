// SPDX-License-Identifier: Apache-2.0
#include "tests/support/steady_geometry.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSlider>
#include <QTabBar>

#include <algorithm>

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

bool isControl(const QWidget& widget)
{
    const bool control = qobject_cast<const QLineEdit*>(&widget) != nullptr
        || qobject_cast<const QComboBox*>(&widget) != nullptr
        || qobject_cast<const QAbstractButton*>(&widget) != nullptr
        || qobject_cast<const QAbstractItemView*>(&widget) != nullptr;
    const bool chart = QByteArrayView(widget.metaObject()->className()).endsWith("Chart");
    return control || chart;
}

bool isElse(const QWidget& widget)
{
    return qobject_cast<const QLabel*>(&widget) != nullptr
        || qobject_cast<const QSlider*>(&widget) != nullptr
        || qobject_cast<const QTabBar*>(&widget) != nullptr
        || qobject_cast<const QAbstractScrollArea*>(&widget) != nullptr;
}

bool isPartOf(const QWidget& widget, const QList<const QWidget*>& parts)
{
    return std::any_of(parts.begin(), parts.end(),
        [&](const QWidget* part) { return part == &widget || part->isAncestorOf(&widget); });
}

QString nameOf(const QWidget& widget)
{
    if (!widget.accessibleName().isEmpty())
        return widget.accessibleName();
    if (const auto* label = qobject_cast<const QLabel*>(&widget); label && !label->text().isEmpty())
        return label->text();
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

SteadyGeometry::SteadyGeometry(const QWidget& window, Of what, const QList<const QWidget*>& except)
{
    for (const QWidget* widget : window.findChildren<const QWidget*>()) {
        const bool isKind = isControl(*widget) || (what == Of::Everything && isElse(*widget));
        if (isKind && widget->isVisible() && !isInList(*widget) && !isPartOf(*widget, except))
            m_places.push_back({ widget, placeOf(*widget) });
    }
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
