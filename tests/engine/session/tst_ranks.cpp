// SPDX-License-Identifier: Apache-2.0
// Runs of several ranks, each a process of its own, against runs of one.
#include "engine/session/session.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/distributed/rank_states.h"
#include "engine/door/checkpoints.h"
#include "tests/engine/distributed/forwarding_world.h"
#include "tests/engine/distributed/ranks_in_processes.h"
#include "tests/engine/session/failing_allocator.h"
#include "tests/engine/session/training_fixture.h"

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

#include <ATen/Parallel.h>

using namespace accrue;
using namespace accrue::test;

namespace fs = std::filesystem;

namespace {

// In a window of two slices: before each, and on the rate.
constexpr int kAgreements = 3;

// What one rank does when the ranks have agreed so often.
using Disturb = std::function<void(int agreements)>;

class Disturbed final : public ForwardingWorld {
public:
    Disturbed(World& world, int disturbed, Disturb disturb)
        : ForwardingWorld(world)
        , m_disturbed(disturbed)
        , m_disturb(std::move(disturb))
    {
    }

    Decision agree(const Decision& mine) override
    {
        const Decision decision = ForwardingWorld::agree(mine);
        ++m_agreements;
        if (rank() == m_disturbed)
            m_disturb(m_agreements);
        return decision;
    }

private:
    int m_agreements = 0;
    const int m_disturbed;
    const Disturb m_disturb;
};

// Before every slice, or as through a slow network: then before none, unless the ranks have to.
// Otherwise it would depend on how busy this machine is.
class Agreeing final : public ForwardingWorld {
public:
    Agreeing(World& world, bool seldom)
        : ForwardingWorld(world)
        , m_slices(seldom ? 100 : 1)
    {
    }

    Decision agree(const Decision& mine) override
    {
        Decision decision = ForwardingWorld::agree(mine);
        decision.slices = m_slices;
        return decision;
    }

private:
    const std::int64_t m_slices;
};

class TestRun {
public:
    explicit TestRun(const fs::path& data)
    {
        Experiment& experiment = m_experiment;
        experiment.data.name = DataName::Idx;
        experiment.data.path = data.string();
        experiment.run.device = "cpu";
        experiment.run.threads = 1;
        experiment.run.epochs = 2;
        experiment.run.precision = Precision::Float64;
        experiment.run.evaluateEvery = { 5, Span::Unit::Steps };
        experiment.checkpoint.every = { 1000, Span::Unit::Steps };
        experiment.batch.effective = BatchNumber::given(24);
        experiment.optimizer.lr = 0.02;
        experiment.model.name = ModelName::Mlp;
        experiment.model.widths = { 16 };
    }

    Experiment& experiment() { return m_experiment; }
    // Gradients are summed while they are computed, through a slow network.
    void overlapSums() { m_overlapsSums = m_agreesSeldom = true; }
    void agreeSeldom() { m_agreesSeldom = true; }
    void disturbFirst() { m_disturbsFirst = true; }
    void readLate() { m_mayBeUnread = 1; } // as on CUDA
    Exchange exchange() const { return m_overlapsSums ? Exchange::Sockets : Exchange::Memory; }

    // Losses of the steps, test losses, histograms, and the parameters in the end, of rank 0. The
    // checkpoints are in `folder`. The last rank, or the first one, does `disturb`, or it requests
    // a stop after so many agreements; 0: never.
    at::Tensor train(World& world, std::int64_t micro, const fs::path& folder,
        const fs::path& resumed = {}, int agreements = 0, const Disturb& disturb = {}) const
    {
        Experiment experiment = m_experiment;
        experiment.batch.micro = BatchNumber::given(micro);
        experiment.batch.devices = BatchNumber::given(world.size());
        const TrainRequest request { requireResolved(experiment), {},
            world.rank() == 0 ? folder : fs::path(), resumed,
            /*stopAfter=*/0 };
        RunControl control;
        EventList events;
        const Disturb stop = [&](int agreed) {
            if (agreed == agreements)
                control.requestStop();
        };
        InSmallBuckets inBuckets(world);
        Agreeing agreeing(m_overlapsSums ? inBuckets : world, m_agreesSeldom);
        Disturbed disturbed(
            agreeing, m_disturbsFirst ? 0 : world.size() - 1, disturb ? disturb : stop);
        const RunEnded ended = Session(request, control, events, m_mayBeUnread, disturbed).run();
        if (isFailure(ended.outcome))
            throw Error(ended.message);
        return numbersOf(events, ended);
    }

private:
    static at::Tensor numbersOf(const EventList& events, const RunEnded& ended)
    {
        std::vector<at::Tensor> all { at::tensor(events.losses(), at::kDouble) };
        for (const Evaluated& evaluated : events.all<Evaluated>())
            all.push_back(at::tensor({ evaluated.testLoss, evaluated.testAccuracy }));
        for (const HistogramsMeasured& measured : events.all<HistogramsMeasured>())
            for (const ParameterHistogram& each : measured.histograms)
                all.push_back(at::tensor({ each.least, each.mean, each.deviation }));
        if (!ended.checkpoint.empty())
            for (const auto& [name, tensor] : readCheckpoint(ended.checkpoint).model)
                all.push_back(tensor.to(at::kDouble).flatten());
        return at::cat(all);
    }

