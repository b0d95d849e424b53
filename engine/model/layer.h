// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/layer_marks.h"

#include <string>

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

namespace accrue {

// The name of a module in its network, "layer1.0.conv1"; empty until makeModel sets it.
class LayerName {
public:
    void setLayerName(const std::string& name) { m_layerName = name; }

protected:
    ~LayerName() = default;
    void mark() const noexcept { markLayer(&m_layerName); }

private:
    std::string m_layerName;
};

// A module that marks when its pass begins (engine/base/layer_marks.h), since torch's C++ modules
// have no hooks. Otherwise it is `Impl`.
template <typename Impl> class MarkedImpl final : public Impl, public LayerName {
public:
    using Impl::Impl;

    at::Tensor forward(const at::Tensor& input)
    {
        mark();
        return Impl::forward(input);
    }
};
template <typename Impl> using Marked = torch::nn::ModuleHolder<MarkedImpl<Impl>>;
using Conv2d = Marked<torch::nn::Conv2dImpl>;
using Linear = Marked<torch::nn::LinearImpl>;

} // namespace accrue
