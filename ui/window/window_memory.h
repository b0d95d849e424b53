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

// What the window remembers from one start to the next, in windowMemoryFile(). Each value is named
// once, with how to take and how to give it back. The numbers of runs, which mean something in one
// run log only, are stored for each of the last logs.
class WindowMemory {
public:
    // `follower` reads the open log; borrowed, and outlives this.
    explicit WindowMemory(RunLogFollower& follower);

    QSettings& settings() { return m_settings; }
    void keep(KeptState state);
    void keep(Page& page); // all that it wants back
    void remember(); // all, now
    void restore(); // in the order of keep; leaves alone what is not remembered
    void closeLog(); // remembers what belongs to it; before any of that changes
    void openLog(const std::filesystem::path& file); // gives back what belongs to it

private:
    void rememberLog();
    void giveBack(const KeptRuns& kept, const std::vector<RunId>& runs);
    void forgetOldLogs();

    RunLogFollower& m_follower;
    QObject m_alive; // ends connections to the follower, which outlives the pages
    QSettings m_settings;
    std::vector<KeptState> m_states;
    std::vector<KeptRuns> m_runs; // of the open log
    QString m_log; // the group of the open log; empty: none was opened yet
    std::set<QString> m_awaited; // keys of runs that come back with the first list
};

// A top-level window's place without its frame, so that what is read is what can be set, with a
// window manager or without: it comes back to the pixel. On a screen that is gone, only the size
// comes back.
QVariant placeOf(const QWidget& window);
void putBack(QWidget& window, const QVariant& place);

} // namespace accrue