    Experiment m_experiment;
    bool m_overlapsSums = false;
    bool m_agreesSeldom = false;
    bool m_disturbsFirst = false;
    std::optional<std::size_t> m_mayBeUnread;
};

} // namespace

Q_DECLARE_METATYPE(Shard)
Q_DECLARE_METATYPE(Synchronize)

class TestRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
        QVERIFY(m_folder.isValid());
        m_data = writtenPictures(folder("data"), 100, 37);
    }

    void aRunOfSeveralRanksIsThatOfOne_data();
    void aRunOfSeveralRanksIsThatOfOne();
    void histogramsAreMeasuredByTheFirstRank();
    void ranksThatReadLateStopAtTheSameWindow();
    void aRuleEndsTheRunOnAllRanks();
    void aStopBetweenWindowsIsResumedBitForBit_data();
    void aStopBetweenWindowsIsResumedBitForBit();
    void aStopWithinAWindowIsResumedBitForBit_data();
    void aStopWithinAWindowIsResumedBitForBit();
    void soIsARunThatSumsWhileItComputes();
    void soIsARunThatAgreesSeldom();
    void aRankThatIsOutOfMemoryLeavesOutSlicesUntilTheyAgree_data();
    void aRankThatIsOutOfMemoryLeavesOutSlicesUntilTheyAgree();
    void anOpenWindowIsResumedWithOtherParts_data();
    void anOpenWindowIsResumedWithOtherParts();
    void memoryMayRunOutAnywhereOnOneRank_data();
    void memoryMayRunOutAnywhereOnOneRank();
    void memoryThatRunsOutInAnUpdateEndsTheRun();
    void aCheckpointThatFindsNoMemoryIsLeftOut();
    void aStopWithinAWindowSavesWhatEveryRankHasOfIt();
    void otherDataAreNoticedBeforeTheFirstStep();
    void aPlanForAnotherNumberOfDevicesIsRefused();

private:
    static void addShards();
    void isResumedBitForBit(TestRun run, int ranks, std::int64_t micro, int agreements);

    TestRun sharing(Shard shard) const
    {
        TestRun run(m_data);
        run.experiment().distributed.shard = shard;
        return run;
    }

    fs::path folder(const std::string& name) const
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / name;
        fs::create_directories(path);
        return path;
    }

    // What rank 0 has; nothing if a rank failed.
    at::Tensor made(const TestRun& run, std::int64_t ranks, std::int64_t micro,
        const std::string& name, const fs::path& resumed = {}, int agreements = 0)
    {
        const std::vector<RankResult> results = onRanks(
            ranks,
            [&](World& world) {
                return run.train(world, micro, folder(name), resumed, agreements);
            },
            run.exchange());
        at::Tensor numbers = results.front().numbers;
        for (const RankResult& rank : results)
            if (!rank.problem.empty()) {
                qWarning("%s", rank.problem.c_str());
                numbers = at::empty({ 0 }, at::kDouble);
            }
        return numbers;
    }

    QTemporaryDir m_folder;
    fs::path m_data;
};

