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

// All actions of the window with the shortcuts they came with and those that the user chose
// instead. Menus, tooltips, the settings, the help and the command palette read shortcuts from here
// or from the action itself, never from a list of their own. GUI thread.
class ActionRegistry : public QObject {
    Q_OBJECT
public:
    struct Entry {
        QString id; // "train.start": in the settings file, never shown
        QString group; // of its menu
        QString title; // stays, unlike the action's text
        QAction* action = nullptr;
        QKeySequence standard; // what it came with
        QString needs; // when it is disabled: what it needs; empty: its tooltip says
    };

    // `settings` is borrowed and outlives this; shortcuts stand in its group "shortcuts".
    explicit ActionRegistry(QSettings& settings, QObject* parent = nullptr);

    // The action's shortcut becomes its standard, then the user's is taken. From now on its tooltip
    // ends with the shortcut, whoever sets it. `title` empty: the action's text.
    void add(const QString& id, const QString& group, QAction* action, const QString& needs = {},
        const QString& title = {});

    const std::vector<Entry>& entries() const { return m_entries; }
    bool isChanged(const Entry& entry) const;
    // Titles of the others that `keys` would set off at the same time, so that none would work.
    QStringList othersWith(const Entry& entry, const QKeySequence& keys) const;
    QStringList conflictsOf(const Entry& entry) const; // likewise, with the keys it has

    // Kept at once, and no other action has them any more where this one works. Keys that cannot be
    // a shortcut (shortcutProblem) are for the caller to refuse, those of another action for it to
    // ask about.
    void setShortcut(const QString& id, const QKeySequence& keys);
    void resetAll();

Q_SIGNALS:
    void shortcutsChanged();

private:
    void apply(const Entry& entry, const QKeySequence& keys);
    void showKeysInTip(QAction* action);

    QSettings& m_settings;
    std::vector<Entry> m_entries;
    std::map<QAction*, QStringList> m_tipEndings; // " (F5)": all that may have to give way
};

// "File" of "&File", and "文件" of "文件(&F)", as languages without Latin letters have it.
QString withoutMnemonic(QString text);
// "Start" of "&Start…".
QString plainText(const QAction& action);
// The tooltip without the shortcut.
QString plainTip(const QAction& action);
// " (F5)", to end a tooltip with; empty without a shortcut.
QString keysInBrackets(const QKeySequence& keys);

} // namespace accrue
