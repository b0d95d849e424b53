// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/models.h"
#include "engine/model/layer_parameters.h"
#include "engine/model/named_tensors.h"
#include "engine/model/rank_statistics.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <torch/nn/module.h>

namespace accrue {

// A classifier of pictures. Parameters and buffers carry the names of docs/recipes.md's models.
class Network : public torch::nn::Module {
public:
    // Pictures [b, channels, height, width] to logits [b, classes]. A model computes it; whoever
    // uses one calls `logits`.
    virtual at::Tensor forward(const at::Tensor& images) = 0;

    // forward() as computeIn sets it; the result is in the type of `images`, which is that of the
    // parameters.
    at::Tensor logits(const at::Tensor& images);
    std::int64_t parameterCount() const; // values of all parameters
    // How many of parameters() each layer has, in their order; a layer has one at least.
    std::vector<std::size_t> layers() const;
    // From now on `provider` (borrowed) has the parameters of all layers; null: none, they are in
    // memory all the time.
    void setLayerParameters(LayerParameters* provider);

    // How logits() computes. `lowerType`: at::kBFloat16 or at::kHalf, the type of operators that
    // tolerate it, while parameters and their gradients retain theirs (torch's autocast); nullopt:
    // everything has the parameters' type. `format` is that of pictures; the caller converts the
    // parameters.
    void computeIn(std::optional<at::ScalarType> lowerType, at::MemoryFormat format);

    // How BatchNorm's running statistics follow the windows (batch_norm.h). These functions do
    // nothing without BatchNorm, and none reads anything back from the device.
    //
    // Begins a window of `microBatches` forward passes in train mode and discards what an
    // unfinished one has accumulated. Call it when the network is on its device and in its type.
    void beginWindow(std::int64_t microBatches);
    // All passes are done: the statistics of the window become part of the running ones.
    void endWindow();
    // With several ranks, which then call the functions of a window and its passes alike. `sum`
    // adds a tensor up over them, in place.
    void shareStatistics(
        int rank, int ranks, const std::function<void(const at::Tensor&)>& sumOverRanks);
    // In the middle of a window, what a checkpoint needs beside the buffers: live tensors by the
    // names of their layers, "norm1.window_mean"; empty unless model.batchnorm_window.
    NamedTensors windowState() const;
    // After beginWindow with the window's whole N: continues where windowState was read. Throws
    // Error naming what is missing or of another shape.
    void restoreWindowState(const NamedTensors& state);
    // Between the two calls, passes in train mode do not change running statistics and windows but
    // are accumulated apart; then the running statistics become mean and population variance of all
    // inputs of each layer, as in precise BN (Wu and Johnson 2021, arXiv 2105.07576). Without a
    // pass between them nothing changes. Also allowed in the middle of a window.
    void beginStatistics();
    void endStatistics();
    // Discards them, for a pass that was stopped or failed. Does nothing after endStatistics.
    void abandonStatistics();

private:
    std::optional<at::ScalarType> m_lowerType; // with autocast
    at::MemoryFormat m_format = at::MemoryFormat::Contiguous;
};

// Throws Error if the pictures are smaller than `side` × `side` pixels.
void requireSide(const std::string& model, const PictureShape& shape, std::int64_t side);

} // namespace accrue
