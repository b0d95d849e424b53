// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_advice.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/fixes.h"

#include <QTest>

using namespace accrue;

namespace {

// 2 MiB and 64 KiB per sample, without speeds.
MemoryFit someFit()
{
    constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 16, 32, 64, 128 })
        points.push_back({ MemoryPhase::Backward, micro, 2 * kMiB + micro * kMiB / 16 });
    return { .law = fitMemoryLaw(std::move(points), 64),
        .trainSamples = 12'000,
        .totalBytes = 1024 * kMiB,
        .device = "cpu" };
}

LawQuestion question()
{
    Experiment experiment;
    experiment.batch.effective = BatchNumber::given(512);
    experiment.batch.micro = BatchNumber::given(32);
    return { experiment, solveBatch(experiment).plan, {}, someFit() };
}

} // namespace

class TestLawAdvice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutALawThereIsNothingToUse()
    {
        LawQuestion unmeasured = question();
        unmeasured.law.reset();
        for (const LawAdvice& advice : { adviseLargest(unmeasured), adviseFastest(unmeasured) }) {
            QVERIFY(!advice.fix && advice.choice.isEmpty());
            QVERIFY(advice.whyNot.startsWith(QLatin1String("Measure first")));
        }
    }

    void theLargestThatFitsLeavesBAsItIs()
    {
        const LawQuestion asked = question();
        const LawAdvice advice = adviseLargest(asked);
        QVERIFY(advice.whyNot.isEmpty());
        Experiment fixed = asked.experiment;
        QVERIFY(applyFix(fixed, advice.fix.value()).empty());
        QVERIFY(fixed.batch.micro.value > 32);
        QCOMPARE(solveBatch(fixed).plan->effective, std::int64_t { 512 });
        QCOMPARE(advice.choice, QStringLiteral("b = %1").arg(fixed.batch.micro.value));
    }

    void whatTheFormHasIsNotOffered()
    {
        LawQuestion asked = question();
        QVERIFY(applyFix(asked.experiment, adviseLargest(asked).fix.value()).empty());
        asked.plan = solveBatch(asked.experiment).plan;
        const LawAdvice advice = adviseLargest(asked);
        QVERIFY(!advice.fix && !advice.choice.isEmpty());
        QVERIFY(advice.whyNot.contains(QLatin1String("The form already has this micro-batch")));
    }

    void nothingFitsABudgetThatIsTooSmall()
    {
        LawQuestion asked = question();
        asked.experiment.memory.budget = Bytes { 1 << 20 };
        QCOMPARE(adviseLargest(asked).whyNot, QStringLiteral("No micro-batch fits."));
    }

    void anErrorOfTheDraftComesFirst()
    {
        LawQuestion asked = question();
        asked.plan.reset();
        asked.problem = QStringLiteral("model.groups is 7.");
        QCOMPARE(adviseLargest(asked).whyNot, asked.problem);
    }

    void withoutSpeedsNoSplitIsTheFastest()
    {
        const LawAdvice advice = adviseFastest(question());
        QVERIFY(!advice.fix && !advice.whyNot.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestLawAdvice)
#include "tst_law_advice.moc"
