// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/window_sequence.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include <QTest>

#include <rapidcheck.h>

using namespace accrue;

namespace {

struct Drawn {
    BatchPlan plan;
    std::int64_t samples = 0;
    std::int64_t epochs = 0;

    WindowSequence sequence() const { return WindowSequence(plan, samples, epochs); }
    std::int64_t windowAt(std::int64_t epoch, std::int64_t updates) const;
};

// The schedule by its definition, read independently of the sequence.
std::int64_t Drawn::windowAt(std::int64_t epoch, std::int64_t updates) const
{
    std::int64_t window = plan.effective;
    for (const StepsFrom& entry : plan.schedule)
        if (entry.from <= (entry.unit == StepsFrom::Unit::Epoch ? epoch - 1 : updates))
            window = plan.micro * plan.devices * entry.steps;
    return window;
}

std::vector<StepsFrom> drawSchedule()
{
    std::vector<StepsFrom> schedule;
    const auto unit = *rc::gen::element(StepsFrom::Unit::Epoch, StepsFrom::Unit::Step);
    const int entries = *rc::gen::inRange(0, 4);
    std::int64_t from = 0;
    for (int entry = 0; entry < entries; ++entry) {
        schedule.push_back({ unit, from, *rc::gen::inRange<std::int64_t>(1, 6) });
        from += *rc::gen::inRange<std::int64_t>(1, 4);
    }
    return schedule;
}

Drawn draw(bool scheduled = true)
{
    Drawn drawn;
    drawn.samples = *rc::gen::inRange<std::int64_t>(1, 120);
    drawn.epochs = *rc::gen::inRange<std::int64_t>(1, 9);
    BatchPlan& plan = drawn.plan;
    plan.micro = *rc::gen::inRange<std::int64_t>(1, 14);
    plan.devices = *rc::gen::inRange<std::int64_t>(1, 5);
    plan.effective = plan.micro + *rc::gen::inRange<std::int64_t>(0, 60);
    plan.reduction = *rc::gen::element(Reduction::Mean, Reduction::Sum);
    plan.tail = *rc::gen::element(Tail::Flush, Tail::Drop, Tail::Carry);
    if (scheduled)
        plan.schedule = drawSchedule();
    if (!plan.schedule.empty())
        plan.effective = plan.micro * plan.devices * plan.schedule.front().steps;
    plan.steps = ceilDivide(plan.effective, plan.micro * plan.devices);
    for (std::int64_t epoch = 1; plan.tail == Tail::Drop && epoch <= drawn.epochs; ++epoch)
        for (std::int64_t updates = 0; updates < 20; ++updates)
            RC_PRE(drawn.windowAt(epoch, updates) <= drawn.samples);
    return drawn;
}

struct Seen {
    std::int64_t epoch;
    std::int64_t index; // in the epoch's order
    std::int64_t window; // updates before its own
    double weight;
    friend bool operator==(const Seen&, const Seen&) = default;
};

// A run, sample by sample.
std::vector<Seen> walk(const WindowSequence& sequence, WindowCursor cursor = {})
{
    std::vector<Seen> seen;
    while (const auto part = sequence.next(cursor)) {
        for (const Slice& slice : sequence.slices(*part)) {
            for (std::int64_t i = 0; i < slice.samples; ++i)
                seen.push_back({ part->epoch, slice.begin + i, cursor.updates,
                    slice.weights.empty() ? slice.weight
                                          : slice.weights[static_cast<std::size_t>(i)] });
            cursor = sequence.advanced(cursor, *part, slice.samples);
        }
    }
    return seen;
}

// The same by the words of the policy: one sample after the other falls into the open window.
std::vector<Seen> expected(const Drawn& drawn)
{
    std::vector<Seen> seen;
    std::int64_t updates = 0;
    std::int64_t filled = 0;
    std::int64_t window = 0;
    const auto close = [&] {
        ++updates;
        filled = 0;
    };
    for (std::int64_t epoch = 1; epoch <= drawn.epochs; ++epoch) {
        for (std::int64_t index = 0; index < drawn.samples; ++index) {
            if (filled == 0)
                window = drawn.windowAt(epoch, updates);
            if (filled == 0 && drawn.plan.tail == Tail::Drop && drawn.samples - index < window)
                break;
            seen.push_back({ epoch, index, updates, 0 });
            if (++filled == window)
                close();
        }
        if (filled > 0 && drawn.plan.tail == Tail::Flush)
            close();
    }
    return seen;
}

std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> places(
    const std::vector<Seen>& seen)
{
    std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> all;
    all.reserve(seen.size());
    for (const Seen& one : seen)
        all.emplace_back(one.epoch, one.index, one.window);
    return all;
}

std::int64_t countWindows(const std::vector<Seen>& seen)
{
    return seen.empty() ? 0 : seen.back().window + 1;
}

} // namespace

