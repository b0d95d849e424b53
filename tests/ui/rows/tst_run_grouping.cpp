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

    void aGroupOfSeedsIsNamedWithoutTheSeedOfOneOfThem()
    {
        const RunGrouping seeds = RunGrouping::of(QLatin1String(RunGrouping::kSeeds));
        RunRecord run = recordOf(1);
        run.experiment.run.seed = 3;
        const auto titleOf = [&](const char* name) {
            run.name = name;
            return seeds.titleOf(run);
        };
        QCOMPARE(
            titleOf("night norm=group, b=32, seed=3"), QStringLiteral("night norm=group, b=32"));
        QCOMPARE(titleOf("seed=3, b=32"), QStringLiteral("b=32"));
        QCOMPARE(titleOf("digits seed 3"), QStringLiteral("digits"));
        QCOMPARE(titleOf("seed=30 try"), QStringLiteral("seed=30 try")); // another number
        QCOMPARE(titleOf("seed=3"), QStringLiteral("seed=3")); // a name of nothing else
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

    void keysOfOtherProgramsAreKeysLikeAnyOther()
    {
        const RunGrouping widths = RunGrouping::of(QStringLiteral("width, b"), { "width" });
        QCOMPARE(widths.text(), QStringLiteral("width, b"));
        RunRecord script = recordOf(1);
        script.source = RunSource::Script;
        script.settings = Settings { { "width", std::int64_t { 64 } } };
        QCOMPARE(widths.titleOf(script), QStringLiteral("width = 64"));
        RunRecord own = recordOf(2); // has no such key
        QCOMPARE(widths.titleOf(own), QStringLiteral("b = 32"));
        QVERIFY(widths.groupOf(script) != widths.groupOf(own));
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
