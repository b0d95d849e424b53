// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/resolved.h"

#include <algorithm>
#include <limits>
#include <string>

#include <QTest>

#include <rapidcheck.h>

Q_DECLARE_METATYPE(accrue::ScheduleSettings)

using namespace accrue;

namespace {

BatchPlan planOf(
    std::int64_t effective, std::int64_t micro, std::int64_t smallest = 1, Tail tail = Tail::Flush)
{
    return { .effective = effective,
        .micro = micro,
        .steps = (effective + micro - 1) / micro,
        .solved = BatchPlan::Solved::Steps,
        .tail = tail,
        .smallestSlice = smallest };
}

} // namespace

class TestEpochPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEpochIsCutIntoWindowsAndATail();
    void aTailThatBatchNormCannotTakeIsAnError();
    void anEmptyTrainingSetIsAnError();
    void aWindowBeyondTheTrainingSetIsAWarning();
    void theWarmUpMustBeShorterThanTheRun_data();
    void theWarmUpMustBeShorterThanTheRun();
    void whatValidateHasSaidOfTheWarmUpIsNotSaidAgain();
    void microBatchesOfAnEpochAreTheSlicesOfItsWindows();
    void aTailThatIsDroppedIsNotComputed();
    void aTailThatIsCarriedIsNoUpdate();
    void anEpochBelowAWindowCannotBeDropped();
    void aCarriedPartThatBatchNormCannotTakeIsAnError();
    void updatesOfARunFollowTailAndLimit();
    void samplesThatAreLeftOutAreAWarning();
};

