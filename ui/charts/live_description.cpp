// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/live_description.h"

#include <QWidget>

#include <chrono>
#include <utility>

// Screen readers announce each change of a description. A live chart changes five times a second,
// so the words are made at most every 400 ms, from what is shown by then, and only if Qt reports
// that some assistive technology is connected. The first call of a burst starts the timer and later
// ones do not restart it: otherwise a chart that changes constantly would never be described.

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
    // A screen reader may be started while the window is open.
    QAccessible::installActivationObserver(this);
    refresh();
}

LiveDescription::~LiveDescription()
{
    // Qt keeps a plain pointer to the observer.
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
    // An unchanged description must not be announced again.
    if (words != m_widget->accessibleDescription())
        m_widget->setAccessibleDescription(words);
}

} // namespace accrue
