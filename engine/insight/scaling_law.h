// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/least_squares.h"
#include "engine/insight/window_traffic.h"

#include <optional>
#include <vector>

namespace accrue {

// How the time of a window grows with the ranks W and the accumulation steps N, from windows that
// were measured. Pure formulas.
//
//   T = N·c + u + Σ over links (messages · α + bytes / β)
//
// c: compute time of a micro-batch; u: of an update; α: latency of a message of a link; β: its
// bytes a second (the α-β model of Hockney 1994, doi 10.1016/S0167-8191(06)80021-9). Messages and
// bytes are those of window_traffic.h. With shards, u is the same: the optimizer's part in it is
// small beside what every update does.
struct LinkConstants {
    double latencySeconds = 0; // α, with what ranks wait for each other
    double secondsPerByte = 0; // 1/β
};

struct ScalingLaw {
    double microBatchSeconds = 0; // c
    double updateSeconds = 0; // u
    std::vector<LinkConstants> links {};
};

double windowSeconds(const ScalingLaw& law, const ScalingPoint& point);

// The share of the time of W ranks that they compute: T(1, N) / T(W, N), with N·W micro-batches in
// the latter.
double efficiency(const ScalingLaw& law, const ScalingPoint& point);

// The law with the least relative errors (robustLeastSquares), no constant below 0. Empty if the
// points do not determine it: fewer than two, or all of one N.
std::optional<ScalingLaw> fitScaling(const std::vector<ScalingPoint>& points);

// |predicted / measured − 1| of each point, in their order, predicted by the law of all others:
// what the law is worth for points that it has not seen; NaN if the others determine none. Empty if
// there are fewer than three.
std::vector<double> heldOutErrors(const std::vector<ScalingPoint>& points);

} // namespace accrue
