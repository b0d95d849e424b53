// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The input of a network: the images of a data set and its classes.
struct PictureShape {
    std::int64_t channels = 1;
    std::int64_t height = 28;
    std::int64_t width = 28;
    std::int64_t classes = 10;
    friend bool operator==(const PictureShape&, const PictureShape&) = default;
};

// What is known about a network without torch. One table (models.cpp) contains them all; keys,
// validation, the batch plan and the form read it, and engine/model builds what it describes.

struct NormSlot {
    std::string name; // of the module in that place, "layer1.0.bn1"
    std::int64_t channels = 0;
};

// The number of basic blocks in each stage of a residual network.
constexpr int kResidualStages = 4;
using ResidualBlocks = std::array<int, kResidualStages>;

struct ModelInfo {
    // What a norm slot receives from one sample and channel.
    enum class Seen {
        Values, // two values or more, however small the images that the network accepts
        MaybeOne, // an image that may have shrunk to one value
        One, // a vector's one value
    };
    ModelName name;
    const char* word; // as recipes spell it
    const char* title; // as people do
    std::vector<std::string_view> keys; // of [model]; see registries.h
    bool prefersChannelsLast; // it has enough channels for its convolutions to be faster like that
    Seen (*seen)(const ModelSettings&);
    std::vector<NormSlot> (*normSlots)(const ModelSettings&);
    // those of missing norms excluded
    std::int64_t (*weights)(const ModelSettings&, const PictureShape&);
    ResidualBlocks blocks {}; // zeros: it is no residual network
};

const std::vector<ModelInfo>& modelTable(); // in the order of ModelName
const ModelInfo& modelInfo(ModelName name);

// The exact number of parameters of the network; on overflow, the largest number.
std::int64_t parameterCount(const ModelSettings& model, const PictureShape& shape);

// The groups of a slot of GroupNorm with model.groups = auto: the largest divisor of its channels
// that is at most 32 and leaves at least two channels per group.
std::int64_t automaticGroups(std::int64_t channels);

// Numbers of groups that divide the channels of every slot and leave at least `fewest` of them in
// each group; ascending. `slots` is not empty.
std::vector<std::int64_t> groupsThatFit(const std::vector<NormSlot>& slots, std::int64_t fewest);

// Fewest samples that a micro-batch may have: BatchNorm needs two values per channel, so 2 if a
// slot of the network receives one value of each sample, or may receive one.
std::int64_t fewestSamplesOfSlice(const ModelSettings& model);

} // namespace accrue
