// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/actions/page.h"

#include <QObject>
#include <QSettings>
#include <QString>
#include <QVariant>

#include <filesystem>
#include <set>
#include <vector>

namespace accrue {

class RunLogFollower;

// workbench.ini in the user's config directory.
QString windowMemoryFile();

// What the window restores from one start to the next, in windowMemoryFile(). Each value is named
// once, with its getter and setter. The numbers of runs, which identify runs in one run log only,
// are stored for each of the last logs.
class WindowMemory {
public:
    // `follower` reads the open log; borrowed, and outlives this.
    explicit WindowMemory(RunLogFollower& follower);

    QSettings& settings() { return m_settings; }
    void keep(KeptState state);
    void keep(Page& page); // registers all that the page restores
    void remember(); // stores everything now
    void restore(); // in the order of keep; values that are not stored stay as they are
    void closeLog(); // stores what belongs to the log; before any of that changes
    void openLog(const std::filesystem::path& file); // restores what belongs to it

private:
    void rememberLog();
    void giveBack(const KeptRuns& kept, const std::vector<RunId>& runs);
    void forgetOldLogs();

    RunLogFollower& m_follower;
    QObject m_alive; // ends connections to the follower, which outlives the pages
    QSettings m_settings;
    std::vector<KeptState> m_states;
    std::vector<KeptRuns> m_runs; // of the open log
    QString m_log; // the group of the open log; empty: none has been opened
    std::set<QString> m_awaited; // keys of runs that are restored with the first list
};

// The position of a top-level window without its frame, so that what is read is what can be set,
// with or without a window manager: it is restored to the pixel. On a screen that no longer exists,
// only the size is restored.
QVariant placeOf(const QWidget& window);
void putBack(QWidget& window, const QVariant& place);

} // namespace accrue