void TestRanks::aRunOfSeveralRanksIsThatOfOne_data()
{
    QTest::addColumn<int>("ranks");
    QTest::addColumn<Shard>("shard");
    QTest::addColumn<bool>("overlapsSums");
    QTest::newRow("two") << 2 << Shard::None << false;
    QTest::newRow("three") << 3 << Shard::None << false;
    QTest::newRow("five, not all have samples in each slice") << 5 << Shard::None << false;
    QTest::newRow("five, summed while they compute") << 5 << Shard::None << true;
    QTest::newRow("two, all in parts") << 2 << Shard::Parameters << false;
    QTest::newRow("five, all in parts") << 5 << Shard::Parameters << false;
}

// 100 samples: four whole windows and one of 4 in an epoch.
void TestRanks::aRunOfSeveralRanksIsThatOfOne()
{
    QFETCH(int, ranks);
    QFETCH(Shard, shard);
    QFETCH(bool, overlapsSums);
    TestRun run(m_data);
    run.experiment().distributed.shard = shard;
    if (overlapsSums)
        run.overlapSums();
    const at::Tensor one = made(run, 1, 24, "one");
    const at::Tensor several = made(run, ranks, 3, "several");
    QCOMPARE(several.sizes(), one.sizes());
    QVERIFY(one.numel() > 1000); // with the parameters
    const double apart = several.sub(one).abs().max().item<double>();
    QVERIFY2(apart < 1e-10, qPrintable(QString::number(apart)));
}

// After updates 1, 4, 8 and 10, of four parameters and their gradients, which are those of all
// ranks together. Where the ranks have parts, none has a histogram.
void TestRanks::histogramsAreMeasuredByTheFirstRank()
{
    constexpr std::int64_t kFigures = 4 * 4 * 2 * 3;
    TestRun run(m_data);
    const std::int64_t without = made(run, 2, 12, "without").numel();
    run.experiment().trace.histograms = Span { 4, Span::Unit::Steps };
    const at::Tensor one = made(run, 1, 24, "one");
    QCOMPARE(one.numel(), without + kFigures);
    const at::Tensor several = made(run, 3, 3, "several");
    QCOMPARE(several.sizes(), one.sizes());
    const double apart = several.sub(one).abs().max().item<double>();
    QVERIFY2(apart < 1e-10, qPrintable(QString::number(apart)));
    const std::vector<RankResult> both =
        onRanks(2, [&](World& world) { return run.train(world, 12, folder("both")); });
    QVERIFY(both.at(1).problem.empty());
    QVERIFY(both.at(1).numbers.numel() < kFigures); // of its steps and evaluations
    for (const Shard shard : { Shard::Optimizer, Shard::Parameters }) {
        run.experiment().distributed.shard = shard;
        QCOMPARE(made(run, 2, 12, "parts").numel(), without);
    }
}

// The first rank reads all windows before it measures, so it knows a window earlier than the others
// that the loss is not finite. They hear it with their next agreement, and wait for nobody.
void TestRanks::ranksThatReadLateStopAtTheSameWindow()
{
    TestRun run(m_data);
    run.readLate();
    run.agreeSeldom();
    run.experiment().trace.histograms = Span { 1, Span::Unit::Steps };
    run.experiment().run.precision = Precision::Float32;
    run.experiment().optimizer.lr = 1e9;
    for (const RankResult& rank :
        onRanks(2, [&](World& world) { return run.train(world, 12, folder("late")); }))
        QVERIFY2(rank.problem.find("not finite") != std::string::npos, rank.problem.c_str());
}

// After the five windows of its first epoch, without an agreement: a rank that went on would wait
// for the others.
void TestRanks::aRuleEndsTheRunOnAllRanks()
{
    TestRun run(m_data);
    const std::int64_t whole = made(run, 2, 12, "whole").numel();
    run.experiment().run.stopWhen = "train_loss < 1000";
    const at::Tensor ended = made(run, 2, 12, "rule");
    QVERIFY(ended.numel() > 1000);
    QVERIFY(ended.numel() < whole);
    QCOMPARE(readCheckpoint(checkpointsIn(folder("rule")).front()).state.position.step, 5);
}

void TestRanks::addShards()
{
    QTest::addColumn<Shard>("shard");
    QTest::newRow("all have all") << Shard::None;
    QTest::newRow("state in parts") << Shard::Optimizer;
    QTest::newRow("all in parts") << Shard::Parameters;
}

