// SPDX-License-Identifier: Apache-2.0
// What a window exchanges, exactly, against the formulas that engine/insight/window_traffic.h
// predicts with. Four and eight ranks share the cores of this machine, so nothing is timed.
#include "engine/insight/window_traffic.h"

#include "engine/session/model_setup.h"
#include "engine/window/training_window.h"
#include "tests/engine/distributed/forwarding_world.h"
#include "tests/engine/distributed/ranks_in_processes.h"
#include "tests/engine/session/training_fixture.h"

#include <memory>
#include <tuple>
#include <vector>

#include <ATen/Parallel.h>
#include <QTest>

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr std::int64_t kSteps = 3;
constexpr std::int64_t kWindows = 2;
constexpr std::int64_t kMicro = 2; // samples of a micro-batch
constexpr std::int64_t kWidth = 8;
constexpr std::int64_t kFirstLayer = (28 * 28 + 1) * kWidth; // parameters
constexpr std::int64_t kLastLayer = (kWidth + 1) * 10;
constexpr std::int64_t kValue = 8; // bytes

const ResidentDataSet& pictures()
{
    static const ResidentDataSet data = smallDataSet(kMicro * kSteps * 8);
    return data;
}

Experiment experimentOf(Shard shard, Synchronize synchronize)
{
    Experiment experiment;
    experiment.model.name = ModelName::Mlp;
    experiment.model.widths = { kWidth };
    experiment.run.precision = Precision::Float64;
    experiment.distributed.shard = shard;
    experiment.distributed.synchronize = synchronize;
    return experiment;
}

// Collectives and bytes, after whole windows of whole micro-batches.
at::Tensor exchanged(const Experiment& experiment, World& world)
{
    const std::shared_ptr<Network> network = makeNetwork(experiment, pictures());
    RunControl control;
    TrainingWindow window(
        experiment, *network, pictures(), kMicro, control, /*meter=*/nullptr, world);
    const at::Tensor order = at::arange(pictures().train.images.size(0), at::kLong);
    for (std::int64_t update = 0; update < kWindows; ++update) {
        window.open({ .microBatches = kSteps });
        for (std::int64_t step = 0; step < kSteps; ++step) {
            const std::int64_t samples = kMicro * world.size();
            const Slice slice { .begin = step * samples, .samples = samples };
            window.add(order, shareOf(slice, world.rank(), world.size()));
        }
        window.close(experiment.optimizer.lr);
        window.read();
    }
    const Traffic traffic = world.traffic();
    return at::tensor({ static_cast<double>(traffic.calls), static_cast<double>(traffic.bytes) });
}

// Of so many values in equal parts of all ranks, with padding.
double paddedBytes(std::int64_t values, std::int64_t ranks)
{
    return static_cast<double>(kValue * ceilDivide(values, ranks) * ranks);
}

ScalingPoint pointOf(std::int64_t ranks, Shard shard, Synchronize synchronize)
{
    ScalingPoint point { ranks, kSteps, synchronize == Synchronize::MicroBatch, 0, 0 };
    switch (shard) {
    case Shard::None:
        point.gradientBytes = static_cast<double>(kValue * (kFirstLayer + kLastLayer));
        break;
    case Shard::Optimizer:
        point.sharding = Sharding::Optimizer;
        point.gradientBytes = paddedBytes(kFirstLayer + kLastLayer, ranks);
        break;
    case Shard::Parameters: // each layer is a chunk, because chunks have the size of the largest
        point.sharding = Sharding::Parameters;
        point.chunks = 2;
        point.keptBytes = paddedBytes(kLastLayer, ranks);
        point.gradientBytes = paddedBytes(kFirstLayer, ranks) + point.keptBytes;
        break;
    }
    return point;
}

// In a ring each part is whole bytes: of the two figures, the norm, and the verdict of one byte.
double smallBytesInRing(const ScalingPoint& point)
{
    const std::int64_t others = point.ranks - 1;
    const auto sum = [&](std::int64_t bytes) { return 2 * (bytes * others / point.ranks); };
    const bool hasNorm = point.sharding != Sharding::None;
    return static_cast<double>(sum(16) + sum(1) + (hasNorm ? sum(8) : 0));
}

