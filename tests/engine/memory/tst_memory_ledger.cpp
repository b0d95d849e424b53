// SPDX-License-Identifier: Apache-2.0
#include "engine/memory/memory_ledger.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>

#include <QTest>

#include <rapidcheck.h>

using namespace accrue;

namespace {

using Kind = MemoryEvent::Kind;

// Addresses without any content.
const void* place(std::size_t number)
{
    static const std::array<std::array<char, 64>, 12> places {};
    return places.at(number).data();
}

MemoryEvent allocated(std::size_t address, std::int64_t bytes)
{
    return { .block = place(address), .bytes = bytes };
}

MemoryEvent released(std::size_t address, std::int64_t bytes)
{
    return { .block = place(address), .bytes = -bytes };
}

MemoryEvent named(Kind kind, const std::string* name, std::uint64_t sequence = 0)
{
    return { .kind = kind, .name = name, .sequence = sequence };
}

std::int64_t of(const CategoryBytes& bytes, MemoryCategory category)
{
    return bytes[static_cast<std::size_t>(category)];
}

std::int64_t sum(const CategoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t { 0 });
}

PhaseMemory phaseOf(MemoryLedger& ledger, MemoryPhase phase, const std::vector<MemoryEvent>& events,
    const MemoryLedger::Owners& owners = { .above = 0 })
{
    ledger.beginPhase(phase, /*microBatch=*/1, /*samples=*/32, owners);
    ledger.add(events);
    return ledger.endPhase();
}

// The same bookkeeping without any thrift: stores all blocks as they are after each event, and
// examines them when the phase is over.
class NaiveBook {
public:
    struct Block {
        std::int64_t bytes;
        MemoryCategory category;
        int serial;
    };
    using Blocks = std::map<const void*, Block>;

    PhaseMemory phase(MemoryPhase phase, const std::vector<MemoryEvent>& events)
    {
        std::vector<Blocks> moments { m_blocks };
        const int first = m_serial;
        for (const MemoryEvent& event : events) {
            m_blocks.erase(event.block);
            if (event.bytes > 0)
                m_blocks[event.block] = { event.bytes, MemoryCategory::Workspace, m_serial++ };
            moments.push_back(m_blocks);
        }
        if (phase == MemoryPhase::Forward)
            keepActivations(first, moments);
        if (phase == MemoryPhase::Backward)
            for (auto& [address, block] : m_blocks)
                if (block.category == MemoryCategory::Activations)
                    block.category = MemoryCategory::Workspace;
        const auto peak = std::max_element(moments.begin(), moments.end(),
            [](const Blocks& a, const Blocks& b) { return total(a) < total(b); });
        return { .phase = phase,
            .beginBytes = total(moments.front()),
            .endBytes = total(m_blocks),
            .peakBytes = total(*peak),
            .atPeak = byCategory(*peak),
            .atEnd = byCategory(m_blocks) };
    }

    void own(const void* address, MemoryCategory category)
    {
        if (const auto found = m_blocks.find(address); found != m_blocks.end())
            found->second.category = category;
    }

private:
    void keepActivations(int first, std::vector<Blocks>& moments)
    {
        for (auto& [address, block] : m_blocks) {
            if (block.serial < first)
                continue;
            block.category = MemoryCategory::Activations;
            for (Blocks& moment : moments)
                for (auto& [place, earlier] : moment)
                    if (earlier.serial == block.serial)
                        earlier.category = MemoryCategory::Activations;
        }
    }

    static std::int64_t total(const Blocks& blocks) { return sum(byCategory(blocks)); }

    static CategoryBytes byCategory(const Blocks& blocks)
    {
        CategoryBytes bytes {};
        for (const auto& [address, block] : blocks)
            bytes[static_cast<std::size_t>(block.category)] += block.bytes;
        return bytes;
    }

    Blocks m_blocks;
    int m_serial = 0;
};

// Addresses are reused, even if nobody reported that they were released.
std::vector<MemoryEvent> anyEvents()
{
    const auto count = *rc::gen::inRange<std::size_t>(0, 40);
    std::vector<MemoryEvent> events;
    for (std::size_t i = 0; i < count; ++i) {
        const auto address = *rc::gen::inRange<std::size_t>(0, 12);
        const auto bytes = *rc::gen::inRange<std::int64_t>(1, 1000);
        events.push_back(
            *rc::gen::arbitrary<bool>() ? allocated(address, bytes) : released(address, bytes));
    }
    return events;
}

void expectSame(const PhaseMemory& phase, const PhaseMemory& expected)
{
    RC_ASSERT(phase.beginBytes == expected.beginBytes);
    RC_ASSERT(phase.endBytes == expected.endBytes);
    RC_ASSERT(phase.peakBytes == expected.peakBytes);
    RC_ASSERT(phase.atPeak == expected.atPeak);
    RC_ASSERT(phase.atEnd == expected.atEnd);
    RC_ASSERT(sum(phase.atPeak) == phase.peakBytes);
    RC_ASSERT(sum(phase.atEnd) == phase.endBytes);
    const auto kept = std::accumulate(phase.kept.begin(), phase.kept.end(), std::int64_t { 0 },
        [](std::int64_t bytes, const LayerBytes& layer) { return bytes + layer.bytes; });
    const bool keeps = phase.phase == MemoryPhase::Forward && !phase.owners.empty();
    RC_ASSERT(kept == (keeps ? of(phase.atEnd, MemoryCategory::Activations) : 0));
}

} // namespace

