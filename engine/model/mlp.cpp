// SPDX-License-Identifier: Apache-2.0
#include "engine/model/mlp.h"

namespace accrue {
namespace {

constexpr std::int64_t kWidth = 512;

at::Tensor activate(const NormLayer& norm, at::Tensor input)
{
    return norm ? norm(input).relu_() : input.relu_();
}

} // namespace

MlpImpl::MlpImpl(const ModelSettings& settings, const PictureShape& shape)
    : m_fc1(shape.channels * shape.height * shape.width, kWidth)
    , m_fc2(kWidth, kWidth)
    , m_fc3(kWidth, shape.classes)
{
    const NormShape hidden { NormShape::Kind::Vectors, kWidth };
    register_module("fc1", m_fc1);
    m_norm1 = addNorm(*this, "norm1", hidden, settings);
    register_module("fc2", m_fc2);
    m_norm2 = addNorm(*this, "norm2", hidden, settings);
    register_module("fc3", m_fc3);
}

at::Tensor MlpImpl::forward(const at::Tensor& images)
{
    at::Tensor x = activate(m_norm1, m_fc1->forward(images.flatten(/*start_dim=*/1)));
    x = activate(m_norm2, m_fc2->forward(x));
    return m_fc3->forward(x);
}

} // namespace accrue
