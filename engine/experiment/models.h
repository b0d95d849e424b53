// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// What a network is built for: the images of a data set and its classes.
struct PictureShape {
    std::int64_t channels = 1;
    std::int64_t height = 28;
    std::int64_t width = 28;
    std::int64_t classes = 10;
    friend bool operator==(const PictureShape&, const PictureShape&) = default;
};

// What is known of a network without torch. One table (models.cpp) holds them all; keys,
// validation, the batch plan and the form read it, and engine/model builds what it describes.

struct NormSlot {
    std::string name; // of the module in that place, "layer1.0.bn1"
    std::int64_t channels = 0;
};

// How many basic blocks each stage of a residual network has.
constexpr int kResidualStages = 4;
using ResidualBlocks = std::array<int, kResidualStages>;

struct ModelInfo {
    // What a norm slot receives of one sample and channel.
    enum class Seen {
        Values, // two values or more, however small the images that the network accepts
        MaybeOne, // an image that may have shrunk to one value
        One, // a vector's one value
    };
    ModelName name;
    const char* word; // as recipes spell it
    const char* title; // as people do
    std::vector<std::string_view> keys; // of [model]; see registries.h
    bool prefersChannelsLast; // its convolutions have channels enough to be faster so
    Seen (*seen)(const ModelSettings&);
    std::vector<NormSlot> (*normSlots)(const ModelSettings&);
    std::int64_t (*weights)(const ModelSettings&, const PictureShape&); // those of norms left out
    ResidualBlocks blocks {}; // zeros: it is no residual network
};

const std::vector<ModelInfo>& modelTable(); // in the order of ModelName
const ModelInfo& modelInfo(ModelName name);
std::string titleOf(const ModelInfo& model); // in the language of language.h

// Parameters of the network, exactly; the largest number where they are more than that.
std::int64_t parameterCount(const ModelSettings& model, const PictureShape& shape);

// Groups that model.groups = auto makes of a slot of GroupNorm: the largest divisor of its channels
// not above 32 that leaves two channels or more a group.
std::int64_t automaticGroups(std::int64_t channels);

// Numbers of groups that divide the channels of every slot and leave `fewest` of them or more in
// each group; ascending. `slots` is not empty.
std::vector<std::int64_t> groupsThatFit(const std::vector<NormSlot>& slots, std::int64_t fewest);

// Fewest samples that a micro-batch may have: BatchNorm needs two values a channel, so 2 where a
// slot of the network sees one value of each sample, or may see one.
std::int64_t fewestSamplesOfSlice(const ModelSettings& model);

} // namespace accrue
