// SPDX-License-Identifier: Apache-2.0
#include "app/run_tally.h"

#include <limits>

#include <QtTest>

using namespace accrue;

namespace {
RunStarted startOf(std::int64_t steps)
{
    RunStarted started;
    started.totalSteps = steps;
    started.experiment.run.epochs = 10;
    return started;
}

StepDone stepAt(std::int64_t number, double secondsEach)
{
    StepDone step;
    step.step = number;
    step.epoch = 1;
    step.samples = number * 128;
    step.seconds = static_cast<double>(number) * secondsEach;
    step.loss = 0.08123;
    step.peakBytes = 1000 - number;
    return step;
}
} // namespace

class TestRunTally : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void paceIsThatOfTheLastTenSeconds();
    void theEvaluationsPeakIsApart();
    void nothingIsGuessedBeforeTheSecondStep();
    void bestIsTheHighestTestAccuracyAndItsStep();
    void aPlanThatWasCutSaysSo();
    void validationComesFirstAndDecidesTheBest();
    void progressLineNamesAllThatIsKnown();
    void progressLineSurvivesALossThatIsNotFinite();
    void epochLineHasTrainingAndTest();
    void planIsWrittenAsTheWindowWritesIt();
};

void TestRunTally::paceIsThatOfTheLastTenSeconds()
{
    RunTally tally;
    tally.take(startOf(2000));
    for (int step = 1; step <= 100; ++step)
        tally.take(stepAt(step, 1.0)); // 128 samples a second
    StepDone fast = stepAt(100, 1.0);
    for (int i = 1; i <= 1000; ++i) { // then ten times as fast for a hundred seconds
        fast.step += 1;
        fast.samples += 128;
        fast.seconds += 0.1;
        tally.take(fast);
    }
    QVERIFY(qAbs(tally.samplesPerSecond() - 1280.0) < 1.0);
    QVERIFY(qAbs(tally.secondsLeft() - 90.0) < 0.1);
    QCOMPARE(tally.peakBytes, std::int64_t { 999 });
}

void TestRunTally::theEvaluationsPeakIsApart()
{
    RunTally tally;
    tally.take(stepAt(1, 1.0));
    QCOMPARE(tally.evaluationPeakBytes, 0);
    tally.take(MemoryMeasured { .phases = { { .peakBytes = 8000 } } });
    for (const std::int64_t peak : { 5000, 4000 })
        tally.take(MemoryMeasured {
            .phases = { { .phase = MemoryPhase::Evaluation, .peakBytes = peak } } });
    QCOMPARE(tally.evaluationPeakBytes, 5000);
    QCOMPARE(tally.peakBytes, std::int64_t { 999 });
}

void TestRunTally::nothingIsGuessedBeforeTheSecondStep()
{
    RunTally tally;
    QCOMPARE(progressText(tally, {}), std::string("preparing …"));
    tally.take(startOf(10));
    tally.take(stepAt(1, 1.0));
    QCOMPARE(tally.samplesPerSecond(), 0.0);
    QVERIFY(tally.secondsLeft() < 0);
}

void TestRunTally::aPlanThatWasCutSaysSo()
{
    RunTally tally;
    tally.take(startOf(10));
    const BatchPlan plan { .effective = 512, .micro = 512, .steps = 1 };
    QCOMPARE(cutText(plan, tally.cutMicro), planText(plan));
    tally.take(OutOfMemory { .fromMicro = 512, .toMicro = 256, .phase = {}, .text = {} });
    tally.take(OutOfMemory { .fromMicro = 256, .toMicro = 128, .phase = {}, .text = {} });
    QCOMPARE(cutText(plan, tally.cutMicro),
        std::string("b 128 × N 4 = B 512, reduced from b 512 × N 1 after an out-of-memory error"));
}

void TestRunTally::bestIsTheHighestTestAccuracyAndItsStep()
{
    RunTally tally;
    for (const auto& [step, accuracy] : { std::pair { 10, 0.9 }, { 20, 0.95 }, { 30, 0.93 } }) {
        Evaluated evaluated;
        evaluated.step = step;
        evaluated.testAccuracy = accuracy;
        tally.take(evaluated);
    }
    QCOMPARE(tally.best->value, 0.95);
    QCOMPARE(tally.best->step, std::int64_t { 20 });
    QCOMPARE(tally.evaluation->testAccuracy, 0.93);
}

void TestRunTally::validationComesFirstAndDecidesTheBest()
{
    RunTally tally;
    tally.take(startOf(100));
    for (const auto& [step, test, validation] :
        { std::tuple { 10, 0.99, 0.9 }, { 20, 0.97, 0.95 }, { 30, 0.98, 0.93 } }) {
        Evaluated evaluated;
        evaluated.step = step;
        evaluated.testAccuracy = test;
        evaluated.validationAccuracy = validation;
        tally.take(evaluated);
    }
    QCOMPARE(tally.best->value, 0.95);
    QCOMPARE(tally.best->step, std::int64_t { 20 });
    QCOMPARE(epochText(tally), std::string("epoch 1/10  validation 93.00 %  test 98.00 %"));
    QVERIFY(progressText(tally, {}).find("validation 93.00 %  test 98.00 %") != std::string::npos);
}

void TestRunTally::progressLineNamesAllThatIsKnown()
{
    RunTally tally;
    tally.take(startOf(4740));
    tally.take(stepAt(1, 0.01));
    tally.take(stepAt(1240, 0.01));
    Evaluated evaluated;
    evaluated.testAccuracy = 0.9812;
    tally.take(evaluated);
    QCOMPARE(progressText(tally, { Phase::Forward, 2, 4 }),
        std::string("step 1\u202f240 / 4\u202f740  26.16 %  loss 0.0812  test 98.12 %  0:35 left  "
                    "12\u202f800 img/s  epoch 1/10  micro-batch 2/4"));
    QVERIFY(
        progressText(tally, { Phase::Evaluation, 0, 0 }).find("evaluating") != std::string::npos);
}

void TestRunTally::progressLineSurvivesALossThatIsNotFinite()
{
    RunTally tally;
    tally.take(startOf(10));
    StepDone step = stepAt(1, 1);
    step.loss = std::numeric_limits<double>::quiet_NaN();
    tally.take(step);
    QVERIFY(progressText(tally, {}).find("loss nan") != std::string::npos);
}

void TestRunTally::epochLineHasTrainingAndTest()
{
    RunTally tally;
    tally.take(startOf(100));
    tally.take(stepAt(10, 1));
    EpochDone epoch;
    epoch.trainLoss = 0.5;
    epoch.trainAccuracy = 0.9;
    tally.take(epoch);
    QCOMPARE(epochText(tally), std::string("epoch 1/10  step 10/100  loss 0.5  train 90.00 %"));
}

void TestRunTally::planIsWrittenAsTheWindowWritesIt()
{
    BatchPlan plan;
    QCOMPARE(planText(plan), std::string("b 32 × N 4 = B 128"));
    plan.devices = 2;
    plan.effective = 256;
    QCOMPARE(planText(plan), std::string("b 32 × N 4 × W 2 = B 256"));
}

QTEST_GUILESS_MAIN(TestRunTally)
#include "tst_run_tally.moc"
