// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/memory_fit.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

#include "engine/experiment/keys.h"
#include "engine/session/session.h"
#include "tests/engine/session/training_fixture.h"
#include "tests/support/accelerator_device.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

Experiment experimentOf(const std::vector<std::string>& settings)
{
    Experiment experiment;
    experiment.name = "fit";
    experiment.run.device = "cpu";
    experiment.run.threads = 1;
    for (const std::string& setting : settings)
        if (hasErrors(applySetting(experiment, setting)))
            throw std::invalid_argument(setting);
    return experiment;
}

MemoryFit fitOf(const std::vector<std::string>& settings)
{
    RunControl control;
    return fitMemory({ experimentOf(settings), {} }, control, {});
}

// The highest peak of the windows of a real run with that b, as its log has it.
std::int64_t peakOfRun(Experiment experiment, std::int64_t micro)
{
    experiment.batch = {};
    experiment.batch.micro = BatchNumber::given(micro);
    experiment.batch.steps = BatchNumber::given(2);
    experiment.run.limitSteps = 2;
    experiment.run.evaluateEvery = { 1e6, Span::Unit::Steps };
    const OpenRequest request { experiment, {}, {} };
    RunControl control;
    EventList events;
    const RunEnded ended = Session(request, control, events).run();
    if (ended.outcome != RunOutcome::Completed)
        throw std::runtime_error(ended.message.english());
    std::int64_t peak = 0;
    for (const StepDone& step : events.all<StepDone>())
        peak = std::max(peak, step.peakBytes);
    return peak;
}

std::set<std::int64_t> sizesOf(const MemoryLaw& law)
{
    std::set<std::int64_t> sizes;
    for (const MemoryPoint& point : law.points)
        sizes.insert(point.micro);
    return sizes;
}

} // namespace

