// SPDX-License-Identifier: Apache-2.0
#include "engine/training/session.h"

#include <algorithm>
#include <numeric>

#include <QTemporaryDir>
#include <QTest>

#include "tests/engine/training/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

// What a run tells of its memory.
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
    EventList eventsOf(Metering metering, const std::function<void(Experiment&)>& change = {})
    {
        const QTemporaryDir folder;
        TrainRequest request;
        Experiment& experiment = request.experiment;
        experiment.data.name = DataName::Idx;
        experiment.data.path = writtenPictures(folder.path().toStdString(), 150, 30).string();
        experiment.run.device = "cpu";
        experiment.run.threads = 1;
        experiment.run.epochs = 2;
        experiment.memory.metering = metering;
        if (change)
            change(experiment);
        RunControl control;
        EventList events;
        const RunEnded ended = Session(request, control, events).run();
        if (ended.outcome != RunOutcome::Completed)
            throw std::runtime_error(ended.message);
        return events;
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

    void buffersAreTheModelsAndTheGuards()
    {
        const EventList events = eventsOf(
            Metering::Window, [](Experiment& experiment) { experiment.model.norm = Norm::Batch; });
        const MemoryMeasured memory = events.all<MemoryMeasured>().front();
        // Mean and variance of 6 and 16 channels, and how often they were updated: twice.
        for (const PhaseMemory& phase : memory.phases)
            QCOMPARE(of(phase.atPeak, MemoryCategory::Buffers), 2 * (4 * 2 * (6 + 16) + 2 * 8));
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