void TestEpochPlan::anEpochIsCutIntoWindowsAndATail()
{
    const EpochPlan mnist = planEpoch(planOf(128, 32), 60'000);
    QCOMPARE(mnist.samples, 60'000);
    QCOMPARE(mnist.windows, 469);
    QCOMPARE(mnist.tailSamples, 96);
    QCOMPARE(mnist.microBatches, 1875);
    const EpochPlan whole = planEpoch(planOf(100, 30), 12'000);
    QCOMPARE(whole.windows, 120);
    QCOMPARE(whole.tailSamples, 0);
    QCOMPARE(whole.microBatches, 480);
    const EpochPlan small = planEpoch(planOf(128, 32), 40);
    QCOMPARE(small.windows, 1);
    QCOMPARE(small.tailSamples, 40);
    QCOMPARE(small.microBatches, 2);
}

void TestEpochPlan::aTailThatBatchNormCannotTakeIsAnError()
{
    QVERIFY(hasErrors(checkEpoch({}, planOf(128, 32, 2), 129)));
    QVERIFY(hasErrors(checkEpoch({}, planOf(128, 2, 2), 131)));
    QVERIFY(checkEpoch({}, planOf(128, 32, 2), 128 + 33).empty());
    QVERIFY(checkEpoch({}, planOf(128, 32, 1), 129).empty());
}

void TestEpochPlan::anEmptyTrainingSetIsAnError()
{
    QVERIFY(hasErrors(checkEpoch({}, planOf(128, 32), 0)));
}

void TestEpochPlan::aWindowBeyondTheTrainingSetIsAWarning()
{
    const Findings findings = checkEpoch({}, planOf(128, 32), 100);
    QCOMPARE(findings.size(), 1u);
    QVERIFY(!hasErrors(findings));
    QCOMPARE(findings.front().key, std::string("batch.effective"));
}

// 10 updates an epoch.
void TestEpochPlan::theWarmUpMustBeShorterThanTheRun_data()
{
    QTest::addColumn<ScheduleSettings>("schedule");
    QTest::addColumn<int>("epochs");
    QTest::addColumn<int>("limit");
    QTest::addColumn<QString>("key"); // of the error; empty: there is none
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, std::int64_t steps, std::int64_t warmUpEpochs, int epochs,
                         int limit, const char* key = "", const char* part = "") {
        const ScheduleSettings schedule { .warmupSteps = steps, .warmupEpochs = warmUpEpochs };
        QTest::newRow(name) << schedule << epochs << limit << QString(key) << QString(part);
    };
    row("none", 0, 0, 1, 0);
    row("none, and one step", 0, 0, 1, 1);
    row("one update is left", 29, 0, 3, 0);
    row("none is left", 30, 0, 3, 0, "schedule.warmup_steps", "a warm-up of 30 updates");
    row("both, one is left", 9, 2, 3, 0);
    row("both, none is left", 10, 2, 3, 0, "schedule.warmup_steps",
        "the run has 30 (10 per epoch)");
    row("epochs, and a limit that is longer", 0, 1, 3, 11);
    row("epochs, and a limit", 0, 1, 3, 10, "schedule.warmup_epochs", "but the run has 10 ");
    row("both, and a limit", 5, 1, 3, 15, "schedule.warmup_steps", "but the run has 15 ");
    row("a limit beyond the epochs", 15, 1, 2, 100, "schedule.warmup_steps", "run has 20 ");
}

void TestEpochPlan::theWarmUpMustBeShorterThanTheRun()
{
    QFETCH(ScheduleSettings, schedule);
    QFETCH(int, epochs);
    QFETCH(int, limit);
    QFETCH(QString, key);
    QFETCH(QString, part);
    Experiment experiment;
    experiment.schedule = schedule;
    experiment.run.epochs = epochs;
    experiment.run.limitSteps = limit;
    const Findings findings = checkEpoch(experiment, planOf(128, 32), 1280);
    QCOMPARE(findings.size(), key.isEmpty() ? 0u : 1u);
    if (key.isEmpty())
        return;
    QVERIFY(hasErrors(findings));
    QCOMPARE(QString::fromStdString(findings.front().key), key);
    const QString message = QString::fromStdString(findings.front().message.english());
    QVERIFY2(message.contains(part), qPrintable(message));
}

void TestEpochPlan::whatValidateHasSaidOfTheWarmUpIsNotSaidAgain()
{
    Experiment experiment;
    experiment.schedule.warmupEpochs = experiment.run.epochs;
    QVERIFY(checkEpoch(experiment, planOf(128, 32), 1280).empty());
    experiment.schedule = { .warmupSteps = 50 };
    experiment.run.limitSteps = 50;
    QVERIFY(checkEpoch(experiment, planOf(128, 32), 1280).empty());
    experiment.run.epochs = std::numeric_limits<std::int64_t>::max();
    experiment.run.limitSteps = 0;
    QVERIFY(checkEpoch(experiment, planOf(128, 32), 1280).empty());
}

void TestEpochPlan::microBatchesOfAnEpochAreTheSlicesOfItsWindows()
{
    QVERIFY(rc::check("an epoch", [] {
        const auto effective = *rc::gen::inRange<std::int64_t>(1, 200);
        const auto micro = *rc::gen::inRange<std::int64_t>(1, effective + 1);
        const auto samples = *rc::gen::inRange<std::int64_t>(1, 2000);
        const BatchPlan plan = planOf(effective, micro);
        std::int64_t windows = 0;
        std::int64_t slices = 0;
        for (std::int64_t left = samples; left > 0; left -= effective, ++windows)
            slices += static_cast<std::int64_t>(sliceSizes(plan, std::min(left, effective)).size());
        const EpochPlan epoch = planEpoch(plan, samples);
        RC_ASSERT(epoch.windows == windows);
        RC_ASSERT(epoch.microBatches == slices);
        RC_ASSERT(epoch.tailSamples == samples % effective);
    }));
}

void TestEpochPlan::aTailThatIsDroppedIsNotComputed()
{
    const EpochPlan epoch = planEpoch(planOf(128, 32, 1, Tail::Drop), 60'000);
    QCOMPARE(epoch.windows, 468);
    QCOMPARE(epoch.tailSamples, 96);
    QCOMPARE(epoch.microBatches, 1872);
    QVERIFY(epoch.tail == Tail::Drop);
}

void TestEpochPlan::aTailThatIsCarriedIsNoUpdate()
{
    const EpochPlan epoch = planEpoch(planOf(128, 32, 1, Tail::Carry), 60'000);
    QCOMPARE(epoch.windows, 468);
    QCOMPARE(epoch.tailSamples, 96);
    QCOMPARE(epoch.microBatches, 1875);
}

void TestEpochPlan::anEpochBelowAWindowCannotBeDropped()
{
    BatchPlan plan = planOf(64, 32, 1, Tail::Drop);
    QVERIFY(checkEpoch({}, plan, 64).empty());
    const Findings findings = checkEpoch({}, plan, 63);
    QCOMPARE(findings.size(), 1u);
    QCOMPARE(findings.front().key, std::string("batch.tail"));
    QVERIFY(hasErrors(findings));
    plan.schedule = { { StepsFrom::Unit::Epoch, 0, 2 }, { StepsFrom::Unit::Epoch, 5, 3 } };
    QVERIFY(hasErrors(checkEpoch({}, plan, 95)));
    QVERIFY(!hasErrors(checkEpoch({}, plan, 96)));
}

// 65 samples in windows of 64 leave one; the next epoch leaves two, and so on.
void TestEpochPlan::aCarriedPartThatBatchNormCannotTakeIsAnError()
{
    const Findings findings = checkEpoch({}, planOf(64, 32, 2, Tail::Carry), 65);
    QCOMPARE(findings.size(), 1u);
    QCOMPARE(findings.front().key, std::string("batch.tail"));
    QVERIFY(QString::fromStdString(findings.front().message.english())
                .startsWith(QStringLiteral("Epoch 1 contributes 1 sample to a window")));
    QVERIFY(checkEpoch({}, planOf(64, 32, 2, Tail::Carry), 66).empty());
    QVERIFY(checkEpoch({}, planOf(64, 32, 1, Tail::Carry), 65).empty());
}

void TestEpochPlan::updatesOfARunFollowTailAndLimit()
{
    Experiment experiment;
    experiment.run.epochs = 10;
    QCOMPARE(totalUpdates(experiment, planOf(128, 32), 60'000), 4690);
    QCOMPARE(totalUpdates(experiment, planOf(128, 32, 1, Tail::Drop), 60'000), 4680);
    QCOMPARE(totalUpdates(experiment, planOf(128, 32, 1, Tail::Carry), 60'000), 4688); // 4687.5
    experiment.run.limitSteps = 100;
    QCOMPARE(totalUpdates(experiment, planOf(128, 32), 60'000), 100);
}

void TestEpochPlan::samplesThatAreLeftOutAreAWarning()
{
    BatchPlan plan = planOf(128, 32, 1, Tail::Drop);
    QVERIFY(checkEpoch({}, plan, 1280).empty());
    QVERIFY(checkEpoch({}, planOf(128, 32), 1300).empty());
    Experiment experiment;
    Findings findings = checkEpoch(experiment, plan, 1300);
    QCOMPARE(findings.size(), 1u);
    QCOMPARE(findings.front().key, std::string("batch.tail"));
    QVERIFY(findings.front().message.english().find("others each time") != std::string::npos);
    experiment.data.shuffle = false;
    findings = checkEpoch(experiment, plan, 1300);
    QVERIFY(findings.front().message.english().find("leaves 20 of 1") != std::string::npos);
    QVERIFY(findings.front().message.english().find("always the same ones") != std::string::npos);
    plan.schedule = { { StepsFrom::Unit::Epoch, 0, 4 }, { StepsFrom::Unit::Epoch, 1, 8 } };
    QCOMPARE(checkEpoch({}, plan, 1280).size(), 0u); // 40 micro-batches
    plan.schedule.back().steps = 7;
    QVERIFY(checkEpoch({}, plan, 1280).front().message.english().find("that do not fill a window")
        != std::string::npos);
}

QTEST_GUILESS_MAIN(TestEpochPlan)
#include "tst_epoch_plan.moc"