class TestMemoryFit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { acceleratorDevice(); }

    void theLawIsTheOneOfRealRuns_data()
    {
        QTest::addColumn<std::vector<std::string>>("settings");
        const auto row = [](const char* name, const std::vector<std::string>& settings) {
            QTest::newRow(name) << settings;
        };
        row("LeNet-5", {});
        row("LeNet-5, BatchNorm, Adam, EMA",
            { "model.norm=batch", "optimizer.name=adam", "optimizer.ema=0.9" });
        row("LeNet-5, bfloat16, GroupNorm", { "model.norm=group", "run.precision=bfloat16" });
        row("perceptron, float64, clipped",
            { "model.name=mlp", "run.precision=float64", "optimizer.clip_norm=1" });
    }
    void theLawIsTheOneOfRealRuns()
    {
        QFETCH(std::vector<std::string>, settings);
        const MemoryFit fit = fitOf(settings);
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QVERIFY(fit.law.from <= 32);
        QVERIFY(fit.law.to >= 256);
        for (const std::int64_t micro : { 40, 100, 200 }) { // none of them measured for the law
            const auto told = static_cast<double>(fit.law.peakAt(micro));
            const auto run = static_cast<double>(peakOfRun(experimentOf(settings), micro));
            QVERIFY2(std::abs(told - run) <= 0.016 * run,
                qPrintable(QString("b %1: law %2, run %3").arg(micro).arg(told).arg(run)));
        }
    }

    void measuresFourOrFiveSizesOfEveryPhase()
    {
        const MemoryFit fit = fitOf({});
        const std::set<std::int64_t> sizes = sizesOf(fit.law);
        QVERIFY(sizes.size() == 4 || sizes.size() == 5);
        QVERIFY(sizes.contains(256));
        std::set<MemoryPhase> phases;
        for (const MemoryPoint& point : fit.law.points)
            phases.insert(point.phase);
        QCOMPARE(phases.size(), std::size_t { 5 });
        QCOMPARE(fit.law.points.size(), 5 * sizes.size());
    }

    void theNumberOfMicroBatchesDoesNotChangeThePeak()
    {
        RunControl control;
        const MemoryFit fit =
            fitMemory({ experimentOf({ "batch.micro=48" }), {}, /*alsoSteps=*/true }, control, {});
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QCOMPARE(fit.stepsMicro, 48);
        QCOMPARE(fit.steps.size(), std::size_t { 6 });
        QCOMPARE(fit.steps.back().steps, 32);
        for (const StepsPoint& point : fit.steps)
            QCOMPARE(point.peakBytes, fit.steps.front().peakBytes);
        QCOMPARE(fit.gradientBytes, 61706 * 4);
        QVERIFY(peakWithoutAccumulation(fit, 48) <= fit.steps.front().peakBytes * 1.016);
        QVERIFY(peakWithoutAccumulation(fit, 48 * 32) > 5 * fit.steps.front().peakBytes);
    }

    void microBatchesOfItsSizesAreTimedWhereAsked()
    {
        RunControl control;
        FitRequest request { experimentOf({ "batch.micro=48", "memory.budget=24MiB" }), {} };
        request.alsoSpeeds = true;
        std::vector<std::int64_t> timed;
        const MemoryFit fit = fitMemory(request, control, [&](const FitProgress& progress) {
            if (progress.timing)
                timed.push_back(progress.micro);
        });
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        std::set<std::int64_t> sizes = sizesOf(fit.law);
        sizes.insert(48); // the recipe's
        QCOMPARE(timed.size(), 3 * sizes.size()); // in three rounds
        timed.resize(sizes.size());
        QCOMPARE(timed, std::vector<std::int64_t>(sizes.begin(), sizes.end()));
        QCOMPARE(fit.speeds.size(), sizes.size());
        for (std::size_t index = 0; index < timed.size(); ++index) {
            QCOMPARE(fit.speeds[index].micro, timed[index]);
            QVERIFY(fit.speeds[index].samplesPerSecond > 0);
            QVERIFY(fit.speeds[index].spread >= 0);
        }
        QCOMPARE(fit.speedThreads, 1);
        QVERIFY(fit.proof.has_value());
        QVERIFY(fitOf({}).speeds.empty());
    }

    void oneThatIsStoppedWhileItTimesKnowsNothing()
    {
        RunControl control;
        FitRequest request { experimentOf({}), {} };
        request.alsoSpeeds = true;
        const MemoryFit fit = fitMemory(request, control, [&](const FitProgress& progress) {
            if (progress.timing)
                control.requestStop();
        });
        QVERIFY(fit == MemoryFit { .stopped = true });
    }

    void windowsOfMoreMicroBatchesAreMeasuredWhereAskedOnly() { QVERIFY(fitOf({}).steps.empty()); }

    void aLargerMicroBatchIsMeasuredFurther()
    {
        const MemoryFit fit = fitOf({ "batch.micro=300" });
        QVERIFY(sizesOf(fit.law).contains(600));
    }

    void tellsWhatItMeasuredWith()
    {
        const MemoryFit fit = fitOf({});
        QCOMPARE(fit.device, std::string("cpu"));
        QVERIFY(!fit.deviceName.empty());
        QVERIFY(fit.torchVersion.starts_with("2."));
        QCOMPARE(fit.memoryFormat, std::string("contiguous"));
        QCOMPARE(fit.threads, 1);
        QVERIFY(fit.totalBytes > 1024 * kMiB);
        QCOMPARE(fit.outsideBytes, 0);
        QVERIFY(fit.trainSamples >= 1000);
        QVERIFY(!fit.proof);
    }

    void theBorderOfABudgetIsProvedByRealWindows()
    {
        const MemoryFit fit = fitOf({ "memory.budget=24MiB" });
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QVERIFY(fit.proof.has_value());
        QCOMPARE(fit.proof->budgetBytes, 24 * kMiB);
        QVERIFY(!fit.proof->isAll);
        QVERIFY(fit.proof->peakBytes <= 24 * kMiB);
        QVERIFY(fit.law.peakAt(fit.proof->micro) <= 24 * kMiB * 1.016);
        const std::int64_t byLaw = fit.law.largestMicro(24 * kMiB);
        QVERIFY(byLaw >= fit.proof->micro * 0.98 && byLaw <= fit.proof->micro * 1.02);
        QVERIFY(largestMicro(fit, 24 * kMiB) <= fit.proof->micro); // with its margin
    }

    void aBudgetForTheWholeTrainingSetSaysSo()
    {
        RunControl control;
        FitProgress last;
        const MemoryFit fit = fitMemory({ experimentOf({ "memory.budget=1GiB" }), {} }, control,
            [&](const FitProgress& progress) { last = progress; });
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QVERIFY(fit.proof->isAll);
        QCOMPARE(fit.proof->micro, fit.trainSamples);
        QVERIFY(last.proving); // three windows of all samples, however many the law allows
        QVERIFY(last.ofSamples <= last.samples + 3 * fit.trainSamples);
    }

    // The budget of the fit ends with it.
    void theDeviceIsWholeAgainAfterwards()
    {
        fitOf({ "memory.budget=16MiB" });
        QVERIFY(peakOfRun(experimentOf({}), 512) > 16 * kMiB);
    }

    void aBudgetBelowTheModelIsAProblemThatNamesTheNeed()
    {
        const MemoryFit fit = fitOf({ "memory.budget=1MiB" });
        QVERIFY2(fit.problem.english().starts_with(
                     "memory.budget is 1.00 MiB, but with micro-batches of 1 "
                     "sample a window needs "),
            fit.problem.english().c_str());
        QVERIFY2(fit.problem.english().ends_with(
                     "; give a larger budget, or choose a smaller model or data set."),
            fit.problem.english().c_str());
        QVERIFY(!fit.proof);
        QVERIFY(!fit.law.lines.empty()); // that explains it
    }

    // One sample is computed in another way than the law's sizes, with far less.
    void whatTheFewestNeedIsMeasured()
    {
        const std::vector<std::string> settings { "model.name=vgg", "run.threads=1" };
        const MemoryFit fit = fitOf(settings);
        QCOMPARE(predictedBytes(fit, 1), peakOfRun(experimentOf(settings), 1));
        QVERIFY(fit.leastBytes < fit.law.peakAt(1));
        std::vector<std::string> tight = settings;
        tight.push_back("memory.budget=" + std::to_string(fit.leastBytes) + "B");
        QCOMPARE(fitOf(tight).proof.value().micro, 1);
        tight.back() = "memory.budget=" + std::to_string(fit.leastBytes - 1) + "B";
        QVERIFY(!fitOf(tight).problem.empty());
    }

    void aBudgetLargerThanTheMachineIsSaidBeforeAnythingIsMeasured()
    {
        RunControl control;
        int windows = 0;
        const MemoryFit fit = fitMemory({ experimentOf({ "memory.budget=1000TiB" }), {} }, control,
            [&](const FitProgress&) { ++windows; });
        QVERIFY2(fit.problem.english().starts_with("memory.budget is 1000 TiB, but cpu has "),
            fit.problem.english().c_str());
        QCOMPARE(windows, 0);
        QVERIFY(!fit.machine);
    }

    void oneThatIsStoppedKnowsNothing()
    {
        for (const int stopAt : { 1, 3, 7 }) {
            RunControl control;
            int windows = 0;
            const MemoryFit fit = fitMemory(
                { experimentOf({ "memory.budget=24MiB" }), {} }, control, [&](const FitProgress&) {
                    if (++windows == stopAt)
                        control.requestStop();
                });
            QVERIFY(fit == MemoryFit { .stopped = true });
            QCOMPARE(windows, stopAt);
        }
    }

    void tellsEachWindowBeforeItIsComputed()
    {
        RunControl control;
        std::vector<FitProgress> told;
        const MemoryFit fit = fitMemory({ experimentOf({ "memory.budget=24MiB" }), {} }, control,
            [&](const FitProgress& progress) { told.push_back(progress); });
        QVERIFY(told.size() > 5);
        for (std::size_t index = 0; index < told.size(); ++index) {
            QCOMPARE(told[index].windows, static_cast<int>(index));
            QVERIFY(told[index].ofWindows > told[index].windows);
            QVERIFY(told[index].ofSamples > told[index].samples);
            QVERIFY(index == 0 || told[index].samples > told[index - 1].samples);
        }
        QVERIFY(std::abs(told.front().ofWindows - static_cast<int>(told.size())) <= 3);
        QVERIFY(!told.front().proving);
        QVERIFY(told.back().proving);
        QVERIFY(std::abs(told.back().micro - fit.proof->micro) <= 1);
    }

    void wrongRecipesAndMissingDataAreProblems()
    {
        const MemoryFit missing = fitOf({ "data.name=mnist" });
        QVERIFY2(missing.problem.english().find("mnist") != std::string::npos
                || missing.problem.english().find("MNIST") != std::string::npos,
            missing.problem.english().c_str());
        QVERIFY(!missing.machine);
        const MemoryFit unknown = fitOf({ "run.device=cuda:99" });
        QVERIFY2(unknown.problem.english().starts_with("run.device is cuda:99"),
            unknown.problem.english().c_str());
    }

    void asksNothingOfTheBatchNumbers()
    {
        const MemoryFit fit =
            fitOf({ "batch.micro=auto", "batch.effective=1000000", "memory.budget=24MiB" });
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QVERIFY(fit.proof->micro > 1);
    }

    void fewPicturesAreMeasuredAsFarAsTheyGo()
    {
        QTemporaryDir folder;
        const auto pictures = writtenPictures(folder.path().toStdString(), 20, 10);
        RunControl control;
        const MemoryFit fit =
            fitMemory({ experimentOf({ "data.name=idx", "data.path=" + pictures.string() }), {} },
                control, {});
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QCOMPARE(fit.law.to, 20);
        QCOMPARE(fit.trainSamples, 20);
        QCOMPARE(largestMicro(fit, std::int64_t { 1 } << 40), 20);
    }

    void batchNormOnVectorsNeedsTwo()
    {
        const MemoryFit fit = fitOf({ "model.name=mlp", "model.norm=batch" });
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QCOMPARE(fit.smallestMicro, 2);
        QCOMPARE(largestMicro(fit, fit.law.peakAt(2)), 2);
        QCOMPARE(largestMicro(fit, fit.law.peakAt(2) - 1), 0);
    }

    void onADeviceTheBudgetIsEnforced()
    {
        if (!acceleratorDevice())
            QSKIP("no CUDA device here");
        const MemoryFit fit =
            fitOf({ "run.device=cuda", "model.name=resnet18", "memory.budget=2GiB" });
        QVERIFY2(fit.problem.empty(), fit.problem.english().c_str());
        QVERIFY(fit.outsideBytes > 0);
        QVERIFY(fit.proof->peakBytes + fit.outsideBytes <= 2048 * kMiB);
    }
};

QTEST_GUILESS_MAIN(TestMemoryFit)
#include "tst_memory_fit.moc"
