// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/run_grouping.h"

#include "tests/ui/models/run_records.h"

#include <QTest>

using namespace accrue;

class TestRunGrouping : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isReadAndWrittenAsText()
    {
        for (const char* text : { "", "seeds", "norm", "norm, b, optimizer.momentum" })
            QCOMPARE(RunGrouping::of(QLatin1String(text)).text(), QLatin1String(text));
        QCOMPARE(RunGrouping::of(QStringLiteral(" norm ,nonsense b b")).text(),
            QStringLiteral("norm, b"));
        QVERIFY(!RunGrouping::of(QStringLiteral("nonsense")).isOn());
    }

    void seedsAreAllThatMayDiffer()
    {
        const RunGrouping seeds = RunGrouping::of(QLatin1String(RunGrouping::kSeeds));
        RunRecord run = recordOf(1);
        RunRecord other = recordOf(2);
        other.experiment.run.seed = 77;
        other.experiment.name = other.name = "another name";
        other.threads = 5;
        QCOMPARE(seeds.groupOf(run), seeds.groupOf(other));
        other.experiment.optimizer.lr = 0.123;
        QVERIFY(seeds.groupOf(run) != seeds.groupOf(other));
    }

    void nearlyEqualNumbersAreTwoGroups()
    {
        const RunGrouping rates = RunGrouping::of(QStringLiteral("lr"));
        RunRecord run = recordOf(1);
        RunRecord other = recordOf(2);
        run.experiment.optimizer.lr = 1e-9;
        other.experiment.optimizer.lr = 2e-9;
        QVERIFY(rates.groupOf(run) != rates.groupOf(other));
    }

    void aMissingValueIsAGroupOfItsOwn()
    {
        const RunGrouping tags = RunGrouping::of(QStringLiteral("tag"));
        RunRecord run = recordOf(1);
        QCOMPARE(tags.titleOf(run), QStringLiteral("tag = –"));
        run.tags = { "a", "b" };
        RunRecord other = recordOf(2);
        other.tags = { "a" };
        QVERIFY(tags.groupOf(run) != tags.groupOf(other));
    }
};

QTEST_GUILESS_MAIN(TestRunGrouping)
#include "tst_run_grouping.moc"
