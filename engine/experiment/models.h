// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// What is known of a network without torch. One table (models.cpp) holds them all; keys,
// validation, the batch plan and the form read it, and engine/model builds what it says.

struct NormSlot {
    std::string name; // of the module that stands there, "layer1.0.bn1"
    std::int64_t channels = 0;
};

struct ModelInfo {
    // What a norm slot gets of one sample and channel.
    enum class Seen {
        Values, // two values or more, however small the pictures that the network takes
        MaybeOne, // a picture that may have shrunk to one value
        One, // a vector's one value
    };
    ModelName name;
    const char* word; // as recipes spell it
    const char* title; // as people do
    Seen (*seen)(const ModelSettings&);
    std::vector<NormSlot> (*normSlots)(const ModelSettings&);
};

const std::vector<ModelInfo>& modelTable(); // in the order of ModelName
const ModelInfo& modelInfo(ModelName name);

// Groups that model.groups = auto makes of a slot of GroupNorm: the largest divisor of its channels
// not above 32 that leaves two channels or more a group.
std::int64_t automaticGroups(std::int64_t channels);

// Fewest samples that a micro-batch may have: BatchNorm needs two values a channel, so 2 where a
// slot of the network sees one value of each sample, or may see one.
std::int64_t fewestSamplesOfSlice(const ModelSettings& model);

} // namespace accrue
