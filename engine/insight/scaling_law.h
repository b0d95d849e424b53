// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// How the time of a window grows with the ranks W and the accumulation steps N, from windows that
// were measured. Pure formulas.
//
//   T(W, N) = N·c + u + (S + N + 1)·m·α + S·B/β
//
// c: compute time of a micro-batch; u: of an update; α: latency of a message; β: bytes a second.
// S: how often gradients are added up in a window, 1 or N. m = 2(W − 1) messages, one after the
// other, and B = 2(W − 1)/W · G bytes that each rank sends for G bytes of gradients: those of a
// ring all-reduce, also of a reduction to parts followed by a gather (Patarasuk and Yuan 2009,
// doi 10.1016/j.jpdc.2008.09.002). Before each slice and the update the ranks agree, which is
// N + 1 further all-reduces of a few bytes.
struct ScalingPoint {
    std::int64_t ranks = 1;
    std::int64_t steps = 1;
    bool everyMicroBatch = false; // S = N
    double gradientBytes = 0; // G
    double windowSeconds = 0; // measured
};

struct ScalingLaw {
    double microBatchSeconds = 0; // c
    double updateSeconds = 0; // u
    double latencySeconds = 0; // α
    double secondsPerByte = 0; // 1/β
};

double windowSeconds(const ScalingLaw& law, const ScalingPoint& point);

// The share of the time of W ranks that they compute: T(1, N) / T(W, N), with N·W micro-batches in
// the latter.
double efficiency(const ScalingLaw& law, const ScalingPoint& point);

// The law with the least squares of relative errors, no constant below 0. Empty if the points do
// not determine it: fewer than two, or all of one N.
std::optional<ScalingLaw> fitScaling(const std::vector<ScalingPoint>& points);

// |predicted / measured − 1| of each point, predicted by the law of all others: what the law is
// worth for points that it has not seen. Empty if there are fewer than three.
std::vector<double> heldOutErrors(const std::vector<ScalingPoint>& points);
double medianOf(std::vector<double> values); // NaN of none

// A prediction, and the range in which it is with a probability of 95 %. The range is that of the
// fit alone: it does not contain what is different on other machines.
struct ScalingPrediction {
    double efficiency = 0;
    double least = 0;
    double most = 0;
};
ScalingPrediction predicted(const std::vector<ScalingPoint>& points, const ScalingPoint& wanted);

// The fewest N, at most `most`, with which W ranks reach the efficiency; empty: none does.
std::optional<std::int64_t> stepsForEfficiency(
    const ScalingLaw& law, ScalingPoint point, double wanted, std::int64_t most);

} // namespace accrue
