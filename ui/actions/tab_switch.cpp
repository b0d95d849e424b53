// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/tab_switch.h"

#include <QAction>
#include <QCheckBox>

#include <utility>

namespace accrue {

TabSwitch::TabSwitch(QWidget& page, const ActionLook& look)
    : QObject(&page)
    , m_action(makePageAction(page, look))
{
    m_action->setCheckable(true);
    m_action->setEnabled(false);
}

void TabSwitch::setBox(QCheckBox* box)
{
    QCheckBox* const before = std::exchange(m_box, box);
    if (before == box)
        return;
    if (before != nullptr) {
        disconnect(before, nullptr, m_action, nullptr);
        disconnect(m_action, nullptr, before, nullptr);
    }
    m_action->setEnabled(box != nullptr);
    m_action->setChecked(box != nullptr && box->isChecked());
    if (box == nullptr)
        return;
    box->setToolTip(m_action->toolTip());
    connect(
        m_action, &QAction::changed, box, [this, box] { box->setToolTip(m_action->toolTip()); });
    // Neither emits a value that it already has, so that this is no endless loop.
    connect(m_action, &QAction::toggled, box, &QCheckBox::setChecked);
    connect(box, &QCheckBox::toggled, m_action, &QAction::setChecked);
}

} // namespace accrue
