// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/checkpoint/checkpoint.h"
#include "engine/data/raw_data.h"
#include "engine/door/engine.h"
#include "engine/events/events.h"
#include "engine/experiment/window_sequence.h"
#include "engine/model/network.h"
#include "engine/session/schedule.h"
#include "engine/tensors/resident_data_set.h"

#include <memory>
#include <vector>

#include <c10/core/Device.h>

namespace accrue {

// Everything that a run needs before its first window, checked and created in order of cost: batch
// plan, data set on the device, thread count, model.
struct PreparedRun {
    ResidentDataSet data;
    std::shared_ptr<Network> network;
    WindowSequence windows;
    Schedule schedule;
    std::vector<Message> warnings; // emitted when the run has started
};

enum class Purpose {
    Train, // or only measure a few windows
    Evaluate, // needs no more than the model
};

// The experiment with its plan. Throws Error with all errors that `validate` finds.
ResolvedExperiment requireValid(const Experiment& experiment);

// The data set of `request`. If `trained` is known, the pictures get the form of those that the
// model was trained on, so that only other data make a difference. Blocks. Throws Error.
RawData loadData(const TrainRequest& request, const DataIdentity& trained);

// The properties of `data` that a model trained on them depends on.
DataIdentity identityOf(const RawData& data);

// Fills `started` step by step, so that the log of a run that fails here contains what was known
// until then. `saved`, null for a new run, decides the settings that the recipe leaves automatic,
// and the form of the pictures. `sharers`: ranks that share the cores of this one (chooseThreads).
// Throws Error. Blocks.
PreparedRun prepareRun(const TrainRequest& request, at::Device device, const Checkpoint* saved,
    RunStarted& started, Purpose purpose = Purpose::Train, int sharers = 1);

} // namespace accrue