// After so many agreements, three windows have been closed.
void TestRanks::isResumedBitForBit(TestRun run, int ranks, std::int64_t micro, int agreements)
{
    run.experiment().optimizer.momentum = 0.9;
    run.experiment().optimizer.ema = 0.9;
    const std::string stopped = std::string("stopped ") + QTest::currentTestFunction()
        + (QTest::currentDataTag() != nullptr ? QTest::currentDataTag() : "");
    const at::Tensor whole = made(run, ranks, micro, "whole");
    QVERIFY(made(run, ranks, micro, stopped, {}, agreements).numel() > 0);
    const auto saved = checkpointsIn(folder(stopped));
    QCOMPARE(saved.size(), std::size_t { 1 });
    QCOMPARE(readCheckpoint(saved.front()).state.position.step, 3);
    const at::Tensor rest = made(run, ranks, micro, stopped, saved.front());
    QVERIFY(rest.numel() > 1000);
    const std::int64_t steps = 3; // their losses are those of the first attempt
    QVERIFY(rest.equal(whole.slice(0, steps)));
}

void TestRanks::aStopBetweenWindowsIsResumedBitForBit_data()
{
    addShards();
}

void TestRanks::aStopBetweenWindowsIsResumedBitForBit()
{
    QFETCH(Shard, shard);
    isResumedBitForBit(sharing(shard), 2, 6, 3 * kAgreements);
}

void TestRanks::aStopWithinAWindowIsResumedBitForBit_data()
{
    addShards();
}

void TestRanks::aStopWithinAWindowIsResumedBitForBit()
{
    QFETCH(Shard, shard);
    isResumedBitForBit(sharing(shard), 2, 6, 3 * kAgreements + 1);
}

// Three ranks, because the order does not matter in which two numbers are added. In a window of one
// slice they agree before it and on the rate.
void TestRanks::soIsARunThatSumsWhileItComputes()
{
    TestRun run(m_data);
    run.overlapSums();
    isResumedBitForBit(run, 3, 8, 3 * 2);
}

// The ranks agree before the slices of the first window, and from then on with the rates alone.
void TestRanks::soIsARunThatAgreesSeldom()
{
    TestRun run(m_data);
    run.agreeSeldom();
    isResumedBitForBit(run, 2, 6, 4);
}

// In the first window the ranks agree before its first slice and its last one.
void TestRanks::aRankThatIsOutOfMemoryLeavesOutSlicesUntilTheyAgree_data()
{
    QTest::addColumn<int>("micro");
    QTest::newRow("four slices") << 3;
    QTest::newRow("six slices") << 2;
}

void TestRanks::aRankThatIsOutOfMemoryLeavesOutSlicesUntilTheyAgree()
{
    QFETCH(int, micro);
    TestRun run(m_data);
    run.agreeSeldom();
    run.experiment().run.epochs = 1;
    const at::Tensor whole = made(run, 2, micro, "whole");
    for (const std::int64_t number : { 1, 9, 20, 37, 60 }) {
        const std::vector<RankResult> results = onRanks(2, [&](World& world) {
            FailingAllocator memory;
            return run.train(world, micro, folder("short"), {}, 0,
                [&](int agreed) { memory.refuse(agreed == 1 ? number : 0); });
        });
        for (const RankResult& rank : results)
            QVERIFY2(rank.problem.empty(), rank.problem.c_str());
        QVERIFY(results.front().numbers.sub(whole).abs().max().item<double>() < 1e-10);
    }
}

void TestRanks::anOpenWindowIsResumedWithOtherParts_data()
{
    QTest::addColumn<Synchronize>("synchronize");
    QTest::addColumn<Shard>("before");
    QTest::addColumn<Shard>("after");
    const auto row = [](const char* name, Synchronize synchronize, Shard before, Shard after) {
        QTest::newRow(name) << synchronize << before << after;
    };
    row("sums of each rank, to parts", Synchronize::Window, Shard::None, Shard::Parameters);
    row("sums of all, to parts", Synchronize::MicroBatch, Shard::None, Shard::Parameters);
    row("parts, to sums of each rank", Synchronize::Window, Shard::Parameters, Shard::None);
    row("parts, to sums of all", Synchronize::MicroBatch, Shard::Parameters, Shard::Optimizer);
}

