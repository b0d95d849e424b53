// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/finding.h"
#include "engine/insight/fastest_split.h"

#include <QString>

#include <optional>

namespace accrue {

// What the memory model is asked about: a draft and what is known of it.
struct LawQuestion {
    Experiment experiment {};
    std::optional<BatchPlan> plan {}; // of the experiment; empty: it cannot be solved
    QString problem {}; // why the experiment cannot be trained; empty: it can
    std::optional<MemoryFit> law {}; // of its memory; empty: none was measured
};

// A change that the memory model recommends: another b, with B as it is.
struct LawAdvice {
    QString choice {}; // "b = 874", "b = 64 × N 2"; empty: none is known
    std::optional<Fix> fix {}; // that makes it; empty: `whyNot` says why there is none
    QString whyNot {};
};

// Pure; GUI thread.
LawAdvice adviseLargest(const LawQuestion& question); // the largest b that fits
LawAdvice adviseFastest(const LawQuestion& question); // the fastest measured split that fits

} // namespace accrue
