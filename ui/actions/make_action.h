// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QString>

#include <functional>

class QAction;
class QObject;
class QWidget;

namespace accrue {

// The icon, text and shortcut of an action, the same wherever it is offered.
struct ActionLook {
    const char* icon = nullptr; // of resources/icons; null: none
    QString text {};
    QKeySequence keys {}; // its shortcut until the user chooses another
    QString tip {}; // what it does, without the keys; empty: its text
};

// The shortcut works in the whole window. `owner` owns the action, and `act` must not outlive it.
QAction* makeAction(QObject& owner, const ActionLook& look, const std::function<void()>& act = {});
// The shortcut works only while `page`, which owns the action, or a child of it has the focus:
// other pages may use the same keys.
QAction* makePageAction(
    QWidget& page, const ActionLook& look, const std::function<void()>& act = {});

// A disabled action shows the reason in its tooltip, an enabled one what it does. Costs nothing if
// nothing has changed, so it may be called with every step of a live run.
void enable(QAction& action, const QString& whyNot, const QString& tip);
void enable(QAction& action, const QString& whyNot); // with the tip that it was made with

} // namespace accrue
