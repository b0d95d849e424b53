// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QStringList>

#include <map>
#include <vector>

class QAction;
class QSettings;

namespace accrue {

// All actions of the window with their standard shortcuts and those that the user chose instead.
// Menus, tooltips, the settings, the help and the command palette read shortcuts from here or from
// the action itself, never from a list of their own. GUI thread.
class ActionRegistry : public QObject {
    Q_OBJECT
public:
    struct Entry {
        QString id; // "train.start": in the settings file, never shown
        QString group; // of its menu
        QString title; // fixed, unlike the action's text
        QAction* action = nullptr;
        QKeySequence standard; // its shortcut at first
        QString needs; // what it needs while it is disabled; empty: its tooltip states that
    };

    // `settings` is borrowed and outlives this; shortcuts are in its group "shortcuts".
    explicit ActionRegistry(QSettings& settings, QObject* parent = nullptr);

    // The action's shortcut becomes its standard one, then the user's is set. From now on its
    // tooltip ends with the shortcut, whoever sets it. `title` empty: the action's text.
    void add(const QString& id, const QString& group, QAction* action, const QString& needs = {},
        const QString& title = {});

    const std::vector<Entry>& entries() const { return m_entries; }
    bool isChanged(const Entry& entry) const;
    // Titles of the others that `keys` would trigger at the same time, so that none would work.
    QStringList othersWith(const Entry& entry, const QKeySequence& keys) const;
    QStringList conflictsOf(const Entry& entry) const; // likewise, with the keys it has

    // Stored at once, and removed from every other action that works in the same place. The caller
    // must refuse keys that cannot be a shortcut (shortcutProblem), and must confirm keys of
    // another action.
    void setShortcut(const QString& id, const QKeySequence& keys);
    void resetAll();

Q_SIGNALS:
    void shortcutsChanged();

private:
    void apply(const Entry& entry, const QKeySequence& keys);
    void showKeysInTip(QAction* action);

    QSettings& m_settings;
    std::vector<Entry> m_entries;
    // " (F5)": all endings that may have to be replaced
    std::map<QAction*, QStringList> m_tipEndings;
};

// "File" of "&File", and "文件" of "文件(&F)", the form of languages without Latin letters.
QString withoutMnemonic(QString text);
// "Start" of "&Start…".
QString plainText(const QAction& action);
// The tooltip without the shortcut.
QString plainTip(const QAction& action);
// " (F5)", to end a tooltip with; empty without a shortcut.
QString keysInBrackets(const QKeySequence& keys);

} // namespace accrue
