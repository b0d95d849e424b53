// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/batch_plan.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <QTest>

#include <rapidcheck.h>

Q_DECLARE_METATYPE(accrue::BatchSettings)
Q_DECLARE_METATYPE(accrue::BatchPlan)
Q_DECLARE_METATYPE(accrue::BatchPlan::Solved)
Q_DECLARE_METATYPE(std::vector<std::int64_t>)

using namespace accrue;

namespace {

using Solved = BatchPlan::Solved;

// 0 means that the recipe leaves it out, -1 that it is auto.
BatchNumber number(std::int64_t value)
{
    if (value == 0)
        return {};
    return value < 0 ? BatchNumber::solved() : BatchNumber::given(value);
}

BatchSettings asked(
    std::int64_t effective, std::int64_t micro, std::int64_t steps, std::int64_t devices = 0)
{
    BatchSettings settings;
    settings.effective = number(effective);
    settings.micro = number(micro);
    settings.steps = number(steps);
    settings.devices = number(devices);
    return settings;
}

Experiment experimentOf(const BatchSettings& batch)
{
    Experiment experiment;
    experiment.batch = batch;
    return experiment;
}

Experiment mlpWithBatchNorm(const BatchSettings& batch)
{
    Experiment experiment = experimentOf(batch);
    experiment.model.name = ModelName::Mlp;
    experiment.model.norm = Norm::Batch;
    return experiment;
}

BatchPlan planOf(std::int64_t effective, std::int64_t micro, std::int64_t smallest = 1)
{
    return { .effective = effective,
        .micro = micro,
        .steps = (effective + micro - 1) / micro,
        .devices = 1,
        .solved = Solved::Steps,
        .smallestSlice = smallest };
}

// The slices of all devices, with b·W in place of b.
BatchPlan devicePlan(std::int64_t effective, std::int64_t micro, std::int64_t steps,
    std::int64_t devices, Solved solved)
{
    return {
        .effective = effective, .micro = micro, .steps = steps, .devices = devices, .solved = solved
    };
}

QString onlyError(const BatchSolution& solution)
{
    if (solution.plan || solution.findings.size() != 1)
        return QStringLiteral("not one error");
    return QString::fromStdString(solution.findings.front().message.english());
}

} // namespace

class TestBatchPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rateFollowsTheAccumulationSteps()
    {
        QCOMPARE(rateFactor(LrRule::None, 8, 2), 1.0);
        QCOMPARE(rateFactor(LrRule::Linear, 8, 2), 4.0);
        QCOMPARE(rateFactor(LrRule::SquareRoot, 8, 2), 2.0);
        QCOMPARE(rateFactor(LrRule::SquareRoot, 1, 4), 0.5);
    }

    void oneUnknownIsSolvedFromTheOthers_data();
    void oneUnknownIsSolvedFromTheOthers();
    void severalDevicesShareTheEffectiveBatch_data();
    void severalDevicesShareTheEffectiveBatch();
    void severalDevicesAreRefusedWhereTheyDisagree_data();
    void severalDevicesAreRefusedWhereTheyDisagree();
    void aMicroBatchBeyondTheShareOfADeviceShrinks();
    void anyNumbersOfSeveralDevicesAgree();
    void whatFitsABudgetIsSplitOverTheDevices();
    void numbersThatDisagreeAreAnErrorThatNamesWhatWouldAgree_data();
    void numbersThatDisagreeAreAnErrorThatNamesWhatWouldAgree();
    void aMicroBatchBeyondItsWindowShrinksWithAWarning();
    void batchNormOnVectorsRefusesMicroBatchesOfOne();
    void allDevicesAreThoseThatWereFound();
    void synchronisedBatchNormNeedsTwoSamplesOnAllDevices();
    void batchNormOnPicturesTakesMicroBatchesOfOne();
    void allRangesAreReportedAtOnce();
    void aScheduleOfStepsGivesThePlanOfItsFirstEntry();
    void aScheduleOfStepsRefusesWhatContradictsIt_data();
    void aScheduleOfStepsRefusesWhatContradictsIt();
    void slicesOfAWindow_data();
    void slicesOfAWindow();
    void slicesAddUpAndAreAsManyAsTheStepsForAnyWindow();
    void likeSlicesAreGrouped();
    void aPlanThatNoProgramMakesHasNoGroups();
    void givenNumbersAgreeExactlyWhenTheStepsAreTheSlices();
    void solvedNumbersAgreeWithWhatWasGiven();
    void theMicroBatchFollowsABudgetOnlyWhereNothingElseDecidesIt();
    void whatFitsABudgetKeepsTheEffectiveBatchAndTakesTheFewestSteps();
};

