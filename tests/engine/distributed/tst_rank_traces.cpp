// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_traces.h"

#include "tests/engine/distributed/ranks_in_processes.h"

#include <QTest>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

using namespace accrue;
using namespace accrue::test;

namespace {

TracedMicroBatch tracedAt(std::int64_t microBatch, std::uint32_t checksum)
{
    return { .samples = 8 * microBatch, .microBatches = microBatch, .checksum = checksum };
}

// Micro-batch, metric (1: the bytes), rank and value of everything in the events, in their order.
at::Tensor numbersOf(const std::vector<RanksMeasured>& events)
{
    std::vector<double> numbers;
    for (const RanksMeasured& event : events)
        for (const MetricValue& each : event.values)
            for (const double number : { static_cast<double>(event.microBatches),
                     each.metric == "micro_batch_bytes" ? 1.0 : 0.0, static_cast<double>(each.rank),
                     each.value })
                numbers.push_back(number);
    return at::tensor(numbers, at::kDouble);
}

} // namespace

class TestRankTraces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
    }

    void everyRankHasTheChecksumsAndBytesOfAll_data()
    {
        QTest::addColumn<bool>("inMemory");
        QTest::addRow("memory") << true;
        QTest::addRow("sockets") << false;
    }

    // The second micro-batch of two ends the window: its gradient is summed. What is sent before
    // its begin, as by an evaluation, is not sent in it.
    void everyRankHasTheChecksumsAndBytesOfAll()
    {
        QFETCH(bool, inMemory);
        const std::vector<RankResult> results = onRanks(
            2,
            [](World& world) {
                RankTraces traces(world);
                const auto own = static_cast<std::uint32_t>(100 * (world.rank() + 1));
                traces.begin();
                traces.add(tracedAt(1, own));
                world.sum(at::ones({ 1000 }));
                traces.begin();
                const std::int64_t before = world.traffic().bytes;
                world.sum(at::ones({ 64 }));
                const auto sent = static_cast<double>(world.traffic().bytes - before);
                traces.add(tracedAt(2, own + 1));
                const at::Tensor all = numbersOf(traces.share(1, 1));
                const bool isCounted = static_cast<double>(world.traffic().bytes - before) != sent;
                return at::cat({ at::tensor({ sent, isCounted ? 1.0 : 0.0 }), all });
            },
            inMemory ? Exchange::Memory : Exchange::Sockets);
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            const double sent = rank.numbers[0].item<double>();
            QVERIFY(sent >= 256);
            QCOMPARE(
                rank.numbers[1].item<double>(), 0.0); // the exchange of the trace is no traffic
            QVERIFY(rank.numbers.slice(0, 2).equal(at::tensor(
                { 1., 0., 0., 100., 1., 1., 0., 0., 1., 0., 1., 200., 1., 1., 1., 0., //
                    2., 0., 0., 101., 2., 1., 0., sent, 2., 0., 1., 201., 2., 1., 1., sent },
                at::kDouble)));
        }
    }

    void oneRankSharesNothing()
    {
        RankTraces traces(World::alone());
        traces.begin();
        traces.add(tracedAt(1, 7));
        QVERIFY(traces.share(1, 1).empty());
    }

    void whatIsDroppedIsNotShared()
    {
        const std::vector<RankResult> results = onRanks(2, [](World& world) {
            RankTraces traces(world);
            traces.begin();
            traces.add(tracedAt(1, 7));
            traces.drop();
            return at::full({ 1 }, static_cast<double>(traces.share(1, 1).size()));
        });
        for (const RankResult& rank : results)
            QVERIFY(rank.problem.empty() && rank.numbers[0].item<double>() == 0);
    }
};

QTEST_APPLESS_MAIN(TestRankTraces)
#include "tst_rank_traces.moc"
