// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/action_registry.h"

#include "ui/actions/shortcut_rules.h"

#include <QAction>
#include <QRegularExpression>
#include <QSettings>

#include <algorithm>

namespace accrue {

namespace {

QString keyOf(const QString& id)
{
    return QStringLiteral("shortcuts/") + id;
}

// Qt does not choose between two actions that have the same keys in the same place: it reports them
// as ambiguous and triggers neither. Therefore the registry reports conflicts. Two pages may use
// the same keys, because only one of them has the focus. Returns where a shortcut works: in one
// page, or (null) in the whole window.
const QObject* placeOf(const QAction& action)
{
    return action.shortcutContext() == Qt::WidgetWithChildrenShortcut ? action.parent() : nullptr;
}

// Whether `other`, another action, has `keys` where `one` works, too.
bool clash(const QAction& one, const QAction& other, const QKeySequence& keys)
{
    const QObject* place = placeOf(one);
    return &other != &one && !keys.isEmpty() && other.shortcut() == keys
        && (place == nullptr || placeOf(other) == nullptr || place == placeOf(other));
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
        // The file can be edited by hand, or be older than a rule.
        if (shortcutProblem(keys).isEmpty())
            action->setShortcut(keys);
    }
    showKeysInTip(action);
    connect(action, &QAction::changed, this, [this, action] { showKeysInTip(action); });
}

bool ActionRegistry::isChanged(const Entry& entry) const
{
    return entry.action->shortcut() != entry.standard;
}

QStringList ActionRegistry::othersWith(const Entry& entry, const QKeySequence& keys) const
{
    QStringList titles;
    for (const Entry& other : m_entries)
        if (clash(*entry.action, *other.action, keys))
            titles << other.title;
    return titles;
}

QStringList ActionRegistry::conflictsOf(const Entry& entry) const
{
    return othersWith(entry, entry.action->shortcut());
}

void ActionRegistry::apply(const Entry& entry, const QKeySequence& keys)
{
    entry.action->setShortcut(keys);
    // Only differences are stored: an action that the user has not changed follows a later version
    // of Accrue to other standard keys.
    if (keys == entry.standard)
        m_settings.remove(keyOf(entry.id));
    else
        m_settings.setValue(keyOf(entry.id), keys.toString(QKeySequence::PortableText));
}

void ActionRegistry::setShortcut(const QString& id, const QKeySequence& keys)
{
    const auto entry = std::ranges::find(m_entries, id, &Entry::id);
    if (entry == m_entries.end())
        return;
    for (const Entry& other : m_entries)
        if (clash(*entry->action, *other.action, keys))
            apply(other, {});
    apply(*entry, keys);
    m_settings.sync();
    Q_EMIT shortcutsChanged();
}

void ActionRegistry::resetAll()
{
    for (const Entry& entry : m_entries)
        apply(entry, entry.standard);
    m_settings.sync();
    Q_EMIT shortcutsChanged();
}

// Called again by the change that it makes, and then finds nothing to do.
void ActionRegistry::showKeysInTip(QAction* action)
{
    // The tooltip may end with the current keys, the standard or earlier ones, because others set
    // it, too. All endings that were ever shown are replaced by the current one.
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

QString withoutMnemonic(QString text)
{
    static const QRegularExpression mark(QStringLiteral("\\(&.\\)|&"));
    return text.remove(mark);
}

QString plainText(const QAction& action)
{
    const QString text = withoutMnemonic(action.text());
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
