// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include <algorithm>
#include <numeric>

#include <QTemporaryDir>
#include <QTest>

#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

// What a run emits about its memory.
namespace {

std::int64_t of(const CategoryBytes& bytes, MemoryCategory category)
{
    return bytes[static_cast<std::size_t>(category)];
}

std::int64_t sum(const CategoryBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), std::int64_t { 0 });
}

bool isEvaluation(const MemoryMeasured& memory)
{
    return memory.phases.front().phase == MemoryPhase::Evaluation;
}

} // namespace

class TestSessionMemory : public QObject {
    Q_OBJECT

private:
    // 150 pictures: in each epoch a window of 4 micro-batches of 32, and a tail of 22 in one.
    static OpenRequest requestIn(const std::filesystem::path& folder, Metering metering)
    {
        OpenRequest request;
        Experiment& experiment = request.experiment;
        experiment.data.name = DataName::Idx;
        experiment.data.path = writtenPictures(folder / "data", 150, 30).string();
        experiment.run.device = "cpu";
        experiment.run.threads = 1;
        experiment.run.epochs = 2;
        experiment.memory.metering = metering;
        return request;
    }

    static EventList eventsOf(const OpenRequest& request)
    {
        RunControl control;
        EventList events;
        const RunEnded ended = Session(request, control, events).run();
        if (ended.outcome != RunOutcome::Completed)
            throw std::runtime_error(ended.message.english());
        return events;
    }

    static EventList eventsOf(Metering metering,
        const std::function<void(Experiment&)>& change = {},
        const std::filesystem::path& saved = {})
    {
        const QTemporaryDir folder;
        OpenRequest request = requestIn(folder.path().toStdString(), metering);
        request.checkpointFolder = saved;
        if (change)
            change(request.experiment);
        return eventsOf(request);
    }

    static std::int64_t peakOfFirstWindow(const OpenRequest& request)
    {
        return eventsOf(request).all<StepDone>().front().peakBytes;
    }

private Q_SLOTS:
    void everyWindowAndEvaluationIsTold()
    {
        const EventList events = eventsOf(Metering::Window, [](Experiment& experiment) {
            experiment.optimizer.momentum = 0.9;
            experiment.optimizer.ema = 0.9;
        });
        const auto steps = events.all<StepDone>();
        auto step = steps.begin();
        std::size_t evaluations = 0;
        for (const MemoryMeasured& memory : events.all<MemoryMeasured>()) {
            for (const PhaseMemory& phase : memory.phases) {
                QCOMPARE(sum(phase.atPeak), phase.peakBytes);
                QCOMPARE(sum(phase.atEnd), phase.endBytes);
            }
            if (isEvaluation(memory)) {
                ++evaluations;
                continue;
            }
            QVERIFY(step != steps.end());
            QCOMPARE(memory.step, step->step);
            QCOMPARE(memory.phases.size(), std::size_t { 4 });
            QCOMPARE(memory.phases.back().samples, step->windowSamples);
            const auto highest = std::max_element(memory.phases.begin(), memory.phases.end(),
                [](const auto& a, const auto& b) { return a.peakBytes < b.peakBytes; });
            QCOMPARE(highest->peakBytes, step->peakBytes);
            ++step;
        }
        QVERIFY(step == steps.end());
        QCOMPARE(evaluations, events.all<Evaluated>().size());
    }

