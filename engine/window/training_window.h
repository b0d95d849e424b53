// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"
#include "engine/window/accumulator.h"
#include "engine/window/guard.h"
#include "engine/window/measures.h"
#include "engine/window/parameter_average.h"
#include "engine/window/parameter_holder.h"
#include "engine/window/parameter_trace.h"
#include "engine/window/parameter_update.h"
#include "engine/window/pass_calls.h"
#include "engine/window/phase_watch.h"
#include "engine/window/window_metrics.h"
#include "engine/window/world.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace accrue {

// What is decided before the first slice of a window.
struct WindowOpening {
    std::int64_t microBatches = 0; // forward passes of the whole window
    std::int64_t micro = 0; // samples of a full micro-batch
    std::int64_t samples = 0; // of the whole window
    double lossScale = 1; // see LossScale; 1: losses are not scaled
};

// What the host learns about a window that was closed.
struct ClosedWindow {
    WindowValues values;
    PartTimes times;
};

// Computes one window after the other, each from zeroed gradients to the updated model. The only
// place that knows the order:
//
//   open:   remember the buffers, zero figures and gradients, start BatchNorm's window
//   add:    gather, forward, backward of one slice; as often as the window has slices
//   close:  end BatchNorm's window, sum over ranks unless the last slice has (GradientBuckets),
//           unscale, norm, clip, judge, step, average, measure what is requested (before and after
//           the step), send the figures to the host
//   read:   wait for the figures of the oldest window that was closed
//
// The order within close() matters: the norm is that of the whole gradient, so it follows the sum
// over ranks and the division by the loss scale; clipping needs the norm; the verdict is on the
// norm before clipping, which would hide an infinite one; and the average follows the optimizer's
// step under the same verdict.
//
// close() only enqueues, and the next window may be opened before read(): the verdict acts on the
// device, and the host learns it with the figures. If a window fails before its update has begun,
// abandon() restores the model as it was before open(). One thread, the session's.
class TrainingWindow {
public:
    // All but `experiment` is borrowed and must outlive it; `meter` may be null. `network` is on
    // the data's device and in its final type. `largestSlice` is in samples. Gradients are
    // allocated here, before the optimizer sees them.
    TrainingWindow(const Experiment& experiment, Network& network, const ResidentDataSet& data,
        std::int64_t largestSlice, RunControl& control, MemoryMeter* meter = nullptr,
        World& world = World::alone());

    // From the next window on; the present buffers are released.
    void holdSlices(std::int64_t largest) { m_accumulator.holdSlices(largest); }
    // For the pictures from now on; each slice belongs to one epoch.
    void setAugmentation(const Augmentation& changes) { m_accumulator.setAugmentation(changes); }

    void open(const WindowOpening& opening);
    // Whether the next slice has calls to the other ranks, which all of them have to make.
    bool sharesNextSlice() const;
    // A slice of `order` (indices of training samples, int64 on the device); with several ranks
    // this one's share of it, which may be empty.
    void add(const at::Tensor& order, const Slice& slice);
    // add() has thrown: makes the calls to the other ranks that it has left out, after which all of
    // them can agree to abandon the window. Does nothing otherwise.
    void finishSlice();
    // Around a pass of an evaluation, whose parameters the ranks may share; and it has failed on
    // this rank: as finishSlice().
    void beginPass();
    void endPass();
    void finishPass();
    // All slices are accumulated. Once the optimizer has begun, nothing is allocated any more, so
    // that memory cannot run out within an update. With several ranks it may do so before, which
    // ends the run.
    void close(double learningRate);
    // Restores the buffers as they were when the window was opened. Does nothing if none is open.
    void abandon();
    // Blocks until the device has computed the oldest window that was closed and not read.
    ClosedWindow read();
    // Ends the metering of the window that was closed, before the next one is opened. Empty without
    // a meter and if MemoryMeter::endWindow is empty.
    std::vector<PhaseMemory> endMetering();

    // Windows whose update has begun. A window that has raised it cannot be computed again.
    std::int64_t updates() const { return m_updates; }
    // Closed windows that need not be read before the next one opens: 1 on a device that computes
    // beside the host, 0 if the verdict on one window changes what the host does in the next.
    std::size_t mayBeUnread() const { return m_mayBeUnread; }
    // Figures of the window that is open. Blocks until the device has computed them.
    WindowValues soFar() const { return m_metrics.soFar(); }
    std::uint32_t slices() const { return m_slices; } // of it, added so far
    // The value of trace.parameters, without its place in the run; empty if none is traced. Blocks.
    // With several ranks all call it, after each add() and close().
    std::optional<TracedMicroBatch> traced();

    // The phases of the window, and of the work between two slices.
    PhaseWatch& phases() { return m_phases; }
    ParameterAverage* average() { return m_average ? &*m_average : nullptr; }

    // What a checkpoint stores: live tensors, or copies if the ranks share the state; then all of
    // them call all three.
    NamedTensors model() const; // as the last update left it, also while a window is open
    NamedTensors state() const; // of optimizer and average
    NamedTensors openState() const; // of the window that is open
    bool sharesState() const { return m_holder->sharesState(); }

    // Continues, bit for bit, from the `model` and the other tensors of a checkpoint. With
    // `inWindow` a window was open, and the caller calls reopen() next. Throws Error before
    // anything is changed.
    void restore(const NamedTensors& model, const NamedTensors& saved, bool inWindow);
    void reopen(const WindowOpening& opening, std::uint32_t slices, const NamedTensors& saved);

private:
    bool sharesPasses() const { return m_syncsStatistics || m_holder->sharesPasses(); }
    void compute(const at::Tensor& order, const Slice& slice);
    void computeNothing();
    void look();
    void begin(const WindowOpening& opening, bool isSummed);

    Network& m_network;
    const ResidentDataSet& m_data;
    World& m_world;
    PassCalls m_calls;
    MemoryMeter* const m_meter;
    const std::unique_ptr<ParameterHolder> m_holder;
    Accumulator m_accumulator;
    ParameterUpdate m_update;
    Guard m_guard;
    Measures m_measures;
    WindowMetrics m_metrics;
    PhaseWatch m_phases;
    std::optional<ParameterAverage> m_average; // with optimizer.ema
    std::optional<ParameterTrace> m_trace; // with trace.parameters
    std::optional<TracedMicroBatch> m_looked; // by the latest look
    const std::size_t m_mayBeUnread;
    const bool m_syncsStatistics; // of BatchNorm over the ranks
    bool m_isInSlice = false; // add() has not made all its calls to the other ranks
    bool m_isInPass = false; // likewise, of an evaluation
    bool m_open = false; // opened, and its update has not begun
    std::uint32_t m_slices = 0;
    std::int64_t m_slicesLeft = 0; // of all ranks
    std::int64_t m_updates = 0;
};

} // namespace accrue
