// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/window_memory.h"

#include "engine/experiment/places.h"

#include <QCryptographicHash>
#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

const auto kLogs = QStringLiteral("window/logs"); // the groups of logs, the last one first
constexpr int kMostLogs = 20;
constexpr int kGrip = 64; // pixels of the window that must be on a screen, to take hold of it

QString memoryFile()
{
    return QString::fromStdString((userConfigDirectory() / "workbench.ini").string());
}

// A path is no key of an INI file: its characters would be escaped, its slashes be groups.
QString groupOf(const std::filesystem::path& log)
{
    const QByteArray name = QByteArray::fromStdString(std::filesystem::absolute(log).string());
    const QByteArray digest = QCryptographicHash::hash(name, QCryptographicHash::Sha256);
    return QStringLiteral("log-%1/").arg(QString::fromLatin1(digest.toHex().first(16)));
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

void WindowMemory::keep(const QString& key, Take take, GiveBack giveBack)
{
    m_items.push_back({ key, std::move(take), std::move(giveBack) });
}

void WindowMemory::keepForLog(const QString& key, Take take, GiveBack giveBack)
{
    m_logItems.push_back({ key, std::move(take), std::move(giveBack) });
}

void WindowMemory::remember()
{
    for (const Item& item : m_items)
        m_settings.setValue(item.key, item.take());
    rememberLog();
    m_settings.sync();
}

void WindowMemory::restore()
{
    for (const Item& item : m_items)
        if (const QVariant value = m_settings.value(item.key); value.isValid())
            item.giveBack(value);
}

void WindowMemory::rememberLog()
{
    if (!m_log.isEmpty())
        for (const Item& item : m_logItems)
            m_settings.setValue(m_log + item.key, item.take());
}

void WindowMemory::closeLog()
{
    rememberLog();
    m_log.clear();
}

void WindowMemory::openLog(const std::filesystem::path& file)
{
    m_log = groupOf(file);
    forgetOldLogs();
    for (const Item& item : m_logItems)
        item.giveBack(m_settings.value(m_log + item.key));
}

void WindowMemory::forgetOldLogs()
{
    QStringList logs = m_settings.value(kLogs).toStringList();
    logs.removeAll(m_log);
    logs.prepend(m_log);
    while (logs.size() > kMostLogs)
        m_settings.remove(logs.takeLast());
    m_settings.setValue(kLogs, logs);
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
