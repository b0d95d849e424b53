// SPDX-License-Identifier: Apache-2.0
#include "engine/session/session.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <ATen/autocast_mode.h>
#include <QTemporaryDir>
#include <QTest>

#include <rapidcheck.h>

#include "engine/accelerator/devices.h"
#include "engine/base/format.h"
#include "engine/data/load_data.h"
#include "engine/data/sampler.h"
#include "engine/door/checkpoints.h"
#include "engine/experiment/recipe.h"
#include "engine/session/model_setup.h"
#include "engine/session/run_preparation.h"
#include "engine/tensors/gather.h"
#include "tests/engine/distributed/forwarding_world.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr std::uint32_t kTrain = 150; // one window of 128 and a tail of 22
constexpr std::uint32_t kTest = 30;

struct Run {
    explicit Run(const std::filesystem::path& folder)
    {
        Experiment& experiment = request.experiment;
        experiment.data.name = DataName::Idx;
        experiment.data.path = writtenPictures(folder / "data", kTrain, kTest).string();
        experiment.run.device = "cpu";
        experiment.run.threads = 1;
        experiment.run.epochs = 2;
        experiment.optimizer.lr = 0.05;
        request.checkpointFolder = folder / "checkpoint";
    }

    RunEnded operator()() { return Session(request, control, events, mayBeUnread, *world).run(); }

    Experiment& experiment() { return request.experiment; }
    Checkpoint checkpoint() const
    {
        return readCheckpoint(checkpointsIn(request.checkpointFolder).front());
    }

    OpenRequest request;
    RunControl control;
    EventList events;
    std::optional<std::size_t> mayBeUnread; // 1: figures are read one window late, as on CUDA
    World* world = &World::alone();
};

// The one rank of a run that sees, at call `at` of agree(), also what another rank wants.
class ScriptedWorld final : public World {
public:
    ScriptedWorld(int at, const Decision& other)
        : m_at(at)
        , m_other(other)
    {
    }
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void sum(const at::Tensor& /*tensor*/) override { }
    void any(const at::Tensor& /*flags*/) override { }
    Decision agree(const Decision& mine) override { return ++m_calls == m_at ? m_other : mine; }

private:
    const int m_at;
    const Decision m_other;
    int m_calls = 0;
};

PreparedRun preparedRun(const OpenRequest& request)
{
    RunStarted started;
    return prepareRun(request, at::kCPU, {}, started);
}

// Calls `act` when step `number` is emitted.
std::function<void(const Event&)> atStep(std::int64_t number, std::function<void()> act)
{
    return [number, act = std::move(act)](const Event& event) {
        if (const auto* step = std::get_if<StepDone>(&event); step && step->step == number)
            act();
    };
}

// A small network on 1 to 40 pictures, in windows of up to 60.
void drawRun(Experiment& experiment)
{
    const auto samples = *rc::gen::inRange<std::int64_t>(1, 41);
    experiment.data.validation = { .samples = kTrain - samples };
    experiment.data.shuffle = *rc::gen::arbitrary<bool>();
    experiment.data.augment = { .cropPadding = *rc::gen::inRange<std::int64_t>(0, 4),
        .flip = *rc::gen::arbitrary<bool>(),
        .cutoutSize = *rc::gen::inRange<std::int64_t>(0, 6) };
    experiment.model.name = ModelName::Mlp;
    experiment.model.widths = { 6 };
    experiment.batch.tail = *rc::gen::element(Tail::Flush, Tail::Drop, Tail::Carry);
    const std::int64_t most = experiment.batch.tail == Tail::Drop ? samples : 60;
    experiment.batch.effective = BatchNumber::given(*rc::gen::inRange<std::int64_t>(1, most + 1));
    experiment.run.precision = Precision::Float64;
    experiment.run.epochs = *rc::gen::inRange<std::int64_t>(1, 4);
    experiment.run.seed = *rc::gen::inRange<std::uint64_t>(0, 1'000'000'000);
}

bool allFinite(const NamedTensors& tensors)
{
    for (const auto& [name, tensor] : tensors)
        if (!at::isfinite(tensor).all().item<bool>())
            return false;
    return true;
}

} // namespace