class TestMemoryLedger : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPhaseIsWhatANaiveBookSays()
    {
        QVERIFY(rc::check("phases of random events", [] {
            MemoryLedger ledger;
            NaiveBook naive;
            const auto phases = *rc::gen::inRange(1, 6);
            for (int i = 0; i < phases; ++i) {
                const auto phase = static_cast<MemoryPhase>(*rc::gen::inRange(0, 5));
                const std::vector<MemoryEvent> events = anyEvents();
                expectSame(phaseOf(ledger, phase, events), naive.phase(phase, events));
                const void* const named = place(*rc::gen::inRange<std::size_t>(0, 12));
                const auto category = static_cast<MemoryCategory>(*rc::gen::inRange(0, 9));
                ledger.own(named, category, "name");
                naive.own(named, category);
            }
        }));
    }

    // As on CUDA, where the allocator's own totals are reported with each event.
    void addsUpToWhatTheAllocatorSays()
    {
        QVERIFY(rc::check("totals of the allocator", [] {
            MemoryLedger ledger(/*allocatedBefore=*/5000, /*reservedBefore=*/9000);
            std::int64_t allocatedBytes = 5000;
            const auto phases = *rc::gen::inRange(1, 6);
            for (int i = 0; i < phases; ++i) {
                std::vector<MemoryEvent> events = anyEvents();
                std::int64_t peak = allocatedBytes;
                for (MemoryEvent& event : events) {
                    allocatedBytes = *rc::gen::inRange<std::int64_t>(20'000, 30'000);
                    event.allocated = allocatedBytes;
                    event.reserved = allocatedBytes + 512;
                    peak = std::max(peak, allocatedBytes);
                }
                const auto phase = static_cast<MemoryPhase>(*rc::gen::inRange(0, 5));
                const PhaseMemory memory = phaseOf(ledger, phase, events);
                RC_ASSERT(memory.peakBytes == peak);
                RC_ASSERT(memory.endBytes == allocatedBytes);
                RC_ASSERT(sum(memory.atPeak) == peak);
                RC_ASSERT(sum(memory.atEnd) == allocatedBytes);
                RC_ASSERT(memory.cachedBytes == (peak == 5000 ? 4000 : 512));
            }
        }));
    }

    // A forward pass keeps one block and lets one go; both live at its peak.
    void whatAForwardPassKeepsIsAnActivation()
    {
        MemoryLedger ledger;
        phaseOf(ledger, MemoryPhase::Data, { allocated(0, 100) });
        ledger.own(place(0), MemoryCategory::Parameters, "conv1.weight");
        const PhaseMemory forward = phaseOf(ledger, MemoryPhase::Forward,
            { allocated(1, 30), allocated(2, 7), released(2, 7), allocated(3, 2) });
        QCOMPARE(forward.beginBytes, 100);
        QCOMPARE(forward.peakBytes, 137);
        QCOMPARE(of(forward.atPeak, MemoryCategory::Parameters), 100);
        QCOMPARE(of(forward.atPeak, MemoryCategory::Activations), 30);
        QCOMPARE(of(forward.atPeak, MemoryCategory::Workspace), 7);
        QCOMPARE(of(forward.atEnd, MemoryCategory::Activations), 32);
        QCOMPARE(of(forward.atEnd, MemoryCategory::Workspace), 0);

        const PhaseMemory backward = phaseOf(ledger, MemoryPhase::Backward,
            { allocated(4, 5), released(1, 30), released(3, 2), released(4, 5) });
        QCOMPARE(backward.peakBytes, 137);
        QCOMPARE(of(backward.atPeak, MemoryCategory::Activations), 32);
        QCOMPARE(of(backward.atPeak, MemoryCategory::Workspace), 5);
        QCOMPARE(backward.endBytes, 100);
    }

    // As cuBLAS does with its workspace.
    void whatABackwardPassLeavesIsNoActivation()
    {
        MemoryLedger ledger;
        phaseOf(ledger, MemoryPhase::Forward, { allocated(0, 10), allocated(1, 20) });
        const PhaseMemory backward = phaseOf(ledger, MemoryPhase::Backward, { released(0, 10) });
        QCOMPARE(of(backward.atPeak, MemoryCategory::Activations), 30);
        QCOMPARE(of(backward.atEnd, MemoryCategory::Activations), 0);
        const PhaseMemory next = phaseOf(ledger, MemoryPhase::Forward, {});
        QCOMPARE(of(next.atPeak, MemoryCategory::Workspace), 20);
    }

    void aPhaseThatOnlyReleasesHasItsPeakAtItsBegin()
    {
        MemoryLedger ledger;
        phaseOf(ledger, MemoryPhase::Forward, { allocated(0, 10), allocated(1, 20) });
        const PhaseMemory backward =
            phaseOf(ledger, MemoryPhase::Backward, { released(0, 10), released(1, 20) });
        QCOMPARE(backward.peakBytes, 30);
        QCOMPARE(of(backward.atPeak, MemoryCategory::Activations), 30);
        QCOMPARE(backward.owners.size(), std::size_t { 1 });
        QCOMPARE(backward.endBytes, 0);
    }

    void aPhaseInSeveralBatchesHasThePeakOfAll()
    {
        MemoryLedger ledger;
        ledger.beginPhase(MemoryPhase::Evaluation, 0, 512, { .above = 0 });
        ledger.add({ allocated(0, 10), allocated(1, 5), released(1, 5) });
        ledger.add({ released(0, 10), allocated(2, 12) });
        ledger.add({ released(2, 12) });
        const PhaseMemory evaluation = ledger.endPhase();
        QCOMPARE(evaluation.peakBytes, 15);
        QCOMPARE(of(evaluation.atPeak, MemoryCategory::Workspace), 15);
        QCOMPARE(evaluation.owners.front().bytes, 15);
        QCOMPARE(evaluation.endBytes, 0);
    }

    // Nodes of a backward pass work in the reverse order, under the numbers that they were given in
    // the forward pass.
    void ownersAreLayersAndOperators()
    {
        const std::string first = "conv1", second = "fc", convolution = "aten::conv2d",
                          node = "ConvolutionBackward0";
        MemoryLedger ledger;
        const PhaseMemory forward = phaseOf(ledger, MemoryPhase::Forward,
            { named(Kind::Layer, &first, 10), named(Kind::Operator, &convolution), allocated(0, 40),
                allocated(1, 20), named(Kind::Operator, nullptr), named(Kind::Layer, &second, 13),
                allocated(2, 50), named(Kind::Layer, nullptr, 15), allocated(3, 5) });
        QCOMPARE(forward.owners.size(), std::size_t { 3 });
        QCOMPARE(forward.owners[0].layer, first); // the most first
        QCOMPARE(forward.owners[0].operation, convolution);
        QCOMPARE(forward.owners[0].bytes, 60);
        QVERIFY(forward.owners[0].category == MemoryCategory::Activations);
        QCOMPARE(forward.owners[1].layer, second);
        QCOMPARE(forward.owners[1].operation, std::string());
        QCOMPARE(forward.owners[2].layer, std::string());

        const auto layerOfNode = [&](std::uint64_t sequence) {
            const PhaseMemory backward = phaseOf(ledger, MemoryPhase::Backward,
                { named(Kind::Node, &node, sequence), allocated(9, 1000),
                    named(Kind::Node, nullptr), released(9, 1000) });
            const MemoryOwner& owner = backward.owners.front();
            return owner.operation == node ? owner.layer : "not of the node";
        };
        QCOMPARE(layerOfNode(14), second);
        QCOMPARE(layerOfNode(12), first);
        QCOMPARE(layerOfNode(10), first);
        QCOMPARE(layerOfNode(9), std::string());
        QCOMPARE(layerOfNode(15), std::string());
    }

    void ownersAreListedOnlyAboveWhatIsAskedFor()
    {
        MemoryLedger ledger;
        QVERIFY(phaseOf(ledger, MemoryPhase::Data, { allocated(0, 10) }, { .above = 10 })
                    .owners.empty());
        QVERIFY(!phaseOf(ledger, MemoryPhase::Data, { allocated(1, 10) }, { .above = 19 })
                     .owners.empty());
    }

    void ownersOfAPhaseThatHoldsTheSameAreTaken()
    {
        MemoryLedger ledger;
        PhaseMemory known = phaseOf(ledger, MemoryPhase::Forward, { allocated(0, 10) });
        phaseOf(ledger, MemoryPhase::Backward, { released(0, 10) });
        known.owners.front().operation = "aten::conv2d";
        const auto operationOf = [&](std::int64_t bytes) {
            const PhaseMemory again = phaseOf(ledger, MemoryPhase::Forward, { allocated(0, bytes) },
                { .above = 0, .known = &known });
            phaseOf(ledger, MemoryPhase::Backward, { released(0, bytes) });
            return again.owners.front().operation;
        };
        QCOMPARE(operationOf(10), std::string("aten::conv2d"));
        QCOMPARE(operationOf(11), std::string());
    }

    void whatIsReleasedOutsideOfPhasesIsGone()
    {
        MemoryLedger ledger;
        phaseOf(ledger, MemoryPhase::Data, { allocated(0, 10) });
        ledger.add({ allocated(1, 90), released(0, 10) });
        QCOMPARE(ledger.liveBytes(), 90);
        QCOMPARE(ledger.peakBytes(), 100);
        const PhaseMemory next = phaseOf(ledger, MemoryPhase::Forward, {});
        QCOMPARE(next.peakBytes, 90);
        QCOMPARE(of(next.atPeak, MemoryCategory::Workspace), 90);
    }
};

QTEST_GUILESS_MAIN(TestMemoryLedger)
#include "tst_memory_ledger.moc"