class TestWindowSequence : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySampleIsSeenAsOftenAsTheTailSays();
    void orderAndWindowsDoNotDependOnTheCut();
    void everySampleWeighsAsItsWindowWasPlanned();
    void aSampleOfAShortSliceWeighsAsPlanned();
    void aFinerCutChangesNeitherOrderNorWeights();
    void whatIsTooLargeIsHalvedOrAsMuchAsCutsEveryWindow();
    void slicesHoldAMicroBatchAtMost();
    void devicesShareEverySlice();
    void aSumWeighsASliceOfAllDevicesAsOneMicroBatch();
    void noSliceIsBelowTheSmallest();
    void passesOfAWindowAreCountedAhead();
    void anyMicroBatchCanBeTheFirstAfterAResume();
    void updatesAreCountedWithoutWalking();
    void countingAHugeRunIsInstant();
    void aRunComesToEveryPlaceThatItWasAtWithItsSamples();
    void aRunDoesNotComeToAnyOtherPlace();
    void aCarryingRunThatWasMadeLongerIsAtAPlaceOfItsOwn();
    void aCarryingRunMayBeMadeLongerAfterAnyEpoch();
    void aCursorOfAnyNumbersIsAnswered();
    void aCursorBehindTheLastWindowHasNoneOpen_data();
    void aCursorBehindTheLastWindowHasNoneOpen();
    void aPlaceInAHugeRunIsFoundAtOnce();
};

void TestWindowSequence::everySampleIsSeenAsOftenAsTheTailSays()
{
    QVERIFY(rc::check("the stream of samples", [] {
        const Drawn drawn = draw();
        RC_ASSERT(places(walk(drawn.sequence())) == places(expected(drawn)));
    }));
}

void TestWindowSequence::orderAndWindowsDoNotDependOnTheCut()
{
    QVERIFY(rc::check("two cuts of one effective batch", [] {
        const Drawn drawn = draw(/*scheduled=*/false);
        Drawn other = drawn;
        other.plan.micro = *rc::gen::inRange<std::int64_t>(1, drawn.plan.effective + 1);
        RC_ASSERT(places(walk(drawn.sequence())) == places(walk(other.sequence())));
        if (drawn.plan.reduction == Reduction::Mean)
            RC_ASSERT(walk(drawn.sequence()) == walk(other.sequence()));
    }));
}

// mean: 1 / samples of its window; sum: 1 / samples of the micro-batch that its place falls in.
void TestWindowSequence::everySampleWeighsAsItsWindowWasPlanned()
{
    QVERIFY(rc::check("weights", [] {
        const Drawn drawn = draw();
        const std::vector<Seen> seen = walk(drawn.sequence());
        std::map<std::int64_t, std::int64_t> sizes;
        for (const Seen& one : seen)
            ++sizes[one.window];
        std::map<std::int64_t, std::int64_t> places;
        for (const Seen& one : seen) {
            const std::int64_t size = sizes[one.window];
            const std::int64_t micro = drawn.plan.micro * drawn.plan.devices; // of all devices
            const std::int64_t sliceBegin = places[one.window]++ / micro * micro;
            const std::int64_t sum = std::min(micro, size - sliceBegin);
            const bool mean = drawn.plan.reduction == Reduction::Mean;
            RC_ASSERT(one.weight == 1.0 / static_cast<double>(mean ? size : sum));
        }
    }));
}

