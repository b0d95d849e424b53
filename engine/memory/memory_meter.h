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
// allocates after construction; a block that another thread releases counts until its address is
// used again. On CUDA: all that this process has allocated on the device (`allocated`, not
// `reserved`); what it had allocated before counts as workspace.
//
// Phases follow one another in a window:
//
//   beginWindow, { enter(Data), enter(Forward), enter(Backward) } …, enter(Optimizer), endWindow
//
// With Metering::Off there are only bytes and peaks, no phases. Window reports the micro-batch with
// the highest peak of each phase, Full all micro-batches. Once two windows of one size needed the
// same to the byte, Window only checks that later ones begin, peak and end alike, and reports them
// like the first; after one that differs it meters again. Owners are named by layer always, and by
// node in backward passes; by operator with Full, and with Window in the first evaluation, in the
// first two windows of each micro-batch size, and where a phase holds the same as in these.
//
// Costs 0.1 to 0.2 µs per allocation. Lives and dies on one thread, innermost meter first; a
// previously installed reporter is silent meanwhile.
class MemoryMeter {
public:
    explicit MemoryMeter(at::Device device, Metering metering = Metering::Off);
    ~MemoryMeter();
    MemoryMeter(const MemoryMeter&) = delete;
    MemoryMeter& operator=(const MemoryMeter&) = delete;

    std::int64_t liveBytes() const;
    std::int64_t peakBytes() const; // since resetPeak or beginWindow
    void resetPeak(); // the peak starts again from what is live now

    // The sizes decide which windows are alike. What was measured of a window that did not end is
    // discarded.
    void beginWindow(std::int64_t microBatchSamples, std::int64_t windowSamples);
    // Ends the phase before it. `microBatch` and `samples` as in PhaseMemory.
    void enter(MemoryPhase phase, std::int64_t microBatch = 0, std::int64_t samples = 0);
    // Empty with Metering::Off, and if a window needed other memory than those like it, after which
    // the phases of such windows were no longer metered.
    std::vector<PhaseMemory> endWindow();

    // Between windows or in the middle of one, which continues with its next phase.
    void beginEvaluation();
    // `samples`: of a pass at the end of the evaluation. Empty with Metering::Off, otherwise one
    // phase.
    std::vector<PhaseMemory> endEvaluation(std::int64_t samples);

private:
    struct Installed; // MemoryRecorder and the guard that holds it on the thread
    // Windows that are alike in the samples of their micro-batches and of all of them.
    struct Alike {
        int metered = 0; // in succession
        std::vector<PhaseMemory> phases {}; // of the latest metered one
        std::int64_t reserved = 0; // bytes, at its end; 0 on the CPU
        bool settled = false; // the phases repeat, and nothing was needed between them
    };

    void begin(MemoryPhase phase, std::int64_t microBatch, std::int64_t samples, bool byOperator);
    std::optional<PhaseMemory> endPhase();
    void collectEndedPhase();
    PhaseMemory* collectedLike(MemoryPhase phase);
    void settle();
    bool isAsBefore() const;
    std::int64_t reservedBytes() const;
    std::int64_t otherBytes() const;

    const at::Device m_device;
    const Metering m_metering;
    std::unique_ptr<Installed> m_installed; // empty on CUDA with Metering::Off
    std::vector<PhaseMemory> m_phases; // of the window
    bool m_meters = true; // the phases of the window
    std::int64_t m_beginBytes = -1; // of a window whose phases are not metered, in its first one
    bool m_byOperator = false; // in the window
    std::map<std::pair<std::int64_t, std::int64_t>, Alike> m_windows; // by their sizes
    Alike* m_alike = nullptr; // of the window
    bool m_hasEvaluated = false;
    std::unique_ptr<OperatorWatch> m_operators; // in a phase whose owners are named by operator
    // The last of these by their phase and samples; with Metering::Window.
    std::map<std::pair<MemoryPhase, std::int64_t>, PhaseMemory> m_byOperators;
};

// Bytes of a CUDA device that are neither free nor reserved by this process's allocator: the memory
// of contexts, libraries and other processes.
std::int64_t heldByOthers(at::Device device);
// Never below 0, although the three are not read at one instant.
std::int64_t heldByOthers(std::size_t total, std::size_t free, std::int64_t reserved);

// To be called after allocating a tensor that stays: its block belongs to this category until it is
// released. `name` as in MemoryOwner::layer. Does nothing if the thread has no meter, or if the
// meter began after the block was allocated.
void ownMemory(const at::Tensor& tensor, MemoryCategory category, const std::string& name);

} // namespace accrue
