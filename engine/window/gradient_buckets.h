// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/window/world.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// Sums a flat gradient over the ranks while a backward pass computes it. It is divided into
// *buckets* of consecutive parameters, the last ones first, since the pass completes theirs first.
// The sum of a bucket begins when its gradients and those of all buckets before it are complete, so
// that all ranks make the same calls in the same order, whichever bucket a pass completes first. As
// the buckets are the same in each pass, a run that is resumed has the same bits. One thread at a
// time.
class GradientBuckets {
public:
    // The gradients of `parameters` are views of `gradient`, one after the other. A bucket has so
    // many bytes at least, save the last one. `world` is borrowed.
    GradientBuckets(const std::vector<at::Tensor>& parameters, const at::Tensor& gradient,
        std::int64_t bytes, World& world);
    ~GradientBuckets();
    GradientBuckets(const GradientBuckets&) = delete;
    GradientBuckets& operator=(const GradientBuckets&) = delete;

    std::size_t count() const { return m_buckets.size(); }

    // From now on the gradients of a parameter are complete when a pass has added to them; also
    // before a pass is repeated.
    void beginPass();
    // All gradients are complete, also if there was no pass, or if it has failed. Blocks until they
    // are sums.
    void finish();

private:
    class AfterParameter;
    struct Bucket {
        at::Tensor gradient;
        std::size_t parameters = 0;
        std::size_t pending = 0; // of them, in the pass
    };

    void completed(std::size_t bucket);
    void beginNext();

    const std::vector<at::Tensor> m_parameters;
    World& m_world;
    std::vector<Bucket> m_buckets;
    std::size_t m_begun = 0; // buckets whose sums have begun
    bool m_isOpen = false; // between beginPass() and finish()
};

} // namespace accrue
