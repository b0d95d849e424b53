// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/live_description.h"

#include <QWidget>

#include <chrono>
#include <utility>

namespace accrue {

using namespace std::chrono_literals;

LiveDescription::LiveDescription(QWidget* widget, std::function<QString()> words)
    : QObject(widget)
    , m_widget(widget)
    , m_words(std::move(words))
    , m_listened(QAccessible::isActive())
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(400ms);
    connect(&m_timer, &QTimer::timeout, this, &LiveDescription::describe);
    QAccessible::installActivationObserver(this);
    refresh();
}

LiveDescription::~LiveDescription()
{
    QAccessible::removeActivationObserver(this);
}

void LiveDescription::refresh()
{
    if (m_listened && !m_timer.isActive())
        m_timer.start();
}

void LiveDescription::accessibilityActiveChanged(bool active)
{
    m_listened = active;
    refresh();
}

void LiveDescription::describe()
{
    const QString words = m_words();
    if (words != m_widget->accessibleDescription())
        m_widget->setAccessibleDescription(words);
}

} // namespace accrue
