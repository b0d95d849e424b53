// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/layer_marks.h"
#include "engine/model/layer_parameters.h"

#include <cstddef>
#include <string>

#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

namespace accrue {

// What a module knows of its place in a network.
class LayerPlace {
public:
    // "layer1.0.conv1"; empty until makeModel sets it.
    void setLayerName(const std::string& name) { m_layerName = name; }
    // `parameters` is borrowed; null: they are in memory all the time.
    void setLayerParameters(LayerParameters* parameters, std::size_t layer)
    {
        m_parameters = parameters;
        m_layer = layer;
    }

protected:
    ~LayerPlace() = default;

    void begin() const
    {
        markLayer(&m_layerName);
        if (m_parameters != nullptr)
            m_parameters->beginLayer(m_layer);
    }
    void end(const at::Tensor& output) const
    {
        if (m_parameters != nullptr)
            m_parameters->endLayer(m_layer, output);
    }

private:
    std::string m_layerName;
    LayerParameters* m_parameters = nullptr;
    std::size_t m_layer = 0;
};

// A module that tells when its pass begins and ends, since torch's C++ modules have no hooks.
// Otherwise it is `Impl`.
template <typename Impl> class MarkedImpl final : public Impl, public LayerPlace {
public:
    using Impl::Impl;

    at::Tensor forward(const at::Tensor& input)
    {
        begin();
        at::Tensor output = Impl::forward(input);
        end(output);
        return output;
    }
};
template <typename Impl> using Marked = torch::nn::ModuleHolder<MarkedImpl<Impl>>;
using Conv2d = Marked<torch::nn::Conv2dImpl>;
using Linear = Marked<torch::nn::LinearImpl>;

} // namespace accrue
