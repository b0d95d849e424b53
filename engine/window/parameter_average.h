// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/named_tensors.h"

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// An exponential moving average (EMA) of a module's parameters p, one update after each optimizer
// step:
//
//   average₀ = p₀, the parameters at construction;   average = decay · average + (1 − decay) · p
//
// which is torch.optim.swa_utils.AveragedModel with get_ema_multi_avg_fn(decay) where
// update_parameters is called once before the first step (its first call copies) and once after
// each. Buffers are not averaged: BatchNorm's statistics stay those of the module. An update
// allocates nothing. One thread.
class ParameterAverage {
public:
    // `module` is borrowed for its parameters, on their device and in their final type. `decay`: 0
    // … below 1.
    ParameterAverage(const torch::nn::Module& module, double decay);
    // Of any tensors, by name. `copies` of them become the averages, in the memory that they are
    // in.
    ParameterAverage(const NamedTensors& parameters, const NamedTensors& copies, double decay);

    // `refused`: float32 scalar on the device; if it is 1, nothing changes. Not allowed while an
    // AveragedWeights lives.
    void update(const at::Tensor& refused);

    // What a checkpoint stores, "ema." and the parameter's name; the tensors are the live ones.
    NamedTensors state() const;
    // Throws Error, before anything is changed, if `state` is not of these parameters.
    void restore(const NamedTensors& state);

private:
    friend class AveragedWeights;

    struct Averaged {
        std::string name; // in a checkpoint
        at::Tensor parameter; // the module's own
        at::Tensor average;
    };
    std::vector<Averaged> m_all;
    // Scalars on the device, all allocated once: a number as operand would become a new tensor.
    at::Tensor m_weight; // 1 − decay, or 0 if the step was refused
    at::Tensor m_newShare; // 1 − decay
    at::Tensor m_minusNewShare;
};

// While it lives, the module's parameters are the averages, for an evaluation or to save them;
// afterwards they are what they were. The storages are exchanged, nothing is copied. Gradients,
// buffers and the optimizer's state do not change; a captured graph still refers to the former
// addresses.
class AveragedWeights {
public:
    // `average` is borrowed and must outlive it; at most one at a time.
    explicit AveragedWeights(ParameterAverage& average);
    ~AveragedWeights();
    AveragedWeights(const AveragedWeights&) = delete;
    AveragedWeights& operator=(const AveragedWeights&) = delete;

private:
    ParameterAverage& m_average;
    std::vector<at::Tensor> m_own; // the parameters' storages meanwhile
};

} // namespace accrue