// In shared memory a rank writes what it adds, unless each takes its own part of it also its share
// of the sum, and its part of what is gathered.
double largeBytesInMemory(const ScalingPoint& point)
{
    const auto ranks = static_cast<double>(point.ranks);
    const double sum = point.gradientBytes * (1 + 1 / ranks);
    const double gather = point.gradientBytes / ranks;
    const double sums = point.everyMicroBatch ? static_cast<double>(point.steps) : 1;
    switch (point.sharding) {
    case Sharding::None:
        return sums * sum;
    case Sharding::Optimizer:
        return (point.everyMicroBatch ? sums * sum : point.gradientBytes) + gather;
    case Sharding::Parameters:
        return static_cast<double>(point.steps)
            * (point.gradientBytes + 2 * gather - point.keptBytes / ranks);
    }
    return 0;
}

double smallBytesInMemory(const ScalingPoint& point)
{
    const auto sum = [&](std::int64_t bytes) { return bytes + bytes / point.ranks; };
    const bool hasNorm = point.sharding != Sharding::None;
    return static_cast<double>(sum(16) + sum(1) + (hasNorm ? sum(8) : 0));
}

} // namespace

Q_DECLARE_METATYPE(Shard)
Q_DECLARE_METATYPE(Synchronize)

class TestWindowExchange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
    }

    // The perceptron has a weight and a bias in each of two layers.
    void bucketsAreMoreCallsWithTheSameBytes_data()
    {
        QTest::addColumn<Synchronize>("synchronize");
        QTest::newRow("once per window") << Synchronize::Window;
        QTest::newRow("each slice") << Synchronize::MicroBatch;
    }

    void bucketsAreMoreCallsWithTheSameBytes()
    {
        QFETCH(Synchronize, synchronize);
        constexpr int kRanks = 4;
        const Experiment experiment = experimentOf(Shard::None, synchronize);
        const std::vector<RankResult> results = onRanks(
            kRanks,
            [&](World& world) {
                InSmallBuckets inBuckets(world);
                return exchanged(experiment, inBuckets);
            },
            Exchange::Sockets);
        ScalingPoint point = pointOf(kRanks, Shard::None, synchronize);
        point.buckets = 4;
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QCOMPARE(
                rank.numbers[0].item<double>(), static_cast<double>(kWindows * collectives(point)));
            QCOMPARE(rank.numbers[1].item<double>(),
                kWindows * (bytesSent(point) + smallBytesInRing(point)));
        }
    }

    void everyRankSendsExactlyWhatTheFormulaSays_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("inMemory");
        QTest::addColumn<Shard>("shard");
        QTest::addColumn<Synchronize>("synchronize");
        for (const int ranks : { 4, 8 })
            for (const bool inMemory : { false, true })
                for (const auto& [name, shard, when] :
                    { std::tuple { "whole, once per window", Shard::None, Synchronize::Window },
                        std::tuple { "whole, each slice", Shard::None, Synchronize::MicroBatch },
                        std::tuple { "optimizer", Shard::Optimizer, Synchronize::Window },
                        std::tuple {
                            "optimizer, each slice", Shard::Optimizer, Synchronize::MicroBatch },
                        std::tuple { "parameters", Shard::Parameters, Synchronize::Window } })
                    QTest::addRow("W %d, %s, %s", ranks, inMemory ? "memory" : "sockets", name)
                        << ranks << inMemory << shard << when;
    }

    void everyRankSendsExactlyWhatTheFormulaSays()
    {
        QFETCH(int, ranks);
        QFETCH(bool, inMemory);
        QFETCH(Shard, shard);
        QFETCH(Synchronize, synchronize);
        const Experiment experiment = experimentOf(shard, synchronize);
        const std::vector<RankResult> results = onRanks(
            ranks, [&](World& world) { return exchanged(experiment, world); },
            inMemory ? Exchange::Memory : Exchange::Sockets);
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            const auto numbers = rank.numbers.accessor<double, 1>();
            const ScalingPoint point = pointOf(ranks, shard, synchronize);
            QCOMPARE(numbers[0], static_cast<double>(kWindows * collectives(point)));
            const double bytes = inMemory ? largeBytesInMemory(point) + smallBytesInMemory(point)
                                          : bytesSent(point) + smallBytesInRing(point);
            QCOMPARE(numbers[1], kWindows * bytes);
        }
    }
};

QTEST_GUILESS_MAIN(TestWindowExchange)
#include "tst_window_exchange.moc"
