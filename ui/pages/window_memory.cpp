// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/window_memory.h"

#include "engine/experiment/places.h"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kGrip = 64; // pixels of the window that must be on a screen, to take hold of it

QString memoryFile()
{
    return QString::fromStdString((userConfigDirectory() / "workbench.ini").string());
}

bool isReachable(const QRect& window)
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    return std::any_of(screens.begin(), screens.end(), [&](const QScreen* screen) {
        const QRect seen = screen->availableGeometry() & window;
        return seen.width() >= kGrip && seen.height() >= kGrip
            && screen->availableGeometry().top() <= window.top();
    });
}

} // namespace

WindowMemory::WindowMemory()
    : m_settings(memoryFile(), QSettings::IniFormat)
{
}

void WindowMemory::keep(const QString& key, std::function<QVariant()> take,
    std::function<void(const QVariant&)> giveBack)
{
    m_items.push_back({ key, std::move(take), std::move(giveBack) });
}

void WindowMemory::remember()
{
    for (const Item& item : m_items)
        m_settings.setValue(item.key, item.take());
    m_settings.sync();
}

void WindowMemory::restore()
{
    for (const Item& item : m_items)
        if (const QVariant value = m_settings.value(item.key); value.isValid())
            item.giveBack(value);
}

QVariant placeOf(const QWidget& window)
{
    const QRect place = window.isMaximized() ? window.normalGeometry() : window.geometry();
    return QVariantList { place, window.isMaximized() };
}

void putBack(QWidget& window, const QVariant& place)
{
    const QVariantList parts = place.toList();
    const QRect normal = parts.value(0).toRect();
    if (!normal.isValid())
        return;
    if (isReachable(normal))
        window.setGeometry(normal);
    else
        window.resize(normal.size());
    if (parts.value(1).toBool())
        window.setWindowState(window.windowState() | Qt::WindowMaximized);
}

} // namespace accrue
