// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_request.h"

#include "engine/experiment/recipe.h"
#include "tests/engine/distributed/ranks_in_processes.h"

#include <QTest>

#include <ATen/Parallel.h>

using namespace accrue;
using namespace accrue::test;

namespace {

RankRequest requestOfRank0()
{
    RankRequest order;
    order.experiment.name = "b 32 × N 4";
    order.experiment.batch.devices = BatchNumber::given(2);
    order.experiment.data.path = "/data/größer";
    order.resumeFrom = "/runs/\xff not UTF-8/step-40";
    order.stopAfter = 7;
    order.evaluatesAtStop = true;
    order.dataDirectories = { "/data/one", "/data/two" };
    return order;
}

} // namespace

class TestRankRequest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankHasTheRequestOfTheFirst_data()
    {
        QTest::addColumn<bool>("isFull");
        QTest::newRow("with a checkpoint and folders") << true;
        QTest::newRow("with nothing of them") << false;
    }

    void everyRankHasTheRequestOfTheFirst()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
        QFETCH(bool, isFull);
        const RankRequest wanted = isFull ? requestOfRank0() : RankRequest {};
        const std::vector<RankResult> results = onRanks(2, [&](World& world) {
            const RankRequest got =
                requestOfFirst(world, "0.1.0", world.rank() == 0 ? wanted : RankRequest {});
            const bool isSame = writeRecipe(got.experiment) == writeRecipe(wanted.experiment)
                && got.resumeFrom == wanted.resumeFrom && got.stopAfter == wanted.stopAfter
                && got.evaluatesAtStop == wanted.evaluatesAtStop
                && got.dataDirectories == wanted.dataDirectories;
            return at::full({ 1 }, isSame ? 1.0 : 0.0);
        });
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QCOMPARE(rank.numbers.item<double>(), 1.0);
        }
    }

    // They cannot count the devices of the machine that rank 0 is on.
    void allDevicesAreANumberForTheOthers()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
        RankRequest all = requestOfRank0();
        all.experiment.batch.devices = { BatchNumber::Kind::All, 2 };
        const std::vector<RankResult> results = onRanks(2, [&](World& world) {
            const RankRequest got =
                requestOfFirst(world, "0.1.0", world.rank() == 0 ? all : RankRequest {});
            return at::full({ 1 }, static_cast<double>(got.experiment.batch.devices.value));
        });
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QCOMPARE(rank.numbers.item<double>(), 2.0);
        }
    }

    void anotherProgramIsNamed()
    {
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
        const std::vector<RankResult> results = onRanks(2, [](World& world) {
            requestOfFirst(world, world.rank() == 0 ? "0.1.0" : "0.1.1", {});
            return at::ones({ 1 });
        });
        for (const RankResult& rank : results)
            QVERIFY2(rank.problem.find("The program of rank 1 differs from that of rank 0")
                    != std::string::npos,
                rank.problem.c_str());
    }
};

QTEST_GUILESS_MAIN(TestRankRequest)
#include "tst_rank_request.moc"
