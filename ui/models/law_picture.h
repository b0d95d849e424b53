// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/insight/memory_fit.h"
#include "engine/runs/run_record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// What a card of so many bytes takes, of what is of use: no window has a micro-batch of more than
// its B samples, and none of more than the training set. A proof stands as it is. `plan` is that of
// the form; empty while its batch numbers cannot be solved.
struct CardAnswer {
    std::int64_t bytes = 0;
    std::int64_t micro = 0; // the largest micro-batch; 0: none fits
    bool proved = false; // by a real window, otherwise as the law says
    bool isAll = false; // the whole training set
    bool isWindow = false; // the whole effective batch, which is less
    bool extrapolated = false; // beyond what was measured, with a margin
    friend bool operator==(const CardAnswer&, const CardAnswer&) = default;
};
CardAnswer answerFor(
    const MemoryFit& fit, const std::optional<BatchPlan>& plan, std::int64_t bytes);
// For the budget that the experiment asks for, otherwise the whole device.
CardAnswer answerFor(
    const MemoryFit& fit, const Experiment& experiment, const std::optional<BatchPlan>& plan);

// The law of memory as a chart shows it: bytes (y) over the samples of a micro-batch (x).
struct LawPicture {
    struct Band {
        double micro = 0;
        double low = 0;
        double high = 0;
    };
    std::vector<SeriesPoint> measured; // peak of the window, a point for each size
    std::vector<SeriesPoint> within; // the law between the smallest and the largest size
    std::vector<SeriesPoint> below; // and beyond them, where it is only likely
    std::vector<SeriesPoint> beyond;
    std::vector<Band> band; // 95 % of further windows; empty where it is not known
    std::int64_t last = 1; // largest b that is shown
    CardAnswer card; // the budget, otherwise the whole device
    std::int64_t limitBytes = 0; // of the card, for what the law counts
    bool limitIsNear = false; // enough to be drawn without making the law a flat line
    // Whether both axes are better logarithmic: what fits is far from what was measured.
    bool logarithmic = false;
};
// For the experiment's budget and b. `fit` has a law.
LawPicture lawPictureOf(
    const MemoryFit& fit, const Experiment& experiment, const std::optional<BatchPlan>& plan);

} // namespace accrue
