// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace accrue {

// The limit of batch.micro.
inline constexpr std::int64_t kLargestMicro = 1'000'000'000;

// The peak memory of a phase of a real window with micro-batches of `micro` samples: live bytes on
// the CPU, bytes that the allocator had reserved on CUDA.
struct MemoryPoint {
    MemoryPhase phase = MemoryPhase::Data;
    std::int64_t micro = 0; // b
    std::int64_t peakBytes = 0;
    friend bool operator==(const MemoryPoint&, const MemoryPoint&) = default;
};

// peak(b) = base + perSample · b, by least squares over some of a phase's points. Whole bytes, so
// that it can be inverted exactly; the rounding is half a byte per sample.
struct MemoryLine {
    MemoryPhase phase = MemoryPhase::Data;
    std::int64_t base = 0; // M0, bytes; negative if the line is steep and crosses another one
    std::int64_t perSample = 0; // k, bytes; never negative
    // Of the points: their number, the mean of their b, Σ (b − mean)², and the standard deviation
    // of the residuals, √(Σ residual² / (points − 2)), bytes; 0 with two points.
    std::int64_t points = 0;
    double meanMicro = 0;
    double spread = 0;
    double deviation = 0;

    // False for the evaluation's, which is reported beside the model.
    bool isOfLaw() const { return phase != MemoryPhase::Evaluation; }
    std::int64_t at(std::int64_t micro) const { return base + perSample * micro; }
    friend bool operator==(const MemoryLine&, const MemoryLine&) = default;
};

// How the memory that a window needs grows with b, whatever N is: the greatest of some straight
// lines.
//
// Why lines: in one phase every block's size is constant or proportional to b, and the phase's peak
// is the greatest sum of blocks over its instants, so peak(b) is the greatest of straight lines,
// convex, with few bends: usually one below b = 16, where the scratch of weights outweighs the
// activations. If an operator uses another algorithm from some b on, there is a step, in practice
// at b = 1 only. A phase has one line for each stretch between bends.
struct MemoryLaw {
    std::vector<MemoryPoint> points {}; // by phase, ascending in b
    std::vector<MemoryLine> lines {}; // by phase, ascending in b
    // The samples between which it was measured and is valid; beyond them, the last line is
    // extended.
    std::int64_t from = 0;
    std::int64_t to = 0;

    // Of the window with micro-batches of `micro` ≥ 1 samples; 0 if there are no lines.
    std::int64_t peakAt(std::int64_t micro) const;
    // Of one phase; 0 if it was not measured.
    std::int64_t peakAt(std::int64_t micro, MemoryPhase phase) const;
    // Half the width in bytes of the interval that contains the peak of one more window with that b
    // with a probability of 95 %: t · s · √(1 + 1/n + (b − mean)² / spread), the prediction
    // interval of a line (Draper and Smith, Applied Regression Analysis, 3rd ed., 3.1); for the
    // greatest line there. Empty: the line has only two points, which show no deviation.
    std::optional<double> bandAt(std::int64_t micro) const;
    // The largest b ≤ kLargestMicro whose window fits by the model, exactly: peakAt(b) ≤ budget <
    // peakAt(b + 1). 0: not even one sample fits.
    std::int64_t largestMicro(std::int64_t budgetBytes) const;

    friend bool operator==(const MemoryLaw&, const MemoryLaw&) = default;
};

// Evaluation is reported beside the model: a run that is out of memory makes its evaluation batch
// smaller, so the evaluation never bounds b, and peakAt(b), bandAt and largestMicro are those of
// the window's phases.

// The model of these points, at most one for each phase and b. Points of a phase belong to one line
// if the residuals are at most `granularity` bytes (the allocator's unit) or a thousandth of the
// peak.
MemoryLaw fitMemoryLaw(std::vector<MemoryPoint> points, std::int64_t granularity);

// The lines of a window's phases that are the greatest somewhere between law.from and law.to, in
// their order.
std::vector<MemoryLine> greatestLines(const MemoryLaw& law);

// The peak of the window of each measured size, in bytes, ascending.
std::map<std::int64_t, std::int64_t> measuredPeaks(const MemoryLaw& law);

// Whether the model's peak equals each of those to the byte.
bool meetsMeasurements(const MemoryLaw& law);

// Bytes by which the model's phases differ from the measurements, in the order of its points: model
// − measured.
std::vector<std::int64_t> residualsOf(const MemoryLaw& law);

} // namespace accrue
