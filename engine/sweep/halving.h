// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Successive halving (Jamieson and Talwalkar 2016, arXiv 1502.07943): all runs of a sweep are
// trained for a part of their length, the best 1/η of them for η times as long, and so on; the
// others are stopped. Pure; any thread.

// The updates after which runs of a sweep of `runs` runs are compared, ascending, below
// `totalUpdates`: totalUpdates / η^k, rounded up, for every k ≥ 1 with η^k ≤ runs. None: nothing is
// compared, because fewer than η runs would compete, or the run is too short.
std::vector<std::int64_t> halvingRungs(
    std::int64_t totalUpdates, std::int64_t runs, std::int64_t eta);

// A run of the sweep at a rung.
struct RungEntry {
    enum class State {
        Reached, // it has trained until the rung
        Pending, // it has not yet
        Completed, // it ended well before the rung, by its length or its own rule
        Lost, // it ended otherwise: diverged, failed, stopped by a person
    };
    State state = State::Pending;
    std::optional<double> value {}; // its best accuracy so far; may be NaN
    std::int64_t step = 0; // updates of its rung, a part of its own length
};

struct RungDecision {
    enum class Kind {
        Continue,
        Stop,
        None, // it has ended, and nothing is to be done
    };
    Kind kind = Kind::None;
    Message reason {}; // of Stop
};

// Which runs of a rung go on: as many as ceil(entries / η), the best by value. Runs that have the
// same value as the last of them go on, too: nothing shows that they cannot win. A run without a
// finite value does not. A completed run counts among the best, and a lost one among the entries.
// Nullopt: one is pending.
std::optional<std::vector<RungDecision>> decideRung(
    const std::vector<RungEntry>& entries, std::int64_t eta);

} // namespace accrue