    // 61,706 parameters of LeNet-5; pictures of a byte a pixel, labels of 8.
    void whatStaysHasItsCategory()
    {
        const EventList events = eventsOf(Metering::Window, [](Experiment& experiment) {
            experiment.optimizer.momentum = 0.9;
            experiment.optimizer.ema = 0.9;
        });
        const std::int64_t model = 4 * 61'706;
        for (const MemoryMeasured& memory : events.all<MemoryMeasured>())
            for (const PhaseMemory& phase : memory.phases) {
                const CategoryBytes& bytes = phase.atPeak;
                QCOMPARE(of(bytes, MemoryCategory::DataSet), 180 * (784 + 8));
                QCOMPARE(of(bytes, MemoryCategory::Parameters), model);
                QCOMPARE(of(bytes, MemoryCategory::Gradients), model);
                QCOMPARE(of(bytes, MemoryCategory::OptimizerState), model);
                QCOMPARE(of(bytes, MemoryCategory::Average), model);
                const std::int64_t buffers = 32 * (4 * 784 + 8);
                const std::int64_t own =
                    phase.phase == MemoryPhase::Evaluation ? phase.samples * (4 * 784 + 8) : 0;
                QCOMPARE(of(bytes, MemoryCategory::Input), buffers + own);
            }
    }

    // On the CPU, too, where they are in the same kind of memory: not of the run's budget.
    void whatFollowsPartsOnTheHostDoesNotCount()
    {
        const auto inParts = [](std::int64_t onDevice) {
            return eventsOf(Metering::Full, [&](Experiment& experiment) {
                experiment.optimizer.momentum = 0.9;
                experiment.optimizer.ema = 0.9;
                experiment.trace.updateRatio = true;
                experiment.distributed.shard = Shard::Parameters;
                experiment.distributed.deviceMemory = Bytes { onDevice };
            });
        };
        const std::int64_t model = 4 * 61'706;
        for (const MemoryMeasured& memory : inParts(std::int64_t { 1 } << 30).all<MemoryMeasured>())
            QVERIFY(of(memory.phases.back().atPeak, MemoryCategory::Average) >= model);
        for (const MemoryMeasured& memory : inParts(1).all<MemoryMeasured>())
            for (const PhaseMemory& phase : memory.phases) {
                QCOMPARE(of(phase.atPeak, MemoryCategory::OptimizerState), 0);
                QCOMPARE(of(phase.atPeak, MemoryCategory::Average), 0);
                QVERIFY(std::none_of(phase.owners.begin(), phase.owners.end(),
                    [](const MemoryOwner& owner) { return owner.layer == "trace.update_ratio"; }));
            }
    }

    // In whole rows of 4096 values; the owner names the key.
    void theCopyForTheUpdateRatioIsWorkspace()
    {
        const auto workspaceOf = [](bool measured) {
            const EventList events = eventsOf(Metering::Full,
                [&](Experiment& experiment) { experiment.trace.updateRatio = measured; });
            const MemoryMeasured first = events.all<MemoryMeasured>().front();
            const PhaseMemory& phase = first.phases.back();
            const bool isNamed =
                std::any_of(phase.owners.begin(), phase.owners.end(), [](const MemoryOwner& owner) {
                    return owner.layer == "trace.update_ratio"
                        && owner.bytes == 16 * 4096 * std::int64_t { 4 };
                });
            return std::pair(of(phase.atEnd, MemoryCategory::Workspace), isNamed);
        };
        const auto [with, isNamed] = workspaceOf(true);
        const auto [without, isNamedWithout] = workspaceOf(false);
        QVERIFY(isNamed && !isNamedWithout);
        const std::int64_t copy = 16 * 4096 * 4;
        QVERIFY2(with - without >= copy && with - without <= copy + 1024,
            std::to_string(with - without).c_str());
    }

    void buffersAreTheModelsAndTheGuards()
    {
        const EventList events = eventsOf(
            Metering::Window, [](Experiment& experiment) { experiment.model.norm = Norm::Batch; });
        const MemoryMeasured memory = events.all<MemoryMeasured>().front();
        // Mean and variance of 6 and 16 channels, and how often they were updated: twice.
        for (const PhaseMemory& phase : memory.phases)
            QCOMPARE(of(phase.atPeak, MemoryCategory::Buffers), 2 * (4 * 2 * (6 + 16) + 2 * 8));
    }

