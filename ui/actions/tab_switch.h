// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/make_action.h"

#include <QObject>

class QAction;
class QCheckBox;

namespace accrue {

// A check box of the shown tab as an action of the page: the action has its state, and switches it.
// Disabled where the tab has none. GUI thread.
class TabSwitch : public QObject {
    Q_OBJECT
public:
    TabSwitch(QWidget& page, const ActionLook& look); // becomes a child of the page

    QAction* action() const { return m_action; }
    void setBox(QCheckBox* box); // borrowed; null: the shown tab has none

private:
    QAction* m_action;
    QCheckBox* m_box = nullptr;
};

} // namespace accrue
