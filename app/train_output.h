// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/console.h"
#include "app/run_tally.h"
#include "engine/door/run_control.h"
#include "engine/events/events.h"
#include "engine/events/memory_changes.h"
#include "engine/runlog/run_log_writer.h"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

namespace accrue {

// Shows a run while it trains. It is the run log's committed sink, so everything shown is already
// on disk: a power failure cannot revoke it. emitEvent may be called on any one thread.
class TrainOutput : public EventSink {
public:
    enum class Mode {
        Live, // one line on the terminal, redrawn four times a second
        Lines, // one line per epoch
        Json, // one object per event, each line flushed
    };
    struct Run { // of the log
        std::int64_t id = 0;
        std::filesystem::path log;
        int attempt = 1;
        RunTally before = {}; // before this attempt
    };

    // `console` and `control` must outlive it.
    TrainOutput(Console& console, const RunControl& control, Mode mode);
    ~TrainOutput() override;
    TrainOutput(const TrainOutput&) = delete;
    TrainOutput& operator=(const TrainOutput&) = delete;

    // The run's place in the log; called before its first event.
    void begin(Run run);
    // Reports from now on when the log cannot be written, and when it can again. `log` must live
    // until finish().
    void watch(const RunLogWriter& log);
    void emitEvent(Event event) override;
    // Ends the live line. Blocks until the output's own thread is done.
    void finish();
    RunTally tally() const;

private:
    void tickUntilFinished();
    void sayProblemOfLog(const RunLogWriter& log);
    void printJson(const Event& event);
    void sayEpochIfDue(const Event& next);
    void sayMessage(RunMessage::Severity severity, const Message& text);

    Console& m_console;
    const RunControl& m_control;
    const Mode m_mode;
    std::optional<Run> m_run; // set before the first event and read only by events
    mutable std::mutex m_mutex; // guards the members below
    std::condition_variable m_wake;
    RunTally m_tally;
    bool m_epochDue = false;
    bool m_lossSaid = false;
    MemoryChanges m_memory; // last printed; only for the emitting thread
    bool m_finished = false;
    const RunLogWriter* m_watched = nullptr; // borrowed
    Message m_problem; // of the log, as last reported; only for the ticking thread
    std::thread m_ticker;
};

} // namespace accrue
