// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/models.h"
#include "engine/model/named_tensors.h"

#include <cstdint>
#include <optional>
#include <string>

#include <torch/nn/module.h>

namespace accrue {

// A classifier of pictures. Parameters and buffers carry the names of docs/recipes.md's models.
class Network : public torch::nn::Module {
public:
    // Pictures [b, channels, height, width] to logits [b, classes]. A model computes it; whoever
    // uses one calls `logits`.
    virtual at::Tensor forward(const at::Tensor& images) = 0;

    // forward() as computeIn says; the answer is in the type of `images`, which is the parameters'.
    at::Tensor logits(const at::Tensor& images);
    // How logits() computes. `lowerType`: at::kBFloat16 or at::kHalf, in which operators that stand
    // it work while parameters and their gradients keep theirs (torch's autocast); nullopt: all in
    // the parameters' own. `format` is that of pictures; the parameters are given it elsewhere.
    void computeIn(std::optional<at::ScalarType> lowerType, at::MemoryFormat format);

    // How BatchNorm's running statistics follow the windows (batch_norm.h). Nothing happens where
    // there is no BatchNorm. None reads anything back from the device.
    //
    // A window of `microBatches` forward passes in train mode begins; what an unfinished one had
    // gathered is forgotten. Call it once the network is on its device and in its type.
    void beginWindow(std::int64_t microBatches);
    // All its passes are done: statistics over the window become part of the running ones.
    void endWindow();
    // In mid-window, what a checkpoint needs beside buffers: live tensors by the names of their
    // layers, "norm1.window_mean"; empty unless model.batchnorm_window.
    NamedTensors windowState() const;
    // After beginWindow with the window's whole N: goes on where windowState was taken. Throws
    // EngineError naming what is missing or of another shape.
    void restoreWindowState(const NamedTensors& state);
    // Between the two, passes in train mode leave running statistics and windows alone and are
    // gathered instead; then the running statistics are mean and population variance of all that
    // each layer was given, as in precise BN (Wu and Johnson 2021, arXiv 2105.07576). Without a
    // pass between them nothing changes. May stand in mid-window.
    void beginStatistics();
    void endStatistics();
    // As if they had not begun: for a pass that was stopped or that failed. Nothing to do between
    // passes.
    void giveUpStatistics();

private:
    std::optional<at::ScalarType> m_lowerType; // with autocast
    at::MemoryFormat m_format = at::MemoryFormat::Contiguous;
};

// Throws EngineError where the pictures are smaller than `side` × `side` pixels.
void requireSide(const std::string& model, const PictureShape& shape, std::int64_t side);

} // namespace accrue