// 10 samples in windows of 4, micro-batches of 3, carried: the last two of epoch 1 open a window
// whose planned slices are 3 and 1, so its third sample, the first of epoch 2, weighs 1/3.
void TestWindowSequence::aSampleOfAShortSliceWeighsAsPlanned()
{
    const BatchPlan plan {
        .effective = 4, .micro = 3, .steps = 2, .reduction = Reduction::Sum, .tail = Tail::Carry
    };
    const WindowSequence sequence(plan, 10, 2);
    const WindowPart part = sequence.next({ .epoch = 1, .offset = 8, .updates = 2 }).value();
    QCOMPARE(sequence.slices(part).size(), 1u);
    QCOMPARE(sequence.slices(part).front().samples, 2);
    QCOMPARE(sequence.slices(part).front().weight, 1.0 / 3);
    const WindowCursor carried =
        sequence.advanced({ .epoch = 1, .offset = 8, .updates = 2 }, part, 2);
    const WindowPart rest = sequence.next(carried).value();
    QCOMPARE(rest.epoch, 2);
    QCOMPARE(rest.position, 2);
    QVERIFY(rest.closes());
    const std::vector<Slice> slices = sequence.slices(rest);
    QCOMPARE(slices.size(), 2u);
    QCOMPARE(slices[0].weight, 1.0 / 3);
    QCOMPARE(slices[1].weight, 1.0);
}

void TestWindowSequence::aFinerCutChangesNeitherOrderNorWeights()
{
    QVERIFY(rc::check("a cut that changes while the run goes on", [] {
        Drawn drawn = draw();
        drawn.plan.smallestSlice =
            std::min(drawn.plan.micro, *rc::gen::inRange<std::int64_t>(1, 3));
        WindowSequence sequence = drawn.sequence();
        const std::vector<Seen> planned = walk(sequence);
        sequence.cutInto(*rc::gen::inRange(drawn.plan.smallestSlice, drawn.plan.micro + 1));
        RC_ASSERT(walk(sequence) == planned);
        WindowCursor cursor;
        while (const auto part = sequence.next(cursor)) {
            for (const Slice& slice : sequence.slices(*part))
                RC_ASSERT(slice.samples <= sequence.micro() * drawn.plan.devices);
            cursor = sequence.advanced(cursor, *part, part->samples);
        }
    }));
}

void TestWindowSequence::whatIsTooLargeIsHalvedOrAsMuchAsCutsEveryWindow()
{
    const auto finer = [](std::int64_t micro, std::int64_t smallest, std::int64_t effective) {
        const BatchPlan plan { .effective = effective,
            .micro = micro,
            .steps = (effective + micro - 1) / micro,
            .smallestSlice = smallest };
        return WindowSequence(plan, 3 * effective, 2).finerMicro();
    };
    QCOMPARE(finer(32, 1, 128), 16);
    QCOMPARE(finer(5, 1, 7), 3);
    QVERIFY(!finer(1, 1, 8));
    QCOMPARE(finer(4, 2, 8), 2);
    QCOMPARE(finer(4, 2, 7), 3); // 2 would leave one of 1
    QVERIFY(!finer(3, 2, 7));
    QVERIFY(!finer(2, 2, 8));
}

void TestWindowSequence::slicesHoldAMicroBatchAtMost()
{
    QVERIFY(rc::check("sizes of slices", [] {
        Drawn drawn = draw();
        drawn.plan.smallestSlice = *rc::gen::inRange<std::int64_t>(1, 3);
        const WindowSequence sequence = drawn.sequence();
        WindowCursor cursor;
        while (const auto part = sequence.next(cursor)) {
            std::int64_t sum = 0;
            for (const Slice& slice : sequence.slices(*part)) {
                RC_ASSERT(slice.samples >= 1 && slice.samples <= largestSlice(drawn.plan));
                RC_ASSERT(slice.begin == part->begin + sum);
                sum += slice.samples;
            }
            RC_ASSERT(sum == part->samples);
            cursor = sequence.advanced(cursor, *part, part->samples);
        }
    }));
}

