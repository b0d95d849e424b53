// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QTemporaryDir>
#include <QTest>

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "engine/accelerator/accelerators.h"
#include "engine/accelerator/devices.h"
#include "engine/session/saved_models.h"
#include "engine/session/self_test.h"
#include "engine/session/single_window.h"
#include "tests/engine/session/device_run.h"
#include "tests/support/fake_accelerator/fake_accelerator.h"

using namespace accrue;
using namespace accrue::test;

// Runs on the fake accelerator: all of the engine that is written for a GPU, against the same run
// on the CPU, whose kernels compute both.
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

at::Device device(int index = 0)
{
    return { accelerator()->type(), static_cast<c10::DeviceIndex>(index) };
}

std::int64_t reserved()
{
    return c10::getDeviceAllocator(device().type())->getDeviceStats(0).reserved_bytes[0].current;
}

std::vector<double> evaluatedLosses(const EventList& events)
{
    std::vector<double> losses;
    for (const Evaluated& evaluated : events.all<Evaluated>())
        losses.push_back(evaluated.testLoss);
    return losses;
}

std::vector<double> tracedValues(const EventList& events)
{
    std::vector<double> values;
    for (const ParameterTraced& traced : events.all<ParameterTraced>())
        for (const TracedMicroBatch& micro : traced.microBatches)
            values.insert(values.end(), micro.values.begin(), micro.values.end());
    return values;
}

// fc1 of LeNet-5 in double, in the device's blocks of 512 bytes.
constexpr std::int64_t kLargestLayer = (400 * 120 + 120) * 8 + 512;

std::int64_t stateBytes(const CategoryBytes& bytes)
{
    std::int64_t all = 0;
    for (const MemoryCategory category : { MemoryCategory::Parameters, MemoryCategory::Gradients,
             MemoryCategory::OptimizerState, MemoryCategory::Average })
        all += bytes[static_cast<std::size_t>(category)];
    return all;
}

std::int64_t sum(const CategoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t { 0 });
}

std::int64_t peakOf(const MemoryMeasured& memory)
{
    std::int64_t peak = 0;
    for (const PhaseMemory& phase : memory.phases)
        peak = std::max(peak, phase.peakBytes);
    return peak;
}

bool isWindow(const MemoryMeasured& memory)
{
    return memory.phases.front().phase != MemoryPhase::Evaluation;
}

std::int64_t messagesWith(const EventList& events, const std::string& words)
{
    const auto messages = events.all<RunMessage>();
    return std::count_if(messages.begin(), messages.end(), [&](const RunMessage& message) {
        return message.text.english().find(words) != std::string::npos;
    });
}

const StepDone* stepOf(const Event& event) // null: it is no step
{
    return std::get_if<StepDone>(&event);
}

} // namespace

class TestSessionOnDevice : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path folder() const { return m_folder->path().toStdString(); }

    OpenRequest request(const std::string& where, const SettingTexts& settings = {}) const
    {
        return deviceRequest(folder(), where, settings);
    }

    OpenRequest savedRequest(const std::string& where, const SettingTexts& settings = {}) const
    {
        OpenRequest made = request(where, settings);
        made.checkpointFolder = folder() / ("saved on " + where);
        return made;
    }

    // The emitted memory of each window adds up.
    static void checkMemory(const EventList& events)
    {
        const auto steps = events.all<StepDone>();
        auto step = steps.begin();
        for (const MemoryMeasured& memory : events.all<MemoryMeasured>()) {
            std::int64_t before = memory.phases.front().beginBytes;
            for (const PhaseMemory& phase : memory.phases) {
                QCOMPARE(sum(phase.atPeak), phase.peakBytes);
                QCOMPARE(sum(phase.atEnd), phase.endBytes);
                QCOMPARE(phase.beginBytes, before);
                for (const std::int64_t bytes : phase.atPeak)
                    QVERIFY(bytes >= 0);
                QVERIFY(phase.cachedBytes >= 0);
                QCOMPARE(phase.otherBytes, 64 * kMiB);
                before = phase.endBytes;
            }
            if (isWindow(memory))
                QCOMPARE(peakOf(memory), (step++)->peakBytes);
        }
        QVERIFY(step == steps.end());
    }

