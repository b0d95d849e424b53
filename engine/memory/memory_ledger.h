// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include <c10/util/flat_hash_map.h>

namespace accrue {

// What a MemoryRecorder records, in the order of the events.
struct MemoryEvent {
    enum class Kind : std::uint8_t {
        Block, // was allocated or released
        Layer, // of the network begins in a forward pass; none: the network is left
        Operator, // is called by no other operator; none: it returned
        Node, // of the graph works in a backward pass; none: it is done
    };

    Kind kind = Kind::Block;
    const void* block = nullptr;
    // Block: allocated, or negative: released. Always as much as was allocated at that address.
    std::int64_t bytes = 0;
    // Block: all bytes that the allocator has allocated and reserved after the event, by its own
    // count. Negative: it does not count.
    std::int64_t allocated = -1;
    std::int64_t reserved = 0;
    // Layer, Operator, Node; null: none. Lives as long as the ledger. Equal names have one pointer,
    // so that the ledger compares pointers.
    const std::string* name = nullptr;
    // Layer, Node: of the autograd nodes, in the order in which forward passes made them. What a
    // layer makes has the numbers from its own one to the next layer's.
    std::uint64_t sequence = 0;
};

// The account of one device's live blocks: what they are for, and what each phase held at its peak.
// It only knows the events that it receives, no allocator and no clock. One thread.
//
// The purpose of a block is known late: a block that a forward pass allocates is an activation if
// it still lives when the pass is over, otherwise workspace. Events are therefore added in batches,
// best one per phase; if a phase needs several, blocks that live at the end of a batch count as
// those that live at its own end. No activation outlives its backward pass: a block that does is
// workspace from then on.
//
// Workspace is live − all other categories, so the categories always add up. Blocks that were
// allocated without an event are in it.
class MemoryLedger {
public:
    // Whether a phase lists its owners: if its peak is above `above` bytes; and those of `known`
    // (borrowed until the phase ends; may be null) if it holds the same bytes as that one.
    struct Owners {
        std::int64_t above = std::numeric_limits<std::int64_t>::max();
        const PhaseMemory* known = nullptr;
    };

    // Bytes that the device's allocator had given out and reserved before the first event.
    explicit MemoryLedger(std::int64_t allocatedBefore = 0, std::int64_t reservedBefore = 0);

    // From now until its release this block belongs to that category, under that name. A block that
    // the ledger does not know is ignored.
    void own(const void* block, MemoryCategory category, const std::string& name);

    void beginPhase(
        MemoryPhase phase, std::int64_t microBatch, std::int64_t samples, const Owners& owners);
    void add(const std::vector<MemoryEvent>& events);
    // What the allocator reserves now: it may have returned blocks since the last event.
    void setReserved(std::int64_t bytes) { m_reserved = bytes; }
    // Blocks allocated between two phases are workspace.
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
        friend auto operator<=>(const Label&, const Label&) = default;
    };
    using Holdings = std::map<Label, std::int64_t>; // bytes
    struct Block {
        std::int64_t bytes = 0;
        Label label;
        std::size_t span = kOlder; // in m_spans
    };
    // A block that was allocated or released in the current batch of events. Position p is after p
    // of its events.
    struct Span {
        const void* block = nullptr;
        std::int64_t bytes = 0;
        Label label;
        std::size_t born = 0; // 0: before the batch
        std::size_t died = kAlive;

        bool livesAt(std::size_t position) const { return born <= position && position < died; }
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
    static std::vector<MemoryOwner> ownersOf(const Holdings& holdings, std::int64_t smallest);

    std::int64_t m_live = 0; // bytes, all of them
    std::int64_t m_peak = 0;
    std::int64_t m_reserved = 0;
    // Flat: an entry allocates nothing, so metering leaves the heap as it is.
    ska::flat_hash_map<const void*, Block> m_blocks;
    CategoryBytes m_held {}; // by m_blocks, without those that the current batch allocated
    std::vector<Span> m_spans; // of the current batch

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
