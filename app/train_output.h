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
#include <string>
#include <thread>

namespace accrue {

// Shows a run while it trains. It is the run log's committed sink, so that everything shown has
// survived on disk: a power cut cannot take it back. emitEvent may be called on any one thread.
class TrainOutput : public EventSink {
public:
    enum class Mode {
        Live, // one line on the terminal, redrawn four times a second
        Lines, // one line an epoch
        Json, // one object an event, each line flushed
    };
    struct Run { // of the log
        std::int64_t id = 0;
        std::filesystem::path log;
        int attempt = 1;
        RunTally before = {}; // this attempt
    };

    // `console` and `control` must outlive it.
    TrainOutput(Console& console, const RunControl& control, Mode mode);
    ~TrainOutput() override;
    TrainOutput(const TrainOutput&) = delete;
    TrainOutput& operator=(const TrainOutput&) = delete;

    // What the run is in the log; before its first event.
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
    std::optional<Run> m_run; // set before the first event, which alone reads it
    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_wake;
    RunTally m_tally;
    bool m_epochDue = false;
    bool m_lossSaid = false;
    MemoryChanges m_memory; // printed; the emitting thread's own
    bool m_finished = false;
    const RunLogWriter* m_watched = nullptr; // borrowed
    Message m_problem; // of the log, as last reported; the ticking thread's own
    std::thread m_ticker;
};

} // namespace accrue