private Q_SLOTS:
    // What opening the window does: it takes nothing of a device.
    void initTestCase()
    {
        QCOMPARE(listDevices().size(), std::size_t { 3 });
        runFirstOperators();
        const at::PrivateUse1HooksInterface& hooks = at::detail::getPrivateUse1Hooks();
        QVERIFY(!hooks.hasPrimaryContext(0) && !hooks.hasPrimaryContext(1));
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void cleanup()
    {
        fake::repair();
        fake::refuseAllocation(0);
        fake::setWorkspace(0, fake::ShortWorkspace::Throws);
        accelerator()->liftMemoryLimit(device());
    }

    void trainsAsOnTheCpu_data()
    {
        QTest::addColumn<SettingTexts>("settings");
        QTest::addColumn<double>("bound");
        const auto row = [](const char* name, double bound, const SettingTexts& settings) {
            QTest::newRow(name) << settings << bound;
        };
        row("LeNet-5", 1e-12, {});
        row("LeNet-5, float32", 1e-6, { "run.precision=float32" });
        row("perceptron", 1e-12, { "model.name=mlp" });
        row("sum", 1e-12, { "batch.reduction=sum" });
        row("carried windows, augmented", 1e-12,
            { "batch.tail=carry", "data.augment=crop:2,flip" });
        row("BatchNorm over the window", 1e-12,
            { "model.norm=batch", "model.batchnorm_window=true" });
        row("BatchNorm, precise", 1e-12, { "model.norm=batch", "model.batchnorm_precise=true" });
        row("GroupNorm", 1e-12, { "model.norm=group" });
        row("Adam, average, clipped", 1e-10,
            { "optimizer.name=adam", "optimizer.lr=0.001", "optimizer.momentum=0",
                "optimizer.ema=0.9", "optimizer.clip_norm=0.5" });
        row("AdamW", 1e-10,
            { "optimizer.name=adamw", "optimizer.lr=0.001", "optimizer.momentum=0",
                "optimizer.weight_decay=0.1" });
        row("Adam, AMSGrad", 1e-10,
            { "optimizer.name=adam", "optimizer.lr=0.001", "optimizer.momentum=0",
                "optimizer.beta2=0.6", "optimizer.amsgrad=true" });
        row("RMSprop, centered", 1e-10,
            { "optimizer.name=rmsprop", "optimizer.lr=0.001", "optimizer.eps=1e-4",
                "optimizer.centered=true", "optimizer.weight_decay=0.1" });
        row("windows that are dropped", 1e-12, { "run.not_finite=skip" });
        row("ResNet-18, BatchNorm", 1e-10,
            { "model.name=resnet18", "model.norm=batch", "batch.effective=4", "batch.micro=2",
                "run.limit_steps=2", "optimizer.lr=0.001", "run.memory_format=contiguous" });
        row("ResNet-18, GroupNorm", 1e-10,
            { "model.name=resnet18", "model.norm=group", "batch.effective=4", "batch.micro=2",
                "run.limit_steps=2", "optimizer.lr=0.001" });
        row("LeNet-5, bfloat16", 0.02, { "run.precision=bfloat16" });
    }
    void trainsAsOnTheCpu()
    {
        QFETCH(SettingTexts, settings);
        QFETCH(double, bound);
        const DeviceRun onCpu = run(request("cpu", settings));
        QVERIFY2(
            onCpu.ended.outcome == RunOutcome::Completed, onCpu.ended.message.english().c_str());
        for (const char* const where : { "cuda", "cuda:1" }) {
            const DeviceRun onDevice = run(request(where, settings));
            QVERIFY2(onDevice.ended.outcome == RunOutcome::Completed,
                onDevice.ended.message.english().c_str());
            const double losses = apart(onDevice.events.losses(), onCpu.events.losses());
            QVERIFY2(losses <= bound, qPrintable(QString("losses: %1").arg(losses)));
            const double tested =
                apart(evaluatedLosses(onDevice.events), evaluatedLosses(onCpu.events));
            QVERIFY2(tested <= bound, qPrintable(QString("evaluations: %1").arg(tested)));
        }
    }

    void partsBeyondTheirLimitAreOnTheHost_data()
    {
        QTest::addColumn<QString>("limit");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("nothing fits") << "1B" << qint64 { 1 };
        QTest::newRow("some chunks fit") << "256KiB" << qint64 { 256 * 1024 };
    }
    // LeNet-5 in double with Adam and an average: 2.4 MB without parts.
    void partsBeyondTheirLimitAreOnTheHost()
    {
        QFETCH(QString, limit);
        QFETCH(qint64, bytes);
        const SettingTexts adam { "optimizer.name=adam", "optimizer.lr=0.001",
            "optimizer.momentum=0", "optimizer.ema=0.9", "optimizer.clip_norm=0.5",
            "memory.metering=full", "trace.parameters=fc3.weight", "trace.update_ratio=true" };
        SettingTexts inParts { "distributed.shard=parameters", "distributed.chunk=1B",
            "distributed.device_memory=" + limit.toStdString() };
        inParts.insert(inParts.end(), adam.begin(), adam.end());
        const DeviceRun whole = run(savedRequest("cpu", adam));
        const DeviceRun parts = run(savedRequest("cuda", inParts));
        QVERIFY2(
            parts.ended.outcome == RunOutcome::Completed, parts.ended.message.english().c_str());
        QVERIFY(apart(parts.events.losses(), whole.events.losses()) < 1e-10);
        QVERIFY(apart(evaluatedLosses(parts.events), evaluatedLosses(whole.events)) < 1e-10);
        QVERIFY(apart(tracedValues(parts.events), tracedValues(whole.events)) < 1e-10);
        QVERIFY(!whole.model.empty() && apart(parts.model, whole.model) < 1e-10);
        checkMemory(parts.events);
        for (const MemoryMeasured& memory : parts.events.all<MemoryMeasured>())
            for (const PhaseMemory& phase : memory.phases)
                QVERIFY(stateBytes(phase.atPeak) <= bytes + 2 * kLargestLayer);
    }

    void float16TrainsWithALossScale()
    {
        const DeviceRun single = run(request("cuda", { "run.precision=float32" }));
        const DeviceRun half = run(request("cuda", { "run.precision=float16" }));
        QVERIFY2(half.ended.outcome == RunOutcome::Completed, half.ended.message.english().c_str());
        QVERIFY(apart(half.events.losses(), single.events.losses()) <= 0.02);
    }

    void isToldUnderTheNameOfARecipe()
    {
        const DeviceRun done = run(request("cuda:1", { "run.limit_steps=1" }));
        const auto started = done.events.all<RunStarted>().front();
        QCOMPARE(started.device, std::string("cuda:1"));
        QCOMPARE(started.deviceName, std::string("Fake GPU 1"));
    }

    void figuresAreReadOneWindowLate()
    {
        const OpenRequest asked = request("cuda", { "batch.effective=8", "run.epochs=1" });
        std::vector<std::int64_t> underWay;
        run(asked, [&](const Event& event) {
            if (stepOf(event) != nullptr)
                underWay.push_back(fake::copiesUnderWay(0));
        });
        QCOMPARE(underWay, (std::vector<std::int64_t> { 1, 1, 1, 1, 0 }));
    }

    void timesAreThoseOfTheDevice()
    {
        const DeviceRun done = run(request("cuda"));
        for (const StepDone& step : done.events.all<StepDone>()) {
            QVERIFY(step.forwardMs > 0 && step.backwardMs > 0 && step.optimizerMs > 0);
            const double parts = step.dataMs + step.forwardMs + step.backwardMs + step.optimizerMs;
            QVERIFY(parts < step.stepMs); // which its opening is in, too
        }
    }

    void aTracedParameterIsTheOneOfTheCpu()
    {
        const SettingTexts settings { "trace.parameters=first" };
        const auto onCpu = tracedValues(run(request("cpu", settings)).events);
        QVERIFY(!onCpu.empty());
        QVERIFY(apart(tracedValues(run(request("cuda", settings)).events), onCpu) <= 1e-12);
    }

    void theUpdateRatioIsTheOneOfTheCpu()
    {
        const SettingTexts settings { "trace.update_ratio=true" };
        const auto ratiosOn = [&](const char* device) {
            std::vector<double> ratios;
            for (const StepDone& step : run(request(device, settings)).events.all<StepDone>())
                ratios.push_back(step.values.at(0).value);
            return ratios;
        };
        const std::vector<double> onCpu = ratiosOn("cpu");
        QVERIFY(!onCpu.empty() && onCpu.front() > 0);
        QVERIFY(apart(ratiosOn("cuda"), onCpu) <= 1e-10);
    }

    void aCheckpointOfOneDeviceGoesOnOnAnother_data()
    {
        QTest::addColumn<std::string>("first");
        QTest::addColumn<std::string>("second");
        QTest::newRow("from the device") << std::string("cuda") << std::string("cpu");
        QTest::newRow("to the device") << std::string("cpu") << std::string("cuda");
        QTest::newRow("to another one") << std::string("cuda") << std::string("cuda:1");
    }
    void aCheckpointOfOneDeviceGoesOnOnAnother()
    {
        QFETCH(std::string, first);
        QFETCH(std::string, second);
        const SettingTexts settings { "model.norm=batch", "optimizer.name=adam",
            "optimizer.lr=0.001", "optimizer.momentum=0", "optimizer.ema=0.9" };
        OpenRequest whole = savedRequest("cpu", settings);
        whole.checkpointFolder = folder() / "whole";
        const DeviceRun wanted = run(whole);
        OpenRequest begun = savedRequest(first, settings);
        begun.stopAfter = 2;
        const DeviceRun stopped = run(begun);
        QVERIFY2(
            stopped.ended.outcome == RunOutcome::Stopped, stopped.ended.message.english().c_str());
        OpenRequest rest = savedRequest(second, settings);
        rest.resumeFrom = stopped.ended.checkpoint;
        const DeviceRun done = run(rest);
        QVERIFY2(done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        QVERIFY(apart(done.model, wanted.model) <= 1e-10);
    }

    void aSavedModelIsEvaluatedAsItsRunWas()
    {
        const OpenRequest asked = savedRequest("cpu",
            { "model.norm=batch", "model.batchnorm_precise=true", "optimizer.ema=0.9",
                "data.validation=10" });
        const DeviceRun trained = run(asked);
        EvaluationRequest evaluation { trained.ended.checkpoint, asked.experiment, {} };
        evaluation.experiment.run.device = "cuda";
        const CheckpointFigures figures = evaluateCheckpoint(evaluation);
        QVERIFY2(figures.problem.empty(), figures.problem.english().c_str());
        QCOMPARE(figures.device, std::string("cuda:0"));
        const Evaluated last = trained.events.all<Evaluated>().back();
        QVERIFY(std::abs(figures.evaluated.testLoss - last.testLoss) <= 1e-12);
        QVERIFY(std::abs(*figures.evaluated.validationLoss - *last.validationLoss) <= 1e-12);
    }

    // Every so many allocations of the second window: absorbed, or repeated with half.
    void aRefusedAllocationBeginsTheWindowAgain()
    {
        const SettingTexts settings { "model.norm=batch", "batch.effective=64", "batch.micro=64",
            "run.epochs=4" };
        std::filesystem::create_directories(folder());
        writtenPictures(folder() / "data", /*train=*/64, /*test=*/30);
        const DeviceRun wanted = run(savedRequest("cuda", settings));
        const auto refusedAt = [&](std::int64_t number, DeviceRun& done) {
            bool told = false;
            done = run(savedRequest("cuda", settings), [&](const Event& event) {
                if (std::exchange(told, told || std::holds_alternative<Evaluated>(event)) != told)
                    fake::refuseAllocation(number);
                if (std::holds_alternative<OutOfMemory>(event)) // given back what was cached
                    QCOMPARE(fake::releasableBytes(0), 0);
            });
        };
        int inForward = 0;
        int inBackward = 0;
        for (std::int64_t number = 1; number <= 60; number += 4) {
            DeviceRun done;
            refusedAt(number, done);
            QVERIFY2(
                done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
            QCOMPARE(done.events.all<StepDone>().size(), wanted.events.all<StepDone>().size());
            for (const OutOfMemory& halved : done.events.all<OutOfMemory>()) {
                QCOMPARE(halved.fromMicro, 64);
                QCOMPARE(halved.toMicro, 32);
                inForward += halved.phase == "forward" ? 1 : 0;
                inBackward += halved.phase == "backward" ? 1 : 0;
            }
            if (QTest::currentTestFailed())
                return;
        }
        QVERIFY2(inForward > 2, qPrintable(QString::number(inForward)));
        QVERIFY2(inBackward > 2, qPrintable(QString::number(inBackward)));
    }

    void aBudgetIsKeptByHalving()
    {
        writtenPictures(folder() / "data", /*train=*/512, /*test=*/30);
        const SettingTexts settings { "batch.effective=512", "batch.micro=512", "run.epochs=1" };
        const DeviceRun wanted = run(request("cuda", settings));
        SettingTexts within = settings;
        within.push_back("memory.budget=110MiB");
        const DeviceRun done = run(request("cuda", within));
        QVERIFY2(done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        constexpr std::int64_t kLeft = 46 * kMiB; // by the context
        QVERIFY(wanted.events.all<StepDone>().front().peakBytes > kLeft);
        QVERIFY(!done.events.all<OutOfMemory>().empty());
        QVERIFY(apart(done.events.losses(), wanted.events.losses()) <= 1e-12);
        QVERIFY(done.events.all<StepDone>().front().peakBytes <= kLeft);
    }

    void aWorkspaceThatWasPassedOverIsSaidOnce()
    {
        const OpenRequest asked = request("cuda", { "batch.effective=8" });
        const DeviceRun roomy = run(asked);
        QVERIFY(roomy.events.all<RunMessage>().empty());
        accelerator()->limitMemory(device(), 30 * kMiB);
        fake::setWorkspace(64 * kMiB, fake::ShortWorkspace::GoesOn);
        const DeviceRun done = run(asked);
        QVERIFY2(done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        QVERIFY(done.events.all<OutOfMemory>().empty());
        QCOMPARE(messagesWith(done.events, "another algorithm from step 1 on"), 1);
        QCOMPARE(done.events.losses(), roomy.events.losses());
    }

    // What is too large for a workspace of 12 MiB beside it begins again with half.
    void aConvolutionWithoutAnEngineForWantOfMemoryIsAShortage()
    {
        writtenPictures(folder() / "data", /*train=*/512, /*test=*/30);
        const SettingTexts settings { "batch.effective=512", "batch.micro=512", "run.epochs=1" };
        const DeviceRun wanted = run(request("cuda", settings));
        accelerator()->limitMemory(device(), 70 * kMiB);
        fake::setWorkspace(12 * kMiB, fake::ShortWorkspace::Throws);
        const DeviceRun done = run(request("cuda", settings));
        QVERIFY2(done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        QVERIFY(!done.events.all<OutOfMemory>().empty());
        QVERIFY(apart(done.events.losses(), wanted.events.losses()) <= 1e-12);
    }

    void whereNoCutIsFineEnoughThatIsTheReason()
    {
        accelerator()->limitMemory(device(), 10 * kMiB);
        fake::setWorkspace(64 * kMiB, fake::ShortWorkspace::Throws);
        const DeviceRun done = run(request("cuda"));
        QVERIFY(done.ended.outcome == RunOutcome::OutOfMemory);
        QVERIFY2(done.ended.message.english().find("Out of memory on cuda:0, even with")
                != std::string::npos,
            done.ended.message.english().c_str());
    }

    void aRunGivesTheMemoryBack()
    {
        std::int64_t most = 0;
        {
            const DeviceRun done = run(request("cuda"), [&](const Event& event) {
                if (stepOf(event) != nullptr)
                    most = std::max(most, reserved());
            });
            QVERIFY2(
                done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        }
        QVERIFY(most > 0);
        QCOMPARE(reserved(), 0);
    }

    void aCardWithoutBfloat16IsRefusedBeforeAnythingIsTrained()
    {
        fake::setCapability(0, 7, 5);
        const std::string refusal =
            refusalOf([&] { run(request("cuda", { "run.precision=bfloat16" })); });
        fake::setCapability(0, 9, 0);
        QVERIFY2(
            refusal.find("which cuda:0 (Fake GPU 0, sm_75) cannot compute") != std::string::npos,
            refusal.c_str());
    }

    void aRankCountsOnlyTheCardsThatCanBeUsed()
    {
        TrainRequest asked = request("cuda", { "run.limit_steps=1" });
        asked.place = RankPlace { .localRank = 0 };
        const auto deviceOf = [&] { return run(asked).events.all<RunStarted>().front().device; };
        QCOMPARE(deviceOf(), std::string("cuda:0"));
        asked.place->localRank = 1;
        QCOMPARE(deviceOf(), std::string("cuda:1"));
        fake::setCapability(0, 5, 0);
        asked.place->localRank = 0;
        const std::string second = deviceOf();
        fake::setCapability(0, 9, 0);
        QCOMPARE(second, std::string("cuda:1"));
    }

    void anAllocatorThatCountsInAnotherWayIsWarnedOf()
    {
        qputenv("PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync");
        const DeviceRun onCpu = run(request("cpu", { "run.limit_steps=1" }));
        const DeviceRun done = run(request("cuda", { "run.limit_steps=1" }));
        qunsetenv("PYTORCH_CUDA_ALLOC_CONF");
        QVERIFY(onCpu.events.all<RunMessage>().empty());
        const auto messages = done.events.all<RunMessage>();
        QCOMPARE(messages.size(), std::size_t { 1 });
        QVERIFY(messages.front().text.english().starts_with("PYTORCH_CUDA_ALLOC_CONF is"));
    }

    // An error of the device that does not stay loses nothing: another run computes on it.
    void anErrorThatPassesEndsItsRunOnly()
    {
        fake::failAt(fake::Fault::Backward, 5, /*stays=*/false);
        const DeviceRun failed = run(savedRequest("cuda"));
        QVERIFY(failed.ended.outcome == RunOutcome::Failed);
        QVERIFY(!isLost(device()));
        QVERIFY2(!failed.ended.checkpoint.empty(), failed.ended.message.english().c_str());
        QVERIFY(run(request("cuda")).ended.outcome == RunOutcome::Completed);
    }

    void memoryThatIsNearlyFullIsWarnedOf()
    {
        const DeviceRun done = run(request("cuda"), [](const Event& event) {
            if (stepOf(event) == nullptr)
                return;
            // What windows kept is another's now, and all that the limit leaves.
            accelerator()->liftMemoryLimit(device());
            accelerator()->giveBackMemory();
            at::empty({ 40 * kMiB }, at::TensorOptions().dtype(at::kByte).device(device()));
            accelerator()->limitMemory(device(), reserved());
        });
        QVERIFY2(done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        QCOMPARE(messagesWith(done.events, "Memory is nearly full"), 1);
    }

    void theMemoryOfEveryPhaseAddsUp_data()
    {
        QTest::addColumn<std::string>("where");
        QTest::newRow("first") << std::string("cuda");
        QTest::newRow("second") << std::string("cuda:1");
    }
    void theMemoryOfEveryPhaseAddsUp()
    {
        QFETCH(std::string, where);
        for (const char* const metering : { "full", "window" }) {
            const DeviceRun done = run(request(where,
                { std::string("memory.metering=") + metering, "model.norm=batch",
                    "optimizer.ema=0.9" }));
            QVERIFY2(
                done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
            QCOMPARE(done.events.all<MemoryMeasured>().front().phases.size(),
                std::size_t { *metering == 'f' ? 7U : 4U });
            if (*metering == 'f')
                checkMemory(done.events);
        }
    }

    // Requests to the first device meanwhile do not affect the second one.
    void aDevicesMemoryIsItsOwn()
    {
        const SettingTexts settings { "memory.metering=full", "batch.effective=8" };
        std::vector<at::Tensor> others;
        const auto onEvent = [&](const Event& event) {
            if (stepOf(event) != nullptr)
                others.push_back(at::zeros(
                    { 5 * kMiB }, at::TensorOptions().dtype(at::kByte).device(device(0))));
        };
        const auto memoryOf = [](const DeviceRun& done) {
            std::vector<std::int64_t> bytes;
            for (const MemoryMeasured& memory : done.events.all<MemoryMeasured>())
                for (const PhaseMemory& phase : memory.phases)
                    bytes.insert(
                        bytes.end(), { phase.beginBytes, phase.peakBytes, phase.endBytes });
            return bytes;
        };
        const auto alone = memoryOf(run(request("cuda:1", settings)));
        QCOMPARE(memoryOf(run(request("cuda:1", settings), onEvent)), alone);
        QVERIFY(others.size() > 5);
    }

    void theSelfTestPasses()
    {
        int rows = 0;
        for (const SelfTestRow& row : runSelfTest("cuda", folder())) {
            QVERIFY2(row.passed && !row.skipped,
                (row.check.english() + ": " + row.measured.english() + ", limit "
                    + row.limit.english())
                    .c_str());
            ++rows;
        }
        QVERIFY(rows > 5);
    }
};

QTEST_GUILESS_MAIN(TestSessionOnDevice)
#include "tst_session_on_device.moc"