    // Neither the copies that a checkpoint is written from, nor what writes it.
    void checkpointsAreNoneOfTheDevicesMemory()
    {
        const auto peaks = [&](const QTemporaryDir& saved, double every) {
            std::vector<std::int64_t> all;
            const auto events = eventsOf(
                Metering::Window,
                [&](Experiment& experiment) {
                    experiment.checkpoint.every = { every, Span::Unit::Steps };
                    experiment.checkpoint.best = false;
                },
                saved.path().toStdString());
            for (const StepDone& step : events.all<StepDone>())
                all.push_back(step.peakBytes);
            return all;
        };
        const QTemporaryDir often;
        const QTemporaryDir never;
        QCOMPARE(peaks(often, 1), peaks(never, 1000));
    }

    void aBudgetOfItsPeakIsEnoughForARunAndItsCheckpoints()
    {
        std::int64_t peak = 0;
        for (const MemoryMeasured& memory : eventsOf(Metering::Window).all<MemoryMeasured>())
            for (const PhaseMemory& phase : memory.phases)
                peak = std::max(peak, phase.peakBytes);
        const QTemporaryDir saved;
        const EventList events = eventsOf(
            Metering::Window,
            [&](Experiment& experiment) { experiment.memory.budget = Bytes { peak }; },
            saved.path().toStdString());
        QVERIFY(events.all<OutOfMemory>().empty());
        QVERIFY(events.all<RunMessage>().empty());
        QVERIFY(!events.all<CheckpointSaved>().empty());
    }

    // It resumes like a new run, with the split that is known by then, or, with a larger budget,
    // with the requested one.
    void aRunThatFailsInItsFirstWindowIsSavedAsItBegan()
    {
        const QTemporaryDir folder;
        OpenRequest request = requestIn(folder.path().toStdString(), Metering::Window);
        request.experiment.batch.micro = BatchNumber::given(1);
        const std::int64_t least = peakOfFirstWindow(request);
        request.experiment.batch.micro = {};
        request.experiment.memory.budget = Bytes { least - 1 };
        request.checkpointFolder = folder.filePath("saved").toStdString();
        RunControl control;
        EventList events;
        const RunEnded ended = Session(request, control, events).run();
        QVERIFY2(ended.outcome == RunOutcome::OutOfMemory, ended.message.english().c_str());
        QVERIFY(!ended.checkpoint.empty());
        QVERIFY2(ended.message.english().find("could not be saved") == std::string::npos,
            ended.message.english().c_str());
        QCOMPARE(events.all<OutOfMemory>().front().epoch, 1);
        const RunState state = readCheckpoint(ended.checkpoint).state;
        QCOMPARE(state.position.step, 0);
        QCOMPARE(state.micro, 1);
        QVERIFY(state.evaluationNext > 0);
        QVERIFY(state.checkpointNext > 0);

        request.resumeFrom = ended.checkpoint;
        request.experiment.memory.budget = Bytes { 4 * least };
        EventList resumed;
        const RunEnded done = Session(request, control, resumed).run();
        QVERIFY2(done.outcome == RunOutcome::Completed, done.message.english().c_str());
        QCOMPARE(done.microBatches, 2 * (4 + 1));
    }

    void theDetailIsAsAskedFor()
    {
        QVERIFY(eventsOf(Metering::Off).all<MemoryMeasured>().empty());
        const auto full = eventsOf(Metering::Full).all<MemoryMeasured>();
        QCOMPARE(full.front().phases.size(), std::size_t { 3 * 4 + 1 });
        QCOMPARE(full.front().phases.front().microBatch, 1);
        QCOMPARE(full.front().phases.front().samples, 32);
    }

    void meteringChangesNoLoss()
    {
        const auto losses = eventsOf(Metering::Off).losses();
        QCOMPARE(eventsOf(Metering::Window).losses(), losses);
        QCOMPARE(eventsOf(Metering::Full).losses(), losses);
    }
};

QTEST_GUILESS_MAIN(TestSessionMemory)
#include "tst_session_memory.moc"