// Each computes samples in a row, with the weights that they have in the slice.
void TestWindowSequence::devicesShareEverySlice()
{
    QVERIFY(rc::check("shares of a slice", [] {
        const Drawn drawn = draw();
        const std::int64_t devices = drawn.plan.devices;
        const WindowSequence sequence = drawn.sequence();
        const auto part = sequence.next({});
        RC_PRE(part.has_value());
        for (const Slice& slice : sequence.slices(*part)) {
            std::int64_t samples = 0;
            std::vector<double> weights;
            for (std::int64_t rank = 0; rank < devices; ++rank) {
                const Slice share = shareOf(slice, rank, devices);
                RC_ASSERT(share.begin == slice.begin + samples);
                RC_ASSERT(share.samples <= drawn.plan.micro);
                RC_ASSERT(share.samples == slice.samples / devices
                    || share.samples == slice.samples / devices + 1);
                RC_ASSERT(share.weight == slice.weight);
                samples += share.samples;
                weights.insert(weights.end(), share.weights.begin(), share.weights.end());
            }
            RC_ASSERT(samples == slice.samples && weights == slice.weights);
        }
    }));
    QCOMPARE(shareOf({ .begin = 7, .samples = 2, .weight = 0.5 }, 2, 4).samples, 0);
}

// W 8 × b 1 × N 4 is W 1 × b 8 × N 4.
void TestWindowSequence::aSumWeighsASliceOfAllDevicesAsOneMicroBatch()
{
    const auto planOf = [](std::int64_t micro, std::int64_t devices) {
        return BatchPlan { .effective = 32,
            .micro = micro,
            .steps = 4,
            .devices = devices,
            .reduction = Reduction::Sum };
    };
    const WindowSequence several(planOf(1, 8), 100, 2);
    const WindowSequence one(planOf(8, 1), 100, 2);
    const WindowPart part = one.next({}).value();
    QVERIFY(several.next({}).value() == part);
    QVERIFY(several.slices(part) == one.slices(part));
    QVERIFY(walk(several) == walk(one));
}

void TestWindowSequence::noSliceIsBelowTheSmallest()
{
    QVERIFY(rc::check("smallest slice", [] {
        Drawn drawn = draw();
        drawn.plan.devices = 1;
        drawn.plan.smallestSlice = 2;
        drawn.plan.micro = *rc::gen::inRange<std::int64_t>(3, 14);
        drawn.plan.schedule.clear();
        const WindowSequence sequence = drawn.sequence();
        WindowCursor cursor;
        while (const auto part = sequence.next(cursor)) {
            for (const Slice& slice : sequence.slices(*part))
                RC_ASSERT(slice.samples >= 2 || part->samples == 1);
            cursor = sequence.advanced(cursor, *part, part->samples);
        }
    }));
}

void TestWindowSequence::passesOfAWindowAreCountedAhead()
{
    QVERIFY(rc::check("forward passes of a window", [] {
        Drawn drawn = draw();
        drawn.plan.smallestSlice = *rc::gen::inRange<std::int64_t>(1, 3);
        const WindowSequence sequence = drawn.sequence();
        std::map<std::int64_t, std::int64_t> told;
        std::map<std::int64_t, std::int64_t> done;
        WindowCursor cursor;
        while (const auto part = sequence.next(cursor)) {
            for (const Slice& slice : sequence.slices(*part)) {
                const std::int64_t passes = sequence.microBatches(cursor);
                RC_ASSERT(told.emplace(cursor.updates, passes).first->second == passes);
                ++done[cursor.updates];
                cursor = sequence.advanced(cursor, *part, slice.samples);
            }
        }
        RC_ASSERT(told == done);
    }));
}

void TestWindowSequence::anyMicroBatchCanBeTheFirstAfterAResume()
{
    QVERIFY(rc::check("a cursor in the middle of a window", [] {
        Drawn drawn = draw();
        drawn.plan.smallestSlice = *rc::gen::inRange<std::int64_t>(1, 3);
        const WindowSequence sequence = drawn.sequence();
        const std::vector<Seen> whole = walk(sequence);
        WindowCursor cursor;
        std::size_t done = 0;
        std::int64_t left = *rc::gen::inRange<std::int64_t>(0, 200); // slices until the cut
        while (const auto part = sequence.next(cursor)) {
            for (const Slice& slice : sequence.slices(*part)) {
                if (left-- == 0) {
                    const std::vector<Seen> rest = walk(sequence, cursor);
                    RC_ASSERT(std::equal(rest.begin(), rest.end(),
                        whole.begin() + static_cast<std::ptrdiff_t>(done), whole.end()));
                    return;
                }
                cursor = sequence.advanced(cursor, *part, slice.samples);
                done += static_cast<std::size_t>(slice.samples);
            }
        }
    }));
}

