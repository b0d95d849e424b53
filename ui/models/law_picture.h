// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/experiment.h"
#include "engine/insight/memory_fit.h"
#include "engine/runs/run_record.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// What a memory model is asked about: a draft and what is known about it.
struct LawQuestion {
    Experiment experiment {};
    // Of the experiment; empty: its batch numbers have no solution
    std::optional<BatchPlan> plan {};
    QString problem {}; // why the experiment cannot be trained; empty: it can
    std::optional<MemoryFit> law {}; // of its memory; empty: none was measured
};

// The largest useful micro-batch of a card of that size: at most B, and at most the training set. A
// proved size is not limited by that. `plan` is that of the form; empty while its batch numbers
// have no solution.
struct CardAnswer {
    std::int64_t bytes = 0;
    std::int64_t micro = 0; // the largest micro-batch; 0: none fits
    bool proved = false; // by a real window; otherwise predicted by the memory model
    bool isAll = false; // the whole training set
    bool isWindow = false; // the whole effective batch, which is less
    bool extrapolated = false; // beyond what was measured, with a margin
    friend bool operator==(const CardAnswer&, const CardAnswer&) = default;
};
CardAnswer answerFor(
    const MemoryFit& fit, const std::optional<BatchPlan>& plan, std::int64_t bytes);
// For the budget of the experiment; without one, for the whole device. A model has been measured.
CardAnswer answerFor(const LawQuestion& question);

// The memory model as a chart shows it: bytes (y) over the samples of a micro-batch (x).
struct LawPicture {
    struct Band {
        double micro = 0;
        double low = 0;
        double high = 0;
    };
    std::vector<SeriesPoint> measured; // peak of the window, one point per size
    std::vector<SeriesPoint> within; // the memory model between the smallest and the largest size
    std::vector<SeriesPoint> below; // below them, where it is less certain
    std::vector<SeriesPoint> beyond;
    std::vector<Band> band; // 95 % of further windows; empty if not known
    std::int64_t last = 1; // largest b that is shown
    CardAnswer card; // for the budget, otherwise for the whole device
    std::int64_t limitBytes = 0; // of the card, for the memory that the model describes
    bool limitIsNear = false; // near enough to be drawn without making the line flat
    // Whether both axes should be logarithmic: what fits is far above what was measured.
    bool logarithmic = false;
};
// For the experiment's budget and b. A model has been measured.
LawPicture lawPictureOf(const LawQuestion& question);

} // namespace accrue
