// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include <cstdlib>
#include <random>

#include <QTemporaryDir>
#include <QTest>

#include "engine/experiment/keys.h"
#include "engine/session/run_preparation.h"
#include "tests/engine/session/failing_allocator.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr std::uint32_t kTrain = 40;
constexpr std::uint32_t kTest = 30;

// Three windows of 16 samples, the last of 8, cut into micro-batches of 8.
TrainRequest requestIn(
    const std::filesystem::path& folder, std::uint32_t train = kTrain, std::uint32_t test = kTest)
{
    TrainRequest request;
    Experiment& experiment = request.experiment;
    experiment.data.name = DataName::Idx;
    experiment.data.path = writtenPictures(folder / "data", train, test).string();
    experiment.batch.effective = BatchNumber::given(16);
    experiment.batch.micro = BatchNumber::given(8);
    experiment.run.device = "cpu";
    experiment.run.threads = 1;
    experiment.run.epochs = 1;
    experiment.run.precision = Precision::Float64;
    experiment.optimizer.lr = 0.05;
    experiment.optimizer.momentum = 0.9;
    request.checkpointFolder = folder / "checkpoint";
    return request;
}

struct Done {
    RunEnded ended;
    NamedTensors model;
    NamedTensors state; // of optimizer and average
    EventList events;
    std::vector<std::int64_t> live; // bytes of the run as each step was told
    std::int64_t left = 0; // bytes of it that are live when it is over
};

// Refuses allocation `number` after step `step` was told, or after the run began; 0: none.
struct Refusal {
    std::int64_t step = 0;
    std::int64_t number = 0;
};

std::int64_t stepOf(const Event& event) // -1: it tells none
{
    if (const auto* step = std::get_if<StepDone>(&event))
        return step->step;
    return std::holds_alternative<RunStarted>(event) ? 0 : -1;
}

Done trained(const TrainRequest& request, FailingAllocator& memory, Refusal refusal = {})
{
    Done done;
    if (!request.checkpointFolder.empty())
        std::filesystem::remove_all(request.checkpointFolder);
    const std::int64_t before = memory.liveBytes();
    done.events.onEvent = [&](const Event& event) {
        const std::int64_t step = stepOf(event);
        if (step < 0)
            return;
        done.live.push_back(memory.liveBytes() - before);
        memory.refuse(step == refusal.step ? refusal.number : 0);
    };
    RunControl control;
    memory.refuse(0);
    done.ended = Session(request, control, done.events).run();
    done.left = memory.liveBytes() - before;
    if (done.ended.checkpoint.empty())
        return done;
    const Checkpoint saved = readCheckpoint(done.ended.checkpoint);
    done.model = saved.model;
    done.state = saved.tensors;
    return done;
}

double distance(const NamedTensors& a, const NamedTensors& b)
{
    double squares = 0;
    double norm = 0;
    for (const auto& [name, tensor] : a) {
        const at::Tensor other = tensorOf(b, name).to(at::kDouble);
        squares += (tensor.to(at::kDouble) - other).square().sum().item<double>();
        norm += other.square().sum().item<double>();
    }
    return norm > 0 ? std::sqrt(squares / norm) : 0;
}

bool hasReplayed(const Done& done)
{
    return !done.events.all<OutOfMemory>().empty();
}

} // namespace

