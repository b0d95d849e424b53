// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/session/active_run.h"
#include "engine/session/run_events.h"

#include <cstdint>
#include <optional>

namespace accrue {

// The histograms of parameters and gradients that trace.histograms requests: after the first and
// the last update of a run, and whenever its span is over; by rank 0 alone. Between windows, so
// that no time and no memory of a window contains them. What a checkpoint stores needs nothing of
// it: when they are due follows from the position. One thread.
class RunHistograms {
public:
    // Both borrowed; `run` is where it begins or resumes.
    RunHistograms(ActiveRun& run, RunEvents& events);

    // At the end of a window, before the next one is opened.
    bool isDue() const { return m_every && isDueNow(); }
    // The run has ended by itself: those of its last update, unless it has them.
    bool isDueAtEnd() const;
    // All windows are read. Memory that runs out is a warning.
    void measure();

private:
    bool isDueNow() const;
    bool hasNewUpdate() const;
    HistogramsMeasured measured() const;

    ActiveRun& m_run;
    RunEvents& m_events;
    std::optional<Span> m_every; // empty: off, or not this rank's
    double m_next = 0; // along its span
    std::int64_t m_last; // step of the last ones, or the one from which the run resumed
};

} // namespace accrue
