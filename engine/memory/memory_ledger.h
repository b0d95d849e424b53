// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "engine/memory/memory_event.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include <c10/util/flat_hash_map.h>

namespace accrue {

// The book of one device's live blocks: whose they are, and what each phase held at its peak. Knows
// what it was told only, no allocator and no clock. One thread.
//
// What a block is for is known late: one that a forward pass allocates is an activation if it lives
// when the pass is over, otherwise workspace. So events are told in batches, best one a phase; a
// phase that comes in several takes what lives at the end of a batch for what lives at its own. No
// activation outlives its backward pass: what does is workspace from then on.
//
// Workspace is live − all other categories, so the categories always add up; where the allocator
// gave out blocks that were never told, they are in it.
class MemoryLedger {
public:
    // Whether a phase lists its owners: where its peak is above `above` bytes, and those of `known`
    // (borrowed until the phase ends; may be null) where it holds to the byte what that held.
    struct Owners {
        std::int64_t above = std::numeric_limits<std::int64_t>::max();
        const PhaseMemory* known = nullptr;
    };

    // Bytes that the device's allocator had given out and held before the first event.
    explicit MemoryLedger(std::int64_t allocatedBefore = 0, std::int64_t reservedBefore = 0);

    // From now to its release this block is of that category, under that name. One that the ledger
    // does not know is left alone.
    void own(const void* block, MemoryCategory category, const std::string& name);

    void beginPhase(
        MemoryPhase phase, std::int64_t microBatch, std::int64_t samples, const Owners& owners);
    void add(const std::vector<MemoryEvent>& events);
    // What the allocator holds now: it may have given blocks back since the last event.
    void setReserved(std::int64_t bytes) { m_reserved = bytes; }
    // Between a phase's end and the next one's begin what is allocated is workspace.
    PhaseMemory endPhase();
    bool inPhase() const { return m_inPhase; }

    std::int64_t liveBytes() const { return m_live; }
    std::int64_t peakBytes() const { return m_peak; } // since resetPeak
    void resetPeak() { m_peak = m_live; }

private:
    struct Label {
        MemoryCategory category = MemoryCategory::Workspace;
        const std::string* layer = nullptr; // null: none
        const std::string* operation = nullptr; // likewise
    };
    struct Block {
        std::int64_t bytes = 0;
        Label label;
        std::size_t span = kOlder; // in m_spans
    };
    // A block that was allocated or released in the batch of events in hand. Position p is after p
    // events of it.
    struct Span {
        const void* block = nullptr;
        std::int64_t bytes = 0;
        Label label;
        std::size_t born = 0; // 0: before the batch
        std::size_t died = kAlive;

        bool livesAt(std::size_t position) const { return born <= position && position < died; }
    };
    struct Holding {
        Label label;
        std::int64_t bytes = 0;
    };
    static constexpr std::size_t kOlder = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t kAlive = std::numeric_limits<std::size_t>::max();

    void follow(const MemoryEvent& event, std::size_t position);
    void allocate(const MemoryEvent& event, std::size_t position);
    void release(const void* block, std::size_t position);
    void enterNode(const MemoryEvent& event);
    void judgeSurvivors();
    void closeBatch();
    void endActivations();
    CategoryBytes categoriesAt(std::size_t position, CategoryBytes held, std::int64_t live) const;
    bool isKnown() const;
    std::vector<MemoryOwner> ownersAt(std::size_t position, std::int64_t live) const;
    std::vector<LayerBytes> keptByLayer() const;
    static std::vector<Holding> joined(std::vector<Holding> holdings);
    static std::vector<MemoryOwner> ownersOf(
        const std::vector<Holding>& holdings, std::int64_t smallest);

    std::int64_t m_live = 0; // bytes, all of them
    std::int64_t m_peak = 0;
    std::int64_t m_reserved = 0;
    // Flat: an entry allocates nothing, so that metering leaves the heap as it is.
    ska::flat_hash_map<const void*, Block> m_blocks;
    CategoryBytes m_held {}; // by m_blocks, but for those that the batch in hand allocated
    std::vector<Span> m_spans; // of the batch in hand

    bool m_inPhase = false;
    PhaseMemory m_phase;
    Owners m_owners; // of the phase
    const std::string* m_layer = nullptr;
    const std::string* m_operator = nullptr;
    bool m_inNode = false;
    Label m_node; // layer and operation of the node that works
    struct LayerBegin {
        std::uint64_t sequence;
        const std::string* layer;
    };
    std::vector<LayerBegin> m_layerBegins; // of the latest forward pass

    std::unordered_set<std::string> m_names; // of what is owned
};

} // namespace accrue
