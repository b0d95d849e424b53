// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/window/gradient_buckets.h"
#include "engine/window/parameter_holder.h"
#include "engine/window/world.h"

#include <optional>

namespace accrue {

// Every rank has all parameters and a gradient of its own for them, and updates all
// (distributed.shard = "none").
class WholeParameters : public ParameterHolder {
public:
    WholeParameters(const Experiment& experiment, Network& network, World& world);

    NamedTensors values() const override;
    void beginWindow(bool summed) override;
    bool sharesSlice(bool isLast) const override;
    void beginSlice(bool isLast) override;
    void beginPass() override;
    void endSlice() override;
    void sumGradient() override;
    NamedTensors parameters() override;
    void restoreParameters(const NamedTensors& model) override;
    at::Tensor openGradient() override;
    void restoreGradient(const at::Tensor& saved) override;

protected:
    // For ShardedOptimizer, which makes its part. `values`: of the flat gradient, with padding.
    WholeParameters(const Experiment& experiment, Network& network, World& world,
        std::int64_t values, bool sharesState);
    virtual void addUp() { m_world.sum(m_gradient); } // over the ranks, what this one updates

    Network& m_network;
    World& m_world;
    at::Tensor m_gradient; // flat

private:
    bool hasBuckets();
    at::Tensor unpadded() const;

    const bool m_sumsEachSlice; // over the ranks
    bool m_hasAsked = false; // the ranks whether sums may overlap
    std::optional<GradientBuckets> m_buckets; // if so
    bool m_overlaps = false; // the slice that is computed ends with a sum, in buckets
    bool m_isSummed = false; // the gradient is that of all ranks
};

} // namespace accrue
