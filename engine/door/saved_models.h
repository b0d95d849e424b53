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

// Requests about saved models, and their results. A problem names what is missing, damaged or does
// not fit; if it is empty, the rest is known.

struct EvaluationRequest {
    std::filesystem::path checkpoint; // one
    // That it was trained with; place of the data, device, threads and evaluation may be others.
    // Threads that are auto are those that computed it, so that the figures are those of the run.
    Experiment experiment;
    std::vector<std::filesystem::path> dataDirectories; // searched in order
};

struct CheckpointFigures {
    Message problem;
    bool machine = false; // the problem is this machine's, such as too little memory
    // As the run's own evaluation, pictures brought to the size and normalised by the constants of
    // its training after that update: with the averaged parameters where there are
    // any, and with BatchNorm's statistics recomputed where that was asked for.
    Evaluated evaluated;
    Message dataDescription;
    // The data are not those that it was trained or evaluated on, or that is not known.
    std::vector<Message> warnings;
    std::string device; // "cpu", "cuda:0"
    int threads = 0;
};

// How far the parameters of two checkpoints of one network are apart, BatchNorm's running
// statistics left out: ‖a − b‖ / ‖a‖ over all of them (L2), in double.
struct ParameterDistance {
    Message problem;
    double relative = 0;
    std::int64_t parameters = 0;
    std::int64_t stepOfA = 0; // updates that made them
    std::int64_t stepOfB = 0;
};

} // namespace accrue
