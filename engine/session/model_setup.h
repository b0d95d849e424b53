// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/model/network.h"
#include "engine/tensors/resident_data_set.h"

#include <memory>

#include <c10/core/ScalarType.h>

namespace accrue {

// The type of parameters, gradients, pictures and logits.
at::ScalarType typeOf(Precision precision);

// The memory format that run.memory_format stands for. auto is channels_last for models of many
// channels, because their convolutions are faster with it, unless they normalise sample by sample,
// which is slower with it; it is contiguous for the others (docs/measurements.md). On a GPU auto is
// channels_last only with bfloat16, float16 and tf32, because tensor cores gain from it.
MemoryFormat memoryFormatOf(const Experiment& experiment, at::Device device);

PictureShape shapeOf(const ResidentDataSet& data);

// The experiment's model for this data set, initialised from run.seed or from model.init_from, on
// the data's device, in the run's precision, in train mode. Throws Error.
std::shared_ptr<Network> makeNetwork(const Experiment& experiment, const ResidentDataSet& data);

} // namespace accrue
