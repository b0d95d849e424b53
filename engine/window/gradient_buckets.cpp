// SPDX-License-Identifier: Apache-2.0
#include "engine/window/gradient_buckets.h"

#include <memory>
#include <utility>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace accrue {

// After the gradient of a parameter has been added up.
class GradientBuckets::AfterParameter final : public torch::autograd::PostAccumulateGradHook {
public:
    AfterParameter(GradientBuckets& all, std::size_t bucket)
        : m_all(all)
        , m_bucket(bucket)
    {
    }

    void operator()(const torch::autograd::Variable& /*parameter*/) override
    {
        m_all.completed(m_bucket);
    }

private:
    GradientBuckets& m_all;
    const std::size_t m_bucket;
};

GradientBuckets::GradientBuckets(const std::vector<at::Tensor>& parameters,
    const at::Tensor& gradient, std::int64_t bytes, World& world)
    : m_parameters(parameters)
    , m_world(world)
{
    const std::int64_t least = bytes / static_cast<std::int64_t>(gradient.element_size());
    std::int64_t end = gradient.numel(); // of the bucket, with what may follow the last parameter
    std::size_t count = 0; // of its parameters
    for (std::size_t i = parameters.size(); i-- > 0;) {
        const std::int64_t begin =
            parameters[i].grad().storage_offset() - gradient.storage_offset();
        torch::autograd::impl::set_post_acc_grad_hooks(
            parameters[i], std::make_unique<AfterParameter>(*this, m_buckets.size()));
        ++count;
        if (end - begin < least && i > 0)
            continue;
        m_buckets.push_back(
            { gradient.narrow(/*dim=*/0, begin, end - begin), std::exchange(count, 0) });
        end = begin;
    }
}

GradientBuckets::~GradientBuckets()
{
    for (const at::Tensor& parameter : m_parameters)
        torch::autograd::impl::set_post_acc_grad_hooks(parameter, nullptr);
}

void GradientBuckets::beginPass()
{
    for (Bucket& bucket : m_buckets)
        bucket.pending = bucket.parameters;
    m_begun = 0;
    m_isOpen = true;
}

void GradientBuckets::completed(std::size_t bucket)
{
    if (!m_isOpen)
        return;
    --m_buckets[bucket].pending;
    while (m_begun < m_buckets.size() && m_buckets[m_begun].pending == 0)
        beginNext();
}

void GradientBuckets::finish()
{
    m_isOpen = false;
    while (m_begun < m_buckets.size())
        beginNext();
    m_world.finishSums();
}

// Counted after the call: if it fails before it has reached the others, it is made again.
void GradientBuckets::beginNext()
{
    m_world.beginSum(m_buckets[m_begun].gradient);
    ++m_begun;
}

} // namespace accrue
