// SPDX-License-Identifier: Apache-2.0
// What several ranks make of the windows that they share, against one process with the same
// effective batch.
#include "engine/distributed/process_world.h"

#include "engine/experiment/window_sequence.h"
#include "engine/memory/memory_meter.h"
#include "engine/session/model_setup.h"
#include "engine/window/training_window.h"
#include "tests/engine/distributed/forwarding_world.h"
#include "tests/engine/distributed/ranks_in_processes.h"
#include "tests/engine/session/training_fixture.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/Parallel.h>
#include <QTest>

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr std::int64_t kSamples = 50;

const ResidentDataSet& pictures()
{
    static const ResidentDataSet data = smallDataSet(kSamples);
    return data;
}

Experiment experimentOf(Precision precision)
{
    Experiment experiment;
    experiment.model.name = ModelName::Mlp;
    experiment.model.widths = { 8 };
    experiment.run.precision = precision;
    experiment.optimizer.momentum = 0.9;
    return experiment;
}

BatchPlan planOf(std::int64_t effective, std::int64_t micro, std::int64_t devices)
{
    return { .effective = effective,
        .micro = micro,
        .steps = ceilDivide(effective, micro * devices),
        .devices = devices };
}

// The parameters after so many updates, one after the other, as doubles.
at::Tensor trained(Experiment experiment, const BatchPlan& plan, std::int64_t updates, World& world)
{
    if (world.size() == 1)
        experiment.distributed = {}; // the reference has no parts, also not on the host
    const std::shared_ptr<Network> network = makeNetwork(experiment, pictures());
    RunControl control;
    TrainingWindow window(experiment, *network, pictures(), std::min(plan.micro, kSamples), control,
        /*meter=*/nullptr, world);
    const at::Tensor order = at::arange(kSamples, at::kLong);
    const WindowSequence windows(plan, kSamples, /*epochs=*/10'000);
    WindowCursor cursor;
    while (window.updates() < updates) {
        const WindowPart part = windows.next(cursor).value();
        if (part.opens())
            window.open({ .microBatches = windows.microBatches(cursor) });
        for (const Slice& slice : windows.slices(part)) {
            window.add(order, shareOf(slice, world.rank(), world.size()));
            cursor = windows.advanced(cursor, part, slice.samples);
        }
        if (!part.closes())
            continue;
        window.close(experiment.optimizer.lr);
        window.read();
    }
    std::vector<at::Tensor> all;
    const NamedTensors model = window.average() != nullptr ? window.state() : window.model();
    for (const auto& [name, tensor] : model)
        all.push_back(tensor.detach().to(at::kDouble).flatten());
    return at::cat(all);
}

// The parameters that one process makes of `other`, whose windows are those of `plan`, against
// those that every rank makes of `plan`: relative to their norm; above 1 if two ranks differ. With
// `overlap` these sum their gradients while they compute them.
double distance(const Experiment& experiment, const BatchPlan& plan, const BatchPlan& other,
    std::int64_t updates, bool overlap = false)
{
    const auto made = [&](const BatchPlan& by, bool overlaps) {
        const auto train = [&](World& world) {
            InSmallBuckets inBuckets(world);
            return trained(experiment, by, updates, overlaps ? inBuckets : world);
        };
        return onRanks(by.devices, train, overlaps ? Exchange::Sockets : Exchange::Memory);
    };
    const at::Tensor one = made(other, /*overlaps=*/false).front().numbers;
    const std::vector<RankResult> several = made(plan, overlap);
    for (const RankResult& rank : several) {
        if (!rank.problem.empty())
            qWarning("%s", rank.problem.c_str());
        if (!rank.problem.empty() || !rank.numbers.equal(several.front().numbers))
            return 2;
    }
    return several.front().numbers.sub(one).norm().div(one.norm()).item<double>();
}

using Change = std::function<void(Experiment&)>;

std::int64_t bytesOfState(const CategoryBytes& bytes)
{
    std::int64_t sum = 0;
    for (const MemoryCategory category :
        { MemoryCategory::Parameters, MemoryCategory::Gradients, MemoryCategory::OptimizerState })
        sum += bytes[static_cast<std::size_t>(category)];
    return sum;
}

// The most bytes that a rank has of parameters, gradients and optimizer state at the peak or end of
// a phase, and of gathered parameters at a peak.
at::Tensor heldAtPeaks(const Experiment& experiment, World& world)
{
    MemoryMeter meter(at::kCPU, Metering::Full);
    const std::shared_ptr<Network> network = makeNetwork(experiment, pictures());
    for (const auto& parameter : network->named_parameters())
        ownMemory(parameter.value(), MemoryCategory::Parameters, parameter.key());
    RunControl control;
    TrainingWindow window(experiment, *network, pictures(), 1, control, &meter, world);
    const at::Tensor order = at::arange(kSamples, at::kLong);
    double held = 0;
    double gathered = 0;
    for (int update = 0; update < 2; ++update) {
        window.open({ .microBatches = 2, .micro = 1, .samples = 2 * world.size() });
        for (std::int64_t begin : { 0, world.size() }) {
            const Slice slice { .begin = begin, .samples = world.size() };
            window.add(order, shareOf(slice, world.rank(), world.size()));
        }
        window.close(experiment.optimizer.lr);
        for (const PhaseMemory& phase : window.endMetering()) {
            for (const CategoryBytes& bytes : { phase.atPeak, phase.atEnd })
                held = std::max(held, static_cast<double>(bytesOfState(bytes)));
            for (const MemoryOwner& owner : phase.owners)
                if (owner.layer == "gathered parameters")
                    gathered = std::max(gathered, static_cast<double>(owner.bytes));
        }
        window.read();
    }
    return at::tensor({ held, gathered });
}

// The bytes of the two largest layers.
std::int64_t twoLayers(const Experiment& experiment)
{
    const std::shared_ptr<Network> network = makeNetwork(experiment, pictures());
    std::vector<std::int64_t> bytes;
    const auto all = network->parameters();
    auto parameter = all.begin();
    for (const std::size_t count : network->layers()) {
        bytes.push_back(0);
        for (std::size_t i = 0; i < count; ++i)
            bytes.back() += static_cast<std::int64_t>((parameter++)->nbytes());
    }
    std::sort(bytes.rbegin(), bytes.rend());
    return bytes[0] + bytes[1];
}

} // namespace