class TestOutOfMemory : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    FailingAllocator m_memory;
    TrainRequest request() const { return requestIn(m_folder->path().toStdString()); }

    // Allocations from the telling of step `from` until the next one is told.
    std::int64_t allocationsAfter(const TrainRequest& request, std::int64_t from)
    {
        std::int64_t count = 0;
        EventList events;
        events.onEvent = [&](const Event& event) {
            if (stepOf(event) == from + 1)
                count = m_memory.count();
            if (stepOf(event) >= 0)
                m_memory.refuse(0);
        };
        RunControl control;
        Session(request, control, events).run();
        return count;
    }

    // Absorbed by LibTorch, or repeated with micro-batches of half the size: the same run.
    void checkRefusal(const TrainRequest& request, std::int64_t number, const Done& wanted,
        const Done& finer, double bound)
    {
        const Done done = trained(request, m_memory, { .step = 1, .number = number });
        const std::string which = "allocation " + std::to_string(number);
        QVERIFY2(done.ended.outcome == RunOutcome::Completed,
            (which + ": " + done.ended.message.english()).c_str());
        const double apart =
            std::max(distance(done.model, wanted.model), distance(done.state, wanted.state));
        QVERIFY2(apart <= bound, (which + ": " + std::to_string(apart)).c_str());
        const auto& sized = hasReplayed(done) ? finer : wanted;
        QCOMPARE(done.live.back(), sized.live.back());
        QCOMPARE(done.left, 0);
        const auto steps = done.events.all<StepDone>();
        const auto expected = wanted.events.all<StepDone>();
        QCOMPARE(steps.size(), expected.size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i].step, expected[i].step);
            QCOMPARE(steps[i].samples, expected[i].samples);
            QCOMPARE(steps[i].windowSamples, expected[i].windowSamples);
            QVERIFY(std::abs(steps[i].loss - expected[i].loss) <= 1e-9);
        }
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyAllocationOfAWindowMayFail_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("apart");
        QTest::newRow("mean") << 0 << 1;
        QTest::newRow("sum, some") << 1 << 4;
        QTest::newRow("adam, average, clipping") << 2 << 1;
        QTest::newRow("trace, some") << 3 << 4;
        QTest::newRow("rmsprop") << 4 << 1;
    }

    void everyAllocationOfAWindowMayFail()
    {
        QFETCH(int, kind);
        QFETCH(int, apart);
        TrainRequest asked = request();
        Experiment& experiment = asked.experiment;
        if (kind == 1)
            experiment.batch.reduction = Reduction::Sum;
        if (kind == 2) {
            experiment.optimizer.name = OptimizerName::Adam;
            experiment.optimizer.lr = 0.001;
            experiment.optimizer.ema = 0.9;
            experiment.optimizer.clipNorm = 0.5;
        }
        if (kind == 3) {
            experiment.trace.parameters = "first";
            experiment.trace.updateRatio = true;
        }
        if (kind == 4) {
            experiment.optimizer.name = OptimizerName::Rmsprop;
            experiment.optimizer.lr = 0.001;
            experiment.optimizer.eps = 1e-3;
            experiment.optimizer.centered = true;
            experiment.optimizer.weightDecay = 0.01;
        }
        const Done wanted = trained(asked, m_memory);
        TrainRequest cutFiner = asked;
        cutFiner.experiment.batch.micro = BatchNumber::given(4);
        const Done finer = trained(cutFiner, m_memory);
        const std::int64_t count = allocationsAfter(asked, 1);
        QVERIFY(count > 50);
        for (std::int64_t number = 1; number <= count; number += apart) {
            checkRefusal(asked, number, wanted, finer, 1e-9);
            if (QTest::currentTestFailed())
                return;
        }
    }

    // With BatchNorm, too: nothing of what was given up is left in the running statistics.
    void aFirstWindowThatIsRepeatedMakesTheRunOfTheSmallerMicroBatch_data()
    {
        QTest::addColumn<QString>("norm");
        for (const char* norm : { "none", "batch", "group" })
            QTest::newRow(norm) << norm;
    }

    void aFirstWindowThatIsRepeatedMakesTheRunOfTheSmallerMicroBatch()
    {
        QFETCH(QString, norm);
        TrainRequest asked = request();
        QVERIFY(applySetting(asked.experiment, "model.norm=" + norm.toStdString()).empty());
        TrainRequest cutFiner = asked;
        cutFiner.experiment.batch.micro = BatchNumber::given(4);
        const Done finer = trained(cutFiner, m_memory);
        const std::int64_t count = allocationsAfter(asked, 0);
        int replayed = 0;
        for (std::int64_t number = 1; number <= count; number += 5) {
            const Done done = trained(asked, m_memory, { .step = 0, .number = number });
            QVERIFY2(
                done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
            if (!hasReplayed(done))
                continue;
            ++replayed;
            for (const auto& [name, tensor] : done.model)
                QVERIFY2(tensor.equal(tensorOf(finer.model, name)), name.c_str());
            QCOMPARE(done.ended.microBatches, finer.ended.microBatches);
        }
        QVERIFY(replayed > 10);
    }

    void theRepeatedUpdateIsTheSame()
    {
        for (const Reduction reduction : { Reduction::Mean, Reduction::Sum }) {
            TrainRequest asked = request();
            asked.experiment.batch.reduction = reduction;
            asked.experiment.run.limitSteps = 2;
            const Done wanted = trained(asked, m_memory);
            const std::int64_t count = allocationsAfter(asked, 1);
            int replayed = 0;
            for (std::int64_t number = 2; number <= count; number += 9) {
                const Done done = trained(asked, m_memory, { .step = 1, .number = number });
                QVERIFY2(done.ended.outcome == RunOutcome::Completed,
                    done.ended.message.english().c_str());
                QVERIFY(distance(done.model, wanted.model) <= 1e-12);
                replayed += hasReplayed(done) ? 1 : 0;
            }
            QVERIFY(replayed > 5);
        }
    }

    // Windows of 16 in epochs of 40: the third one opens in the first epoch and closes in the
    // second, after an evaluation.
    void aCarriedWindowIsRepeatedFromTheEpochBefore()
    {
        TrainRequest asked = request();
        asked.experiment.batch.tail = Tail::Carry;
        asked.experiment.run.epochs = 2;
        const Done wanted = trained(asked, m_memory);
        const std::int64_t count = allocationsAfter(asked, 2);
        int replayed = 0;
        for (std::int64_t number = 1; number <= count; number += 4) {
            const Done done = trained(asked, m_memory, { .step = 2, .number = number });
            const std::string which = "allocation " + std::to_string(number) + ": ";
            QVERIFY2(done.ended.outcome == RunOutcome::Completed,
                (which + done.ended.message.english()).c_str());
            QVERIFY2(distance(done.model, wanted.model) <= 1e-9, which.c_str());
            QCOMPARE(done.events.all<EpochDone>().size(), std::size_t { 2 });
            QCOMPARE(done.events.all<Evaluated>().size(), std::size_t { 2 });
            const double loss = done.events.all<EpochDone>()[0].trainLoss;
            QVERIFY2(std::abs(loss - wanted.events.all<EpochDone>()[0].trainLoss) <= 1e-9,
                which.c_str());
            QCOMPARE(done.ended.samples, wanted.ended.samples);
            replayed += hasReplayed(done) ? 1 : 0;
        }
        QVERIFY(replayed > 10);
    }

    // The largest block that grows with the micro-batch: the first convolution's unfolded pictures,
    // 25 × 784 values of 8 bytes a sample. Two samples fit.
    void memoryThatStaysShortHalvesAgainAndAgain()
    {
        TrainRequest asked = request();
        asked.experiment.batch.effective = BatchNumber::given(40);
        asked.experiment.batch.micro = BatchNumber::given(40);
        const Done wanted = trained(asked, m_memory);
        EventList events;
        events.onEvent = [&](const Event& event) {
            if (std::holds_alternative<RunStarted>(event))
                m_memory.refuseFrom(3 * 25 * 784 * 8);
        };
        RunControl control;
        const RunEnded ended = Session(asked, control, events).run();
        m_memory.refuseFrom(std::numeric_limits<std::size_t>::max());
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        QCOMPARE(ended.microBatches, 20);
        std::vector<std::int64_t> cuts;
        for (const OutOfMemory& halved : events.all<OutOfMemory>()) {
            cuts.push_back(halved.toMicro);
            QCOMPARE(halved.step, 1);
            QCOMPARE(halved.phase, std::string("forward"));
        }
        QCOMPARE(cuts, (std::vector<std::int64_t> { 20, 10, 5, 3, 2 }));
        const double loss = events.all<StepDone>().back().loss;
        QVERIFY(std::abs(loss - wanted.events.all<StepDone>().back().loss) <= 1e-12);
        const Evaluated test = events.all<Evaluated>().back(); // in smaller passes, too
        QVERIFY(std::abs(test.testLoss - wanted.events.all<Evaluated>().back().testLoss) <= 1e-9);
    }

    // 7 in twos would end in one sample.
    void whereBatchNormNeedsTwoSamplesTheCutLeavesNoneAlone()
    {
        TrainRequest asked = request();
        QVERIFY(applySetting(asked.experiment, "model.name=mlp").empty());
        QVERIFY(applySetting(asked.experiment, "model.norm=batch").empty());
        asked.experiment.batch.effective = BatchNumber::given(7);
        asked.experiment.batch.micro = BatchNumber::given(4);
        asked.experiment.run.limitSteps = 2;
        const Done done = trained(asked, m_memory, { .step = 1, .number = 2 });
        QVERIFY2(done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        const auto cuts = done.events.all<OutOfMemory>();
        QCOMPARE(cuts.size(), std::size_t { 1 });
        QCOMPARE(cuts.front().toMicro, 3);
        QCOMPARE(cuts.front().epoch, 1);
    }

    void whatOneSampleIsTooMuchForEndsTheRun_data()
    {
        QTest::addColumn<QString>("norm");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("fewest");
        QTest::newRow("one") << "none"
                             << "lenet5"
                             << "1 sample";
        QTest::newRow("BatchNorm on vectors") << "batch"
                                              << "mlp"
                                              << "2 samples";
    }

    void whatOneSampleIsTooMuchForEndsTheRun()
    {
        QFETCH(QString, norm);
        QFETCH(QString, model);
        QFETCH(QString, fewest);
        TrainRequest asked = request();
        QVERIFY(applySetting(asked.experiment, "model.norm=" + norm.toStdString()).empty());
        QVERIFY(applySetting(asked.experiment, "model.name=" + model.toStdString()).empty());
        EventList events;
        events.onEvent = [&](const Event& event) {
            if (std::holds_alternative<RunStarted>(event))
                m_memory.refuseFrom(0);
        };
        RunControl control;
        asked.checkpointFolder.clear();
        const RunEnded ended = Session(asked, control, events).run();
        m_memory.refuseFrom(std::numeric_limits<std::size_t>::max());
        QVERIFY(ended.outcome == RunOutcome::OutOfMemory);
        QVERIFY2(QString::fromStdString(ended.message.english()).contains(fewest),
            ended.message.english().c_str());
    }

    void aResumedRunKeepsWhatFits()
    {
        TrainRequest asked = request();
        asked.experiment.run.epochs = 2;
        const Done whole = trained(asked, m_memory, { .step = 1, .number = 20 });
        QVERIFY(hasReplayed(whole));
        TrainRequest first = asked;
        EventList events;
        RunControl control;
        events.onEvent = [&](const Event& event) {
            if (stepOf(event) >= 0)
                m_memory.refuse(stepOf(event) == 1 ? 20 : 0);
            if (stepOf(event) == 3)
                control.requestStop();
        };
        std::filesystem::remove_all(asked.checkpointFolder);
        const RunEnded stopped = Session(first, control, events).run();
        QVERIFY(stopped.outcome == RunOutcome::Stopped);
        TrainRequest second = asked;
        second.resumeFrom = stopped.checkpoint;
        const Done resumed = [&] {
            Done done;
            RunControl going;
            done.ended = Session(second, going, done.events).run();
            done.model = readCheckpoint(done.ended.checkpoint).model;
            return done;
        }();
        QVERIFY2(resumed.ended.outcome == RunOutcome::Completed,
            resumed.ended.message.english().c_str());
        QCOMPARE(resumed.ended.microBatches, whole.ended.microBatches);
        for (const auto& [name, tensor] : whole.model)
            QVERIFY2(tensor.equal(tensorOf(resumed.model, name)), name.c_str());
    }

    // ACCRUE_REFUSALS says how many; the suite tries a few.
    void anyAllocationOfResNet18MayFail()
    {
        TrainRequest asked = requestIn(m_folder->path().toStdString(), /*train=*/8, /*test=*/4);
        asked.experiment.model.name = ModelName::ResNet18;
        asked.experiment.model.norm = Norm::Group;
        asked.experiment.batch.effective = BatchNumber::given(4);
        asked.experiment.batch.micro = BatchNumber::given(2);
        asked.checkpointFolder.clear(); // the evaluation stands for the parameters
        const Done wanted = trained(asked, m_memory);
        TrainRequest cutFiner = asked;
        cutFiner.experiment.batch.micro = BatchNumber::given(1);
        const Done finer = trained(cutFiner, m_memory);
        const std::int64_t count = allocationsAfter(asked, 1);
        const int refusals = qEnvironmentVariableIntValue("ACCRUE_REFUSALS");
        std::mt19937 random(1);
        for (int done = 0; done < (refusals > 0 ? refusals : 12); ++done) {
            const std::int64_t number = 1 + static_cast<std::int64_t>(random()) % count;
            checkRefusal(asked, number, wanted, finer, 1e-9);
            if (QTest::currentTestFailed())
                return;
        }
    }
};

QTEST_APPLESS_MAIN(TestOutOfMemory)
#include "tst_out_of_memory.moc"
