// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_details.h"

#include <QTest>

#include "engine/base/language.h"
#include "engine/base/sentences.h"
#include "tests/ui/models/run_records.h"

#include <algorithm>

using namespace accrue;

class TestRunDetails : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBatchIsASumThatIsTrue_data();
    void theBatchIsASumThatIsTrue();
    void aPlanThatMemoryCutSaysHow();
    void oneUpdateIsNotManyUpdates();
    void tagsStandThereWhereThereAreAny();
    void whatIsNotKnownIsLeftOut();
    void settingsThatNothingReadsAreLeftOutAndEmptyOnesAreNone();
    void settingsThatWereChangedComeFirst();
    void validationIsNamedWhereSamplesAreHeldOut();
    void theDataAreDescribedInTheLanguageOfTheWindow();
};

static QString valueOf(const RunRecord& run, const QString& title)
{
    for (const DetailSection& section : detailsOf(run))
        for (const auto& [name, value] : section.rows)
            if (name == title)
                return value;
    return {};
}

void TestRunDetails::theBatchIsASumThatIsTrue_data()
{
    QTest::addColumn<BatchPlan>("plan");
    QTest::addColumn<QString>("said");
    QTest::newRow("whole") << BatchPlan { 128, 32, 4, 1 }
                           << QStringLiteral("128 = 32 × 4; b 32, N 4");
    QTest::newRow("with a rest") << BatchPlan { 128, 25, 6, 1 }
                                 << QStringLiteral("128 = 5 × 25 + 3; b 25, N 6");
    QTest::newRow("impossible") << BatchPlan { 128, 0, 4, 1 } << QStringLiteral("128; b 0, N 4");
    QTest::newRow("one") << BatchPlan { 32, 32, 1, 1 } << QStringLiteral("32 = 32 × 1; b 32, N 1");
}

void TestRunDetails::theBatchIsASumThatIsTrue()
{
    QFETCH(BatchPlan, plan);
    QFETCH(QString, said);
    RunRecord run = recordOf(1);
    run.plan = plan;
    QCOMPARE(valueOf(run, QStringLiteral("Effective batch")), said);
}

void TestRunDetails::aPlanThatMemoryCutSaysHow()
{
    RunRecord run = recordOf(1);
    run.plan = { 128, 32, 4, 1 };
    QCOMPARE(valueOf(run, QStringLiteral("Split")), QString());
    run.cutMicro = 8;
    QCOMPARE(valueOf(run, QStringLiteral("Split")),
        QStringLiteral("b 8, N 16, after an out-of-memory error"));
    QVERIFY(valueOf(run, QStringLiteral("Effective batch")).endsWith(QLatin1String("b 32, N 4")));
}

void TestRunDetails::oneUpdateIsNotManyUpdates()
{
    RunRecord run = recordOf(1);
    run.epochPlan.windows = 1;
    QCOMPARE(valueOf(run, QStringLiteral("Epoch")), QStringLiteral("1 update per epoch"));
    run.epochPlan.tailSamples = 96;
    QCOMPARE(valueOf(run, QStringLiteral("Epoch")), QStringLiteral("1 update per epoch of 96"));
    run.epochPlan.windows = 469;
    QCOMPARE(valueOf(run, QStringLiteral("Epoch")),
        QStringLiteral("469 updates per epoch, the last one of 96"));
}

void TestRunDetails::settingsThatNothingReadsAreLeftOutAndEmptyOnesAreNone()
{
    RunRecord run = recordOf(1);
    const auto shown = [&run](const char* key) { return valueOf(run, QLatin1String(key)); };
    QCOMPARE(shown("Hidden widths"), QString());
    QCOMPARE(shown("Folder"), QString()); // the digits are built in
    QCOMPARE(shown("Augmentation"), QStringLiteral("none"));
    QCOMPARE(shown("Optimizer"), QStringLiteral("sgd"));
    run.experiment.model.name = ModelName::Mlp;
    run.experiment.data.name = DataName::Mnist;
    QCOMPARE(shown("Hidden widths"), QStringLiteral("512, 512"));
    QCOMPARE(shown("Folder"), QStringLiteral("none"));
}

