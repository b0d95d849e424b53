// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace accrue {

// Is notified which layer of a network the thread computes. On that thread, between two operators;
// must not throw.
class LayerObserver {
public:
    // Applies until the next one begins; null: the network is left. `name` lives as long as the
    // network.
    virtual void layerBegan(const std::string* name) noexcept = 0;

protected:
    ~LayerObserver() = default;
};

namespace detail {
inline thread_local LayerObserver* layerObserver = nullptr;
} // namespace detail

// Called by networks: a few ns if nobody observes. What follows a layer up to the next one (ReLU,
// pooling, the sum of a residual block) counts as that layer's.
inline void markLayer(const std::string* name) noexcept
{
    if (detail::layerObserver != nullptr)
        detail::layerObserver->layerBegan(name);
}

// While it lives, `observer` (borrowed) is notified of the thread's layers; innermost first.
class LayerObservation {
public:
    explicit LayerObservation(LayerObserver& observer)
        : m_outer(detail::layerObserver)
    {
        detail::layerObserver = &observer;
    }
    ~LayerObservation() { detail::layerObserver = m_outer; }
    LayerObservation(const LayerObservation&) = delete;
    LayerObservation& operator=(const LayerObservation&) = delete;

private:
    LayerObserver* const m_outer;
};

} // namespace accrue
