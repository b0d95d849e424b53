// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/resolved.h"
#include "engine/sweep/sweep_definition.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// How long a run is expected to take; `low` and `high` are the limits of a 95 % interval, or empty
// if the runs that it is derived from show no deviation.
struct PredictedTime {
    double seconds = 0;
    std::optional<double> low {};
    std::optional<double> high {};
    friend bool operator==(const PredictedTime&, const PredictedTime&) = default;
};

// What is known about a run before it is trained; empty: unknown.
struct SweepPrediction {
    std::optional<std::int64_t> updates {}; // until its end
    std::optional<std::int64_t> peakBytes {};
    std::optional<PredictedTime> time {};
};

// One run of a sweep. Its experiment has a name of its own: the base's and what differs, as
// "lenet5-mnist b=8, norm=group, seed=2".
struct SweepRun {
    Settings values {}; // of the keys that vary, as they take effect; run.seed last if seeds vary
    Experiment experiment {};
    std::optional<ResolvedExperiment> resolved {}; // empty: it cannot be trained
    // Errors, and the warnings and notes that the base does not have. Errors: why it cannot.
    Findings findings {};
    SweepPrediction prediction {};

    bool canRun() const { return resolved.has_value(); }
    const std::string& name() const { return experiment.name; }
};

// "b=8, norm=group": the keys that vary, as far as the run reads them.
std::string differencesOf(const SweepRun& run);

struct SweepRuns {
    std::vector<SweepRun> runs; // those that cannot be trained included
    Findings notes; // about the whole: combinations that were left out
};

// The runs of a sweep in the order of its grid (the last key varies fastest), and after the last
// combination all again with the next seed: if only some of them are trained, they compare all
// combinations. Runs that would train the same, because a key that differs has no effect or batch
// numbers solve alike, are one. Random combinations are drawn by the base's run.seed: the same ones
// each time. checkSweep must have found no error. Pure; any thread.
SweepRuns expand(const SweepDefinition& sweep);

// In the order of the sweep, by predictions. Those without one follow, and those that cannot run
// come last.
void order(std::vector<SweepRun>& runs, SweepOrder order);

} // namespace accrue
