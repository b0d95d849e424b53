// SPDX-License-Identifier: Apache-2.0
#include "engine/door/rank_place.h"

#include "engine/base/error.h"

#include <QMap>
#include <unistd.h>

#include <QTest>

using namespace accrue;

namespace {

using Environment = QMap<QByteArray, QByteArray>;

const char* const kNames[] { "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR",
    "MASTER_PORT", "TORCHELASTIC_USE_AGENT_STORE", "TORCHELASTIC_RESTART_COUNT",
    "TORCHELASTIC_RUN_ID", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
    "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", "SLURM_PROCID", "SLURM_NTASKS",
    "SLURM_LOCALID", "SLURM_STEP_ID", "SLURM_STEP_TASKS_PER_NODE", "SLURM_NODEID" };

std::optional<RankPlace> placeIn(const Environment& environment)
{
    for (const char* name : kNames)
        qunsetenv(name);
    for (auto it = environment.begin(); it != environment.end(); ++it)
        qputenv(it.key().constData(), it.value());
    return rankFromEnvironment();
}

std::string refusalOf(const Environment& environment)
{
    try {
        placeIn(environment);
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

const Environment kTorchrun { { "RANK", "3" }, { "WORLD_SIZE", "4" }, { "LOCAL_RANK", "1" },
    { "MASTER_ADDR", "node-0" }, { "MASTER_PORT", "4711" },
    { "TORCHELASTIC_USE_AGENT_STORE", "True" } };

Environment with(Environment environment, const char* name, const char* value)
{
    environment[name] = value;
    return environment;
}

} // namespace

class TestRankPlace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aProcessWithoutALauncherIsAlone()
    {
        QVERIFY(!placeIn({}));
        QVERIFY(!placeIn({ { "RANK", "0" }, { "WORLD_SIZE", "1" } }));
    }

    void torchrunSaysAll()
    {
        const RankPlace place = placeIn(kTorchrun).value();
        QCOMPARE(place.rank, 3);
        QCOMPARE(place.ranks, 4);
        QCOMPARE(place.localRank, 1);
        QCOMPARE(place.address, std::string("node-0"));
        QCOMPARE(place.port, 4711);
        QVERIFY(place.storeRuns);
        QVERIFY(!placeIn(with(kTorchrun, "TORCHELASTIC_USE_AGENT_STORE", "False"))->storeRuns);
    }

    // Several launches may have one name; the process that starts the ranks tells them apart.
    void torchrunNamesALaunchAndItsAttempts()
    {
        const Environment again = with(kTorchrun, "TORCHELASTIC_RESTART_COUNT", "2");
        const RankPlace named = placeIn(with(again, "TORCHELASTIC_RUN_ID", "7f3a")).value();
        QCOMPARE(named.attempt, 2);
        const std::string starter = "7f3a " + std::to_string(::getppid()) + " since ";
        QVERIFY2(named.launch.starts_with(starter), named.launch.c_str());
        QVERIFY(std::stoll(named.launch.substr(starter.size())) > 0);
        QCOMPARE(placeIn(with(again, "TORCHELASTIC_RUN_ID", "7f3a"))->launch, named.launch);
        QCOMPARE(placeIn(kTorchrun)->launch, std::string());
    }

    void mpirunOfOneMachineNeedsNoAddress()
    {
        const Environment mpirun { { "OMPI_COMM_WORLD_RANK", "1" }, { "OMPI_COMM_WORLD_SIZE", "2" },
            { "OMPI_COMM_WORLD_LOCAL_RANK", "1" }, { "OMPI_COMM_WORLD_LOCAL_SIZE", "2" } };
        const RankPlace place = placeIn(mpirun).value();
        QCOMPARE(place.rank, 1);
        QCOMPARE(place.localRank, 1);
        QCOMPARE(place.address, std::string("127.0.0.1"));
        QCOMPARE(place.port, 29'500);
        QVERIFY(!place.storeRuns);
        const std::string refusal = refusalOf(with(mpirun, "OMPI_COMM_WORLD_LOCAL_SIZE", "1"));
        QVERIFY2(refusal.find("MASTER_ADDR") != std::string::npos, refusal.c_str());
        QCOMPARE(
            placeIn(with(with(mpirun, "OMPI_COMM_WORLD_LOCAL_SIZE", "1"), "MASTER_ADDR", "node-0"))
                ->address,
            std::string("node-0"));
    }

    // A batch script has the numbers of its job, but it is one process.
    void srunCountsOnlyWithinAStep()
    {
        const Environment batch { { "SLURM_PROCID", "0" }, { "SLURM_NTASKS", "4" },
            { "SLURM_LOCALID", "0" } };
        QVERIFY(!placeIn(batch));
        const Environment step =
            with(with(batch, "SLURM_STEP_ID", "0"), "SLURM_STEP_TASKS_PER_NODE", "4");
        QCOMPARE(placeIn(step)->ranks, 4);
        QCOMPARE(placeIn(step)->address, std::string("127.0.0.1"));
        QVERIFY(!refusalOf(with(step, "SLURM_STEP_TASKS_PER_NODE", "2(x2)")).empty());
    }

    void theRanksOfThisMachineAreCounted_data()
    {
        QTest::addColumn<Environment>("environment");
        QTest::addColumn<int>("ranks");
        QTest::newRow("torchrun") << with(kTorchrun, "LOCAL_WORLD_SIZE", "2") << 2;
        QTest::newRow("nothing said, another machine") << kTorchrun << 1;
        QTest::newRow("nothing said, this machine")
            << with(kTorchrun, "MASTER_ADDR", "localhost") << 4;
        QTest::newRow("more than there are") << with(kTorchrun, "LOCAL_WORLD_SIZE", "9") << 4;
        QTest::newRow("torchrun within a step of srun")
            << with(with(kTorchrun, "LOCAL_WORLD_SIZE", "2"), "SLURM_NODEID", "1") << 2;
        QTest::newRow("mpirun") << Environment { { "OMPI_COMM_WORLD_RANK", "1" },
            { "OMPI_COMM_WORLD_SIZE", "4" }, { "OMPI_COMM_WORLD_LOCAL_SIZE", "3" },
            { "MASTER_ADDR", "node-0" } }
                                << 3;
        const Environment step { { "SLURM_PROCID", "0" }, { "SLURM_NTASKS", "7" },
            { "SLURM_STEP_ID", "0" }, { "MASTER_ADDR", "node-0" },
            { "SLURM_STEP_TASKS_PER_NODE", "2(x3),1" } };
        QTest::newRow("srun, the first") << with(step, "SLURM_NODEID", "0") << 2;
        QTest::newRow("srun, the third") << with(step, "SLURM_NODEID", "2") << 2;
        QTest::newRow("srun, the last") << with(step, "SLURM_NODEID", "3") << 1;
        QTest::newRow("srun, one that is not listed") << with(step, "SLURM_NODEID", "9") << 1;
    }

    void theRanksOfThisMachineAreCounted()
    {
        QFETCH(Environment, environment);
        QTEST(static_cast<int>(placeIn(environment)->localRanks), "ranks");
    }

    void aNumberThatIsNoneIsNamed_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("rank") << QByteArray("RANK") << QByteArray("4");
        QTest::newRow("negative") << QByteArray("RANK") << QByteArray("-1");
        QTest::newRow("ranks") << QByteArray("WORLD_SIZE") << QByteArray("four");
        QTest::newRow("local") << QByteArray("LOCAL_RANK") << QByteArray("1x");
        QTest::newRow("port") << QByteArray("MASTER_PORT") << QByteArray("70000");
    }

    void aNumberThatIsNoneIsNamed()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        const std::string refusal = refusalOf(with(kTorchrun, name.constData(), value.constData()));
        QVERIFY2(refusal.find(name.toStdString()) != std::string::npos, refusal.c_str());
        QVERIFY2(refusal.find(value.toStdString()) != std::string::npos, refusal.c_str());
    }
};

QTEST_APPLESS_MAIN(TestRankPlace)
#include "tst_rank_place.moc"
