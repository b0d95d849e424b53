// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accrue {

// What a network is built for: the pictures of a data set and its classes.
struct PictureShape {
    std::int64_t channels = 1;
    std::int64_t height = 28;
    std::int64_t width = 28;
    std::int64_t classes = 10;
    friend bool operator==(const PictureShape&, const PictureShape&) = default;
};

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
    std::int64_t (*weights)(const ModelSettings&, const PictureShape&); // those of norms left out
};

const std::vector<ModelInfo>& modelTable(); // in the order of ModelName
const ModelInfo& modelInfo(ModelName name);

// Parameters of the network, exactly; the largest number where they are more than that.
std::int64_t parameterCount(const ModelSettings& model, const PictureShape& shape);

// Groups that model.groups = auto makes of a slot of GroupNorm: the largest divisor of its channels
// not above 32 that leaves two channels or more a group.
std::int64_t automaticGroups(std::int64_t channels);

// Fewest samples that a micro-batch may have: BatchNorm needs two values a channel, so 2 where a
// slot of the network sees one value of each sample, or may see one.
std::int64_t fewestSamplesOfSlice(const ModelSettings& model);

} // namespace accrue
