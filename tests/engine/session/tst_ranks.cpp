// SPDX-License-Identifier: Apache-2.0
// Runs of several ranks, each a process of its own, against runs of one.
#include "engine/session/session.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/distributed/rank_states.h"
#include "engine/door/checkpoints.h"
#include "tests/engine/distributed/ranks_in_processes.h"
#include "tests/engine/session/training_fixture.h"

#include <filesystem>
#include <string>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

#include <ATen/Parallel.h>

using namespace accrue;
using namespace accrue::test;

namespace fs = std::filesystem;

namespace {

// A rank of `world` that stops the run by its own control when the ranks have agreed so often.
class Stopping final : public World {
public:
    Stopping(World& world, RunControl& control, int agreements)
        : m_world(world)
        , m_control(control)
        , m_left(agreements)
    {
    }

    int rank() const override { return m_world.rank(); }
    int size() const override { return m_world.size(); }
    void sum(const at::Tensor& tensor) override { m_world.sum(tensor); }
    void any(const at::Tensor& flags) override { m_world.any(flags); }
    Decision agree(const Decision& mine) override
    {
        const Decision decision = m_world.agree(mine);
        if (--m_left == 0 && rank() == size() - 1)
            m_control.requestStop();
        return decision;
    }

private:
    World& m_world;
    RunControl& m_control;
    int m_left;
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
        // Of one device, because a recipe for several is still refused; train() plans the same
        // windows for them.
        experiment.batch.effective = BatchNumber::given(24);
        experiment.batch.micro = BatchNumber::given(6);
        experiment.optimizer.lr = 0.02;
        experiment.model.name = ModelName::Mlp;
        experiment.model.widths = { 16 };
    }

    Experiment& experiment() { return m_experiment; }

    // Losses of the steps, test losses, and the parameters in the end, of rank 0. The checkpoints
    // are in `folder`. The last rank requests a stop after so many agreements; 0: never.
    at::Tensor train(World& world, std::int64_t micro, const fs::path& folder,
        const fs::path& resumed = {}, int agreements = 0) const
    {
        ResolvedExperiment resolved = requireResolved(m_experiment);
        resolved.plan.devices = world.size();
        resolved.plan.micro = micro;
        resolved.plan.steps = ceilDivide(resolved.plan.effective, micro * world.size());
        const TrainRequest request { resolved, {}, world.rank() == 0 ? folder : fs::path(), resumed,
            /*stopAfter=*/0, {} };
        RunControl control;
        EventList events;
        Stopping stopping(world, control, agreements);
        const RunEnded ended = Session(request, control, events, {}, stopping).run();
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
        if (!ended.checkpoint.empty())
            for (const auto& [name, tensor] : readCheckpoint(ended.checkpoint).model)
                all.push_back(tensor.to(at::kDouble).flatten());
        return at::cat(all);
    }

    Experiment m_experiment;
};

} // namespace

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
    void aStopBetweenWindowsIsResumedBitForBit();
    void aStopWithinAWindowSavesWhatEveryRankHasOfIt();
    void otherDataAreNoticedBeforeTheFirstStep();
    void aPlanForAnotherNumberOfDevicesIsRefused();

private:
    fs::path folder(const char* name) const
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / name;
        fs::create_directories(path);
        return path;
    }

    // What rank 0 has; nothing if a rank failed.
    at::Tensor made(const TestRun& run, std::int64_t ranks, std::int64_t micro, const char* name,
        const fs::path& resumed = {}, int agreements = 0)
    {
        const std::vector<RankResult> results = onRanks(ranks, [&](World& world) {
            return run.train(world, micro, folder(name), resumed, agreements);
        });
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
    QTest::newRow("two") << 2;
    QTest::newRow("three") << 3;
    QTest::newRow("five, not all have samples in each slice") << 5;
}

// 100 samples: four whole windows and one of 4 in an epoch.
void TestRanks::aRunOfSeveralRanksIsThatOfOne()
{
    QFETCH(int, ranks);
    const TestRun run(m_data);
    const at::Tensor one = made(run, 1, 24, "one");
    const at::Tensor several = made(run, ranks, 3, "several");
    QCOMPARE(several.sizes(), one.sizes());
    QVERIFY(one.numel() > 1000); // with the parameters
    const double apart = several.sub(one).abs().max().item<double>();
    QVERIFY2(apart < 1e-10, qPrintable(QString::number(apart)));
}

// In each window the ranks agree before every slice and on the rate.
void TestRanks::aStopBetweenWindowsIsResumedBitForBit()
{
    const TestRun run(m_data);
    const at::Tensor whole = made(run, 2, 6, "whole");
    QVERIFY(made(run, 2, 6, "stopped", {}, /*agreements=*/3 * 3).numel() > 0);
    const auto saved = checkpointsIn(folder("stopped"));
    QCOMPARE(saved.size(), std::size_t { 1 });
    QCOMPARE(readCheckpoint(saved.front()).state.position.step, 3);
    const at::Tensor rest = made(run, 2, 6, "stopped", saved.front());
    QVERIFY(rest.numel() > 1000);
    const std::int64_t steps = 3; // their losses are those of the first attempt
    QVERIFY(rest.equal(whole.slice(0, steps)));
}

void TestRanks::aStopWithinAWindowSavesWhatEveryRankHasOfIt()
{
    const TestRun run(m_data);
    QVERIFY(made(run, 2, 6, "open", {}, /*agreements=*/3 * 3 + 1).numel() > 0);
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
    const TrainRequest request { resolved, {}, {}, {}, 0, {} };
    const std::string refusal = refusalOf([&] { Session(request, control, events).run(); });
    QVERIFY2(refusal.find("planned for 2 devices") != std::string::npos, refusal.c_str());
}

QTEST_GUILESS_MAIN(TestRanks)
#include "tst_ranks.moc"
