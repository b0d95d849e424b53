// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/resident_data_set.h"
#include "engine/door/engine.h"
#include "engine/events/events.h"
#include "engine/experiment/finding.h"
#include "engine/experiment/window_sequence.h"
#include "engine/model/network.h"
#include "engine/training/schedule.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <c10/core/Device.h>

namespace accrue {

// All that a run needs before its first window, checked and made in order of cost: batch plan, data
// set on the device, thread count, model.
struct PreparedRun {
    ResidentDataSet data;
    std::shared_ptr<Network> network;
    WindowSequence windows;
    Schedule schedule;
    Findings warnings; // what checkEpoch found and does not keep the run from starting
};

// What a checkpoint was computed with: threads and order in memory where its recipe says auto, and
// the form of its pictures, where it is known.
struct ComputedWith {
    std::int64_t threads = 1;
    std::string memoryFormat; // as in RunStarted
    DataIdentity data {};
};

enum class Purpose {
    Train, // also where a few windows are only measured
    Evaluate, // needs no more than the model
};

// Fills `started` as far as it gets, so that a run that fails here can still say what was known.
// `computed` decides what the recipe leaves open in a run that is resumed. Throws EngineError or
// DataError. Blocks.
PreparedRun prepareRun(const TrainRequest& request, at::Device device,
    const std::optional<ComputedWith>& computed, RunStarted& started,
    Purpose purpose = Purpose::Train);

} // namespace accrue
