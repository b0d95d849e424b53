// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/batch_plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accrue {

// The decisions when a window opens; the weight of each of its samples follows from them alone.
struct Window {
    std::int64_t epoch = 0; // in which it opened, 1-based
    std::int64_t steps = 0; // N in force there
    std::int64_t samples = 0; // B, or fewer in a flushed tail
    friend bool operator==(const Window&, const Window&) = default;
};

// The samples of a window in one epoch: all of them, unless a tail is carried.
struct WindowPart {
    Window window;
    std::int64_t epoch = 0; // whose order `begin` counts in, 1-based
    std::int64_t begin = 0; // first sample, in that order
    std::int64_t samples = 0;
    std::int64_t position = 0; // of that first sample in the window
    std::int64_t done = 0; // of `samples`, computed before: above 0 only after a resume

    bool opens() const { return position == 0 && done == 0; }
    bool closes() const { return position + samples == window.samples; }
    friend bool operator==(const WindowPart&, const WindowPart&) = default;
};

// One forward and backward pass on every device: consecutive samples of one epoch's order.
struct Slice {
    std::int64_t begin = 0; // in the epoch's order
    std::int64_t samples = 0;
    double weight = 0; // of each sample's loss
    std::vector<double> weights {}; // sample by sample, if they differ; otherwise empty
    friend bool operator==(const Slice&, const Slice&) = default;
};

// The part of `slice` that rank 0 … ranks − 1 computes: consecutive samples with their own weights.
// The shares add up to the slice and differ by one sample at most; a slice of fewer samples than
// ranks leaves the last ranks none.
Slice shareOf(const Slice& slice, std::int64_t rank, std::int64_t ranks);

// The position of a run between two micro-batches. A value that a checkpoint stores.
struct WindowCursor {
    std::int64_t epoch = 1;
    std::int64_t offset = 0; // samples of the epoch's order that were computed or dropped
    std::int64_t updates = 0; // windows that closed
    std::optional<Window> open {}; // begun and not closed
    std::int64_t filled = 0; // samples of `open` that were computed
    friend bool operator==(const WindowCursor&, const WindowCursor&) = default;
};

// How the samples of a run are divided into windows, over all its epochs. A value, pure: every
// function receives the cursor that it counts from. `samples` per training epoch, at least 1;
// `plan` and `samples` passed checkEpoch.
class WindowSequence {
public:
    WindowSequence() = default; // of no samples
    WindowSequence(BatchPlan plan, std::int64_t samples, std::int64_t epochs);

    // From now on windows are computed in slices of `micro` samples, at most the plan's b and at
    // least its smallest slice. Windows and the weights of their samples stay as planned.
    void cutInto(std::int64_t micro) { m_cut.micro = micro; }
    std::int64_t micro() const { return m_cut.micro; } // b in force
    // The next smaller micro-batch after an out-of-memory error: half of it, or slightly more if
    // half would leave a slice below the smallest in some window. Empty: there is none.
    std::optional<std::int64_t> finerMicro() const;

    // The next part to compute; nullopt: all epochs are done.
    std::optional<WindowPart> next(const WindowCursor& cursor) const;
    // The slices of a part that are not done: b·W samples each, counted from the window's first
    // sample and ended by the epoch's end; none below the plan's smallest slice, if that is
    // possible.
    std::vector<Slice> slices(const WindowPart& part) const;
    // The first part of a window with a slice below the plan's smallest, among as many windows as
    // can be checked. Empty: there is none.
    std::optional<WindowPart> firstUncutPart() const;
    // Forward passes of the window that is open at `cursor`, or opens there, all of its parts.
    std::int64_t microBatches(const WindowCursor& cursor) const;
    // After `samples` more samples of `part`.
    WindowCursor advanced(
        const WindowCursor& cursor, const WindowPart& part, std::int64_t samples) const;
    // The place at which the window that is open at `cursor` was opened; `cursor` itself if none is
    // open.
    WindowCursor opening(const WindowCursor& cursor) const;
    // Samples that a run has computed when it reaches `cursor`; nullopt: it never does.
    std::optional<std::int64_t> samplesAt(const WindowCursor& cursor) const;
    bool epochIsOver(const WindowCursor& cursor) const { return cursor.offset == m_samples; }

    // Updates that are done after so many epochs; for all epochs: the total of the run.
    std::int64_t updatesWithin(std::int64_t epochs) const;

private:
    std::vector<StepsFrom>::const_iterator laterEntry(const WindowCursor& cursor) const;
    std::int64_t stepsAt(const WindowCursor& cursor) const;
    // samples of a window with that N and b
    std::int64_t windowAt(const WindowCursor& cursor) const;
    bool stepsChangeByEpoch() const;
    bool stepsAreSettled(const WindowCursor& cursor) const; // the schedule's last entry is reached
    Window opened(const WindowCursor& cursor) const;
    std::int64_t equalWindows(const WindowCursor& cursor, const WindowPart& part) const;
    std::int64_t skipEqualEpochs(WindowCursor& at, std::int64_t updates) const;
    std::optional<std::int64_t> carriedSamplesAt(const WindowCursor& cursor) const;
    WindowCursor epochDone(WindowCursor cursor) const;
    std::int64_t updatesAhead(const WindowCursor& cursor, std::int64_t epochs) const;
    void dropTail(WindowCursor& cursor) const;

    BatchPlan m_plan;
    BatchPlan m_cut; // the same with the b in force
    std::int64_t m_samples = 0;
    std::int64_t m_epochs = 0;
};

} // namespace accrue