void TestWindowSequence::updatesAreCountedWithoutWalking()
{
    QVERIFY(rc::check("updates within so many epochs", [] {
        const Drawn drawn = draw();
        const WindowSequence sequence = drawn.sequence();
        const std::vector<Seen> whole = walk(sequence);
        RC_ASSERT(sequence.updatesWithin(drawn.epochs) == countWindows(whole));
        WindowCursor cursor;
        while (const auto part = sequence.next(cursor)) {
            cursor = sequence.advanced(cursor, *part, part->samples);
            if (sequence.epochIsOver(cursor))
                RC_ASSERT(sequence.updatesWithin(cursor.epoch) == cursor.updates);
        }
    }));
}

// Of every micro-batch of a run: where it was after it, and the samples so far.
static std::vector<std::pair<WindowCursor, std::int64_t>> placesOf(const WindowSequence& sequence)
{
    std::vector<std::pair<WindowCursor, std::int64_t>> places { { {}, 0 } };
    while (const auto part = sequence.next(places.back().first))
        for (const Slice& slice : sequence.slices(*part))
            places.emplace_back(sequence.advanced(places.back().first, *part, slice.samples),
                places.back().second + slice.samples);
    return places;
}

void TestWindowSequence::aRunComesToEveryPlaceThatItWasAtWithItsSamples()
{
    QVERIFY(rc::check([] {
        const WindowSequence sequence = draw().sequence();
        for (const auto& [cursor, samples] : placesOf(sequence)) {
            RC_ASSERT(sequence.samplesAt(cursor) == samples);
            if (cursor.open)
                RC_ASSERT(sequence.samplesAt(sequence.opening(cursor)) == samples - cursor.filled);
        }
    }));
}

void TestWindowSequence::aRunDoesNotComeToAnyOtherPlace()
{
    QVERIFY(rc::check([] {
        const Drawn drawn = draw();
        RC_PRE(drawn.plan.tail != Tail::Carry);
        const WindowSequence sequence = drawn.sequence();
        const auto places = placesOf(sequence);
        WindowCursor cursor = places[*rc::gen::inRange<std::size_t>(0, places.size())].first;
        std::int64_t* const figures[] { &cursor.epoch, &cursor.offset, &cursor.updates,
            &cursor.filled };
        *figures[*rc::gen::inRange(0, 4)] += *rc::gen::element<std::int64_t>(-1, 1, 1 << 20);
        const bool isOne = std::any_of(
            places.begin(), places.end(), [&](const auto& place) { return place.first == cursor; });
        // Between two micro-batches of another cut a run may be, too.
        RC_PRE(!cursor.open);
        RC_ASSERT(sequence.samplesAt(cursor).has_value() == isOne);
    }));
}

void TestWindowSequence::aCarryingRunThatWasMadeLongerIsAtAPlaceOfItsOwn()
{
    const BatchPlan plan { .effective = 30, .micro = 30, .steps = 1, .tail = Tail::Carry };
    const WindowSequence longer(plan, 100, 5);
    // One epoch closed four windows, the last of ten samples; then one more.
    QVERIFY(longer.samplesAt({ .epoch = 2, .offset = 30, .updates = 5 }) == 130);
    QVERIFY(!longer.samplesAt({ .epoch = 2, .offset = 30, .updates = 6 }));
    QVERIFY(!longer.samplesAt({ .epoch = 2, .offset = 31, .updates = 5 }));
    QVERIFY(!longer.samplesAt({ .epoch = 6, .offset = 0, .updates = 17 }));
    QVERIFY(!longer.samplesAt({ .epoch = 2, .offset = 20, .updates = 5 }));
}

void TestWindowSequence::aCarryingRunMayBeMadeLongerAfterAnyEpoch()
{
    QVERIFY(rc::check("places behind the end that a run had", [] {
        Drawn drawn = draw(/*scheduled=*/false);
        drawn.plan.tail = Tail::Carry;
        Drawn shorter = drawn;
        shorter.epochs = *rc::gen::inRange<std::int64_t>(1, drawn.epochs + 1);
        auto [cursor, samples] = placesOf(shorter.sequence()).back();
        const WindowSequence sequence = drawn.sequence();
        while (const auto part = sequence.next(cursor)) {
            for (const Slice& slice : sequence.slices(*part)) {
                cursor = sequence.advanced(cursor, *part, slice.samples);
                samples += slice.samples;
                if (sequence.next(cursor)) // at its end it closes one more that may not be full
                    RC_ASSERT(sequence.samplesAt(cursor) == samples);
            }
        }
    }));
}

