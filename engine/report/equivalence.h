// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/runlog/run_log_reader.h"

#include <cstdint>
#include <vector>

namespace accrue {

// Whether two runs are one training: the same samples, in windows of the same size that may be
// split differently. Then the losses of their updates are equal except for rounding, which differs
// with the split. In float64 the difference stays below kFloat64Bound to the end; in float32 it
// grows from update to update, so only the first updates decide. Types below that round so much
// that two splits diverge at once: the bound of float32 is applied to them, too, and they are
// different.

inline constexpr std::int64_t kFirstUpdates = 20;
inline constexpr double kFloat64Bound = 1e-9;
inline constexpr double kFloat32Bound = 1e-5;

struct LossDifference {
    double greatest = 0; // of |a - b|; infinite if only one of two losses is finite
    std::int64_t step = 0; // the first step with that difference; 0: all are equal
    std::int64_t updates = 0; // that were compared
    friend bool operator==(const LossDifference&, const LossDifference&) = default;
};

struct Equivalence {
    enum class Verdict {
        Equal,
        Different,
        NotComparable, // no updates, or after one of them the two had not seen equally many samples
    };
    Verdict verdict = Verdict::NotComparable;
    LossDifference first; // of the first kFirstUpdates
    LossDifference all; // as far as both runs got; the first ones included
    Message sentence; // the verdict and what it is based on
};

// `loss` as RunLogReader::rows returns it. `precision` is the lower one of the two. Pure.
Equivalence equivalenceOf(
    const std::vector<SeriesRow>& a, const std::vector<SeriesRow>& b, Precision precision);

// Of two runs of a log. Blocks. Throws RunLogError.
Equivalence equivalenceOf(RunLogReader& log, RunId a, RunId b);

// "equal", "different", "not_comparable"
const char* nameOf(Equivalence::Verdict verdict);

} // namespace accrue
