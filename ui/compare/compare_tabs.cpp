// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_tabs.h"

#include <QKeyEvent>

namespace accrue {

namespace {

constexpr QLatin1String kShown("shown"); // no tab has this name

} // namespace

CompareTabs::CompareTabs(QWidget* page)
    : QTabWidget(page)
{
    if (page != nullptr)
        page->installEventFilter(this);
    setAccessibleName(tr("Views of the comparison"));
}

// The keys that nothing on the page has used. A QTabWidget gets only those of its own tabs.
bool CompareTabs::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QTabWidget::eventFilter(watched, event);
    auto* const key = static_cast<QKeyEvent*>(event);
    if (!key->modifiers().testFlag(Qt::ControlModifier)
        || (key->key() != Qt::Key_Tab && key->key() != Qt::Key_Backtab))
        return QTabWidget::eventFilter(watched, event);
    keyPressEvent(key);
    return true;
}

void CompareTabs::add(CompareTab* tab, const char* name, const QString& title)
{
    tab->setObjectName(QLatin1String(name));
    m_all.push_back(tab);
    addTab(tab, title);
}

CompareTab& CompareTabs::shown() const
{
    return *m_all.at(static_cast<std::size_t>(currentIndex()));
}

void CompareTabs::setAsking(bool asking)
{
    for (CompareTab* tab : m_all)
        tab->setAsking(asking && tab == &shown());
}

QJsonObject CompareTabs::state() const
{
    QJsonObject state { { kShown, shown().objectName() } };
    for (const CompareTab* tab : m_all)
        state.insert(tab->objectName(), tab->state());
    return state;
}

void CompareTabs::restore(const QJsonObject& state)
{
    for (CompareTab* tab : m_all) {
        tab->restore(state[tab->objectName()].toObject());
        if (tab->objectName() == state[kShown].toString())
            setCurrentWidget(tab);
    }
}

} // namespace accrue