void TestRunDetails::settingsThatWereChangedComeFirst()
{
    RunRecord run = recordOf(1);
    run.experiment.optimizer.lr = 0.5;
    run.experiment.model.norm = Norm::Group;
    const std::vector<DetailSection> sections = detailsOf(run);
    const auto named = [&](const char* title) {
        return std::find_if(
            sections.begin(), sections.end(), [title](const DetailSection& section) {
                return section.title == QLatin1String(title);
            });
    };
    const auto changed = named("Settings that differ from the defaults");
    const auto others = named("Settings at their defaults");
    QVERIFY(changed != sections.end() && others != sections.end());
    QVERIFY(changed < others);
    const std::vector<std::pair<QString, QString>> expected {
        { QStringLiteral("Normalisation layers"), QStringLiteral("group") },
        { QStringLiteral("Learning rate"), QStringLiteral("0.5") },
    };
    QCOMPARE(changed->rows, expected);
    for (const auto& [label, value] : others->rows)
        QVERIFY2(label != QLatin1String("Learning rate"), qPrintable(label));
}

void TestRunDetails::tagsStandThereWhereThereAreAny()
{
    RunRecord run = recordOf(1);
    QCOMPARE(valueOf(run, QStringLiteral("Tags")), QString());
    run.tags = { "baseline", "paper" };
    QCOMPARE(valueOf(run, QStringLiteral("Tags")), QStringLiteral("baseline, paper"));
}

void TestRunDetails::whatIsNotKnownIsLeftOut()
{
    RunRecord run = recordOf(1);
    run.throughput = 0;
    run.bestTestAccuracy.reset();
    QVERIFY(valueOf(run, QStringLiteral("Best test accuracy")).isEmpty());
    QVERIFY(valueOf(run, QStringLiteral("Throughput")).isEmpty());
    QVERIFY(!valueOf(run, QStringLiteral("Peak memory (training)")).isEmpty());
    QVERIFY(valueOf(run, QStringLiteral("Peak memory (evaluation)")).isEmpty());
    run.evaluationPeakBytes = 300 << 20;
    QCOMPARE(valueOf(run, QStringLiteral("Peak memory (evaluation)")), QStringLiteral("300 MiB"));
}

void TestRunDetails::validationIsNamedWhereSamplesAreHeldOut()
{
    RunRecord run = recordOf(1);
    run.finalTestAccuracy = 0.97;
    QVERIFY(!valueOf(run, QStringLiteral("Best test accuracy")).isEmpty());
    QVERIFY(valueOf(run, QStringLiteral("Validation")).isEmpty());
    run.bestValidationAccuracy = 0.96;
    run.finalValidationAccuracy = 0.955;
    run.finalValidationLoss = 0.125;
    run.bestStep = 40;
    QVERIFY(valueOf(run, QStringLiteral("Best test accuracy")).isEmpty());
    QCOMPARE(valueOf(run, QStringLiteral("Best validation accuracy")),
        QStringLiteral("96.00 % at step 40"));
    QCOMPARE(valueOf(run, QStringLiteral("Validation")), QStringLiteral("95.50 %, loss 0.125"));
    QVERIFY(valueOf(run, QStringLiteral("Test")).startsWith(QStringLiteral("97.00 %")));
}

void TestRunDetails::theDataAreDescribedInTheLanguageOfTheWindow()
{
    RunRecord run = recordOf(1);
    run.dataDescription = clausesOf({ Message::plain("digits"),
        Message("data.train_and_test", { { "train", 12 }, { "test", 2 } }),
        Message("data.built_in") });
    const QString english = valueOf(run, QStringLiteral("Data"));
    setLanguage(*findLanguage("zh_CN"));
    const QString chinese = valueOf(run, QStringLiteral("Data"));
    run.dataDescription = Message::plain("digits, 12 train"); // of an older log
    const QString older = valueOf(run, QStringLiteral("Data"));
    setLanguage(languages().front());
    QCOMPARE(english, QStringLiteral("digits, 12 train and 2 test, built in"));
    QCOMPARE(chinese, QStringLiteral("digits，12 个训练样本和 2 个测试样本，内置"));
    QCOMPARE(older, QStringLiteral("digits, 12 train"));
}

QTEST_GUILESS_MAIN(TestRunDetails)
#include "tst_run_details.moc"
