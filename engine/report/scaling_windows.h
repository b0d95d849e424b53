// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/engine.h"
#include "engine/door/run_control.h"
#include "engine/experiment/experiment.h"
#include "engine/insight/window_traffic.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// One way to share the work: W ranks, N accumulation steps, gradients added up once per window or
// after each micro-batch.
struct ScalingCase {
    std::int64_t ranks = 1;
    std::int64_t steps = 1;
    bool everyMicroBatch = false;
};

// The link between ranks of one machine.
inline constexpr const char* kLocalLink = "local";

// What real windows of it took; per window and, of several ranks, the mean over them.
struct ScaledWindows {
    ScalingPoint point; // with the median time of a window
    std::int64_t effective = 0; // B
    double samplesPerSecond = 0;
    double communicationMs = 0; // in sums and gathers
    double waitMs = 0; // for the slowest rank
    double bytes = 0; // that a rank sends
    std::string link = kLocalLink; // between the ranks
    bool sharesCores = false; // there were more ranks than cores: the law knows nothing of that
};

// The experiment of a case: the micro-batch of `plan`, whole windows alone, and no
// evaluation, checkpoint or end.
Experiment experimentOf(const ScalingCase& wanted, Experiment experiment, const BatchPlan& plan);

// Trains a few windows of it on ranks of this machine, without a log; more than `windows` if those
// are over before the ranks have reported what they sent. Empty: it was stopped. Throws
// InputError if the ranks cannot be started, Error if the training fails. Blocks.
std::optional<ScaledWindows> measureWindows(Engine& engine, const Experiment& experiment,
    const std::vector<std::filesystem::path>& dataDirectories, std::int64_t windows,
    RunControl& control);

// The median of each figure of several measurements of one case. There is at least one.
ScaledWindows medianOf(const std::vector<ScaledWindows>& measured);

} // namespace accrue
