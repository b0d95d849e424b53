// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/experiment/experiment.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

namespace accrue {

class MemoryRecorder;
class OperatorWatch;

// Counts live bytes of the device's allocator, their peak, and what they are for, from construction
// to destruction. On the CPU: what the constructing thread (and backward passes it starts)
// allocates after construction; a block that is released on another thread counts until its address
// is used again. On CUDA: all that this process has allocated on the device (`allocated`, not
// `reserved`); what it had allocated before counts as workspace.
//
// Phases follow one another in a window:
//
//   beginWindow, { enter(Data), enter(Forward), enter(Backward) } …, enter(Optimizer), endWindow
//
// With Metering::Off there are none, and bytes and peaks only. Window reports of each phase the
// micro-batch with the highest peak, Full all of them. Two windows of one size that need the same
// to the byte are not worth a third look: with Window, those after them only show that they begin,
// peak and end alike, and are told like them; one that does not is looked at again from its
// successor on. Owners are named by layer throughout and by
// node in backward passes; by operator with Full, and with Window in the first evaluation and in
// the first two windows of each micro-batch size, and where a phase holds the same as in these.
//
// Costs 0.1 to 0.2 µs an allocation. Lives and dies on one thread, innermost meter first; a
// reporter that was installed before is silent meanwhile.
class MemoryMeter {
public:
    explicit MemoryMeter(at::Device device, Metering metering = Metering::Off);
    ~MemoryMeter();
    MemoryMeter(const MemoryMeter&) = delete;
    MemoryMeter& operator=(const MemoryMeter&) = delete;

    std::int64_t liveBytes() const;
    std::int64_t peakBytes() const; // since resetPeak or beginWindow
    void resetPeak(); // the peak starts again from what is live now

    // Of micro-batches and a window of that size. What was measured of a window that did not end is
    // forgotten.
    void beginWindow(std::int64_t microBatchSamples, std::int64_t windowSamples);
    // Ends the phase before it. `microBatch` and `samples` as in PhaseMemory.
    void enter(MemoryPhase phase, std::int64_t microBatch = 0, std::int64_t samples = 0);
    // Empty with Metering::Off, and where a window needed other memory than those like it, which
    // were not looked at closely any more.
    std::vector<PhaseMemory> endWindow();

    // Between windows or in the middle of one, which goes on with its next phase.
    void beginEvaluation();
    // In passes of that many samples at its end. Empty with Metering::Off, otherwise one phase.
    std::vector<PhaseMemory> endEvaluation(std::int64_t samples);

private:
    struct Installed; // MemoryRecorder and the guard that holds it on the thread
    // Windows that are alike in the samples of their micro-batches and of all of them.
    struct Alike {
        int lookedAt = 0; // in succession
        std::vector<PhaseMemory> phases {}; // of the latest that was
        std::int64_t reserved = 0; // bytes, at its end; 0 on the CPU
        bool settled = false; // they are those of the one before it, and all that it needed
    };

    void begin(MemoryPhase phase, std::int64_t microBatch, std::int64_t samples, bool byOperator);
    std::optional<PhaseMemory> endPhase();
    void keepEndedPhase();
    PhaseMemory* keptLike(MemoryPhase phase);
    void settle();
    bool isAsBefore() const;
    std::int64_t reservedBytes() const;
    std::int64_t otherBytes() const;

    const at::Device m_device;
    const Metering m_metering;
    std::unique_ptr<Installed> m_installed; // empty on CUDA with Metering::Off
    std::vector<PhaseMemory> m_phases; // of the window
    bool m_looks = true; // closely at the window
    std::int64_t m_beginBytes = -1; // of a window that is not looked at, in its first phase
    bool m_byOperator = false; // in the window
    std::map<std::pair<std::int64_t, std::int64_t>, Alike> m_windows; // by their sizes
    Alike* m_alike = nullptr; // of the window
    bool m_hasEvaluated = false;
    std::unique_ptr<OperatorWatch> m_operators; // in a phase whose owners are named by operator
    // The last of these by what they were and the samples they had; with Metering::Window.
    std::map<std::pair<MemoryPhase, std::int64_t>, PhaseMemory> m_byOperators;
};

// Bytes of a CUDA device that neither are free nor are reserved by this process's allocator; never
// below 0, though the three are not read at one instant.
std::int64_t heldByOthers(std::size_t total, std::size_t free, std::int64_t reserved);

// For who allocates what stays: the block in which the tensor's values lie is of this category
// until it is released; `name` as in MemoryOwner::layer. Nothing happens where the thread has no
// meter, or has it only since the block was allocated.
void ownMemory(const at::Tensor& tensor, MemoryCategory category, const std::string& name);

} // namespace accrue
