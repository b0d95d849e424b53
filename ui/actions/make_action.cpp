// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/make_action.h"

#include "ui/actions/action_registry.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QWidget>

namespace accrue {

QAction* makeAction(QObject& owner, const ActionLook& look, const std::function<void()>& act)
{
    auto* action = new QAction(look.text, &owner);
    if (look.icon != nullptr)
        action->setIcon(themedIcon(QLatin1String(look.icon)));
    action->setShortcut(look.keys);
    // For enable(), which replaces the tip by a reason and must be able to restore it.
    action->setData(look.tip);
    if (!look.tip.isEmpty())
        action->setToolTip(look.tip + keysInBrackets(look.keys));
    if (act)
        QObject::connect(action, &QAction::triggered, &owner, act);
    return action;
}

QAction* makePageAction(QWidget& page, const ActionLook& look, const std::function<void()>& act)
{
    QAction* const action = makeAction(page, look, act);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    // A shortcut works in a widget only if the action is one of the widget's.
    page.addAction(action);
    return action;
}

void enable(QAction& action, const QString& whyNot, const QString& tip)
{
    // Compared with what was set here last: the registry has added the keys to the tooltip since.
    constexpr const char* kTip = "tip";
    const QString& wanted = whyNot.isEmpty() ? tip : whyNot;
    action.setEnabled(whyNot.isEmpty());
    if (wanted == action.property(kTip).toString())
        return;
    action.setToolTip(wanted);
    action.setProperty(kTip, wanted);
}

void enable(QAction& action, const QString& whyNot)
{
    enable(action, whyNot, action.data().toString());
}

} // namespace accrue
