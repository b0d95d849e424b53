// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/resident_data_set.h"
#include "engine/experiment/experiment.h"
#include "engine/model/network.h"

#include <memory>

#include <c10/core/ScalarType.h>

namespace accrue {

// Of parameters, gradients, pictures and logits.
at::ScalarType typeOf(Precision precision);

// run.memory_format made definite: auto is channels_last for the models of many channels, whose
// convolutions are the faster for it, unless they normalise sample by sample, which is the slower
// for it; contiguous for the others (docs/measurements.md). On a GPU only where its tensor cores
// compute, which want it: with bfloat16, float16 and tf32.
MemoryFormat memoryFormatOf(const Experiment& experiment, at::Device device);

PictureShape shapeOf(const ResidentDataSet& data);

// The experiment's model for this data set, initialised from run.seed or from model.init_from, on
// the data's device, in the run's precision, in train mode. Throws EngineError.
std::shared_ptr<Network> makeNetwork(const Experiment& experiment, const ResidentDataSet& data);

} // namespace accrue