void TestBatchPlan::oneUnknownIsSolvedFromTheOthers_data()
{
    QTest::addColumn<BatchSettings>("settings");
    QTest::addColumn<int>("effective");
    QTest::addColumn<int>("micro");
    QTest::addColumn<int>("steps");
    QTest::addColumn<Solved>("solved");

    QTest::newRow("silent") << asked(0, 0, 0) << 128 << 32 << 4 << Solved::Effective;
    QTest::newRow("b") << asked(0, 16, 0) << 64 << 16 << 4 << Solved::Effective;
    QTest::newRow("N") << asked(0, 0, 8) << 256 << 32 << 8 << Solved::Effective;
    QTest::newRow("b and N") << asked(0, 25, 6) << 150 << 25 << 6 << Solved::Effective;
    QTest::newRow("B auto") << asked(-1, 25, 6) << 150 << 25 << 6 << Solved::Effective;
    QTest::newRow("B: default N yields") << asked(512, 0, 0) << 512 << 32 << 16 << Solved::Steps;
    QTest::newRow("B below default b") << asked(20, 0, 0) << 20 << 20 << 1 << Solved::Steps;
    QTest::newRow("B and b") << asked(128, 25, 0) << 128 << 25 << 6 << Solved::Steps;
    QTest::newRow("B and b, N auto") << asked(128, 25, -1) << 128 << 25 << 6 << Solved::Steps;
    QTest::newRow("B and N") << asked(128, 0, 6) << 128 << 22 << 6 << Solved::Micro;
    QTest::newRow("B and N, b auto") << asked(128, -1, 4) << 128 << 32 << 4 << Solved::Micro;
    QTest::newRow("B, b auto, default N") << asked(64, -1, 0) << 64 << 16 << 4 << Solved::Micro;
    QTest::newRow("default N yields to B") << asked(5, -1, 0) << 5 << 2 << 3 << Solved::Micro;
    QTest::newRow("B, b and N auto") << asked(96, -1, -1) << 96 << 32 << 3 << Solved::Steps;
    QTest::newRow("all given, whole") << asked(128, 32, 4) << 128 << 32 << 4 << Solved::None;
    QTest::newRow("all given, last 3") << asked(128, 25, 6) << 128 << 25 << 6 << Solved::None;
    QTest::newRow("W auto") << asked(128, 25, 6, -1) << 128 << 25 << 6 << Solved::Devices;
    QTest::newRow("all auto") << asked(-1, -1, -1, -1) << 128 << 32 << 4 << Solved::Effective;
}

void TestBatchPlan::oneUnknownIsSolvedFromTheOthers()
{
    QFETCH(BatchSettings, settings);
    QFETCH(int, effective);
    QFETCH(int, micro);
    QFETCH(int, steps);
    QFETCH(Solved, solved);

    const BatchSolution solution = solveBatch(experimentOf(settings));
    QVERIFY(solution.plan.has_value());
    QVERIFY(solution.findings.empty());
    QCOMPARE(solution.plan->effective, effective);
    QCOMPARE(solution.plan->micro, micro);
    QCOMPARE(solution.plan->steps, steps);
    QCOMPARE(solution.plan->devices, 1);
    QVERIFY(solution.plan->solved == solved);
}