class TestSession : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path folder() const { return m_folder->path().toStdString(); }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void tellsARunFromItsFirstEventToItsLast()
    {
        Run run(folder());
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        QVERIFY(ended.message.empty());
        const auto started = std::get<RunStarted>(run.events.events.front());
        QCOMPARE(started.totalSteps, 4);
        QCOMPARE(started.epoch.tailSamples, 22);
        QCOMPARE(started.parameters, 61'706);
        QCOMPARE(started.threads, 1);
        QCOMPARE(started.device, std::string("cpu"));
        QVERIFY(std::holds_alternative<RunEnded>(run.events.events.back()));
        QCOMPARE(run.events.all<StepDone>().size(), std::size_t { 4 });
        QCOMPARE(run.events.all<EpochDone>().size(), std::size_t { 2 });
        QCOMPARE(run.events.all<Evaluated>().size(), std::size_t { 2 });
        QCOMPARE(run.events.all<CheckpointSaved>().back().step, 4);
        QCOMPARE(ended.step, 4);
        QCOMPARE(ended.samples, 300);
        QCOMPARE(ended.microBatches, 10);
        QCOMPARE(ended.epoch, 2);
    }

    void tailIsFlushedWithItsTrueWeights()
    {
        Run run(folder());
        run();
        const auto steps = run.events.all<StepDone>();
        QCOMPARE(steps[0].samples, 128);
        QCOMPARE(steps[0].microBatches, 4);
        QCOMPARE(steps[1].samples, 150);
        QCOMPARE(steps[1].microBatches, 5);
        QCOMPARE(steps[1].epoch, 1);
        QCOMPARE(steps[2].epoch, 2);
        const auto epochs = run.events.all<EpochDone>();
        const double mean = (steps[0].loss * 128 + steps[1].loss * 22) / 150;
        QVERIFY(std::abs(epochs[0].trainLoss - mean) < 1e-12);
    }

    // 150 samples in windows of 128: 128, then 22 + 106, then the 44 that are left.
    void tailIsCarriedIntoTheNextEpoch()
    {
        Run run(folder());
        run.experiment().batch.tail = Tail::Carry;
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        const auto steps = run.events.all<StepDone>();
        QCOMPARE(steps.size(), std::size_t { 3 });
        QCOMPARE(steps[0].windowSamples, 128);
        QCOMPARE(steps[1].windowSamples, 128);
        QCOMPARE(steps[2].windowSamples, 44);
        QCOMPARE(steps[1].epoch, 2);
        QCOMPARE(steps[1].samples, 256);
        QCOMPARE(steps[1].microBatches, 9); // 4, 22, 10 + 32 + 32 + 32
        const auto epochs = run.events.all<EpochDone>();
        QCOMPARE(epochs[0].samples, 150);
        QCOMPARE(epochs[0].step, 1);
        QCOMPARE(epochs[1].samples, 300);
        QCOMPARE(ended.samples, 300);
        const double whole = steps[0].loss * 128 + steps[1].loss * 128 + steps[2].loss * 44;
        QVERIFY(std::abs((epochs[0].trainLoss + epochs[1].trainLoss) * 150 - whole) < 1e-9);
        QVERIFY(run.events.all<Evaluated>().size() == 2);
        QCOMPARE(run.events.all<Evaluated>()[0].step, 1);
    }

    // An epoch that is smaller than a window: 7 epochs of 150 make 4 windows of 256 and 26.
    void aCarriedWindowMayTakeManyEpochs()
    {
        Run run(folder());
        run.experiment().batch.tail = Tail::Carry;
        run.experiment().batch.steps = BatchNumber::given(8);
        run.experiment().run.epochs = 7;
        run();
        std::vector<std::int64_t> sizes;
        for (const StepDone& step : run.events.all<StepDone>())
            sizes.push_back(step.windowSamples);
        QVERIFY(sizes == std::vector<std::int64_t>({ 256, 256, 256, 256, 26 }));
        double epochs = 0;
        double steps = 0;
        for (const EpochDone& epoch : run.events.all<EpochDone>())
            epochs += epoch.trainLoss * 150;
        for (const StepDone& step : run.events.all<StepDone>())
            steps += step.loss * static_cast<double>(step.windowSamples);
        QVERIFY(std::abs(epochs - steps) < 1e-9);
    }

    void tailIsDropped()
    {
        Run run(folder());
        run.experiment().batch.tail = Tail::Drop;
        const RunEnded ended = run();
        QCOMPARE(ended.step, 2);
        QCOMPARE(ended.samples, 256);
        const auto epochs = run.events.all<EpochDone>();
        QCOMPARE(epochs.size(), std::size_t { 2 });
        QCOMPARE(epochs[0].samples, 128);
        QCOMPARE(epochs[0].trainLoss, run.events.all<StepDone>()[0].loss);
        QCOMPARE(run.events.all<Evaluated>().size(), std::size_t { 2 });
    }

    void droppingAnEpochThatFillsNoWindowIsRefused()
    {
        Run run(folder());
        run.experiment().batch.tail = Tail::Drop;
        run.experiment().batch.steps = BatchNumber::given(5);
        const std::string refusal = refusalOf([&] { run(); });
        QVERIFY2(refusal.find("batch.tail = \"drop\"") != std::string::npos, refusal.c_str());
    }

    // Equal micro-batches and plain SGD: N times the mean's gradient is N times its rate.
    void sumIsTheMeanAtNTimesTheRate()
    {
        const auto trained = [this](Reduction reduction, double lr, const char* name) {
            Run run(folder() / name);
            run.experiment().batch.reduction = reduction;
            run.experiment().batch.tail = Tail::Drop;
            run.experiment().run.precision = Precision::Float64;
            run.experiment().optimizer.lr = lr;
            run();
            return std::make_pair(run.checkpoint().model, run.events.all<StepDone>());
        };
        const auto sum = trained(Reduction::Sum, 0.01, "sum");
        const auto mean = trained(Reduction::Mean, 0.04, "mean");
        for (std::size_t index = 0; index < sum.first.size(); ++index)
            QVERIFY(at::allclose(sum.first[index].second, mean.first[index].second, 1e-10, 1e-14));
        QVERIFY(std::abs(sum.second[0].gradientNorm - 4 * mean.second[0].gradientNorm) < 1e-10);
        QCOMPARE(sum.second[0].loss, mean.second[0].loss);
    }

    void accumulationStepsFollowTheirSchedule()
    {
        Run run(folder());
        run.experiment().batch.schedule = { { StepsFrom::Unit::Epoch, 0, 1 },
            { StepsFrom::Unit::Epoch, 1, 4 } };
        run.experiment().optimizer.lrRule = LrRule::SquareRoot;
        run();
        std::vector<std::int64_t> sizes;
        for (const StepDone& step : run.events.all<StepDone>())
            sizes.push_back(step.windowSamples);
        QVERIFY(sizes == std::vector<std::int64_t>({ 32, 32, 32, 32, 22, 128, 22 }));
        QCOMPARE(run.events.all<StepDone>()[4].learningRate, 0.05);
        QCOMPARE(run.events.all<StepDone>()[5].learningRate, 0.1);
        QCOMPARE(std::get<RunStarted>(run.events.events.front()).totalSteps, 7);
    }

    // Two updates, each from a plain forward and backward over the whole window.
    void loggedFiguresEqualAnIndependentComputation()
    {
        Run run(folder());
        run.experiment().run.precision = Precision::Float64;
        run.experiment().optimizer.momentum = 0;
        run.experiment().run.limitSteps = 2;
        run();
        const ResidentDataSet data = makeResident(loadRawData(run.experiment().data, {}), at::kCPU);
        const auto network = makeNetwork(run.experiment(), data);
        const auto order =
            Sampler { kTrain, run.experiment().run.seed, /*shuffle=*/true }.epochOrder(1);
        std::int64_t begin = 0;
        for (const StepDone& step : run.events.all<StepDone>()) {
            const std::int64_t count = step.samples - begin;
            const at::Tensor indices =
                at::tensor(order, at::kLong).narrow(/*dim=*/0, begin, count).contiguous();
            begin = step.samples;
            at::Tensor images = at::empty({ count, 1, 28, 28 }, at::kDouble);
            at::Tensor labels = at::empty({ count }, at::kLong);
            gatherNormalized(data.train, data.mean, data.stddev, indices, images, labels);
            network->zero_grad();
            const at::Tensor loss = at::cross_entropy_loss(network->forward(images), labels);
            loss.backward();
            double squares = 0;
            const at::NoGradGuard noGrad;
            for (const at::Tensor& parameter : network->parameters()) {
                squares += parameter.grad().square().sum().item<double>();
                parameter.sub_(parameter.grad(), /*alpha=*/run.experiment().optimizer.lr);
            }
            QVERIFY(std::abs(step.loss - loss.item<double>()) < 1e-11);
            QVERIFY(std::abs(step.gradientNorm - std::sqrt(squares)) < 1e-11);
        }
        QCOMPARE(begin, 150);
    }

    void figuresOfAStepArePlausible()
    {
        Run run(folder());
        run();
        double last = 0;
        for (const StepDone& step : run.events.all<StepDone>()) {
            const double parts = step.dataMs + step.forwardMs + step.backwardMs + step.optimizerMs;
            QVERIFY(step.stepMs > 0 && parts <= step.stepMs * 1.001);
            QVERIFY(step.peakBytes > std::int64_t { kTrain } * 784 + 3 * 4 * 61'706);
            QVERIFY(step.seconds > last);
            QCOMPARE(step.learningRate, 0.05);
            last = step.seconds;
        }
    }

    void sameSeedGivesTheSameBits()
    {
        Run first(folder() / "first");
        Run second(folder() / "second");
        Run other(folder() / "other");
        other.experiment().run.seed = 2;
        first();
        second();
        other();
        QCOMPARE(first.events.losses(), second.events.losses());
        QVERIFY(sameTensors(first.checkpoint().model, second.checkpoint().model));
        QVERIFY(sameTensors(first.checkpoint().tensors, second.checkpoint().tensors));
        QVERIFY(first.events.losses() != other.events.losses());
    }

    void cutOfTheWindowDoesNotChangeTheLosses()
    {
        Run fine(folder() / "fine");
        Run whole(folder() / "whole");
        for (Run* run : { &fine, &whole })
            run->experiment().run.precision = Precision::Float64;
        fine.experiment().batch.micro = BatchNumber::given(25);
        fine.experiment().batch.effective = BatchNumber::given(128);
        whole.experiment().batch.micro = BatchNumber::given(128);
        whole.experiment().batch.steps = BatchNumber::given(1);
        QVERIFY(fine().outcome == RunOutcome::Completed);
        QVERIFY(whole().outcome == RunOutcome::Completed);
        const auto left = fine.events.losses();
        const auto right = whole.events.losses();
        QCOMPARE(left.size(), right.size());
        for (std::size_t step = 0; step < left.size(); ++step)
            QVERIFY(std::abs(left[step] - right[step]) < 1e-10);
    }

    // Whatever the size of the data, the tail, the seed and the augmentation: were a sample, its
    // order or a pixel another one, losses would part by far more than many updates make of what
    // rounding leaves.
    void anyTwoCutsOfABatchTrainTheSame()
    {
        QVERIFY(rc::check("two cuts of one effective batch", [this] {
            Run one(folder());
            Run other(folder());
            drawRun(one.experiment());
            other.experiment() = one.experiment();
            const std::int64_t effective = one.experiment().batch.effective.value;
            for (Run* run : { &one, &other }) {
                run->experiment().batch.micro =
                    BatchNumber::given(*rc::gen::inRange<std::int64_t>(1, effective + 1));
                run->request.checkpointFolder.clear();
                const RunEnded ended = (*run)();
                RC_ASSERT(ended.message.english() == std::string());
            }
            const auto steps = one.events.all<StepDone>();
            const auto others = other.events.all<StepDone>();
            RC_ASSERT(steps.size() == others.size());
            for (std::size_t step = 0; step < steps.size(); ++step) {
                RC_ASSERT(steps[step].windowSamples == others[step].windowSamples);
                RC_ASSERT(std::abs(steps[step].loss - others[step].loss) < 1e-7);
            }
        }));
    }

    void learns()
    {
        Run run(folder());
        run.experiment().run.epochs = 12;
        run.experiment().optimizer.name = OptimizerName::AdamW;
        run.experiment().optimizer.lr = 0.003;
        run();
        QVERIFY(run.events.all<Evaluated>().back().testAccuracy > 0.95);
        QVERIFY(run.events.all<EpochDone>().back().trainLoss
            < run.events.all<EpochDone>().front().trainLoss);
    }

    void stepsCanBeLimited()
    {
        Run run(folder());
        run.experiment().run.limitSteps = 3;
        QVERIFY(run().outcome == RunOutcome::Completed);
        QCOMPARE(run.events.all<StepDone>().size(), std::size_t { 3 });
        QCOMPARE(run.events.all<EpochDone>().size(), std::size_t { 1 });
        QCOMPARE(run.events.all<Evaluated>().back().step, 3);
    }

    void evaluationFollowsItsSpanAndTheLastStep()
    {
        Run run(folder());
        run.experiment().run.epochs = 3;
        run.experiment().run.evaluateEvery = { 4, Span::Unit::Steps };
        run();
        const auto evaluations = run.events.all<Evaluated>();
        QCOMPARE(evaluations.size(), std::size_t { 2 });
        QCOMPARE(evaluations[0].step, 4);
        QCOMPARE(evaluations[1].step, 6);
    }

    void stopKeepsWhatTheLastUpdateMade()
    {
        Run straight(folder() / "straight");
        straight.experiment().model.norm = Norm::Batch;
        straight.experiment().run.limitSteps = 2;
        straight.experiment().run.evaluateEvery = { 1000, Span::Unit::Steps };
        straight();

        Run stopped(folder() / "stopped");
        stopped.experiment() = straight.experiment();
        stopped.experiment().run.limitSteps = 0;
        stopped.events.onEvent = atStep(2, [&] { stopped.control.requestStop(); });
        const RunEnded ended = stopped();
        QVERIFY(ended.outcome == RunOutcome::Stopped);
        QCOMPARE(ended.step, 2);
        QVERIFY2(ended.message.english().find(ended.checkpoint) != std::string::npos,
            ended.message.english().c_str());
        QCOMPARE(stopped.checkpoint().state.position.step, 2);
        QVERIFY(sameTensors(stopped.checkpoint().model, straight.checkpoint().model));
        QVERIFY(sameTensors(stopped.checkpoint().tensors, straight.checkpoint().tensors));
    }

    // A thread stops the run in the middle of the second window, which has 100 micro-batches.
    void stopInMidWindowDoesNotApplyTheWindow()
    {
        Run reference(folder() / "reference");
        reference.experiment().batch.micro = BatchNumber::given(2);
        reference.experiment().batch.steps = BatchNumber::given(50);
        reference.experiment().run.limitSteps = 1;
        reference();

        Run run(folder() / "run");
        run.experiment() = reference.experiment();
        run.experiment().run.limitSteps = 0;
        std::atomic<bool> reached { false };
        std::atomic<bool> over { false };
        run.events.onEvent = atStep(1, [&] { reached = true; });
        std::thread stopper([&] {
            while (!over
                && !(reached && run.control.progress().microBatch > 2
                    && run.control.progress().microBatch < 20))
                std::this_thread::yield();
            run.control.requestStop();
        });
        const RunEnded ended = run();
        over = true;
        stopper.join();
        QVERIFY(ended.outcome == RunOutcome::Stopped);
        QCOMPARE(run.checkpoint().state.position.step, ended.step);
        if (ended.step == 1)
            QVERIFY(sameTensors(run.checkpoint().model, reference.checkpoint().model));
    }

    void stopBeforeTheFirstWindowEndsAtOnce()
    {
        Run run(folder());
        run.control.requestStop();
        const RunEnded ended = run();
        QVERIFY(ended.outcome == RunOutcome::Stopped);
        QCOMPARE(ended.step, 0);
        QVERIFY(run.events.all<StepDone>().empty());
    }

    void pauseWaitsWithoutCountingTheTime()
    {
        Run run(folder());
        std::thread resumer;
        run.events.onEvent = [&](const Event& event) {
            if (const auto* step = std::get_if<StepDone>(&event); step && step->step == 1)
                run.control.pause();
            if (std::holds_alternative<RunPaused>(event))
                resumer = std::thread([&] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(300));
                    run.control.resume();
                });
        };
        const RunEnded ended = run();
        resumer.join();
        QVERIFY(ended.outcome == RunOutcome::Completed);
        const auto paused = run.events.all<RunPaused>();
        const auto resumed = run.events.all<RunResumed>();
        QCOMPARE(paused.size(), std::size_t { 1 });
        QCOMPARE(resumed.size(), std::size_t { 1 });
        QCOMPARE(paused[0].step, 1);
        QVERIFY(resumed[0].seconds - paused[0].seconds < 0.1);
    }

    void evaluationGoesOnByItsNameAfterAPause()
    {
        Run run(folder());
        Phase phase = Phase::Idle;
        run.events.onEvent = [&](const Event& event) {
            if (std::holds_alternative<EpochDone>(event))
                run.control.pause();
            if (std::holds_alternative<RunPaused>(event))
                run.control.resume();
            if (std::holds_alternative<Evaluated>(event))
                phase = run.control.progress().phase;
        };
        run();
        QCOMPARE(run.events.all<RunPaused>().size(), std::size_t { 2 });
        QVERIFY(phase == Phase::Evaluation);
    }

    void stopEndsAPause()
    {
        Run run(folder());
        run.control.pause();
        std::thread stopper;
        run.events.onEvent = [&](const Event& event) {
            if (std::holds_alternative<RunPaused>(event))
                stopper = std::thread([&] { run.control.requestStop(); });
        };
        const RunEnded ended = run();
        stopper.join();
        QVERIFY(ended.outcome == RunOutcome::Stopped);
    }

    void learningRateChangesAtTheStepThatFirstUsesIt()
    {
        Run run(folder());
        run.experiment().schedule.name = ScheduleName::Cosine;
        run.events.onEvent = atStep(2, [&] { run.control.setLearningRate(0.0125); });
        run();
        const auto changes = run.events.all<LearningRateChanged>();
        QCOMPARE(changes.size(), std::size_t { 1 });
        QCOMPARE(changes[0].step, 3);
        QCOMPARE(changes[0].factor, 0.5);
        const auto steps = run.events.all<StepDone>();
        QCOMPARE(steps[2].learningRate, changes[0].learningRate);
        QVERIFY(std::abs(steps[2].learningRate - 0.05 * 0.5 * 0.5) < 1e-12); // cosine half-way
        QCOMPARE(run.checkpoint().state.factor, 0.5);
        QVERIFY(run.control.learningRateStep() == 3);
    }

    // Whatever rate the host has read so far: each factor is of the step that has it first.
    void aLearningRateIsTheOneThatIsWantedWhereverTheScheduleIs_data()
    {
        QTest::addColumn<int>("mayBeUnread");
        QTest::newRow("figures read at once") << 0;
        QTest::newRow("figures read late") << 1;
    }
    void aLearningRateIsTheOneThatIsWantedWhereverTheScheduleIs()
    {
        QFETCH(int, mayBeUnread);
        Run run(folder());
        run.experiment().schedule.name = ScheduleName::Linear;
        run.experiment().schedule.finalFactor = 0; // 0.05, 0.0375, 0.025, 0.0125
        run.mayBeUnread = static_cast<std::size_t>(mayBeUnread);
        run.control.setLearningRate(0.4); // replaced before any update
        run.control.setLearningRate(0.02);
        run.events.onEvent = [&](const Event& event) {
            const auto* change = std::get_if<LearningRateChanged>(&event);
            if (change && change->step == 1)
                run.control.setLearningRate(0.06); // of the next update
        };
        run();
        const auto changes = run.events.all<LearningRateChanged>();
        QCOMPARE(changes.size(), std::size_t { 2 });
        QCOMPARE(changes[0].step, 1);
        QCOMPARE(changes[0].factor, 0.02 / 0.05);
        QCOMPARE(changes[1].step, 2);
        QCOMPARE(changes[1].factor, 0.06 / 0.0375);
        const auto steps = run.events.all<StepDone>();
        QCOMPARE(steps[0].learningRate, 0.02);
        QCOMPARE(steps[1].learningRate, 0.06);
        QCOMPARE(steps[2].learningRate, 0.04); // the schedule continues from it
        QCOMPARE(steps[3].learningRate, 0.02);
    }

    void aWantedLearningRateIsThatOfTheWindowWithItsRule()
    {
        Run run(folder());
        run.experiment().batch.schedule = { { StepsFrom::Unit::Epoch, 0, 1 },
            { StepsFrom::Unit::Epoch, 1, 4 } };
        run.experiment().optimizer.lrRule = LrRule::SquareRoot;
        run.events.onEvent = atStep(5, [&] { run.control.setLearningRate(0.3); });
        run();
        QCOMPARE(run.events.all<LearningRateChanged>().front().factor, 3.0); // twice 0.05 there
        QCOMPARE(run.events.all<StepDone>()[5].learningRate, 0.3);
    }

    void theRateThatIsInForceChangesNothing()
    {
        Run run(folder());
        run.control.setLearningRate(run.experiment().optimizer.lr);
        run();
        QVERIFY(run.events.all<LearningRateChanged>().empty());
        QVERIFY(run.control.learningRateStep() == 1);
    }

    void aLearningRateBeyondAnyFactorIsRefused()
    {
        Run run(folder());
        run.experiment().optimizer.lr = 1e-10;
        run.control.setLearningRate(1e300);
        QVERIFY(run().outcome == RunOutcome::Completed);
        QVERIFY(run.events.all<LearningRateChanged>().empty());
        const auto messages = run.events.all<RunMessage>();
        QCOMPARE(messages.size(), std::size_t { 1 });
        QVERIFY2(messages[0].text.english().find("too far from the rate of the schedule")
                != std::string::npos,
            messages[0].text.english().c_str());
        QCOMPARE(run.checkpoint().state.factor, 1.0);
    }

    // Exactly there, though figures are read late, and by the rates of the whole run.
    void aRunStopsAfterAsManyUpdatesAsAreAskedFor_data()
    {
        QTest::addColumn<bool>("late");
        QTest::newRow("as on the CPU") << false;
        QTest::newRow("as on CUDA") << true;
    }
    void aRunStopsAfterAsManyUpdatesAsAreAskedFor()
    {
        QFETCH(bool, late);
        Run whole(folder() / "whole");
        Run first(folder() / "first");
        for (Run* const run : { &whole, &first }) {
            run->experiment().schedule.name = ScheduleName::Cosine;
            if (late)
                run->mayBeUnread = 1;
        }
        first.request.stopAfter = 3;
        QVERIFY(whole().outcome == RunOutcome::Completed);
        QVERIFY(first().outcome == RunOutcome::Stopped);
        const auto expected = whole.events.all<StepDone>();
        const auto steps = first.events.all<StepDone>();
        QCOMPARE(steps.size(), std::size_t { 3 });
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QCOMPARE(steps[i].loss, expected[i].loss);
            QCOMPARE(steps[i].learningRate, expected[i].learningRate);
        }
        QCOMPARE(first.checkpoint().state.position.step, 3);
        QVERIFY(!first.checkpoint().state.cursor.open);
        Run all(folder() / "all");
        all.request.stopAfter = 4; // as many as there are
        QVERIFY(all().outcome == RunOutcome::Completed);
    }

    // Runs that are compared at update 3 need a value there, though they are evaluated every second
    // epoch; and who goes on afterwards trains as if it had never been stopped.
    void aRunThatStopsToBeComparedIsEvaluatedThere_data()
    {
        QTest::addColumn<bool>("late");
        QTest::newRow("as on the CPU") << false;
        QTest::newRow("as on CUDA") << true;
    }
    void aRunThatStopsToBeComparedIsEvaluatedThere()
    {
        QFETCH(bool, late);
        Run whole(folder() / "whole");
        Run first(folder() / "first");
        Run rest(folder() / "rest");
        for (Run* const run : { &whole, &first, &rest }) {
            run->experiment().data.path = whole.experiment().data.path;
            run->experiment().optimizer.ema = 0.9;
            run->experiment().run.evaluateEvery = { 2, Span::Unit::Epochs };
            if (late)
                run->mayBeUnread = 1;
        }
        first.request.stopAfter = 3;
        first.request.evaluatesAtStop = true;
        QVERIFY(whole().outcome == RunOutcome::Completed);
        QVERIFY(first().outcome == RunOutcome::Stopped);
        const auto evaluated = first.events.all<Evaluated>();
        QCOMPARE(evaluated.size(), std::size_t { 1 });
        QCOMPARE(evaluated[0].step, 3);
        rest.request.resumeFrom = checkpointsIn(first.request.checkpointFolder).front();
        QVERIFY(rest().outcome == RunOutcome::Completed);
        QCOMPARE(rest.events.all<Evaluated>().back().testLoss,
            whole.events.all<Evaluated>().back().testLoss);
        QCOMPARE(rest.events.all<Evaluated>().size(), whole.events.all<Evaluated>().size());
        const NamedTensors expected = whole.checkpoint().model;
        const NamedTensors got = rest.checkpoint().model;
        QCOMPARE(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i)
            QVERIFY2(at::equal(got[i].second, expected[i].second), got[i].first.c_str());
    }

    // As a process that was killed between its last checkpoint and its end.
    void aRunThatIsResumedWhereItShallStopMakesNoUpdate()
    {
        Run first(folder() / "first");
        first.request.stopAfter = 3;
        QVERIFY(first().outcome == RunOutcome::Stopped);
        Run again(folder() / "again");
        again.experiment().data.path = first.experiment().data.path;
        again.request.resumeFrom = checkpointsIn(first.request.checkpointFolder).front();
        again.request.stopAfter = 3;
        again.request.evaluatesAtStop = true;
        QVERIFY(again().outcome == RunOutcome::Stopped);
        QVERIFY(again.events.all<StepDone>().empty());
        QCOMPARE(again.events.all<Evaluated>().size(), std::size_t { 1 });
        QCOMPARE(again.checkpoint().state.position.step, 3);
    }

    void anEvaluationBesideThoseOfTheRunCostsNoPatience()
    {
        Run run(folder() / "run");
        run.experiment().model.name = ModelName::Mlp;
        run.experiment().model.widths = { 6 };
        run.experiment().run.patience = 2;
        run.experiment().run.evaluateEvery = { 1, Span::Unit::Steps };
        run.experiment().optimizer.lr = 1e-30; // no evaluation is better than the first
        run.experiment().run.epochs = 4;
        QCOMPARE(run().step, 3);
        Run first(folder() / "first");
        first.experiment() = run.experiment();
        first.experiment().run.evaluateEvery = { 4, Span::Unit::Steps };
        first.request.stopAfter = 6;
        first.request.evaluatesAtStop = true;
        QVERIFY(first().outcome == RunOutcome::Stopped);
        QCOMPARE(first.checkpoint().state.evaluationsSinceBest, 0);
        QCOMPARE(first.checkpoint().state.lastEvaluation, 6);
    }

    void aNetworkBeyondTheMachineIsRefusedBeforeItIsMade()
    {
        Run run(folder());
        run.experiment().model.name = ModelName::Mlp;
        run.experiment().model.widths.assign(32, 65'536);
        const std::string refusal = refusalOf([&] { run(); });
        QVERIFY2(refusal.find("choose a smaller network") != std::string::npos, refusal.c_str());
    }

    // Before the first slice the ranks agree on whether a checkpoint is due. The first window has
    // four slices: calls 2 … 5 come before them, call 6 before the update.
    void aWindowIsRepeatedIfAnotherRankIsOutOfMemory_data()
    {
        QTest::addColumn<int>("call");
        QTest::newRow("before a slice") << 4;
        QTest::newRow("before the update") << 6;
    }

    void aWindowIsRepeatedIfAnotherRankIsOutOfMemory()
    {
        QFETCH(int, call);
        Run run(folder() / "run");
        ScriptedWorld world(call, { .smallerMicro = true });
        run.world = &world;
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        const auto cuts = run.events.all<OutOfMemory>();
        QCOMPARE(cuts.size(), std::size_t { 1 });
        QCOMPARE(cuts.front().step, 1);
        QCOMPARE(cuts.front().toMicro, 16);
        QCOMPARE(ended.microBatches, 20); // twice 128 / 16 and 16 + 6
        Run reference(folder() / "reference");
        reference.experiment().batch.micro = BatchNumber::given(16);
        reference.experiment().batch.steps = BatchNumber::given(8);
        QVERIFY(reference().outcome == RunOutcome::Completed);
        QVERIFY(sameTensors(run.checkpoint().model, reference.checkpoint().model));
    }

    // The part of the window in the first epoch has one slice, and then the epoch ends.
    void aWindowIsRepeatedIfAnotherRankIsOutOfMemoryBeforeTheEpochEnds()
    {
        Run run(folder());
        run.experiment().batch.tail = Tail::Carry;
        run.experiment().run.epochs = 2;
        ScriptedWorld world(8, { .smallerMicro = true });
        run.world = &world;
        QVERIFY(run().outcome == RunOutcome::Completed);
        const auto cuts = run.events.all<OutOfMemory>();
        QCOMPARE(cuts.size(), std::size_t { 1 });
        QCOMPARE(cuts.front().step, 2);
        QCOMPARE(cuts.front().epoch, 1);
    }

    // It is resumed from there, and must not count the samples of the epoch a second time.
    void aRunThatFailsAfterAnEpochHasNoSumsOfIt()
    {
        class Failing final : public ForwardingWorld {
        public:
            explicit Failing(const EventList& events)
                : ForwardingWorld(World::alone())
                , m_events(events)
            {
            }
            Decision agree(const Decision& mine) override
            {
                if (!m_events.all<EpochDone>().empty())
                    throw LostRank(Message::plain("Rank 1 has gone."));
                return mine;
            }

        private:
            const EventList& m_events;
        };
        Run run(folder());
        run.experiment().run.epochs = 2;
        Failing world(run.events);
        run.world = &world;
        QVERIFY(run().outcome == RunOutcome::Failed);
        const RunState state = run.checkpoint().state;
        QCOMPARE(state.position.step, 2);
        QCOMPARE(state.epoch.samples, 0);
    }

    void aStopOfAnotherRankIsFollowedBeforeTheNextSlice()
    {
        Run run(folder());
        ScriptedWorld world(4, { .stop = true });
        run.world = &world;
        QVERIFY(run().outcome == RunOutcome::Stopped);
        const RunState state = run.checkpoint().state;
        QCOMPARE(state.position.microBatches, 2);
        QVERIFY(state.cursor.open);
    }

    void aRateOfAnotherRankIsThatOfTheNextUpdate()
    {
        Run run(folder());
        ScriptedWorld world(6, { .learningRate = 0.01 });
        run.world = &world;
        QVERIFY(run().outcome == RunOutcome::Completed);
        const auto changes = run.events.all<LearningRateChanged>();
        QCOMPARE(changes.size(), std::size_t { 1 });
        QCOMPARE(changes.front().step, 1);
        for (const StepDone& step : run.events.all<StepDone>())
            QCOMPARE(step.learningRate, 0.01);
    }

    void learningRateStaysWithinTheLimitOfItsKey()
    {
        Run run(folder());
        run.control.setLearningRate(1e300);
        run();
        const auto changes = run.events.all<LearningRateChanged>();
        QCOMPARE(changes.size(), std::size_t { 1 });
        QCOMPARE(changes[0].learningRate, kLargestLearningRate);
    }

    void divergenceEndsTheRunWithTheLastGoodState_data()
    {
        QTest::addColumn<bool>("adam");
        QTest::addColumn<int>("mayBeUnread");
        QTest::addColumn<int>("effective");
        QTest::newRow("sgd") << false << 0 << 128;
        QTest::newRow("adam") << true << 0 << 128;
        QTest::newRow("sgd, figures read late") << false << 1 << 128;
        QTest::newRow("adam, figures read late") << true << 1 << 128;
        QTest::newRow("sgd, in the middle of an epoch") << false << 1 << 10;
        QTest::newRow("adam, in the middle of an epoch") << true << 1 << 10;
    }

    void divergenceEndsTheRunWithTheLastGoodState()
    {
        QFETCH(bool, adam);
        QFETCH(int, mayBeUnread);
        QFETCH(int, effective);
        Run run(folder() / "run");
        run.experiment().batch.effective = BatchNumber::given(effective);
        run.experiment().model.norm = Norm::Batch;
        run.experiment().optimizer.name = adam ? OptimizerName::Adam : OptimizerName::Sgd;
        run.experiment().optimizer.lr = 1e9;
        run.experiment().run.evaluateEvery = { 1000, Span::Unit::Steps };
        run.mayBeUnread = static_cast<std::size_t>(mayBeUnread);
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Diverged, ended.message.english().c_str());
        QVERIFY(ended.step > 1);
        // An epoch's end reads the window that was enqueued behind; only within one is it unread.
        const std::int64_t windows = (kTrain + effective - 1) / effective;
        QVERIFY(windows == 2 || (ended.step % windows != 0 && (ended.step + 1) % windows != 0));
        const auto last = run.events.all<StepDone>().back();
        QVERIFY(!last.updated);
        QCOMPARE(last.step, ended.step);
        QVERIFY(!std::isfinite(last.loss) || !std::isfinite(last.gradientNorm));

        Run reference(folder() / "reference");
        reference.experiment() = run.experiment();
        reference.experiment().run.limitSteps = ended.step - 1;
        reference();
        QVERIFY(allFinite(run.checkpoint().model));
        QCOMPARE(run.checkpoint().state.position.step, ended.step - 1);
        QVERIFY(sameTensors(run.checkpoint().model, reference.checkpoint().model));
        QVERIFY(sameTensors(run.checkpoint().tensors, reference.checkpoint().tensors));
    }

    // BatchNorm keeps the loss finite while the decay, 100 times a step, drives the last layer
    // away.
    void aModelThatCannotBeUsedIsReported()
    {
        Run run(folder());
        run.experiment().model.name = ModelName::Mlp;
        run.experiment().model.norm = Norm::Batch;
        run.experiment().optimizer.lr = 1;
        run.experiment().optimizer.weightDecay = 100;
        run.experiment().run.epochs = 10;
        const RunEnded ended = run();
        QVERIFY(ended.outcome == RunOutcome::Diverged);
        QVERIFY(!allFinite(run.checkpoint().model));
        const auto messages = run.events.all<RunMessage>();
        QCOMPARE(messages.size(), std::size_t { 1 });
        QVERIFY2(messages[0].text.english().find("cannot be used") != std::string::npos,
            messages[0].text.english().c_str());
    }

    // What was enqueued behind the failure is read and saved: the checkpoint is that of a run which
    // ended after the last update.
    void failureKeepsTheLastUpdate_data()
    {
        QTest::addColumn<int>("mayBeUnread");
        QTest::addColumn<bool>("beforeTheUpdate");
        QTest::addColumn<int>("lastUpdate");
        QTest::newRow("figures read at once") << 0 << false << 3;
        QTest::newRow("figures read late") << 1 << false << 4;
        QTest::newRow("before its window is applied") << 0 << true << 3;
    }

    void failureKeepsTheLastUpdate()
    {
        QFETCH(int, mayBeUnread);
        QFETCH(bool, beforeTheUpdate);
        QFETCH(int, lastUpdate);
        Run failed(folder() / "failed");
        failed.experiment().model.norm = Norm::Batch;
        failed.experiment().run.epochs = 3;
        failed.experiment().run.evaluateEvery = { 1000, Span::Unit::Steps };
        failed.mayBeUnread = static_cast<std::size_t>(mayBeUnread);
        failed.events.onEvent = [&](const Event& event) {
            const auto* step = std::get_if<StepDone>(&event);
            if (step && step->step == 3 && beforeTheUpdate)
                failed.control.setLearningRate(0.5 * failed.experiment().optimizer.lr);
            else if (step && step->step == 3)
                throw std::bad_alloc(); // its window is applied and cannot be repeated
            else if (std::holds_alternative<LearningRateChanged>(event))
                throw std::runtime_error("It broke.");
        };
        const RunEnded ended = failed();
        const RunOutcome outcome = beforeTheUpdate ? RunOutcome::Failed : RunOutcome::OutOfMemory;
        QVERIFY2(ended.outcome == outcome, ended.message.english().c_str());
        QVERIFY2(ended.message.english().find(ended.checkpoint) != std::string::npos,
            ended.message.english().c_str());
        QCOMPARE(ended.step, lastUpdate);
        QCOMPARE(failed.events.all<StepDone>().back().step, lastUpdate);
        QCOMPARE(failed.checkpoint().state.position.step, lastUpdate);

        Run straight(folder() / "straight");
        straight.experiment() = failed.experiment();
        straight.experiment().run.limitSteps = lastUpdate;
        straight();
        QCOMPARE(failed.checkpoint().state.position.samples,
            straight.checkpoint().state.position.samples);
        QVERIFY(sameTensors(failed.checkpoint().model, straight.checkpoint().model));
        QVERIFY(sameTensors(failed.checkpoint().tensors, straight.checkpoint().tensors));
    }

    void aBudgetHalvesTheMicroBatchAndKeepsTheRun()
    {
        Run whole(folder() / "whole");
        whole.experiment().batch.effective = BatchNumber::given(128);
        whole.experiment().batch.micro = BatchNumber::given(128);
        whole.experiment().run.threads.reset();
        whole.experiment().run.precision = Precision::Float64;
        whole();
        const auto wanted = whole.events.all<StepDone>();
        Run small(folder() / "small");
        small.experiment() = whole.experiment();
        small.experiment().run.threads = whole.events.all<RunStarted>().front().threads;
        small.experiment().memory.budget = Bytes { wanted.front().peakBytes * 2 / 3 };
        const RunEnded ended = small();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        QVERIFY(!small.events.all<OutOfMemory>().empty());
        const auto steps = small.events.all<StepDone>();
        QCOMPARE(steps.size(), wanted.size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            QVERIFY(std::abs(steps[i].loss - wanted[i].loss) <= 1e-9);
            QVERIFY(steps[i].peakBytes <= small.experiment().memory.budget->count);
        }
    }

    void aBudgetBelowTheModelIsSaid()
    {
        Run run(folder());
        run.experiment().run.threads.reset();
        run.experiment().memory.budget = Bytes { 300'000 };
        const RunEnded ended = run();
        QVERIFY(ended.outcome == RunOutcome::OutOfMemory);
        QVERIFY2(QString::fromStdString(ended.message.english())
                     .contains("memory.budget allows 293 KiB"),
            ended.message.english().c_str());
    }

    // Read at once, the run would have ended there and never met the failure.
    void divergenceBehindAFailureIsWhatEndedTheRun()
    {
        Run run(folder());
        run.experiment().optimizer.lr = 1e9;
        run.mayBeUnread = 1;
        run.events.onEvent = atStep(1, [] { throw std::bad_alloc(); });
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Diverged, ended.message.english().c_str());
        QCOMPARE(ended.step, 2);
        QCOMPARE(run.events.all<StepDone>().size(), std::size_t { 2 });
        QCOMPARE(run.checkpoint().state.position.step, 1);
        QVERIFY(allFinite(run.checkpoint().model));
    }

    void windowsThatAreNotFiniteCanBeSkipped()
    {
        Run run(folder());
        run.experiment().optimizer.lr = 1e9;
        run.experiment().run.notFinite = NotFinite::Skip;
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        const auto steps = run.events.all<StepDone>();
        QCOMPARE(steps.size(), std::size_t { 4 });
        QVERIFY(steps[0].updated && !steps[1].updated && !steps[3].updated);
        QCOMPARE(ended.step, 1);
        QCOMPARE(run.events.all<RunMessage>().size(), std::size_t { 3 });
        QVERIFY(allFinite(run.checkpoint().model));
        QCOMPARE(run.checkpoint().state.position.step, 4);
        const auto epochs = run.events.all<EpochDone>();
        QVERIFY(std::abs(epochs[0].trainLoss - steps[0].loss) < 1e-12);
        QVERIFY(std::isnan(epochs[1].trainLoss) && std::isnan(epochs[1].trainAccuracy));
    }

    // What the evaluation saw, not what the window that was open at the time became.
    void theBestIsSavedAsItWasEvaluatedAlsoInMidWindow()
    {
        Run run(folder());
        run.experiment().batch.tail = Tail::Carry;
        run.experiment().model.norm = Norm::Batch;
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        const auto evaluations = run.events.all<Evaluated>();
        QCOMPARE(evaluations.size(), std::size_t { 2 });
        const auto best = std::max_element(evaluations.begin(), evaluations.end(),
            [](const auto& a, const auto& b) { return a.testAccuracy < b.testAccuracy; });
        const Checkpoint saved = readCheckpoint(run.request.checkpointFolder / "best");
        QCOMPARE(saved.state.position.step, best->step);
        QCOMPARE(saved.state.cursor.open.has_value(), best == evaluations.begin());
        PreparedRun prepared = preparedRun(run.request);
        copyValues(namedState(*prepared.network), saved.model);
        const auto found = evaluate(*prepared.network, prepared.data, prepared.data.test,
            run.experiment().run.evaluationBatch, [] { return true; });
        QCOMPARE(found->loss, best->testLoss);
    }

    void lowerPrecisionTrainsNearFloat32_data()
    {
        QTest::addColumn<int>("precision");
        QTest::newRow("bfloat16") << static_cast<int>(Precision::BFloat16);
        QTest::newRow("float16") << static_cast<int>(Precision::Float16);
    }

    void lowerPrecisionTrainsNearFloat32()
    {
        QFETCH(int, precision);
        Run exact(folder() / "float32");
        Run lower(folder() / "lower");
        lower.experiment().run.precision = static_cast<Precision>(precision);
        exact();
        const RunEnded ended = lower();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        const auto expected = exact.events.all<StepDone>();
        const auto found = lower.events.all<StepDone>();
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QVERIFY(found[i].loss != expected[i].loss);
            QVERIFY(std::abs(found[i].loss - expected[i].loss) < 0.01 * expected[i].loss);
        }
        for (const auto& [name, tensor] : lower.checkpoint().model)
            QVERIFY2(tensor.scalar_type() == at::kFloat, name.c_str());
        QVERIFY(!at::autocast::is_autocast_enabled(at::kCPU));
    }

    // Weights so large that a scaled gradient leaves float16, and an unscaled one does not.
    void anOverflowOfFloat16HalvesTheScaleAndTheRunGoesOn()
    {
        Run run(folder());
        run.experiment().model.init = Initialisation::Normal;
        run.experiment().model.initSigma = 0.2;
        run.experiment().run.precision = Precision::Float16;
        run.experiment().run.epochs = 6;
        run.experiment().optimizer.lr = 1e-4;
        const RunEnded ended = run();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        const auto steps = run.events.all<StepDone>();
        const auto isDropped = [](const StepDone& step) { return !step.updated; };
        const auto dropped = std::count_if(steps.begin(), steps.end(), isDropped);
        QVERIFY2(dropped >= 1 && dropped < 12, std::to_string(dropped).c_str());
        QVERIFY(steps.back().updated && std::isfinite(steps.front().loss));
        QCOMPARE(run.events.all<RunMessage>().size(), static_cast<std::size_t>(dropped));
        QVERIFY(run.events.all<RunMessage>()[0].text.english().find(formatCount(32768))
            != std::string::npos);
        QCOMPARE(run.checkpoint().state.lossScale.value, 65536 / std::pow(2, dropped));
        QVERIFY(allFinite(run.checkpoint().model));
    }

    void aTracedParameterChangesWithTheLastMicroBatchOfAWindow()
    {
        Run run(folder());
        run.experiment().trace.parameters = "conv1.weight";
        run();
        const auto traced = run.events.all<ParameterTraced>();
        QCOMPARE(traced.size(), std::size_t { 4 });
        std::vector<TracedMicroBatch> rows;
        for (const ParameterTraced& window : traced)
            rows.insert(rows.end(), window.microBatches.begin(), window.microBatches.end());
        QCOMPARE(rows.size(), std::size_t { 10 });
        for (std::size_t i = 1; i < rows.size(); ++i) {
            const std::int64_t number = rows[i].microBatches;
            QCOMPARE(number, rows[i - 1].microBatches + 1);
            const bool closes = number == 4 || number == 5 || number == 9 || number == 10;
            QCOMPARE(rows[i].checksum != rows[i - 1].checksum, closes);
            QCOMPARE(rows[i].values != rows[i - 1].values, closes);
        }
        const at::Tensor saved = tensorOf(run.checkpoint().model, "conv1.weight").flatten();
        for (std::int64_t i = 0; i < TracedMicroBatch::kValues; ++i)
            QCOMPARE(rows.back().values[static_cast<std::size_t>(i)], saved[i].item<double>());
        QCOMPARE(traced[1].step, 2);
        QCOMPARE(rows.back().samples, 300);
    }

    void theUpdateRatioIsLoggedWithEachStepOnRequest()
    {
        Run run(folder());
        run.experiment().trace.updateRatio = true;
        run.experiment().optimizer.lr = 1e9;
        run.experiment().run.notFinite = NotFinite::Skip;
        run();
        const auto steps = run.events.all<StepDone>();
        QCOMPARE(steps.size(), std::size_t { 4 });
        for (const StepDone& step : steps) {
            QCOMPARE(step.values.size(), std::size_t { 1 });
            QCOMPARE(step.values.front().metric, std::string("update_ratio"));
            QCOMPARE(std::isnan(step.values.front().value), !step.updated);
        }
        Run silent(folder());
        silent();
        for (const StepDone& step : silent.events.all<StepDone>())
            QVERIFY(step.values.empty());
    }

    void aTraceOfNoParameterNamesThoseThereAre()
    {
        Run run(folder());
        run.experiment().trace.parameters = "conv9.weight";
        const std::string refusal = refusalOf([&] { run(); });
        QVERIFY2(refusal.find("conv9.weight, but the model has no such parameter. Allowed: first, "
                              "conv1.weight, conv1.bias")
                != std::string::npos,
            refusal.c_str());
    }

    void settingsOfTheProcessFollowTheRun()
    {
        Run run(folder());
        run.experiment().run.limitSteps = 1;
        run.experiment().run.deterministic = true;
        run.experiment().run.tf32 = true;
        run();
        QVERIFY(at::globalContext().deterministicAlgorithms());
        QVERIFY(at::globalContext().allowTF32CuBLAS());
        Run usual(folder() / "usual");
        usual.experiment().run.limitSteps = 1;
        usual();
        QVERIFY(!at::globalContext().deterministicAlgorithms());
        QVERIFY(!at::globalContext().allowTF32CuBLAS());
    }

    void checkpointCarriesTheRecipe()
    {
        Run run(folder());
        run.experiment().name = "a name";
        run();
        const Recipe recipe = parseRecipe(run.checkpoint().recipe, "checkpoint");
        QVERIFY(recipe.experiment == run.experiment());
    }

    void wrongInputIsRefusedBeforeAnythingBegins_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("part");
        QTest::newRow("no data") << "no data"
                                 << "nowhere";
        QTest::newRow("no cuda") << "no cuda"
                                 << "cuda:63";
        QTest::newRow("invalid recipe") << "invalid recipe"
                                        << "optimizer.lr";
        QTest::newRow("long warm-up") << "long warm-up"
                                      << "a warm-up of 4 updates, but the run has 4";
        QTest::newRow("small pictures") << "small pictures"
                                        << "12 × 12";
        QTest::newRow("no weights to begin with") << "no weights"
                                                  << "nowhere.safetensors";
    }

    void wrongInputIsRefusedBeforeAnythingBegins()
    {
        QFETCH(QString, name);
        QFETCH(QString, part);
        Run run(folder());
        if (name == "no data")
            run.experiment().data.path = "/nowhere";
        else if (name == "no cuda")
            run.experiment().run.device = "cuda:63";
        else if (name == "invalid recipe")
            run.experiment().optimizer.lr = -1;
        else if (name == "long warm-up")
            run.experiment().schedule.warmupSteps = 4;
        else if (name == "no weights")
            run.experiment().model.initFrom = (folder() / "nowhere.safetensors").string();
        else
            run.experiment().data.path = writtenDataSet(folder() / "small").string();
        run.request.begin = [] { return QTest::qFail("it has begun", __FILE__, __LINE__), ""; };
        const std::string refusal = refusalOf([&] { run(); });
        QVERIFY2(refusal.find(part.toStdString()) != std::string::npos, refusal.c_str());
        QVERIFY(run.events.events.empty());
        QCOMPARE(run.control.progress().phase, Phase::Idle);
        QVERIFY(!std::filesystem::exists(run.request.checkpointFolder));
    }

    void aRunBeginsWhereItIsKeptOnceAllIsThereAndBeforeItsFirstEvent()
    {
        Run run(folder());
        const std::filesystem::path kept = folder() / "kept";
        std::size_t before = 1;
        run.request.begin = [&] {
            before = run.events.events.size();
            return kept;
        };
        const RunEnded ended = run();
        QVERIFY(ended.outcome == RunOutcome::Completed);
        QCOMPARE(before, std::size_t { 0 });
        QCOMPARE(checkpointsIn(kept).front(), std::filesystem::path(ended.checkpoint));
        QVERIFY(!std::filesystem::exists(run.request.checkpointFolder));
    }

    void whatKeepsARunFromBeginningReachesTheCaller()
    {
        Run run(folder());
        run.request.begin = []() -> std::filesystem::path {
            throw std::runtime_error("another process trains it");
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, run());
        QVERIFY(run.events.events.empty());
    }

    void aRunWithoutAPlaceForItsModelFails()
    {
        Run run(folder());
        run.request.checkpointFolder = written(folder() / "file", "in the way") / "checkpoint";
        const RunEnded ended = run();
        QVERIFY(ended.outcome == RunOutcome::Failed);
        QVERIFY2(ended.message.english().find("cannot be created") != std::string::npos,
            ended.message.english().c_str());
        QVERIFY(std::holds_alternative<RunStarted>(run.events.events.front()));
        QVERIFY(std::holds_alternative<RunEnded>(run.events.events.back()));
        QVERIFY(run.events.all<StepDone>().empty());
        QVERIFY(ended.checkpoint.empty());
    }

    void checkpointThatCannotBeSavedIsSaid()
    {
        Run run(folder());
        const std::filesystem::path place = folder() / "place";
        run.request.checkpointFolder = place / "checkpoint";
        run.events.onEvent = atStep(1, [&] {
            std::filesystem::remove_all(place);
            written(place, "in the way");
        });
        const RunEnded ended = run();
        QVERIFY(ended.outcome == RunOutcome::Failed);
        QVERIFY2(ended.message.english().find("could not be saved") != std::string::npos,
            ended.message.english().c_str());
    }

    void aSinkThatFailsNeverThrowsThroughTheSession_data()
    {
        QTest::addColumn<bool>("atTheStart");
        QTest::newRow("at the start of a run that cannot be saved") << true;
        QTest::newRow("at the end") << false;
    }

    void aSinkThatFailsNeverThrowsThroughTheSession()
    {
        QFETCH(bool, atTheStart);
        Run run(folder());
        if (atTheStart)
            run.request.checkpointFolder = written(folder() / "file", "in the way") / "checkpoint";
        run.events.onEvent = [=](const Event& event) {
            if (atTheStart ? std::holds_alternative<RunStarted>(event)
                           : std::holds_alternative<RunEnded>(event))
                throw std::runtime_error("the sink is full");
        };
        const RunEnded ended = run();
        QVERIFY(ended.outcome == RunOutcome::Failed);
        QVERIFY2(ended.message.english().find("the sink is full") != std::string::npos,
            ended.message.english().c_str());
        QCOMPARE(ended.checkpoint.empty(), atTheStart);
    }

    void windowBeyondTheTrainingSetIsToldBeforeTheFirstStep()
    {
        Run run(folder());
        run.experiment().batch.effective = BatchNumber::given(256);
        QVERIFY(run().outcome == RunOutcome::Completed);
        QCOMPARE(run.events.all<RunMessage>().size(), std::size_t { 1 });
        const auto& warning = std::get<RunMessage>(run.events.events[1]);
        QVERIFY(warning.severity == RunMessage::Severity::Warning);
        QVERIFY2(
            warning.text.english().find("larger than the training set of 150") != std::string::npos,
            warning.text.english().c_str());
    }

    void threadsStayWithinTheCoresThereAre()
    {
        Run run(folder());
        run.experiment().run.threads = 4096;
        run.experiment().run.limitSteps = 1;
        run();
        QCOMPARE(std::get<RunStarted>(run.events.events.front()).threads, usableCores());
        QCOMPARE(run.events.all<RunMessage>().size(), std::size_t { 1 });
    }

    void choosingThreadsLeavesTheRunsRandomStateAlone()
    {
        Run chosen(folder() / "chosen");
        chosen.experiment().run.threads.reset();
        chosen();
        const int threads = std::get<RunStarted>(chosen.events.events.front()).threads;
        QVERIFY(threads >= 1 && threads <= usableCores());
        Run given(folder() / "given");
        given.experiment().run.threads = threads;
        given();
        QCOMPARE(chosen.events.losses(), given.events.losses());
    }

    void aDeviceComputesWhatTheCpuComputes()
    {
        if (listDevices().size() == 1)
            QSKIP("no CUDA device here");
        Run onCpu(folder() / "cpu");
        Run onDevice(folder() / "cuda");
        onDevice.experiment().run.device = "cuda";
        for (Run* run : { &onCpu, &onDevice }) {
            run->experiment().run.precision = Precision::Float64;
            QVERIFY((*run)().outcome == RunOutcome::Completed);
        }
        const auto left = onCpu.events.losses();
        const auto right = onDevice.events.losses();
        QCOMPARE(right.size(), left.size());
        for (std::size_t step = 0; step < left.size(); ++step)
            QVERIFY(std::abs(left[step] - right[step]) < 1e-8);
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
