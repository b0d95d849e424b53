// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_ledger.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace accrue {
namespace {

std::int64_t& of(CategoryBytes& bytes, MemoryCategory category)
{
    return bytes[static_cast<std::size_t>(category)];
}

// The live bytes that no other category holds are workspace.
CategoryBytes completed(CategoryBytes held, std::int64_t live)
{
    of(held, MemoryCategory::Workspace) = live;
    for (std::size_t category = 0; category < kMemoryCategories; ++category)
        if (category != static_cast<std::size_t>(MemoryCategory::Workspace))
            of(held, MemoryCategory::Workspace) -= held[category];
    return held;
}

// owners of less than a thousandth of the peak are left out
constexpr std::int64_t kSmallestShare = 1000;

} // namespace

MemoryLedger::MemoryLedger(std::int64_t allocatedBefore, std::int64_t reservedBefore)
    : m_live(allocatedBefore)
    , m_peak(allocatedBefore)
    , m_reserved(reservedBefore)
{
}

void MemoryLedger::own(const void* block, MemoryCategory category, const std::string& name)
{
    const auto found = m_blocks.find(block);
    if (found == m_blocks.end())
        return;
    Block& owned = found->second;
    of(m_held, owned.label.category) -= owned.bytes;
    owned.label = { category, &*m_names.insert(name).first, nullptr };
    of(m_held, category) += owned.bytes;
}

// The peak starts below any value, so that the first look of the phase also counts what it begins
// with.
void MemoryLedger::beginPhase(
    MemoryPhase phase, std::int64_t microBatch, std::int64_t samples, const Owners& owners)
{
    m_inPhase = true;
    m_owners = owners;
    m_phase = { .phase = phase,
        .microBatch = microBatch,
        .samples = samples,
        .beginBytes = m_live,
        .peakBytes = -1 }; // what it begins with counts too, once there are events
    m_inNode = false;
    if (phase == MemoryPhase::Forward)
        m_layerBegins.clear();
}

// Two passes over a batch. The first follows the events and remembers where the peak was; only at
// the end of the batch is known which blocks were activations. The second computes the categories
// at that position backwards from the totals, so that no state has to be copied at each new peak,
// of which a growing phase has one per allocation.
void MemoryLedger::add(const std::vector<MemoryEvent>& events)
{
    const CategoryBytes heldBefore = m_held;
    const std::int64_t before = m_phase.peakBytes;
    std::size_t peakAt = 0;
    const auto look = [&](std::size_t position) {
        m_peak = std::max(m_peak, m_live);
        if (!m_inPhase || m_live <= m_phase.peakBytes)
            return;
        m_phase.peakBytes = m_live;
        m_phase.cachedBytes = std::max<std::int64_t>(m_reserved - m_live, 0);
        peakAt = position;
    };
    look(0);
    for (std::size_t index = 0; index < events.size(); ++index) {
        follow(events[index], index + 1);
        look(index + 1);
    }
    judgeSurvivors();
    if (m_inPhase && m_phase.peakBytes != before) {
        m_phase.atPeak = categoriesAt(peakAt, heldBefore, m_phase.peakBytes);
        m_phase.owners.clear();
        if (m_phase.peakBytes > m_owners.above)
            m_phase.owners =
                isKnown() ? m_owners.known->owners : ownersAt(peakAt, m_phase.peakBytes);
    }
    closeBatch();
}

PhaseMemory MemoryLedger::endPhase()
{
    m_inPhase = false;
    if (m_phase.phase == MemoryPhase::Backward && of(m_held, MemoryCategory::Activations) > 0)
        endActivations();
    if (m_phase.phase == MemoryPhase::Forward && !m_phase.owners.empty())
        m_phase.kept = keptByLayer();
    m_phase.endBytes = m_live;
    m_phase.atEnd = completed(m_held, m_live);
    return std::exchange(m_phase, {});
}

// Blocks that are left after the backward pass are no activations but scratch that a library
// retains.
void MemoryLedger::endActivations()
{
    for (auto& [address, block] : m_blocks)
        if (block.label.category == MemoryCategory::Activations)
            block.label.category = MemoryCategory::Workspace;
    of(m_held, MemoryCategory::Workspace) += of(m_held, MemoryCategory::Activations);
    of(m_held, MemoryCategory::Activations) = 0;
}

void MemoryLedger::follow(const MemoryEvent& event, std::size_t position)
{
    switch (event.kind) {
    case MemoryEvent::Kind::Block:
        if (event.bytes > 0)
            allocate(event, position);
        else
            release(event.block, position);
        if (event.allocated >= 0) {
            m_live = event.allocated;
            m_reserved = event.reserved;
        }
        return;
    case MemoryEvent::Kind::Layer:
        m_layer = event.name;
        if (m_inPhase && m_phase.phase == MemoryPhase::Forward)
            m_layerBegins.push_back({ event.sequence, m_layer });
        return;
    case MemoryEvent::Kind::Operator:
        m_operator = event.name;
        return;
    case MemoryEvent::Kind::Node:
        return enterNode(event);
    }
}

