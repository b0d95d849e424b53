// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace accrue {

// How fast a run trains, over its last ten seconds of training time. The mean of the whole run
// would be steadier, but it also counts what is past: the first windows, in which a device warms
// up, the attempts on another machine, and the micro-batches before an out-of-memory error. Ten
// seconds follow such a change soon and still average many windows. A value; not thread-safe.
class TrainingPace {
public:
    TrainingPace() = default;
    // Begins with the mean of the whole run, for an observer that joins a run in its middle; the
    // first ten seconds that it watches replace that mean.
    static TrainingPace ofWholeRun();

    // Adds how far the run is after `seconds` of training. A run that is resumed from an earlier
    // step starts again.
    void add(double seconds, std::int64_t step, std::int64_t samples);

    double samplesPerSecond() const; // 0 before the second step
    // Seconds until `totalSteps` steps are done. Empty before the second step.
    std::optional<double> secondsLeft(std::int64_t totalSteps) const;

private:
    struct Mark {
        double seconds = 0;
        std::int64_t step = 0;
        std::int64_t samples = 0;
    };
    Mark m_now;
    std::deque<Mark> m_marks; // oldest first, a quarter of a second apart
};

} // namespace accrue