// A checkpoint that was tampered with may hold any.
void TestWindowSequence::aCursorOfAnyNumbersIsAnswered()
{
    QVERIFY(rc::check("hostile cursors", [] {
        const Drawn drawn = draw();
        const auto number = [] {
            return *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-2, 200),
                rc::gen::element<std::int64_t>(INT64_MIN, INT64_MAX, 1'000'000'000'000));
        };
        WindowCursor cursor {
            .epoch = number(), .offset = number(), .updates = number(), .filled = number()
        };
        if (*rc::gen::arbitrary<bool>())
            cursor.open = Window { .epoch = number(), .steps = number(), .samples = number() };
        const auto samples = drawn.sequence().samplesAt(cursor);
        RC_ASSERT(!samples || *samples <= drawn.samples * drawn.epochs);
    }));
}

void TestWindowSequence::aCursorBehindTheLastWindowHasNoneOpen_data()
{
    QTest::addColumn<int>("tail");
    for (const Tail tail : { Tail::Flush, Tail::Drop, Tail::Carry })
        QTest::addRow("%d", static_cast<int>(tail)) << static_cast<int>(tail);
}

void TestWindowSequence::aCursorBehindTheLastWindowHasNoneOpen()
{
    QFETCH(int, tail);
    const BatchPlan plan {
        .effective = 30, .micro = 10, .steps = 3, .tail = static_cast<Tail>(tail)
    };
    const WindowSequence sequence(plan, 90, 2);
    WindowCursor end { .epoch = 2, .offset = 90, .updates = 6 };
    QVERIFY(sequence.samplesAt(end) == 180);
    // Its next epoch has no number; the sanitizers see whether one is computed all the same.
    QVERIFY(!sequence.samplesAt({ .epoch = INT64_MAX, .offset = 90, .updates = 0 }));
    end.open = Window { .epoch = 2, .steps = 3, .samples = 30 };
    for (const std::int64_t filled : { std::int64_t { 1 }, std::int64_t { 29 }, INT64_MAX }) {
        end.filled = filled;
        QVERIFY(!sequence.samplesAt(end));
    }
}

void TestWindowSequence::aPlaceInAHugeRunIsFoundAtOnce()
{
    const std::int64_t epochs = 1'000'000'000;
    const BatchPlan plan { .effective = 999'999'937, .micro = 32, .tail = Tail::Carry };
    const WindowSequence sequence(plan, 6400, epochs);
    const WindowCursor none { .epoch = 100'000'000, .offset = 6399, .updates = 641 };
    QVERIFY(!sequence.samplesAt(none));
    const std::int64_t samples = 6000 * plan.effective;
    const WindowCursor closed {
        .epoch = samples / 6400 + 1, .offset = samples % 6400, .updates = 6000
    };
    QVERIFY(sequence.samplesAt(closed) == samples);
}

void TestWindowSequence::countingAHugeRunIsInstant()
{
    BatchPlan plan { .effective = 32, .micro = 32, .steps = 1 };
    for (const Tail tail : { Tail::Flush, Tail::Drop, Tail::Carry }) {
        plan.tail = tail;
        plan.schedule = { { StepsFrom::Unit::Epoch, 0, 1 },
            { StepsFrom::Unit::Epoch, 100'000, 2 } };
        const std::int64_t huge = 1'000'000'000;
        const std::int64_t updates = WindowSequence(plan, 6400, huge).updatesWithin(huge);
        QCOMPARE(updates, 200 * std::int64_t { 100'000 } + 100 * (huge - 100'000));
        plan.schedule = { { StepsFrom::Unit::Step, 0, 1 },
            { StepsFrom::Unit::Step, 10'000'000, 2 } };
        const WindowSequence byStep(plan, 640'000, 1000); // 20 000 windows an epoch, then 10 000
        QCOMPARE(byStep.updatesWithin(1000), 10'000'000 + 10'000 * std::int64_t { 500 });
    }
}

QTEST_GUILESS_MAIN(TestWindowSequence)
#include "tst_window_sequence.moc"