void TestRanks::anOpenWindowIsResumedWithOtherParts()
{
    QFETCH(Synchronize, synchronize);
    QFETCH(Shard, before);
    QFETCH(Shard, after);
    TestRun run(m_data);
    run.experiment().distributed.synchronize = synchronize;
    run.experiment().distributed.shard = before;
    const std::string stopped = std::string("other parts, ") + QTest::currentDataTag();
    const at::Tensor whole = made(run, 2, 6, "whole");
    QVERIFY(made(run, 2, 6, stopped, {}, 3 * kAgreements + 1).numel() > 0);
    const auto saved = checkpointsIn(folder(stopped));
    QCOMPARE(saved.size(), std::size_t { 1 });
    run.experiment().distributed.shard = after;
    const at::Tensor rest = made(run, 2, 6, stopped, saved.front());
    QVERIFY(rest.numel() > 1000);
    QVERIFY(rest.sub(whole.slice(0, 3)).abs().max().item<double>() < 1e-10);
}

void TestRanks::memoryMayRunOutAnywhereOnOneRank_data()
{
    QTest::addColumn<int>("agreements");
    QTest::addColumn<Shard>("shard");
    QTest::addColumn<bool>("syncsStatistics");
    QTest::addColumn<bool>("traces");
    QTest::addColumn<bool>("overlapsSums");
    QTest::addColumn<int>("micro");
    for (const auto& [place, agreements] :
        { std::pair { "in a slice", 2 }, std::pair { "in the last slice of a window", 5 },
            std::pair { "in an evaluation", 15 } })
        for (const auto& [name, shard, syncs] : { std::tuple { "all have all", Shard::None, false },
                 std::tuple { "all in parts", Shard::Parameters, false },
                 std::tuple { "synchronised BatchNorm", Shard::None, true },
                 std::tuple { "all in parts, synchronised BatchNorm", Shard::Parameters, true } })
            QTest::newRow((std::string(name) + ", " + place).c_str())
                << agreements << shard << syncs << false << false << 6;
    QTest::newRow("all in parts, traced, in a slice")
        << 2 << Shard::Parameters << false << true << false << 6;
    QTest::newRow("summed while they compute, in the first slice of two")
        << 1 << Shard::None << false << false << true << 6;
    for (const bool syncs : { false, true })
        QTest::addRow("summed while they compute, in the only slice%s",
            syncs ? ", synchronised BatchNorm" : "")
            << 5 << Shard::None << syncs << false << true << 12;
}

// The rank makes the calls that the other one waits for, whichever of them it has left out; then
// both go on in smaller micro-batches, which changes no update without BatchNorm.
void TestRanks::memoryMayRunOutAnywhereOnOneRank()
{
    QFETCH(int, agreements);
    QFETCH(Shard, shard);
    QFETCH(bool, syncsStatistics);
    QFETCH(bool, traces);
    QFETCH(bool, overlapsSums);
    QFETCH(int, micro);
    TestRun run(m_data);
    if (overlapsSums)
        run.overlapSums();
    if (traces)
        run.experiment().trace.parameters = "first";
    run.experiment().distributed.shard = shard;
    run.experiment().distributed.chunk.bytes = Bytes { 1 };
    run.experiment().run.epochs = 1; // five updates and an evaluation
    if (syncsStatistics) {
        run.experiment().model.norm = Norm::Batch;
        run.experiment().model.batchnormSync = true;
    }
    const at::Tensor whole = made(run, 2, 6, "whole");
    for (const std::int64_t number : { 1, 2, 4, 7, 11, 16, 22, 37 }) {
        const std::vector<RankResult> results = onRanks(
            2,
            [&](World& world) {
                FailingAllocator memory;
                return run.train(world, micro, folder("short"), {}, 0, [&](int agreed) {
                    if (agreed == agreements || agreed == agreements + 1)
                        memory.refuse(agreed == agreements ? number : 0);
                });
            },
            run.exchange());
        for (const RankResult& rank : results)
            QVERIFY2(rank.problem.empty(),
                qPrintable(QStringLiteral("%1: %2").arg(number).arg(rank.problem.c_str())));
        const at::Tensor made = results.front().numbers;
        QCOMPARE(made.sizes(), whole.sizes());
        const double apart = made.sub(whole).abs().max().item<double>();
        QVERIFY2(syncsStatistics ? std::isfinite(apart) : apart < 1e-10,
            qPrintable(QStringLiteral("%1: %2").arg(number).arg(apart)));
    }
}

