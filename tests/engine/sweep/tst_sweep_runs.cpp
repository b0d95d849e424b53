// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_runs.h"

#include <QtTest>

#include <set>

#include "engine/experiment/key_names.h"

using namespace accrue;

namespace {

// B = 128 = 32 × 4.
SweepDefinition sweepOf(std::initializer_list<const char*> axes)
{
    SweepDefinition sweep;
    sweep.base.name = "base";
    for (const char* text : axes) {
        const ParsedAxis parsed = parseAxis(text);
        if (!parsed.axis)
            qFatal("%s", parsed.problems.front().message.english().c_str());
        sweep.axes.push_back(*parsed.axis);
    }
    return sweep;
}

QStringList namesOf(const SweepRuns& expanded)
{
    QStringList names;
    for (const SweepRun& run : expanded.runs)
        names << QString::fromStdString(run.name());
    return names;
}

QString messageOf(const Findings& findings)
{
    return findings.empty() ? QString()
                            : QString::fromStdString(findings.front().message.english());
}

QString planOf(const SweepRun& run)
{
    if (!run.resolved)
        return QStringLiteral("–");
    const BatchPlan& plan = run.resolved->plan;
    return QStringLiteral("%1 × %2 = %3").arg(plan.micro).arg(plan.steps).arg(plan.effective);
}

QStringList plansOf(const SweepRuns& expanded)
{
    QStringList plans;
    for (const SweepRun& run : expanded.runs)
        plans << planOf(run);
    return plans;
}

} // namespace

class TestSweepRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastKeyVariesFastest()
    {
        const SweepDefinition sweep = sweepOf({ "model.norm=none,group", "optimizer.lr=0.1,0.2" });
        QVERIFY(checkSweep(sweep).empty());
        QCOMPARE(countRuns(sweep), 4);
        const SweepRuns expanded = expand(sweep);
        QCOMPARE(namesOf(expanded),
            QStringList({ "base norm=none, lr=0.1", "base norm=none, lr=0.2",
                "base norm=group, lr=0.1", "base norm=group, lr=0.2" }));
        QVERIFY(expanded.notes.empty());
        const SweepRun& last = expanded.runs.back();
        QCOMPARE(last.experiment.model.norm, Norm::Group);
        QCOMPARE(last.experiment.optimizer.lr, 0.2);
        QCOMPARE(last.resolved->experiment, last.experiment);
        QCOMPARE(
            last.values, (Settings { { key::modelNorm, "group" }, { key::optimizerLr, 0.2 } }));
    }

    void eachSeedHasAllCombinations()
    {
        SweepDefinition sweep = sweepOf({ "optimizer.lr=0.1,0.2" });
        sweep.base.run.seed = 7;
        sweep.seeds = 2;
        QCOMPARE(namesOf(expand(sweep)),
            QStringList({ "base lr=0.1, seed=7", "base lr=0.2, seed=7", "base lr=0.1, seed=8",
                "base lr=0.2, seed=8" }));
    }

    void seedsAloneAreASweep()
    {
        SweepDefinition sweep = sweepOf({});
        sweep.seeds = 3;
        QVERIFY(checkSweep(sweep).empty());
        QCOMPARE(
            namesOf(expand(sweep)), QStringList({ "base seed=1", "base seed=2", "base seed=3" }));
    }

    void batchNumbersFollowAsInARecipe()
    {
        QCOMPARE(plansOf(expand(sweepOf({ "batch.micro=8,64" }))),
            QStringList({ "8 × 4 = 32", "64 × 4 = 256" }));
    }

    void theEffectiveBatchCanStay_data()
    {
        QTest::addColumn<QByteArray>("axis");
        QTest::addColumn<QStringList>("plans");
        QTest::newRow("b") << QByteArray("batch.micro=8,48,128")
                           << QStringList({ "8 × 16 = 128", "48 × 3 = 128", "128 × 1 = 128" });
        QTest::newRow("N") << QByteArray("batch.steps=1,3,16")
                           << QStringList({ "128 × 1 = 128", "43 × 3 = 128", "8 × 16 = 128" });
        QTest::newRow("W") << QByteArray("batch.devices=1,2")
                           << QStringList({ "32 × 4 = 128", "32 × 2 = 128" });
        QTest::newRow("another key") << QByteArray("optimizer.lr=0.1,0.2")
                                     << QStringList({ "32 × 4 = 128", "32 × 4 = 128" });
    }
    void theEffectiveBatchCanStay()
    {
        QFETCH(QByteArray, axis);
        SweepDefinition sweep = sweepOf({ axis.constData() });
        sweep.keepsEffective = true;
        QVERIFY(checkSweep(sweep).empty());
        QTEST(plansOf(expand(sweep)), "plans");
    }

    void combinationsThatDoNotAgreeAreNamed()
    {
        SweepDefinition sweep = sweepOf({ "batch.micro=16,32", "batch.steps=4,8" });
        sweep.keepsEffective = true;
        const SweepRuns expanded = expand(sweep);
        QCOMPARE(plansOf(expanded), QStringList({ "–", "16 × 8 = 128", "32 × 4 = 128", "–" }));
        QVERIFY(hasErrors(expanded.runs[0].findings));
        QVERIFY2(messageOf(expanded.runs[0].findings).contains("batch.steps = 8"),
            qPrintable(messageOf(expanded.runs[0].findings)));
        QCOMPARE(namesOf(expanded)[0], QStringLiteral("base b=16, N=4"));
    }

    void anImpossibleValueOfOneRunLeavesTheOthers()
    {
        SweepDefinition sweep = sweepOf({ "model.groups=2,3" });
        sweep.base.model.norm = Norm::Group;
        const SweepRuns expanded = expand(sweep);
        QVERIFY(expanded.runs[0].canRun());
        QVERIFY(!expanded.runs[1].canRun());
        QCOMPARE(expanded.runs[1].findings.front().key, std::string(key::modelGroups));
    }

    void aRunHasTheWarningsThatItsBaseLacks()
    {
        SweepDefinition sweep = sweepOf({ "batch.micro=2,32" });
        sweep.base.model.norm = Norm::Batch;
        sweep.base.optimizer.beta1 = 0.5; // not read by sgd: a warning of the base
        const SweepRuns expanded = expand(sweep);
        QVERIFY(expanded.runs[0].canRun());
        QVERIFY(!expanded.runs[0].findings.empty());
        for (const SweepRun& run : expanded.runs)
            for (const Finding& finding : run.findings)
                QVERIFY2(finding.key.find("beta1") == std::string::npos, finding.key.c_str());
    }

    void runsThatWouldTrainTheSameAreOne()
    {
        const SweepRuns expanded =
            expand(sweepOf({ "model.norm=batch,group", "model.groups=2,1" }));
        QCOMPARE(namesOf(expanded),
            QStringList(
                { "base norm=batch", "base norm=group, groups=2", "base norm=group, groups=1" }));
        QCOMPARE(messageOf(expanded.notes),
            QStringLiteral(
                "1 run trains the same as others and was left out: norm=batch, groups=1 is the "
                "same training as norm=batch, groups=2."));
    }

    void aKeyWithoutEffectIsNoWarningOfARun()
    {
        for (const SweepRun& run :
            expand(sweepOf({ "model.norm=none,group", "model.groups=2,1" })).runs)
            QCOMPARE(messageOf(run.findings), QString());
    }

    void batchNumbersThatSolveAlikeAreOne()
    {
        SweepDefinition sweep = sweepOf({ "batch.micro=128,256,300" });
        sweep.keepsEffective = true;
        const SweepRuns expanded = expand(sweep);
        QCOMPARE(plansOf(expanded), QStringList({ "128 × 1 = 128" }));
        QVERIFY(messageOf(expanded.notes)
                    .startsWith("2 runs train the same as others and were left out"));
    }

    void aValueThatIsListedTwiceIsOneRun()
    {
        QCOMPARE(expand(sweepOf({ "optimizer.lr=0.1,0.1,0.2" })).runs.size(), 2U);
    }

    void longNamesAreCut()
    {
        SweepDefinition sweep = sweepOf({ "optimizer.lr=0.1,0.2" });
        sweep.base.name = std::string(199, 'x');
        for (const SweepRun& run : expand(sweep).runs)
            QVERIFY(run.canRun());
    }

    // ---- random ----

    void randomCombinationsAreDifferentAndTheSameEachTime()
    {
        SweepDefinition sweep = sweepOf({ "optimizer.lr=0.001..1:log", "batch.micro=8,16,32" });
        sweep.random = 50;
        const QStringList names = namesOf(expand(sweep));
        QCOMPARE(names.size(), 50);
        QCOMPARE(std::set<QString>(names.begin(), names.end()).size(), 50U);
        QCOMPARE(namesOf(expand(sweep)), names);
        sweep.base.run.seed = 2;
        QVERIFY(namesOf(expand(sweep)) != names);
    }

    void aLargeGridIsDrawnFromWithoutAnExpansion()
    {
        SweepDefinition sweep = sweepOf({ "run.epochs=1..1000000000", "batch.micro=1..1000000",
            "run.limit_steps=1..1000000000" });
        sweep.random = 20;
        QVERIFY(checkSweep(sweep).empty());
        QCOMPARE(expand(sweep).runs.size(), 20U);
    }

    void moreThanThereAreAreAll()
    {
        SweepDefinition sweep = sweepOf({ "batch.micro=1..3", "optimizer.lr=0.1,0.2" });
        sweep.random = 7;
        const SweepRuns expanded = expand(sweep);
        QCOMPARE(expanded.runs.size(), 6U);
        QCOMPARE(messageOf(expanded.notes),
            QStringLiteral(
                "There are only 6 different combinations, fewer than the 7 random ones that "
                "were requested; the sweep has all of them."));
        sweep.random = 6;
        QCOMPARE(expand(sweep).runs.size(), 6U);
        QVERIFY(expand(sweep).notes.empty());
        sweep.random = 5;
        QCOMPARE(expand(sweep).runs.size(), 5U);
    }

    // ---- order ----

    void runsAreOrderedByWhatIsPredicted()
    {
        SweepDefinition sweep = sweepOf({ "optimizer.lr=0.1,0.2,0.3,0.4" });
        std::vector<SweepRun> runs = expand(sweep).runs;
        runs[0].prediction = { .peakBytes = 30, .time = PredictedTime { 1 } };
        runs[1].resolved.reset();
        runs[1].prediction = { .peakBytes = 1, .time = PredictedTime { 1 } };
        runs[3].prediction = { .peakBytes = 20, .time = PredictedTime { 2 } };
        const auto rates = [](const std::vector<SweepRun>& of) {
            QStringList texts;
            for (const SweepRun& run : of)
                texts << QString::number(run.experiment.optimizer.lr);
            return texts;
        };
        order(runs, SweepOrder::Given);
        QCOMPARE(rates(runs), QStringList({ "0.1", "0.2", "0.3", "0.4" }));
        order(runs, SweepOrder::Memory);
        QCOMPARE(rates(runs), QStringList({ "0.4", "0.1", "0.3", "0.2" }));
        order(runs, SweepOrder::Time);
        QCOMPARE(rates(runs), QStringList({ "0.1", "0.4", "0.3", "0.2" }));
    }

    // ---- what is refused ----

    void whatIsWrongIsNamed_data()
    {
        QTest::addColumn<SweepDefinition>("sweep");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const SweepDefinition& sweep, const char* message) {
            QTest::newRow(name) << sweep << QString::fromUtf8(message);
        };
        row("nothing", sweepOf({}),
            "Nothing varies in this sweep; let a key vary, such as batch.micro=8,16,32, or use "
            "several seeds.");
        row("twice", sweepOf({ "batch.micro=8", "batch.micro=16" }),
            "batch.micro varies twice; list all its values once.");
        row("name", sweepOf({ "name=a,b" }),
            "name cannot vary: the runs of a sweep are named after what differs in them.");
        SweepDefinition seeds = sweepOf({ "run.seed=1,2" });
        seeds.seeds = 2;
        row("seeds", seeds,
            "run.seed varies twice, as a key and by a number of seeds; leave one of them out.");
        seeds = sweepOf({});
        seeds.seeds = 0;
        row("no seed", seeds, "The number of seeds is 0; allowed: whole number from 1 to 10 000.");
        seeds.seeds = 2;
        seeds.base.run.seed = 9'223'372'036'854'775'807;
        row("last seed", seeds,
            "run.seed is 9223372036854775807, so 2 seeds would go beyond 9223372036854775807; use "
            "fewer "
            "seeds or another first one.");
        row("range", sweepOf({ "optimizer.lr=0.1..0.2" }),
            "optimizer.lr is 0.1..0.2, a range without a number of values; write 0.1..0.2:5 for "
            "five of "
            "them, or draw random combinations.");
        SweepDefinition kept = sweepOf({ "batch.effective=64,128" });
        kept.keepsEffective = true;
        row("effective", kept,
            "batch.effective changes the effective batch, which this sweep is to keep; leave one "
            "of them out.");
        SweepDefinition halved = sweepOf({ "optimizer.lr=0.1,0.2" });
        halved.halving = 1;
        row("halving", halved,
            "The factor of successive halving is 1; allowed: whole number from 2 to 100.");
        row("a billion", sweepOf({ "run.epochs=1..1000000", "batch.micro=1..1000" }),
            "The sweep would make 1 000 000 000 runs; allowed: at most 10 000. Use fewer values, "
            "or draw random combinations.");
        row("uncounted",
            sweepOf({ "run.epochs=1..1000000000", "batch.micro=1..1000000000",
                "run.limit_steps=1..1000000000" }),
            "The sweep would make more runs than can be counted; allowed: at most 10 000. Use "
            "fewer "
            "values, or draw random combinations.");
    }
    void whatIsWrongIsNamed()
    {
        QFETCH(SweepDefinition, sweep);
        const Findings findings = checkSweep(sweep);
        QCOMPARE(findings.size(), 1U);
        QTEST(messageOf(findings), "message");
    }
};

QTEST_GUILESS_MAIN(TestSweepRuns)
#include "tst_sweep_runs.moc"
