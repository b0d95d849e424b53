// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"
#include "engine/door/engine.h"
#include "engine/queue/run_queue.h"
#include "engine/report/queued_training.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace accrue {

class WorkerObserver;

// How `accrue work` works through a queue in this process.
struct WorkerPlan {
    std::filesystem::path log;
    WorkerTerms terms;
    bool watches = false; // waits for more runs when none is left
    bool isOneOfSeveral = false; // another process shows what is left
    bool json = false;
};

// Takes runs from the queue of a log, one after the other, and trains each until it ends. A first
// signal stops the run, which waits in the queue for the next worker, and ends the work; a second
// one ends the process.
class Worker {
public:
    // `console` is borrowed. Opens the log. Throws RunLogError, Error if there is no engine.
    Worker(WorkerPlan plan, Console& console);
    ~Worker();

    // Blocks until nothing is left, or a signal came. Returns the exit code: 1 if a run ended
    // badly.
    int work();

private:
    enum class Next {
        Trained, // a run, or it could not be
        AwaitsOthers, // runs that other workers train decide what is next
        Nothing, // is left
    };
    Next trainNext();
    void train(const TakenRun& taken);
    LoggedTraining trainTaken(const TakenRun& taken, RunControl& control);
    void ended(RunId run);
    std::vector<RunRecord> runsWithTimes();
    void held(RunId run);
    void give(RunId run, const Message& why);
    void stopCurrent();
    void waitForMore();

    const WorkerPlan m_plan;
    Console& m_console;
    Engine& m_engine;
    RunLogWriter m_writer;
    std::optional<RunLogReader> m_reader; // closed before the writer, which then empties the -wal
    RunQueue m_queue;
    // The log may still show events of a run after it has ended, while it cannot be written.
    std::vector<std::unique_ptr<WorkerObserver>> m_observers;
    std::mutex m_mutex; // guards the members below, which the thread of signals reads
    RunControl* m_control = nullptr; // of the run that is trained
    int m_signal = 0;
    bool m_failed = false; // a run ended badly
};

} // namespace accrue
