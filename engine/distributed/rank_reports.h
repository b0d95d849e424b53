// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/window/world.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace accrue {

// What each of several ranks measures of its windows: it goes to the others with their next
// agreement, so it costs no call of its own, and from there into the log. One thread.
class RankReports {
public:
    // Borrowed.
    explicit RankReports(const World& world)
        : m_world(world)
    {
    }

    // What was exchanged since the last window was read belongs to none: the preparation, an
    // evaluation, a checkpoint. All windows have been read.
    void begin() { m_before = m_world.traffic(); }
    // A window has been read; `step` has what this rank measured of it, and `samples` are those
    // that it computed.
    void add(const StepDone& step, std::int64_t samples);
    // What this rank reports next, the mean of the windows since it did; of step 0 if there is
    // nothing.
    RankReport take();
    // Adds what all ranks reported. Returns the event that is due: at most ten in a second, each
    // with the mean per window since the one before. Without values: none is due.
    RanksMeasured collect(const std::vector<RankReport>& reports);
    // What was collected and was not due.
    RanksMeasured rest();

private:
    const World& m_world;
    Traffic m_before {}; // of the world, when training began or the last window was read
    RankReport m_next {}; // the sums of
    std::int64_t m_unsent = 0; // so many windows
    StepDone m_place {}; // of the window that is reported next
    std::vector<RankReport> m_sums {}; // by rank
    std::int64_t m_windows = 0; // in them
    std::chrono::steady_clock::time_point m_due {};
};

} // namespace accrue