// The other ranks have been called already, so no window can be repeated.
void TestRanks::memoryThatRunsOutInAnUpdateEndsTheRun()
{
    const TestRun run(m_data);
    const std::vector<RankResult> results = onRanks(2, [&](World& world) {
        FailingAllocator memory;
        return run.train(world, 6, folder("none"), {}, 0, [&](int agreed) {
            if (agreed == 3)
                memory.refuse(1);
        });
    });
    const std::string& other = results.front().problem;
    QVERIFY2(other.find("Rank 1 cannot go on: Out of memory") != std::string::npos, other.c_str());
    QVERIFY(results.back().problem.find("memory") != std::string::npos);
    const auto saved = checkpointsIn(folder("none"));
    QCOMPARE(saved.size(), std::size_t { 1 });
    QCOMPARE(readCheckpoint(saved.front()).state.position.step, 0);
}

// As in a run of one process. Rank 0 alone copies what it saves; the window before has made what
// the optimizer keeps.
void TestRanks::aCheckpointThatFindsNoMemoryIsLeftOut()
{
    TestRun run(m_data);
    run.disturbFirst();
    run.experiment().checkpoint.every = { 1, Span::Unit::Steps };
    run.experiment().checkpoint.keep = 100;
    const at::Tensor whole = made(run, 2, 6, "whole");
    const std::vector<RankResult> results = onRanks(2, [&](World& world) {
        FailingAllocator memory;
        constexpr std::size_t kLayer = 64 * 16 * sizeof(double);
        return run.train(world, 6, folder("short"), {}, 0, [&](int agreed) {
            memory.refuseFrom(
                agreed == 2 * kAgreements ? kLayer : std::numeric_limits<std::size_t>::max());
        });
    });
    for (const RankResult& rank : results)
        QCOMPARE(rank.problem, std::string());
    QVERIFY(results.front().numbers.equal(whole));
    QCOMPARE(checkpointsIn(folder("short")).size(), checkpointsIn(folder("whole")).size() - 1);
}

void TestRanks::aStopWithinAWindowSavesWhatEveryRankHasOfIt()
{
    const TestRun run(m_data);
    QVERIFY(made(run, 2, 6, "open", {}, 3 * kAgreements + 1).numel() > 0);
    const auto saved = checkpointsIn(folder("open"));
    QCOMPARE(saved.size(), std::size_t { 1 });
    const Checkpoint checkpoint = readCheckpoint(saved.front());
    QCOMPARE(checkpoint.state.position.step, 3);
    QVERIFY(checkpoint.state.cursor.open.has_value());
    QCOMPARE(checkpoint.state.slicesDone, 1U);
    QCOMPARE(ranksIn(checkpoint.tensors), 2);
    const at::Tensor first = tensorOf(stateOf(0, checkpoint.tensors), "window.gradient");
    const at::Tensor second = tensorOf(stateOf(1, checkpoint.tensors), "window.gradient");
    QVERIFY(first.norm().item<double>() > 0 && second.norm().item<double>() > 0);
    QVERIFY(!first.equal(second));
}

void TestRanks::otherDataAreNoticedBeforeTheFirstStep()
{
    TestRun run(m_data);
    TestRun other(writtenPictures(folder("other"), 101, 37));
    const std::vector<RankResult> results = onRanks(2, [&](World& world) {
        return (world.rank() == 0 ? run : other).train(world, 3, folder("never"));
    });
    for (const RankResult& rank : results)
        QVERIFY2(rank.problem.find("of rank 1 differs from that of rank 0") != std::string::npos,
            rank.problem.c_str());
}

void TestRanks::aPlanForAnotherNumberOfDevicesIsRefused()
{
    Experiment experiment = TestRun(m_data).experiment();
    ResolvedExperiment resolved = requireResolved(experiment);
    resolved.plan.devices = 2;
    RunControl control;
    EventList events;
    const TrainRequest request { resolved, {}, {} };
    const std::string refusal = refusalOf([&] { Session(request, control, events).run(); });
    QVERIFY2(refusal.find("planned for 2 devices") != std::string::npos, refusal.c_str());
}

QTEST_GUILESS_MAIN(TestRanks)
#include "tst_ranks.moc"
