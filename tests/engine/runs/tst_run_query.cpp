// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_query.h"

#include <QTest>

#include "tests/ui/models/run_records.h"

using namespace accrue;

class TestRunQuery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decidesByWordsAndConditions_data();
    void decidesByWordsAndConditions();
    void saysWhatItDoesNotUnderstand_data();
    void saysWhatItDoesNotUnderstand();
    void findsEveryStateByTheWordThatIsShown();
    void isEmptyWithoutText();
    void aRunWithoutAValueFailsEveryComparison();
    void accuracyIsThatOfValidationWhereThereIsOne();
};

// name "group norm try", b 32, N 4, B 128, norm group, lr 0.04, accuracy 0.9871, 200 MiB, 12.5 s.
static RunRecord example()
{
    RunRecord run = recordOf(12);
    run.name = "group norm try";
    run.note = "Second seed, Größe";
    run.tags = { "baseline", "seed2" };
    run.sweep = 3;
    run.experiment.model.norm = Norm::Group;
    run.experiment.optimizer.lr = 0.04;
    run.bestTestAccuracy = 0.9871;
    return run;
}

void TestRunQuery::decidesByWordsAndConditions_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char* text, bool matches) {
        QTest::newRow(text) << QByteArray(text) << matches;
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
    row("sweep=3", true);
    row("sweep=4", false);
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
    row("time<5m", true); // minutes
    row("time>0.3m", false);
    row("model.batchnorm_momentum=corrected", false); // a word beside numbers
    row("state=finished", true);
    row("state=completed", true);
    row("state=Completed", true);
    row("state=stopped", false);
    row("state!=stopped", true);
    row("state=stopped,completed", true);
    row("outcome=completed", true);
    row("lr=0.05,0.02", false);
    row("lr=0.05,0.04", true);
    row("lr!=0.05,0.04", false);
    row("lr = 0.05,0.04 norm=none,group", true);
    row("tag=baseline", true);
    row("tag=Baseline,other", true);
    row("tag=base", false);
    row("tag:baseline norm:group b:32", true); // as other programs have it
    row("tag:other", false);
    row("tag:other,baseline", true);
    row("note:", false); // words, which no note has
    row("b:large", false);
    row("tag!=draft", true);
    row("seed2", true);
    row("GRÖßE", true);
    row("name=größe", false);
    row("note=\"seed, größe\"", true);
    row("note!=\"!=<x\"", true); // quoted signs mean nothing
    row("note=\"=seed\"", false);
    row("note=größe,nothing", true);
    row("test_loss<0.1 step>=100", true);
    row("batch.micro=32", true); // as it took effect
    row("norm\u3000=\u3000group", true); // as an input method writes blanks
    row("name=norm", true);
    row("model.norm=group", true);
    row("optimizer.momentum=0.9", true);
    row("optimizer.momentum>0.9", false);
    row("data.shuffle=true", true);
    row("norm=group b<=32 accuracy>0.98 try", true);
    row("lr=0.05 OR lr=0.04", true); // one of both
    row("lr=0.04 OR lr=0.05", true);
    row("lr=0.05 OR lr=0.02", false);
    row("lr=0.05 or lr=0.04", true); // small, between two terms
    row("seed or fourth", false); // a word that is searched for
    row("lr=0.05 || norm=group", true);
    row("lr=0.05 OR norm=group b=16", false); // in each of them all terms must hold
    row("lr=0.05 b=32 OR norm=group b=32", true);
    row("third OR try", true);
    row("third OR fourth OR second", true);
    row("norm=group AND b=32", true);
    row("norm=group && b=16", false);
}

void TestRunQuery::decidesByWordsAndConditions()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, matches);
    const RunQuery filter = RunQuery::parse(text.toStdString());
    QCOMPARE(filter.problem().english(), std::string());
    QCOMPARE(filter.matches(example()), matches);
}

