// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/action_registry.h"

#include "ui/pages/shortcut_rules.h"

#include <QAction>
#include <QSettings>

#include <algorithm>

namespace accrue {

namespace {

QString keyOf(const QString& id)
{
    return QStringLiteral("shortcuts/") + id;
}

// Where its shortcut works: in one page, or (null) in the whole window.
const QObject* placeOf(const QAction& action)
{
    return action.shortcutContext() == Qt::WidgetWithChildrenShortcut ? action.parent() : nullptr;
}

bool workTogether(const QAction& one, const QAction& other)
{
    const QObject* place = placeOf(one);
    return place == nullptr || placeOf(other) == nullptr || place == placeOf(other);
}

} // namespace

ActionRegistry::ActionRegistry(QSettings& settings, QObject* parent)
    : QObject(parent)
    , m_settings(settings)
{
}

void ActionRegistry::add(const QString& id, const QString& group, QAction* action,
    const QString& needs, const QString& title)
{
    m_entries.push_back({ id, group, title.isEmpty() ? plainText(*action) : title, action,
        action->shortcut(), needs });
    m_tipEndings[action] = { keysInBrackets(action->shortcut()) };
    const QVariant chosen = m_settings.value(keyOf(id));
    if (chosen.isValid()) {
        const auto keys = QKeySequence::fromString(chosen.toString(), QKeySequence::PortableText);
        if (shortcutProblem(keys).isEmpty())
            action->setShortcut(keys);
    }
    showKeysInTip(action);
    connect(action, &QAction::changed, this, [this, action] { showKeysInTip(action); });
}

const ActionRegistry::Entry* ActionRegistry::find(const QString& id) const
{
    const auto found = std::find_if(
        m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.id == id; });
    return found != m_entries.end() ? &*found : nullptr;
}

bool ActionRegistry::isChanged(const Entry& entry) const
{
    return entry.action->shortcut() != entry.standard;
}

std::vector<ActionRegistry::Entry> ActionRegistry::othersWith(
    const Entry& entry, const QKeySequence& keys) const
{
    std::vector<Entry> others;
    for (const Entry& other : m_entries)
        if (!keys.isEmpty() && other.action != entry.action && other.action->shortcut() == keys
            && workTogether(*entry.action, *other.action))
            others.push_back(other);
    return others;
}

QStringList ActionRegistry::conflictsOf(const Entry& entry) const
{
    QStringList titles;
    for (const Entry& other : othersWith(entry, entry.action->shortcut()))
        titles << other.title;
    return titles;
}

void ActionRegistry::apply(const Entry& entry, const QKeySequence& keys)
{
    entry.action->setShortcut(keys);
    if (keys == entry.standard)
        m_settings.remove(keyOf(entry.id));
    else
        m_settings.setValue(keyOf(entry.id), keys.toString(QKeySequence::PortableText));
}

void ActionRegistry::setShortcut(const QString& id, const QKeySequence& keys)
{
    const Entry* entry = find(id);
    if (entry == nullptr)
        return;
    apply(*entry, keys);
    m_settings.sync();
    Q_EMIT shortcutsChanged();
}

void ActionRegistry::takeShortcut(const QString& id, const QKeySequence& keys)
{
    const Entry* entry = find(id);
    if (entry == nullptr)
        return;
    for (const Entry& other : othersWith(*entry, keys))
        apply(other, {});
    setShortcut(id, keys);
}

void ActionRegistry::resetAll()
{
    for (const Entry& entry : m_entries)
        apply(entry, entry.standard);
    m_settings.sync();
    Q_EMIT shortcutsChanged();
}

// Runs again for the change it makes, and then finds nothing to do.
void ActionRegistry::showKeysInTip(QAction* action)
{
    QStringList& endings = m_tipEndings[action];
    QString tip = action->toolTip();
    for (const QString& ending : endings)
        if (!ending.isEmpty() && tip.endsWith(ending))
            tip.chop(ending.size());
    const QString ending = keysInBrackets(action->shortcut());
    if (!endings.contains(ending))
        endings << ending;
    if (tip + ending != action->toolTip())
        action->setToolTip(tip + ending);
}

QString plainText(const QAction& action)
{
    QString text = action.text().remove(QLatin1Char('&'));
    return text.endsWith(QChar(0x2026)) ? text.chopped(1) : text;
}

QString plainTip(const QAction& action)
{
    const QString tip = action.toolTip();
    const QString ending = keysInBrackets(action.shortcut());
    return !ending.isEmpty() && tip.endsWith(ending) ? tip.chopped(ending.size()) : tip;
}

QString keysInBrackets(const QKeySequence& keys)
{
    return keys.isEmpty() ? QString()
                          : QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText));
}

} // namespace accrue
