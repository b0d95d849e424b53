// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/queue/run_queue.h"
#include "ui/run/log_host.h"
#include "ui/run/run_controller.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace accrue {

// Trains the queue of the log in this window, one run after the other, once a person has started
// it: by adding a run while another one trains, or by a button. A run that a person stops ends the
// work on the queue, too; other processes may go on with it. Lives on the GUI thread.
class QueueRunner : public QObject {
    Q_OBJECT
public:
    // All are borrowed and must outlive this; `dataDirectories` returns where data are searched.
    using Folders = std::function<std::vector<std::filesystem::path>()>;
    QueueRunner(RunController& controller, LogHost& log, Folders dataDirectories);

    bool isOn() const { return m_isOn; } // when the run that trains has ended, the next one begins
    bool isResting() const { return m_rests; } // off because a person has stopped a run

    void setOn(bool on);
    // Adds runs behind all that wait, and goes on with the queue after the run that trains.
    void add(std::vector<RunToQueue> runs, std::optional<SweepToQueue> sweep = std::nullopt);
    // This one now; or as soon as the run that trains has ended, and until then it is the first
    // one.
    void trainNext(RunId run);

Q_SIGNALS:
    void changed(); // what isOn() and isResting() return
    void added(int runs);

private:
    void goOn();
    void runEnded(const RunEnded& ended);

    RunController& m_controller;
    LogHost& m_log;
    Folders m_folders;
    std::optional<RunId> m_next; // chosen by a person
    bool m_isOn = false;
    bool m_rests = false;
};

} // namespace accrue