void TestBatchPlan::severalDevicesShareTheEffectiveBatch_data()
{
    QTest::addColumn<BatchSettings>("settings");
    QTest::addColumn<BatchPlan>("plan");
    const auto row = [](const char* name, const BatchSettings& settings, const BatchPlan& plan) {
        QTest::newRow(name) << settings << plan;
    };
    row("W", asked(0, 0, 0, 2), devicePlan(256, 32, 4, 2, Solved::Effective));
    row("b, N, W", asked(0, 1, 4, 8), devicePlan(32, 1, 4, 8, Solved::Effective));
    row("B, b, W", asked(128, 25, 0, 2), devicePlan(128, 25, 3, 2, Solved::Steps));
    row("B, N, W", asked(128, 0, 3, 2), devicePlan(128, 22, 3, 2, Solved::Micro));
    row("B, W", asked(512, 0, 0, 4), devicePlan(512, 32, 4, 4, Solved::Steps));
    row("B, W, small", asked(100, 0, 0, 4), devicePlan(100, 25, 1, 4, Solved::Steps));
    row("B, W, b auto", asked(64, -1, 0, 2), devicePlan(64, 8, 4, 2, Solved::Micro));
    row("all given", asked(128, 16, 4, 2), devicePlan(128, 16, 4, 2, Solved::None));
    row("all given, last smaller", asked(128, 25, 3, 2), devicePlan(128, 25, 3, 2, Solved::None));
    row("W auto, whole", asked(256, 32, 4, -1), devicePlan(256, 32, 4, 2, Solved::Devices));
    row("W auto, not whole", asked(128, 25, 3, -1), devicePlan(128, 25, 3, 2, Solved::Devices));
    row("a sample each", asked(4, 0, 0, 4), devicePlan(4, 1, 1, 4, Solved::Steps));
}

void TestBatchPlan::severalDevicesShareTheEffectiveBatch()
{
    QFETCH(BatchSettings, settings);
    QFETCH(BatchPlan, plan);
    const BatchSolution solution = solveBatch(experimentOf(settings));
    QVERIFY(solution.findings.empty());
    QVERIFY(solution.plan == plan);
    const auto sizes = sliceSizes(plan, plan.effective);
    QCOMPARE(static_cast<std::int64_t>(sizes.size()), plan.steps);
}

