// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/network.h"
#include "engine/window/optimizer.h"

#include <vector>

#include <ATen/core/Tensor.h>

namespace accrue {

// How a rank holds the parameters of a run and their gradients, and which of them it updates. One
// class for each value of distributed.shard; a run of one process holds all. All ranks make the
// same calls. One thread.
class ParameterHolder {
public:
    // What this rank updates. All tensors of a part are on one device.
    struct Part {
        Parameters parameters;
        at::Tensor gradient; // flat: the gradients of `parameters` are views of it
        bool isOnHost = false; // in memory that does not count as the device's
    };

    virtual ~ParameterHolder() = default;
    ParameterHolder(const ParameterHolder&) = delete;
    ParameterHolder& operator=(const ParameterHolder&) = delete;

    // One at least; allocated at construction. In sharesParts(), the parts of all ranks together
    // are the parameters; otherwise those of each rank are.
    const std::vector<Part>& parts() const { return m_parts; }
    virtual bool sharesParts() const { return false; }
    // What an average of the parameters follows, by name: the parameters, or with sharesValues()
    // this rank's part of them.
    virtual NamedTensors values() const = 0;
    // Each in the memory that its value is in.
    virtual NamedTensors copiesOfValues() const { return cloned(values()); }
    virtual bool sharesValues() const { return false; }

    // The gradients of a window, which begin as zeros: backward passes add to them, and after
    // sumGradient() those of parts() are sums over the ranks. `summed`: the window continues one
    // whose slices were added before.
    virtual void beginWindow(bool summed) = 0;
    virtual void beginSlice(bool /*isLast*/) { } // of the window
    virtual void endSlice() { }
    virtual void sumGradient() { } // unless each pass has done it
    virtual void updated() { } // parts() have been
    // Around a pass, of a slice or of an evaluation, in which the network has its parameters.
    virtual void beginPass() { }
    virtual void endPass() { }
    // Whether all ranks have to compute each pass, if need be without samples.
    virtual bool sharesPasses() const { return false; }
    // Whether the ranks call each other in the slice that is next, so that none may leave it out.
    virtual bool sharesSlice(bool /*isLast*/) const { return sharesPasses(); }
    // Between two passes: `parameter`, one of the network, has its values until endPass().
    virtual void provide(const at::Tensor& /*parameter*/) { }

    // What a checkpoint stores, which does not depend on how many ranks there are, or on what they
    // hold.
    //
    // All parameters; live ones or copies on the host.
    virtual NamedTensors parameters() = 0;
    // From the tensors of a model, which may be more; they fit.
    virtual void restoreParameters(const NamedTensors& model) = 0;
    // What an optimizer remembers of parts() as what one of all parameters would, and back: what
    // this rank needs of it. `like`: what it remembers now.
    virtual NamedTensors wholeState(const NamedTensors& own) { return own; }
    virtual NamedTensors ownState(const NamedTensors& whole, const NamedTensors& /*like*/) const
    {
        return whole;
    }
    // Likewise averages of values().
    virtual NamedTensors wholeAverage(const NamedTensors& own) { return own; }
    virtual NamedTensors ownAverage(const NamedTensors& whole) const { return whole; }
    // A gradient of an open window, [parameters]; the sum over the ranks is the window's so far.
    virtual at::Tensor openGradient() = 0;
    virtual void restoreGradient(const at::Tensor& saved) = 0;
    bool sharesState() const { return m_sharesState; } // all ranks save what they hold

protected:
    explicit ParameterHolder(bool sharesState = false)
        : m_sharesState(sharesState)
    {
    }

    std::vector<Part> m_parts;

private:
    const bool m_sharesState;
};

} // namespace accrue
