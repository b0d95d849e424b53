// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter.h"

#include <QTest>

#include "tests/ui/models/run_records.h"

using namespace accrue;

class TestRunFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decidesByWordsAndConditions_data();
    void decidesByWordsAndConditions();
    void saysWhatItDoesNotUnderstand_data();
    void saysWhatItDoesNotUnderstand();
    void isEmptyWithoutText();
    void aRunWithoutAValueFailsEveryComparison();
    void accuracyIsThatOfValidationWhereThereIsOne();
};

// name "group norm try", b 32, N 4, B 128, norm group, lr 0.04, accuracy 0.9871, 200 MiB, 12.5 s.
static RunRecord example()
{
    RunRecord run = recordOf(12);
    run.name = "group norm try";
    run.note = "Second seed";
    run.experiment.model.norm = Norm::Group;
    run.experiment.optimizer.lr = 0.04;
    run.bestTestAccuracy = 0.9871;
    return run;
}

void TestRunFilter::decidesByWordsAndConditions_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char* text, bool matches) {
        QTest::newRow(text) << QString::fromUtf8(text) << matches;
    };
    row("try", true);
    row("TRY second", true);
    row("try third", false);
    row("\"group norm\"", true);
    row("\"norm group\"", false);
    row("#12", true);
    row("completed", true);
    row("norm=group", true);
    row("norm!=group", false);
    row("norm=Group", true);
    row("norm=none", false);
    row("b<=32", true);
    row("b<32", false);
    row("b=32 B=128 N=4", true);
    row("B=32", false);
    row("b < 64 accuracy > 0.98", true);
    row("accuracy>98%", true);
    row("accuracy>99%", false);
    row("lr=0.04", true);
    row("lr=4e-2", true);
    row("memory<500MiB", true);
    row("memory>1GiB", false);
    row("time>12s time<1min", true);
    row("state=finished", true);
    row("outcome=completed", true);
    row("name=norm", true);
    row("model.norm=group", true);
    row("optimizer.momentum=0.9", true);
    row("optimizer.momentum>0.9", false);
    row("data.shuffle=true", true);
    row("norm=group b<=32 accuracy>0.98 try", true);
}

void TestRunFilter::decidesByWordsAndConditions()
{
    QFETCH(QString, text);
    QFETCH(bool, matches);
    const RunFilter filter = RunFilter::parse(text);
    QCOMPARE(filter.problem(), QString());
    QCOMPARE(filter.matches(example()), matches);
}

void TestRunFilter::saysWhatItDoesNotUnderstand_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("unknown key") << QStringLiteral("nrom=group") << QStringLiteral("nrom");
    QTest::newRow("no value") << QStringLiteral("norm=") << QStringLiteral("value");
    QTest::newRow("not a number") << QStringLiteral("b<many") << QStringLiteral("many");
    QTest::newRow("unknown unit") << QStringLiteral("memory<3furlongs") << QStringLiteral("number");
}

void TestRunFilter::saysWhatItDoesNotUnderstand()
{
    QFETCH(QString, text);
    QFETCH(QString, named);
    const RunFilter filter = RunFilter::parse(text);
    QVERIFY2(filter.problem().contains(named), qPrintable(filter.problem()));
    QVERIFY(filter.matches(example())); // what is not understood hides nothing
}

void TestRunFilter::isEmptyWithoutText()
{
    QVERIFY(RunFilter::parse(QStringLiteral("  ")).isEmpty());
    QVERIFY(!RunFilter::parse(QStringLiteral("x")).isEmpty());
}

void TestRunFilter::aRunWithoutAValueFailsEveryComparison()
{
    RunRecord run = example();
    run.bestTestAccuracy.reset();
    for (const char* text : { "accuracy>0", "accuracy<1", "accuracy=0.5" })
        QVERIFY2(!RunFilter::parse(QString::fromUtf8(text)).matches(run), text);
    QVERIFY(RunFilter::parse(QStringLiteral("accuracy!=0.5")).matches(run));
}

void TestRunFilter::accuracyIsThatOfValidationWhereThereIsOne()
{
    RunRecord run = example();
    QVERIFY(RunFilter::parse(QStringLiteral("accuracy>98%")).matches(run));
    run.bestValidationAccuracy = 0.97;
    QVERIFY(!RunFilter::parse(QStringLiteral("accuracy>98%")).matches(run));
    QVERIFY(RunFilter::parse(QStringLiteral("accuracy=97%")).matches(run));
}

QTEST_GUILESS_MAIN(TestRunFilter)
#include "tst_run_filter.moc"