void TestBatchPlan::severalDevicesAreRefusedWhereTheyDisagree_data()
{
    QTest::addColumn<BatchSettings>("settings");
    QTest::addColumn<QString>("message");
    QTest::newRow("B, b, N, W")
        << asked(128, 32, 4, 2)
        << "128 samples in micro-batches of 32 on 2 devices need 2 steps, not 4. Allowed: "
           "batch.steps = 2, batch.micro = 16 or batch.effective = 256, or auto for any one of the "
           "three.";
    QTest::newRow("no W agrees")
        << asked(10, 3, 3, -1)
        << "10 samples in micro-batches of 3 need 4 steps, not 3. Allowed: batch.steps = 4, "
           "batch.micro = 4 or batch.effective = 9, or auto for any one of the three.";
    QTest::newRow("no b gives N")
        << asked(20, 0, 6, 2)
        << "batch.steps is 6, but no micro-batch splits 20 samples on 2 devices into that many; "
           "allowed: 5 or 10 steps, or another batch.effective.";
    QTest::newRow("more devices than samples")
        << asked(4, 0, 0, 5)
        << "batch.devices is 5, but an effective batch of 4 samples has none for some of them; "
           "allowed: at most 4, or a larger batch.effective.";
    QTest::newRow("overflow of three")
        << asked(0, 1'000'000'000, 1'000'000'000, 1'000'000'000)
        << "batch.micro 1\u202f000\u202f000\u202f000 × batch.steps "
           "1\u202f000\u202f000\u202f000 × batch.devices 1\u202f000\u202f000\u202f000 gives an "
           "effective batch that is too large; allowed: at most 1000000000 samples.";
}

void TestBatchPlan::severalDevicesAreRefusedWhereTheyDisagree()
{
    QFETCH(BatchSettings, settings);
    QTEST(onlyError(solveBatch(experimentOf(settings))), "message");
}

void TestBatchPlan::aMicroBatchBeyondTheShareOfADeviceShrinks()
{
    const BatchSolution solution = solveBatch(experimentOf(asked(100, 32, 0, 4)));
    QVERIFY(solution.plan == devicePlan(100, 25, 1, 4, Solved::Steps));
    QCOMPARE(solution.findings.size(), 1u);
    QCOMPARE(solution.findings.front().message.english(),
        std::string("batch.micro is 32, but an effective batch of 100 samples on 4 devices gives "
                    "each of them at most 25; each micro-batch has 25."));
    // One that only the last device cannot fill is left as it is.
    QVERIFY(solveBatch(experimentOf(asked(10, 3, 0, 4))).findings.empty());
}

void TestBatchPlan::anyNumbersOfSeveralDevicesAgree()
{
    QVERIFY(rc::check("any of B, b, N, W given, silent or auto", [] {
        const auto draw = [](std::int64_t most) {
            return *rc::gen::oneOf(rc::gen::just<std::int64_t>(0), rc::gen::just<std::int64_t>(-1),
                rc::gen::inRange<std::int64_t>(1, most));
        };
        const BatchSettings settings = asked(draw(2000), draw(300), draw(40), draw(17));
        const BatchSolution solution = solveBatch(experimentOf(settings));
        RC_ASSERT(solution.plan.has_value() == !hasErrors(solution.findings));
        RC_PRE(solution.plan.has_value());
        const BatchPlan& plan = *solution.plan;
        const std::int64_t slice = plan.micro * plan.devices;
        RC_ASSERT(plan.steps == (plan.effective + slice - 1) / slice);
        RC_ASSERT(plan.devices <= plan.effective);
        if (settings.effective.isGiven())
            RC_ASSERT(plan.effective == settings.effective.value);
        if (settings.steps.isGiven())
            RC_ASSERT(plan.steps == settings.steps.value);
        if (settings.devices.isGiven())
            RC_ASSERT(plan.devices == settings.devices.value);
        if (settings.micro.isGiven())
            RC_ASSERT(plan.micro <= settings.micro.value);
    }));
}

void TestBatchPlan::numbersThatDisagreeAreAnErrorThatNamesWhatWouldAgree_data()
{
    QTest::addColumn<BatchSettings>("settings");
    QTest::addColumn<QString>("message");

    QTest::newRow("B, b, N")
        << asked(128, 32, 3)
        << "128 samples in micro-batches of 32 need 4 steps, not 3. Allowed: "
           "batch.steps = 4, batch.micro = 43 or batch.effective = 96, or auto for any one of the "
           "three.";
    QTest::newRow("no b gives N")
        << asked(10, 0, 6)
        << "batch.steps is 6, but no micro-batch splits 10 samples into that "
           "many; allowed: 5 or 10 steps, or another batch.effective.";
    QTest::newRow("more steps than samples") << asked(4, 0, 10)
                                             << "batch.steps is 10, but no micro-batch splits 4 "
                                                "samples into that many; allowed: 4 steps, "
                                                "or another batch.effective.";
    QTest::newRow("overflow") << asked(0, 1'000'000'000, 1'000'000'000)
                              << "batch.micro 1\u202f000\u202f000\u202f000 × batch.steps "
                                 "1\u202f000\u202f000\u202f000 gives an effective batch of "
                                 "1\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000 samples; "
                                 "allowed: at most 1000000000.";
}

void TestBatchPlan::numbersThatDisagreeAreAnErrorThatNamesWhatWouldAgree()
{
    QFETCH(BatchSettings, settings);
    QFETCH(QString, message);
    QCOMPARE(onlyError(solveBatch(experimentOf(settings))), message);
}

void TestBatchPlan::aMicroBatchBeyondItsWindowShrinksWithAWarning()
{
    const BatchSolution solution = solveBatch(experimentOf(asked(16, 32, 0)));
    QVERIFY(solution.plan.has_value());
    QCOMPARE(solution.plan->micro, 16);
    QCOMPARE(solution.plan->steps, 1);
    QCOMPARE(solution.findings.size(), 1u);
    QVERIFY(solution.findings.front().severity == Finding::Severity::Warning);
}

void TestBatchPlan::batchNormOnVectorsRefusesMicroBatchesOfOne()
{
    const BatchSolution one = solveBatch(mlpWithBatchNorm(asked(0, 1, 0)));
    QVERIFY(!one.plan);
    QCOMPARE(one.findings.front().key, std::string("batch.micro"));
    const BatchSolution odd = solveBatch(mlpWithBatchNorm(asked(7, 2, 0)));
    QVERIFY(!odd.plan);
    const BatchSolution shared = solveBatch(mlpWithBatchNorm(asked(7, 3, 0)));
    QVERIFY(shared.plan.has_value());
    QCOMPARE(shared.plan->smallestSlice, 2);
    QVERIFY(sliceSizes(*shared.plan, 7) == std::vector<std::int64_t>({ 3, 2, 2 }));
}

// Their number follows from the machine, and not from B, b and N.
void TestBatchPlan::allDevicesAreThoseThatWereFound()
{
    BatchSettings settings = asked(0, 16, 4);
    settings.devices = BatchNumber::all();
    QCOMPARE(solveBatch(experimentOf(settings)).plan->devices, 1); // none were looked for
    settings.devices.value = 4;
    QVERIFY(
        solveBatch(experimentOf(settings)).plan == devicePlan(256, 16, 4, 4, Solved::Effective));
    settings = asked(256, 16, 0);
    settings.devices = { BatchNumber::Kind::All, 4 };
    QVERIFY(solveBatch(experimentOf(settings)).plan == devicePlan(256, 16, 4, 4, Solved::Steps));
    settings = asked(256, 0, 2);
    settings.devices = { BatchNumber::Kind::All, 4 };
    QVERIFY(solveBatch(experimentOf(settings)).plan == devicePlan(256, 32, 2, 4, Solved::Micro));
    settings = asked(256, 16, 2);
    settings.devices = { BatchNumber::Kind::All, 4 };
    QVERIFY(!solveBatch(experimentOf(settings)).plan);
}

// The devices normalise by what they compute side by side.
void TestBatchPlan::synchronisedBatchNormNeedsTwoSamplesOnAllDevices()
{
    Experiment experiment = mlpWithBatchNorm(asked(24, 1, 0, 4));
    QVERIFY(!solveBatch(experiment).plan);
    experiment.model.batchnormSync = true;
    const auto plan = solveBatch(experiment).plan;
    QVERIFY(plan.has_value());
    QCOMPARE(smallestSlice(*plan), 2);
    QVERIFY(sliceSizes(*plan, 9) == std::vector<std::int64_t>({ 4, 3, 2 }));
    experiment.batch.devices = BatchNumber::given(1);
    QVERIFY(!solveBatch(experiment).plan);
}

void TestBatchPlan::batchNormOnPicturesTakesMicroBatchesOfOne()
{
    Experiment experiment = experimentOf(asked(0, 1, 0));
    experiment.model.norm = Norm::Batch;
    const BatchSolution solution = solveBatch(experiment);
    QVERIFY(solution.plan.has_value());
    QCOMPARE(solution.plan->smallestSlice, 1);
}

void TestBatchPlan::allRangesAreReportedAtOnce()
{
    BatchSettings settings;
    settings.effective = BatchNumber::given(-1);
    settings.micro = BatchNumber::given(0);
    settings.steps = BatchNumber::given(2'000'000'000);
    settings.devices = BatchNumber::given(0);
    const BatchSolution solution = solveBatch(experimentOf(settings));
    QVERIFY(!solution.plan);
    QCOMPARE(solution.findings.size(), 4u);
    QCOMPARE(solution.findings[1].message.english(),
        std::string("batch.micro is 0; allowed: whole number from 1 to 1000000000, or auto."));
    QCOMPARE(solution.findings[2].message.english(),
        std::string("batch.steps is 2000000000; allowed: whole number from 1 to 1000000000, or"
                    " auto."));
}

void TestBatchPlan::aScheduleOfStepsGivesThePlanOfItsFirstEntry()
{
    BatchSettings batch = asked(0, 16, 0);
    batch.schedule = { { StepsFrom::Unit::Epoch, 0, 2 }, { StepsFrom::Unit::Epoch, 4, 8 } };
    batch.reduction = Reduction::Sum;
    batch.tail = Tail::Carry;
    const BatchPlan plan = solveBatch(experimentOf(batch)).plan.value();
    QCOMPARE(plan.steps, 2);
    QCOMPARE(plan.effective, 32);
    QVERIFY(plan.schedule == batch.schedule);
    QVERIFY(plan.reduction == Reduction::Sum && plan.tail == Tail::Carry);
}

void TestBatchPlan::aScheduleOfStepsRefusesWhatContradictsIt_data()
{
    QTest::addColumn<BatchSettings>("batch");
    QTest::addColumn<QString>("message");
    const auto row = [](BatchSettings batch, std::int64_t laterSteps, const char* message) {
        batch.schedule = { { StepsFrom::Unit::Step, 0, 2 },
            { StepsFrom::Unit::Step, 9, laterSteps } };
        QTest::newRow(message) << batch << QString::fromUtf8(message);
    };
    row(asked(128, 16, 0), 4,
        "batch.effective is 128, but batch.schedule changes the effective batch during the run; "
        "allowed: "
        "auto.");
    row(asked(0, 16, 2), 4,
        "batch.steps and batch.schedule both set the accumulation steps; remove one of them.");
    row(asked(0, -1, 0), 4,
        "batch.micro is auto, but batch.schedule leaves nothing to solve it from; allowed: "
        "a number.");
    row(asked(0, 16, 0), 100'000'000,
        "batch.micro 16 × batch.schedule 100\u202f000\u202f000 gives an effective batch of "
        "1\u202f600\u202f000\u202f000 "
        "samples; "
        "allowed: at most 1000000000.");
}

void TestBatchPlan::aScheduleOfStepsRefusesWhatContradictsIt()
{
    QFETCH(BatchSettings, batch);
    QTEST(onlyError(solveBatch(experimentOf(batch))), "message");
}

void TestBatchPlan::slicesOfAWindow_data()
{
    using Sizes = std::vector<std::int64_t>;
    QTest::addColumn<int>("micro");
    QTest::addColumn<int>("smallest");
    QTest::addColumn<int>("samples");
    QTest::addColumn<Sizes>("sizes");

    QTest::newRow("whole") << 32 << 1 << 128 << Sizes { 32, 32, 32, 32 };
    QTest::newRow("last of 3") << 25 << 1 << 128 << Sizes { 25, 25, 25, 25, 25, 3 };
    QTest::newRow("last of 1") << 32 << 1 << 33 << Sizes { 32, 1 };
    QTest::newRow("shared") << 32 << 2 << 33 << Sizes { 17, 16 };
    QTest::newRow("shared after whole ones") << 32 << 2 << 65 << Sizes { 32, 17, 16 };
    QTest::newRow("two need no sharing") << 32 << 2 << 34 << Sizes { 32, 2 };
    QTest::newRow("tail below b") << 32 << 2 << 7 << Sizes { 7 };
    QTest::newRow("nothing") << 32 << 1 << 0 << Sizes {};
}

void TestBatchPlan::slicesOfAWindow()
{
    QFETCH(int, micro);
    QFETCH(int, smallest);
    QFETCH(int, samples);
    QFETCH(std::vector<std::int64_t>, sizes);
    QVERIFY(sliceSizes(planOf(128, micro, smallest), samples) == sizes);
}

void TestBatchPlan::slicesAddUpAndAreAsManyAsTheStepsForAnyWindow()
{
    QVERIFY(rc::check("slices of a window", [] {
        const auto effective = *rc::gen::inRange<std::int64_t>(1, 5000);
        const auto micro = *rc::gen::inRange<std::int64_t>(1, effective + 1);
        const auto smallest = *rc::gen::inRange<std::int64_t>(1, 3);
        const BatchPlan plan = planOf(effective, micro, smallest);
        const auto samples = *rc::gen::inRange<std::int64_t>(0, effective + 1);
        const auto sizes = sliceSizes(plan, samples);
        RC_ASSERT(std::accumulate(sizes.begin(), sizes.end(), std::int64_t { 0 }) == samples);
        for (const std::int64_t size : sizes)
            RC_ASSERT(size >= 1 && size <= micro);
        if (samples == effective)
            RC_ASSERT(static_cast<std::int64_t>(sizes.size()) == plan.steps);
        if (canBeCut(plan, samples) && smallest == 2 && samples > 0 && micro > 2)
            RC_ASSERT(*std::min_element(sizes.begin(), sizes.end()) >= 2);
    }));
}

void TestBatchPlan::likeSlicesAreGrouped()
{
    using Slices = std::vector<std::int64_t>;
    using Groups = std::vector<SliceGroup>;
    QVERIFY((groupsOf(Slices { 25, 25, 25, 3 }) == Groups { { 3, 25 }, { 1, 3 } }));
    QVERIFY((groupsOf(Slices { 17, 16 }) == Groups { { 1, 17 }, { 1, 16 } }));
    QVERIFY(groupsOf(Slices {}).empty());
    QVERIFY((groupsOf(BatchPlan { .effective = 128, .micro = 25, .steps = 6 })
        == Groups { { 5, 25 }, { 1, 3 } }));
}

void TestBatchPlan::aPlanThatNoProgramMakesHasNoGroups()
{
    QVERIFY(groupsOf(BatchPlan { .effective = 128, .micro = 0 }).empty());
    QVERIFY(groupsOf(BatchPlan { .effective = -1, .micro = 32 }).empty());
    QVERIFY(groupsOf(BatchPlan { .effective = 2'000'000'000, .micro = 1 }).empty());
}

void TestBatchPlan::givenNumbersAgreeExactlyWhenTheStepsAreTheSlices()
{
    QVERIFY(rc::check("B, b and N given", [] {
        const auto effective = *rc::gen::inRange<std::int64_t>(1, 300);
        const auto micro = *rc::gen::inRange<std::int64_t>(1, 300);
        const std::int64_t slices = (effective + micro - 1) / micro;
        const auto steps =
            *rc::gen::oneOf(rc::gen::just(slices), rc::gen::inRange<std::int64_t>(1, 300));
        const BatchSolution solution = solveBatch(experimentOf(asked(effective, micro, steps)));
        RC_ASSERT(solution.plan.has_value() == (steps == slices));
        RC_ASSERT(solution.plan.has_value() == !hasErrors(solution.findings));
    }));
}

void TestBatchPlan::solvedNumbersAgreeWithWhatWasGiven()
{
    QVERIFY(rc::check("any of B, b, N given, silent or auto", [] {
        const auto draw = [] {
            return *rc::gen::oneOf(rc::gen::just<std::int64_t>(0), rc::gen::just<std::int64_t>(-1),
                rc::gen::inRange<std::int64_t>(1, 2000));
        };
        const std::int64_t effective = draw();
        const std::int64_t micro = draw();
        const std::int64_t steps = draw();
        const BatchSolution solution = solveBatch(experimentOf(asked(effective, micro, steps)));
        RC_ASSERT(solution.plan.has_value() == !hasErrors(solution.findings));
        RC_PRE(solution.plan.has_value());
        const BatchPlan& plan = *solution.plan;
        RC_ASSERT(effective <= 0 || plan.effective == effective);
        RC_ASSERT(micro <= 0 || plan.micro == std::min(micro, plan.effective));
        RC_ASSERT(steps <= 0 || plan.steps == steps);
        RC_ASSERT(plan.steps == (plan.effective + plan.micro - 1) / plan.micro);
    }));
}

namespace {
Experiment experimentOfBudget(std::int64_t effective)
{
    Experiment experiment;
    experiment.batch.effective = BatchNumber::given(effective);
    experiment.batch.micro = BatchNumber::solved();
    experiment.memory.budget = Bytes { std::int64_t { 4 } << 30 };
    return experiment;
}
} // namespace

void TestBatchPlan::theMicroBatchFollowsABudgetOnlyWhereNothingElseDecidesIt()
{
    QVERIFY(microFollowsBudget(experimentOfBudget(128)));
    Experiment asked = experimentOfBudget(128);
    asked.batch.steps = BatchNumber::solved();
    QVERIFY(microFollowsBudget(asked));
    asked.batch.steps = BatchNumber::given(4);
    QVERIFY(!microFollowsBudget(asked));
    asked = experimentOfBudget(128);
    asked.memory.budget.reset();
    QVERIFY(!microFollowsBudget(asked));
    asked = experimentOfBudget(128);
    asked.batch.effective = {};
    QVERIFY(!microFollowsBudget(asked));
    asked = experimentOfBudget(128);
    asked.batch.micro = {};
    QVERIFY(!microFollowsBudget(asked));
}

void TestBatchPlan::whatFitsABudgetKeepsTheEffectiveBatchAndTakesTheFewestSteps()
{
    const BatchPlan plan = solveBatch(withMicroThatFits(experimentOfBudget(128), 100)).plan.value();
    QCOMPARE(plan.micro, 64); // two steps as with 100, but even ones
    QCOMPARE(plan.steps, 2);
    QVERIFY(rc::check("any B and any b that fits", [] {
        const auto effective = *rc::gen::inRange<std::int64_t>(1, 5000);
        const auto largest = *rc::gen::inRange<std::int64_t>(1, 6000);
        const Experiment solved = withMicroThatFits(experimentOfBudget(effective), largest);
        const BatchPlan found = solveBatch(solved).plan.value();
        RC_ASSERT(found.effective == effective);
        RC_ASSERT(found.micro <= largest);
        RC_ASSERT(found.steps == (effective + largest - 1) / largest);
    }));
}

void TestBatchPlan::whatFitsABudgetIsSplitOverTheDevices()
{
    Experiment experiment = experimentOfBudget(128);
    experiment.batch.devices = BatchNumber::given(2);
    const BatchPlan plan = solveBatch(withMicroThatFits(experiment, 40)).plan.value();
    QCOMPARE(plan.micro, 32); // two steps, as with 40
    QCOMPARE(plan.steps, 2);
    QCOMPARE(plan.devices, 2);
}

QTEST_GUILESS_MAIN(TestBatchPlan)
#include "tst_batch_plan.moc"
