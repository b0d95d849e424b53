// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/distributed/rank_traces.h"
#include "engine/events/events.h"
#include "engine/session/active_run.h"
#include "engine/session/evaluation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accrue {

// What a session emits: events with their place in the run, and every message that is not about how
// the run ends. Messages are dated by the last window whose figures were read, because `now` is
// ahead of what is known. Throws only what the sink throws. One thread.
class RunEvents {
public:
    // Both borrowed.
    RunEvents(const ActiveRun& run, EventSink& sink);

    bool settle() { return m_sink.settle(); } // EventSink::settle

    // The run begins: what was solved, a smaller micro-batch that is retained, and all warnings.
    void started();
    void warn(const Message& text) { report(RunMessage::Severity::Warning, text); }
    void ended(const RunEnded& ended) { m_sink.emitEvent(ended); }
    void paused();
    void resumed();

    // A window whose figures were read, and its memory if it was metered.
    void step(const StepDone& step) { m_sink.emitEvent(step); }
    void memory(const Position& at, std::vector<PhaseMemory> phases);
    // Nothing if there are no values.
    void ranks(RanksMeasured measured);
    void histograms(HistogramsMeasured measured) { m_sink.emitEvent(std::move(measured)); }
    // Both return what they have emitted. `sums` are of the samples of one epoch whose windows
    // updated.
    EpochDone epochDone(const Sums& sums);
    Evaluated evaluated(
        const Evaluation& test, const std::optional<Evaluation>& validation, double secondsBefore);

    void learningRateChanged(std::int64_t step, double rate);
    void lossScaleFell(std::int64_t step);

    // The window at `now` is computed again; `phase` is where memory ran out.
    void smallerMicro(std::int64_t epoch, std::int64_t before, const std::string& phase);
    void nearlyFull(std::int64_t retries, bool microCanShrink);
    void otherAlgorithm();

    // Adds the place in the run to a traced value; does nothing without one. Traced values are
    // collected until the window's last one is there.
    void beginTrace() { m_ofRanks.begin(); } // of the next micro-batch
    void addTrace(std::optional<TracedMicroBatch> traced);
    void emitTrace();
    void dropTrace();
    // What all ranks have traced in the open window. Every rank calls it between the same two
    // micro-batches; addTrace() does after the last one of a window.
    void shareTrace();

    void checkpointSaved(std::int64_t step, const std::string& folder);
    void checkpointFailed(std::int64_t step, const Message& problem);

private:
    void retainedMicro();
    std::int64_t stepOfTrace() const;
    void report(RunMessage::Severity severity, const Message& text);

    const ActiveRun& m_run;
    EventSink& m_sink;
    ParameterTraced m_traced; // of micro-batches that were not emitted yet
    RankTraces m_ofRanks; // that were not shared yet
};

} // namespace accrue
