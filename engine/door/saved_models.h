// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/events/events.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// Requests about saved models, and their results. A problem names what is missing, damaged or
// unsuitable; if it is empty, the rest is set.

struct EvaluationRequest {
    std::filesystem::path checkpoint; // the folder of one checkpoint
    // The settings that it was trained with; place of the data, device, threads and evaluation may
    // differ. Automatic threads become those that computed it, so that the figures are those of the
    // run.
    Experiment experiment;
    std::vector<std::filesystem::path> dataDirectories; // searched in order
};

struct CheckpointFigures {
    Message problem;
    bool machine = false; // the problem is with this machine, such as too little memory
    // As the run's own evaluation after that update: pictures in the size and normalised by the
    // constants of its training, with the averaged parameters if there are any, and with recomputed
    // BatchNorm statistics if those were requested.
    Evaluated evaluated;
    Message dataDescription;
    // The data are not those that it was trained or evaluated on, or this is unknown.
    std::vector<Message> warnings;
    std::string device; // "cpu", "cuda:0"
    int threads = 0;
};

// The distance between the parameters of two checkpoints of one network, without BatchNorm's
// running statistics: ‖a − b‖ / ‖a‖ over all of them (L2), in double.
struct ParameterDistance {
    Message problem;
    double relative = 0;
    std::int64_t parameters = 0;
    std::int64_t stepOfA = 0; // updates that made them
    std::int64_t stepOfB = 0;
};

} // namespace accrue
