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

// What no other category holds of the live bytes is workspace.
CategoryBytes completed(CategoryBytes held, std::int64_t live)
{
    of(held, MemoryCategory::Workspace) = live;
    for (std::size_t category = 0; category < kMemoryCategories; ++category)
        if (category != static_cast<std::size_t>(MemoryCategory::Workspace))
            of(held, MemoryCategory::Workspace) -= held[category];
    return held;
}

constexpr std::int64_t kSmallestShare = 1000; // owners of less than a thousandth are left out

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

// What is still there is no activation: a library's scratch that it keeps for the next time.
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

void MemoryLedger::allocate(const MemoryEvent& event, std::size_t position)
{
    release(event.block, position); // somebody released it without a word
    Label label = m_inNode ? m_node : Label { .layer = m_layer, .operation = m_operator };
    label.category = MemoryCategory::Workspace;
    m_blocks[event.block] = { event.bytes, label, m_spans.size() };
    m_spans.push_back(
        { .block = event.block, .bytes = event.bytes, .label = label, .born = position });
    m_live += event.bytes;
}

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

// A node belongs to the layer in whose forward pass it was made.
void MemoryLedger::enterNode(const MemoryEvent& event)
{
    m_inNode = event.name != nullptr;
    m_node = { .operation = event.name };
    const auto next = std::upper_bound(m_layerBegins.begin(), m_layerBegins.end(), event.sequence,
        [](std::uint64_t sequence, const LayerBegin& begin) { return sequence < begin.sequence; });
    if (next != m_layerBegins.begin())
        m_node.layer = std::prev(next)->layer;
}

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

bool MemoryLedger::isKnown() const
{
    const PhaseMemory* const known = m_owners.known;
    return known != nullptr && known->beginBytes == m_phase.beginBytes
        && known->peakBytes == m_phase.peakBytes && known->atPeak == m_phase.atPeak;
}

std::vector<MemoryOwner> MemoryLedger::ownersAt(std::size_t position, std::int64_t live) const
{
    std::vector<Holding> holdings;
    holdings.reserve(m_spans.size() + m_blocks.size() + 1);
    std::int64_t untold = live;
    const auto count = [&](const Label& label, std::int64_t bytes) {
        holdings.push_back({ label, bytes });
        untold -= bytes;
    };
    for (const Span& span : m_spans)
        if (span.livesAt(position))
            count(span.label, span.bytes);
    for (const auto& [address, block] : m_blocks)
        if (block.span == kOlder) // the others have just been counted
            count(block.label, block.bytes);
    if (untold > 0)
        count({}, untold);
    return ownersOf(joined(std::move(holdings)), live / kSmallestShare);
}

std::vector<LayerBytes> MemoryLedger::keptByLayer() const
{
    std::vector<Holding> holdings;
    holdings.reserve(m_blocks.size());
    for (const auto& [address, block] : m_blocks)
        if (block.label.category == MemoryCategory::Activations)
            holdings.push_back(
                { { MemoryCategory::Activations, block.label.layer, nullptr }, block.bytes });
    std::vector<LayerBytes> layers;
    for (const MemoryOwner& owner : ownersOf(joined(std::move(holdings)), /*smallest=*/0))
        layers.push_back({ owner.layer, owner.bytes });
    return layers;
}

// Those under one label as one.
std::vector<MemoryLedger::Holding> MemoryLedger::joined(std::vector<Holding> holdings)
{
    const auto key = [](const Holding& holding) {
        const Label& label = holding.label;
        return std::tuple(label.category, label.layer, label.operation);
    };
    std::sort(holdings.begin(), holdings.end(),
        [&](const Holding& a, const Holding& b) { return key(a) < key(b); });
    std::vector<Holding> joined;
    joined.reserve(holdings.size());
    for (const Holding& holding : holdings) {
        if (joined.empty() || key(joined.back()) != key(holding))
            joined.push_back(holding);
        else
            joined.back().bytes += holding.bytes;
    }
    return joined;
}

// The most first, without those below `smallest` bytes. Those of a size by name, so that two
// processes tell them in the same order.
std::vector<MemoryOwner> MemoryLedger::ownersOf(
    const std::vector<Holding>& holdings, std::int64_t smallest)
{
    const auto text = [](const std::string* name) { return name ? *name : std::string(); };
    std::vector<MemoryOwner> owners;
    owners.reserve(holdings.size());
    for (const Holding& holding : holdings)
        if (holding.bytes >= smallest)
            owners.push_back({ holding.label.category, text(holding.label.layer),
                text(holding.label.operation), holding.bytes });
    const auto key = [](const MemoryOwner& owner) {
        return std::tie(owner.category, owner.layer, owner.operation);
    };
    std::sort(owners.begin(), owners.end(), [&](const MemoryOwner& a, const MemoryOwner& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : key(a) < key(b);
    });
    return owners;
}

} // namespace accrue
