// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/widgets/help_words.h"

#include <QKeySequence>
#include <QString>
#include <QVariant>
#include <QWidget>

#include <array>
#include <functional>
#include <string_view>
#include <vector>

class QAction;

namespace accrue {

class CsvExport;

// A value that is restored at the next start of the program.
struct KeptState {
    QString key; // in the settings file, such as "runs/state"
    std::function<QVariant()> take;
    std::function<void(const QVariant&)> giveBack;
    // Kept for each log: given back whenever that is opened, an invalid value if none is stored.
    bool ofLog = false;
};

// The same for runs, whose numbers identify them in one log only. They are restored whenever that
// log is opened; none if nothing is stored for it.
struct KeptRuns {
    enum class When { AtOnce, OnceListed }; // before or after the log has been read
    QString key;
    std::function<std::vector<RunId>()> take;
    std::function<void(const std::vector<RunId>&)> giveBack;
    When when = When::OnceListed;
};

// A page of the window. The window knows its pages by this interface alone; PageLinks connects one
// page to another. GUI thread.
class Page : public QWidget {
    Q_OBJECT
public:
    struct Identity {
        const char* id = nullptr; // "runs": "view.runs" is the action that shows the page
        const char* icon = nullptr; // of resources/icons
        QString title;
        QKeySequence keys; // that show the page
    };

    // In which menu of the menu bar an action is listed. Own: the page's, by its title.
    enum class Menu { File, Edit, Own };
    enum class Leads { Here, Elsewhere }; // whether triggering an action shows the page
    struct MenuEntry {
        const char* id = nullptr; // "runs.open": stores the user's shortcut; null: a separator
        QAction* action = nullptr;
        QString needs {}; // while it is disabled; empty: its tooltip states why
        QString title {}; // in lists, where it stays; empty: the action's text
        Leads leads = Leads::Here;
    };

    Page(Identity identity, QWidget* parent);

    const Identity& identity() const { return m_identity; }
    QString id() const { return QString::fromLatin1(m_identity.id); }
    const std::vector<MenuEntry>& entries(Menu menu) const { return m_menus.at(indexOf(menu)); }
    // Finds an action by the id of its entry, which must exist.
    QAction* action(std::string_view id) const;
    // An action of the window that belongs in the page's own menu, below that of `id`.
    void insertBelow(std::string_view id, const MenuEntry& entry);

    virtual HelpTopic helpTopic() const { return HelpTopic::Preferences; }
    // Restored in this order, before the window is shown.
    virtual std::vector<KeptState> keptState() { return {}; }
    virtual std::vector<KeptRuns> keptRuns() { return {}; }
    // The area in which a notice may cover the page.
    virtual QWidget& noticeArea() { return *this; }
    // Gives the focus to the part of the page that is used most. Returns false if that cannot
    // accept it now; the window then looks for another widget.
    virtual bool focusMainPart();
    // The same when the widget with the focus was disabled or hidden: to a part in which a stray
    // key, such as Space, does nothing.
    virtual bool focusQuietPart() { return focusMainPart(); }
    // Why the run log cannot be written, as a sentence; empty: it can be.
    virtual void setWhyNotWrite(const QString& /*why*/) { }
    // Writes files that the window waits for before it closes; null: the page writes none.
    virtual CsvExport* exporter() const { return nullptr; }

Q_SIGNALS:
    void reported(const QString& text, accrue::RunMessage::Severity severity); // for the messages

protected:
    // Adds to the end of that menu.
    void addToMenu(Menu menu, const std::vector<MenuEntry>& entries);

private:
    static std::size_t indexOf(Menu menu) { return static_cast<std::size_t>(menu); }

    Identity m_identity;
    std::array<std::vector<MenuEntry>, 3> m_menus; // by Menu
};

// Whether the widget can have the focus.
bool takesKeys(const QWidget& widget);

} // namespace accrue
