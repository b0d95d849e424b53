// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/parameter_histogram.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace accrue {

// Histograms as TensorBoard's event files have them
// (tensorboard/compat/proto/{histogram,tensor}.proto and
// tensorboard/plugins/histogram/summary_v2.py). Pure.

// The plugin of TensorBoard that shows tensors as such.
inline constexpr std::string_view kHistogramsPlugin = "histograms";

// The tag of a parameter's values or gradients: "parameters/conv1.weight",
// "gradients/conv1.weight". Each word is a group there.
std::string tagOf(const ParameterHistogram& histogram);
// Which parameter's values or gradients a tag of any program names: also "conv1.weight.grad" and
// "conv1.weight/grad", as scripts with PyTorch have it. Any other tag is that of values.
struct HistogramTag {
    std::string parameter;
    HistogramOf of = HistogramOf::Value;
};
HistogramTag histogramTagOf(std::string_view tag);

// A HistogramProto of the finite numbers. Empty: there are none.
std::string histogramProto(const ParameterHistogram& histogram);

// Read from a HistogramProto, whose limits are any ascending ones, or from the tensor of the
// plugin, rows of left, right and count; without its names. Equal bins are taken over; others are
// divided into equal ones as if the numbers of each were spread evenly in it. A tensor has neither
// sum nor squares: mean and deviation are those of the middles of its bins. One of no numbers has
// no bin. nullopt: it is none, or has limits, counts or sums that no numbers have.
std::optional<ParameterHistogram> histogramInProto(std::string_view bytes);
std::optional<ParameterHistogram> histogramInTensor(std::string_view bytes);

} // namespace accrue