void TestRunQuery::saysWhatItDoesNotUnderstand_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("unknown key") << QByteArray("nrom=group") << QByteArray("nrom");
    QTest::newRow("a slip") << QByteArray("accurazy>0.5") << QByteArray("Did you mean accuracy?");
    QTest::newRow("nothing after or")
        << QByteArray("lr=0.04 OR") << QByteArray("OR needs a condition before and after it");
    QTest::newRow("nothing before or") << QByteArray("OR lr=0.04") << QByteArray("OR needs");
    QTest::newRow("or twice") << QByteArray("lr=0.04 OR OR lr=0.02") << QByteArray("OR needs");
    QTest::newRow("brackets") << QByteArray("(lr=0.05 OR lr=0.02) b=16")
                              << QByteArray("Brackets are not supported");
    QTest::newRow("a list that is compared")
        << QByteArray("b<32,64") << QByteArray("only = and !=");
    QTest::newRow("no value") << QByteArray("norm=") << QByteArray("value");
    QTest::newRow("not a number") << QByteArray("b<many") << QByteArray("many");
    QTest::newRow("two signs") << QByteArray("b==32") << QByteArray("too many operators");
    QTest::newRow("not equal, twice") << QByteArray("b!==32") << QByteArray("too many operators");
    QTest::newRow("signs in another order")
        << QByteArray("b=<32") << QByteArray("too many operators");
    QTest::newRow("equals no number")
        << QByteArray("b=32x") << QByteArray("\"32x\" is not a number");
    QTest::newRow("one of a list is no number")
        << QByteArray("lr!=0.05,fast") << QByteArray("\"fast\" is not a number");
    QTest::newRow("a setting equals no number")
        << QByteArray("optimizer.momentum=high") << QByteArray("\"high\" is not a number");
    QTest::newRow("minutes of what is no time") << QByteArray("memory<3m") << QByteArray("number");
    QTest::newRow("unknown unit") << QByteArray("memory<3furlongs") << QByteArray("number");
}

void TestRunQuery::saysWhatItDoesNotUnderstand()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, named);
    const RunQuery filter = RunQuery::parse(text.toStdString());
    QVERIFY2(filter.problem().english().find(named.toStdString()) != std::string::npos,
        filter.problem().english().c_str());
    QVERIFY(filter.matches(example())); // what is not understood hides nothing
}

void TestRunQuery::findsEveryStateByTheWordThatIsShown()
{
    const auto finds = [](const char* text, const RunRecord& run) {
        return RunQuery::parse(text).matches(run);
    };
    RunRecord run = example();
    run.outcome = RunOutcome::OutOfMemory;
    for (const char* text :
        { "state=out_of_memory", "state=out-of-memory", "state=\"out of memory\"",
            "outcome=out-of-memory", "state=finished", "\"out of memory\"" })
        QVERIFY2(finds(text, run), text);
    run.outcome.reset();
    for (const auto& [state, word] :
        { std::pair { RunState::Queued, "state=queued" }, { RunState::Running, "state=running" },
            { RunState::Paused, "state=paused" }, { RunState::Interrupted, "state=interrupted" },
            { RunState::Unknown, "state=unknown" } }) {
        run.state = state;
        QVERIFY2(finds(word, run), word);
        QVERIFY(!finds("state=finished", run));
        QVERIFY(!finds("state=completed", run));
    }
}

void TestRunQuery::isEmptyWithoutText()
{
    QVERIFY(RunQuery::parse("  ").isEmpty());
    QVERIFY(!RunQuery::parse("x").isEmpty());
    QVERIFY(!RunQuery::parse("x OR y").isEmpty());
    QVERIFY(RunQuery::parse("nrom=group").isEmpty());
}

void TestRunQuery::aRunWithoutAValueFailsEveryComparison()
{
    RunRecord run = example();
    run.bestTestAccuracy.reset();
    for (const char* text : { "accuracy>0", "accuracy<1", "accuracy=0.5" })
        QVERIFY2(!RunQuery::parse(text).matches(run), text);
    QVERIFY(RunQuery::parse("accuracy!=0.5").matches(run));
}

void TestRunQuery::accuracyIsThatOfValidationWhereThereIsOne()
{
    RunRecord run = example();
    QVERIFY(RunQuery::parse("accuracy>98%").matches(run));
    run.bestValidationAccuracy = 0.97;
    QVERIFY(!RunQuery::parse("accuracy>98%").matches(run));
    QVERIFY(RunQuery::parse("accuracy=97%").matches(run));
}

QTEST_GUILESS_MAIN(TestRunQuery)
#include "tst_run_query.moc"