// In a backward pass the autograd node owns the block, otherwise the layer and operator that work
// now.
void MemoryLedger::allocate(const MemoryEvent& event, std::size_t position)
{
    release(event.block, position); // the address is in use again, so its release was not reported
    Label label = m_inNode ? m_node : Label { .layer = m_layer, .operation = m_operator };
    label.category = MemoryCategory::Workspace;
    m_blocks[event.block] = { event.bytes, label, m_spans.size() };
    m_spans.push_back(
        { .block = event.block, .bytes = event.bytes, .label = label, .born = position });
    m_live += event.bytes;
}

// A block of the same batch only gets its end; an older one becomes a span that was there before.
void MemoryLedger::release(const void* block, std::size_t position)
{
    const auto found = m_blocks.find(block);
    if (found == m_blocks.end())
        return; // allocated before the first event
    const Block& released = found->second;
    m_live -= released.bytes;
    if (released.span == kOlder) {
        of(m_held, released.label.category) -= released.bytes;
        m_spans.push_back({ .bytes = released.bytes, .label = released.label, .died = position });
    } else {
        m_spans[released.span].died = position;
    }
    m_blocks.erase(found);
}

// Autograd numbers its nodes in the order in which forward passes create them, and each layer has
// noted the number at its begin. So a node belongs to the last layer that began before it.
void MemoryLedger::enterNode(const MemoryEvent& event)
{
    m_inNode = event.name != nullptr;
    m_node = { .operation = event.name };
    const auto next = std::upper_bound(m_layerBegins.begin(), m_layerBegins.end(), event.sequence,
        [](std::uint64_t sequence, const LayerBegin& begin) { return sequence < begin.sequence; });
    if (next != m_layerBegins.begin())
        m_node.layer = std::prev(next)->layer;
}

// A block of a forward pass that lives at the end of the batch is an activation.
void MemoryLedger::judgeSurvivors()
{
    const bool kept = m_inPhase && m_phase.phase == MemoryPhase::Forward;
    for (Span& span : m_spans) {
        if (span.died != kAlive)
            continue;
        if (kept)
            span.label.category = MemoryCategory::Activations;
        of(m_held, span.label.category) += span.bytes;
    }
}

// Blocks of the batch that still live become older blocks for the next one.
void MemoryLedger::closeBatch()
{
    for (const Span& span : m_spans) {
        if (span.died != kAlive)
            continue;
        Block& block = m_blocks.at(span.block);
        block.label = span.label;
        block.span = kOlder;
    }
    m_spans.clear();
}

// Corrects what was held before the batch by the blocks that were born or had died at `position`.
CategoryBytes MemoryLedger::categoriesAt(
    std::size_t position, CategoryBytes held, std::int64_t live) const
{
    for (const Span& span : m_spans) {
        if (span.born == 0 && !span.livesAt(position))
            of(held, span.label.category) -= span.bytes;
        else if (span.born > 0 && span.livesAt(position))
            of(held, span.label.category) += span.bytes;
    }
    return completed(held, live);
}

// Listing owners sorts thousands of blocks, so a phase that is equal to the byte reuses the list.
bool MemoryLedger::isKnown() const
{
    const PhaseMemory* const known = m_owners.known;
    return known != nullptr && known->beginBytes == m_phase.beginBytes
        && known->peakBytes == m_phase.peakBytes && known->atPeak == m_phase.atPeak;
}

std::vector<MemoryOwner> MemoryLedger::ownersAt(std::size_t position, std::int64_t live) const
{
    Holdings holdings;
    std::int64_t untold = live;
    const auto count = [&](const Label& label, std::int64_t bytes) {
        holdings[label] += bytes;
        untold -= bytes;
    };
    for (const Span& span : m_spans)
        if (span.livesAt(position))
            count(span.label, span.bytes);
    for (const auto& [address, block] : m_blocks)
        if (block.span == kOlder) // the loop above has counted the others
            count(block.label, block.bytes);
    if (untold > 0)
        count({}, untold);
    return ownersOf(holdings, live / kSmallestShare);
}

// At the end of a forward pass: what each layer stores for its backward pass.
std::vector<LayerBytes> MemoryLedger::keptByLayer() const
{
    Holdings holdings;
    for (const auto& [address, block] : m_blocks)
        if (block.label.category == MemoryCategory::Activations)
            holdings[{ MemoryCategory::Activations, block.label.layer, nullptr }] += block.bytes;
    std::vector<LayerBytes> layers;
    for (const MemoryOwner& owner : ownersOf(holdings, /*smallest=*/0))
        layers.push_back({ owner.layer, owner.bytes });
    return layers;
}

// The largest first, without those below `smallest` bytes. Equal sizes are ordered by name, so that
// two processes list them in the same order.
std::vector<MemoryOwner> MemoryLedger::ownersOf(const Holdings& holdings, std::int64_t smallest)
{
    const auto text = [](const std::string* name) { return name ? *name : std::string(); };
    std::vector<MemoryOwner> owners;
    owners.reserve(holdings.size());
    for (const auto& [label, bytes] : holdings)
        if (bytes >= smallest)
            owners.push_back({ label.category, text(label.layer), text(label.operation), bytes });
    const auto key = [](const MemoryOwner& owner) {
        return std::tie(owner.category, owner.layer, owner.operation);
    };
    std::sort(owners.begin(), owners.end(), [&](const MemoryOwner& a, const MemoryOwner& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : key(a) < key(b);
    });
    return owners;
}

} // namespace accrue