Q_DECLARE_METATYPE(Change)
Q_DECLARE_METATYPE(BatchPlan)
Q_DECLARE_METATYPE(ModelName)

class TestSharedWindows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
    }

    void ranksMakeTheUpdateOfOneProcess_data();
    void ranksMakeTheUpdateOfOneProcess();
    void soDoThoseThatSumWhileTheyCompute_data();
    void soDoThoseThatSumWhileTheyCompute();
    void itStaysSoOverTwoHundredUpdates();
    void inFloat32ItIsTheSameBeforeRounding();
    void aSumOfMicroBatchesIsThatOfOneProcessWithAsManySteps();
    void aWindowExchangesNoMoreThanItMust_data();
    void aWindowExchangesNoMoreThanItMust();
    void aRankHasItsPartAndTheChunksOfTwoLayers();
    void synchronisedBatchNormIsThatOfTheSlicesOfAllRanks_data();
    void synchronisedBatchNormIsThatOfTheSlicesOfAllRanks();
    void batchNormOfTheWindowPoolsAllRanks();
};

void TestSharedWindows::ranksMakeTheUpdateOfOneProcess_data()
{
    QTest::addColumn<BatchPlan>("plan");
    QTest::addColumn<Change>("change");
    const auto row = [](const QString& name, const BatchPlan& plan, const Change& change = {}) {
        QTest::newRow(qPrintable(name)) << plan << change;
    };
    for (const std::int64_t ranks : { 2, 3, 4, 8 })
        row(QStringLiteral("W %1, even and not").arg(ranks), planOf(24, 2, ranks));
    row("shares that differ", planOf(23, 3, 4));
    row("a rank without a sample in the last slice", planOf(17, 4, 4));
    row("a rank without any sample in the tail", planOf(49, 2, 4)); // the tail is one sample
    BatchPlan carried = planOf(16, 2, 3);
    carried.tail = Tail::Carry;
    row("carried", carried);
    BatchPlan dropped = planOf(16, 2, 3);
    dropped.tail = Tail::Drop;
    row("dropped", dropped);
    BatchPlan scheduled = planOf(12, 2, 3);
    scheduled.steps = 2;
    scheduled.schedule = { { StepsFrom::Unit::Step, 0, 2 }, { StepsFrom::Unit::Step, 2, 4 } };
    row("N that changes", scheduled);
    row("clipped", planOf(24, 3, 2), [](Experiment& e) { e.optimizer.clipNorm = 0.01; });
    row("averaged", planOf(24, 3, 2), [](Experiment& e) { e.optimizer.ema = 0.9; });
    row("Adam", planOf(24, 3, 2), [](Experiment& e) { e.optimizer.name = OptimizerName::Adam; });
    for (const auto& [name, optimizer] : { std::pair { "SGD", OptimizerName::Sgd },
             std::pair { "Adam", OptimizerName::Adam }, std::pair { "AdamW", OptimizerName::AdamW },
             std::pair { "RMSprop", OptimizerName::Rmsprop } })
        for (const std::int64_t ranks : { 2, 3, 4, 8 })
            row(QStringLiteral("%1's state in parts, W %2").arg(name).arg(ranks),
                planOf(23, 2, ranks), [optimizer = optimizer](Experiment& e) {
                    e.optimizer.name = optimizer;
                    e.optimizer.lr = 0.002;
                    e.optimizer.weightDecay = 0.01;
                    e.optimizer.decayNormAndBias = false;
                    e.distributed.shard = Shard::Optimizer;
                });
    row("in parts, clipped and averaged", planOf(24, 3, 3), [](Experiment& e) {
        e.optimizer.clipNorm = 0.01;
        e.optimizer.ema = 0.9;
        e.distributed.shard = Shard::Optimizer;
    });
    row("all in parts, clipped and averaged", planOf(24, 3, 3), [](Experiment& e) {
        e.optimizer.clipNorm = 0.01;
        e.optimizer.ema = 0.9;
        e.distributed.shard = Shard::Parameters;
    });
    for (const auto& [name, optimizer] : { std::pair { "SGD", OptimizerName::Sgd },
             std::pair { "Adam", OptimizerName::Adam }, std::pair { "AdamW", OptimizerName::AdamW },
             std::pair { "RMSprop", OptimizerName::Rmsprop } })
        for (const std::int64_t ranks : { 2, 3, 4, 8 })
            row(QStringLiteral("%1, all in parts, W %2").arg(name).arg(ranks), planOf(23, 2, ranks),
                [optimizer = optimizer](Experiment& e) {
                    e.optimizer.name = optimizer;
                    e.optimizer.lr = 0.002;
                    e.optimizer.weightDecay = 0.01;
                    e.optimizer.decayNormAndBias = false;
                    e.distributed.shard = Shard::Parameters;
                });
    // Of one layer each, of all layers, and what is between.
    for (const std::int64_t chunk : { 1, 1'000, 1'000'000 })
        row(QStringLiteral("all in parts, chunks of %1 bytes").arg(chunk), planOf(23, 2, 3),
            [chunk](Experiment& e) {
                e.model.name = ModelName::LeNet5;
                e.model.norm = Norm::Group;
                e.distributed.shard = Shard::Parameters;
                e.distributed.chunk.bytes = Bytes { chunk };
            });
    for (const std::int64_t limit : { 1, 20'000, 1'000'000 })
        row(QStringLiteral("all in parts, those beyond %1 bytes on the host").arg(limit),
            planOf(24, 3, 3), [limit](Experiment& e) {
                e.optimizer.name = OptimizerName::Adam;
                e.optimizer.lr = 0.002;
                e.optimizer.clipNorm = 0.01;
                e.optimizer.ema = 0.9;
                e.distributed.shard = Shard::Parameters;
                e.distributed.chunk.bytes = Bytes { 1 };
                e.distributed.deviceMemory = Bytes { limit };
            });
    for (const Shard shard : { Shard::None, Shard::Optimizer, Shard::Parameters })
        for (const BatchPlan& plan :
            { planOf(24, 2, 3), planOf(17, 4, 4), planOf(49, 2, 4), carried })
            row(QStringLiteral("summed after each slice, B %1, W %2, shard %3")
                    .arg(plan.effective)
                    .arg(plan.devices)
                    .arg(static_cast<int>(shard)),
                plan, [shard](Experiment& e) {
                    e.distributed.synchronize = Synchronize::MicroBatch;
                    e.distributed.shard = shard;
                });
    row("GroupNorm", planOf(24, 3, 2), [](Experiment& e) {
        e.model.name = ModelName::LeNet5;
        e.model.norm = Norm::Group;
    });
}

// One process has other micro-batches: all that its slices have in common is the window.
void TestSharedWindows::ranksMakeTheUpdateOfOneProcess()
{
    QFETCH(BatchPlan, plan);
    QFETCH(Change, change);
    Experiment experiment = experimentOf(Precision::Float64);
    if (change)
        change(experiment);
    BatchPlan other = plan;
    other.devices = 1;
    if (plan.schedule.empty())
        other = cutInto(other, plan.effective);
    else // N decides about the window
        other.micro = plan.micro * plan.devices;
    for (const std::int64_t updates : { 1, 7 }) {
        const double apart = distance(experiment, plan, other, updates);
        QVERIFY2(apart < 1e-12, qPrintable(QString::number(apart)));
    }
}

void TestSharedWindows::soDoThoseThatSumWhileTheyCompute_data()
{
    QTest::addColumn<BatchPlan>("plan");
    QTest::addColumn<Change>("change");
    const Change none = [](Experiment&) {};
    for (const std::int64_t ranks : { 2, 3, 4 })
        QTest::addRow("W %d", static_cast<int>(ranks)) << planOf(24, 2, ranks) << none;
    QTest::newRow("a rank without a sample in the last slice") << planOf(17, 4, 4) << none;
    QTest::newRow("a rank without any sample in the tail") << planOf(49, 2, 4) << none;
    BatchPlan carried = planOf(16, 2, 3);
    carried.tail = Tail::Carry;
    QTest::newRow("carried") << carried << none;
    QTest::newRow("clipped and averaged") << planOf(24, 3, 2) << Change([](Experiment& e) {
        e.optimizer.clipNorm = 0.01;
        e.optimizer.ema = 0.9;
    });
    QTest::newRow("after each slice") << planOf(17, 4,
        4) << Change([](Experiment& e) { e.distributed.synchronize = Synchronize::MicroBatch; });
    QTest::newRow("state in parts, after each slice")
        << planOf(17, 4, 4) << Change([](Experiment& e) {
               e.distributed.synchronize = Synchronize::MicroBatch;
               e.distributed.shard = Shard::Optimizer;
           });
    QTest::newRow("state in parts") << planOf(
        24, 2, 3) << Change([](Experiment& e) { e.distributed.shard = Shard::Optimizer; });
    QTest::newRow("a residual network, whose layers do not compute in their order")
        << planOf(4, 1, 2) << Change([](Experiment& e) {
               e.model.name = ModelName::ResNet18;
               e.model.norm = Norm::Group;
           });
}

void TestSharedWindows::soDoThoseThatSumWhileTheyCompute()
{
    QFETCH(BatchPlan, plan);
    QFETCH(Change, change);
    Experiment experiment = experimentOf(Precision::Float64);
    change(experiment);
    BatchPlan other = plan;
    other.devices = 1;
    other = cutInto(other, plan.effective);
    for (const std::int64_t updates : { 1, 7 }) {
        const double apart = distance(experiment, plan, other, updates, /*overlap=*/true);
        QVERIFY2(apart < 1e-12, qPrintable(QString::number(apart)));
    }
}

void TestSharedWindows::itStaysSoOverTwoHundredUpdates()
{
    const Experiment experiment = experimentOf(Precision::Float64);
    for (const std::int64_t ranks : { 2, 3 }) {
        const double apart = distance(experiment, planOf(16, 2, ranks), planOf(16, 16, 1), 200);
        QVERIFY2(apart < 1e-10, qPrintable(QString::number(apart)));
    }
}

void TestSharedWindows::inFloat32ItIsTheSameBeforeRounding()
{
    const Experiment experiment = experimentOf(Precision::Float32);
    const double apart = distance(experiment, planOf(24, 2, 4), planOf(24, 24, 1), 1);
    QVERIFY2(apart < 1e-6, qPrintable(QString::number(apart)));
}

// W 8 × b 1 × N 4 against W 1 × b 8 × N 4.
void TestSharedWindows::aSumOfMicroBatchesIsThatOfOneProcessWithAsManySteps()
{
    const Experiment experiment = experimentOf(Precision::Float64);
    BatchPlan plan = planOf(32, 1, 8);
    plan.reduction = Reduction::Sum;
    BatchPlan other = planOf(32, 8, 1);
    other.reduction = Reduction::Sum;
    const double apart = distance(experiment, plan, other, 7);
    QVERIFY2(apart < 1e-12, qPrintable(QString::number(apart)));
}

void TestSharedWindows::aWindowExchangesNoMoreThanItMust_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<int>("calls"); // of a window of three slices
    QTest::addColumn<int>("gradients"); // of which so many of the size of all gradients
    QTest::newRow("once per window: gradient, figures, verdict")
        << Change([](Experiment&) {}) << 3 << 1;
    QTest::newRow("after each micro-batch")
        << Change([](Experiment& e) { e.distributed.synchronize = Synchronize::MicroBatch; }) << 5
        << 3;
    QTest::newRow("in parts: and the norm, and the gather")
        << Change([](Experiment& e) { e.distributed.shard = Shard::Optimizer; }) << 5 << 1;
}

// Each gradient costs every rank 2 (W − 1) / W of its bytes: once there, once back.
void TestSharedWindows::aWindowExchangesNoMoreThanItMust()
{
    QFETCH(Change, change);
    QFETCH(int, calls);
    QFETCH(int, gradients);
    Experiment experiment = experimentOf(Precision::Float64);
    change(experiment);
    const BatchPlan plan = planOf(24, 2, 4);
    constexpr std::int64_t kWindows = 2; // whole windows
    const auto traffic = [&](World& world) {
        const std::int64_t parameters = trained(experiment, plan, kWindows, world).numel();
        const Traffic all = world.traffic();
        return at::tensor({ static_cast<double>(all.calls), static_cast<double>(all.bytes),
            static_cast<double>(parameters) });
    };
    const std::vector<RankResult> results = onRanks(4, traffic, Exchange::Sockets);
    for (const RankResult& rank : results) {
        QCOMPARE(rank.problem, std::string());
        const auto numbers = rank.numbers.accessor<double, 1>();
        QCOMPARE(numbers[0], static_cast<double>(calls * kWindows));
        const double wanted = 2 * 0.75 * 8 * numbers[2] * gradients * kWindows;
        QVERIFY2(numbers[1] >= wanted && numbers[1] < 1.05 * wanted,
            qPrintable(QString::number(numbers[1] / wanted)));
    }
}

// In every phase of every rank.
void TestSharedWindows::aRankHasItsPartAndTheChunksOfTwoLayers()
{
    Experiment experiment = experimentOf(Precision::Float32);
    experiment.model.name = ModelName::ResNet18;
    experiment.model.norm = Norm::Group;
    experiment.optimizer.name = OptimizerName::Adam;
    const auto held = [](const Experiment& by) {
        return onRanks(4, [&](World& world) { return heldAtPeaks(by, world); });
    };
    const RankResult whole = held(experiment).front();
    QCOMPARE(whole.problem, std::string());
    experiment.distributed.shard = Shard::Parameters;
    experiment.distributed.chunk.bytes = Bytes { 1 };
    for (const RankResult& rank : held(experiment)) {
        QCOMPARE(rank.problem, std::string());
        const auto numbers = rank.numbers.accessor<double, 1>();
        // One value of padding in each of four tensors of some 60 chunks is less than a page.
        const double most =
            whole.numbers[0].item<double>() / 4 + static_cast<double>(twoLayers(experiment)) + 4096;
        QVERIFY2(numbers[0] <= most, qPrintable(QString::number(numbers[0] - most)));
        QVERIFY2(numbers[1] > 0 && numbers[1] <= static_cast<double>(twoLayers(experiment)) / 2,
            qPrintable(QString::number(numbers[1])));
    }
}

void TestSharedWindows::synchronisedBatchNormIsThatOfTheSlicesOfAllRanks_data()
{
    QTest::addColumn<BatchPlan>("plan");
    QTest::addColumn<ModelName>("model");
    QTest::newRow("vectors") << planOf(24, 4, 3) << ModelName::Mlp;
    QTest::newRow("pictures") << planOf(24, 4, 2) << ModelName::LeNet5;
    QTest::newRow("one sample of each") << planOf(24, 1, 4) << ModelName::Mlp;
    QTest::newRow("shares that differ") << planOf(23, 3, 4) << ModelName::Mlp;
    QTest::newRow("a rank without a sample in the last slice")
        << planOf(18, 4, 4) << ModelName::LeNet5;
}

// b·W samples in one process have the same statistics: parameters and running statistics agree.
void TestSharedWindows::synchronisedBatchNormIsThatOfTheSlicesOfAllRanks()
{
    QFETCH(BatchPlan, plan);
    QFETCH(ModelName, model);
    for (const bool isOfWindow : { false, true }) {
        Experiment experiment = experimentOf(Precision::Float64);
        experiment.model.name = model;
        experiment.model.norm = Norm::Batch;
        experiment.model.batchnormSync = true;
        experiment.model.batchnormWindow = isOfWindow;
        BatchPlan other = cutInto(plan, plan.micro);
        other.devices = 1;
        other.micro = plan.micro * plan.devices;
        const double apart = distance(experiment, plan, other, 7);
        QVERIFY2(apart < 1e-11, qPrintable(QString::number(apart)));
    }
}

// Without synchronised passes: 2 ranks × b 4 pool what one process pools with b 4.
void TestSharedWindows::batchNormOfTheWindowPoolsAllRanks()
{
    Experiment experiment = experimentOf(Precision::Float64);
    experiment.model.norm = Norm::Batch;
    experiment.model.batchnormWindow = true;
    const double apart = distance(experiment, planOf(24, 4, 2), planOf(24, 4, 1), 1);
    QVERIFY2(apart < 1e-12, qPrintable(QString::number(apart)));
}

QTEST_GUILESS_MAIN(TestSharedWindows)
#include "tst_shared_windows.moc"
