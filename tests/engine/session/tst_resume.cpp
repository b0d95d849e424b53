// SPDX-License-Identifier: Apache-2.0
#include "engine/session/resume.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <QTemporaryDir>
#include <QTest>

#include "engine/door/checkpoints.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/resumed_settings.h"
#include "engine/session/session.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

// Everything that a run is made from, with its logged values.
struct Attempt {
    RunEnded ended;
    EventList events;
};

Experiment plainExperiment(const std::filesystem::path& data)
{
    Experiment experiment;
    experiment.data.name = DataName::Idx;
    experiment.data.path = data.string();
    experiment.run.device = "cpu";
    experiment.run.threads = 1;
    experiment.run.epochs = 3;
    experiment.batch.micro = BatchNumber::given(8);
    experiment.batch.steps = BatchNumber::given(4);
    experiment.optimizer.lr = 0.05;
    experiment.model.name = ModelName::Mlp;
    experiment.model.widths = { 256, 128 }; // slow enough to be stopped in mid-window
    return experiment;
}

// Ends once `microBatch` of the window after `steps` updates is begun, or whenever that is noticed.
void stopIn(RunControl& control, const std::atomic<std::int64_t>& steps, std::int64_t after,
    std::uint32_t microBatch, const std::atomic<bool>& over)
{
    while (!over && !(steps >= after && control.progress().microBatch >= microBatch))
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    control.requestStop();
}

bool sameValues(const std::vector<MetricValue>& left, const std::vector<MetricValue>& right)
{
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
        [](const auto& a, const auto& b) { return a.metric == b.metric && a.value == b.value; });
}

bool sameSteps(const std::vector<StepDone>& left, const std::vector<StepDone>& right)
{
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
        [](const StepDone& a, const StepDone& b) {
            return a.step == b.step && a.epoch == b.epoch && a.samples == b.samples
                && a.microBatches == b.microBatches && a.windowSamples == b.windowSamples
                && a.loss == b.loss && a.learningRate == b.learningRate
                && a.gradientNorm == b.gradientNorm && a.updated == b.updated
                && sameValues(a.values, b.values);
        });
}

template <typename T> std::vector<T> joined(const std::vector<Attempt>& attempts)
{
    std::vector<T> all;
    for (const Attempt& attempt : attempts)
        for (const T& one : attempt.events.all<T>())
            all.push_back(one);
    return all;
}

} // namespace

class TestResume : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path folder() const { return m_folder->path().toStdString(); }
    Experiment m_experiment;
    DataIdentity m_data; // that are there

    TrainRequest requestIn(const char* name) const
    {
        TrainRequest request;
        request.experiment = m_experiment;
        request.checkpointFolder = folder() / name;
        return request;
    }

    Attempt straight() const
    {
        Attempt attempt;
        RunControl control;
        attempt.ended = Session(requestIn("straight"), control, attempt.events).run();
        return attempt;
    }

    // Stopped near that micro-batch; `from` empty: from the beginning.
    Attempt stopped(const std::filesystem::path& from, std::int64_t steps, std::uint32_t microBatch)
    {
        TrainRequest request = requestIn("stopped");
        request.resumeFrom = from;
        Attempt attempt;
        RunControl control;
        std::atomic<std::int64_t> done { 0 };
        std::atomic<bool> over { false };
        attempt.events.onEvent = [&done](const Event& event) {
            if (const auto* step = std::get_if<StepDone>(&event))
                done = step->step;
        };
        std::thread stopper([&] { stopIn(control, done, steps, microBatch, over); });
        attempt.ended = Session(request, control, attempt.events).run();
        over = true;
        stopper.join();
        attempt.events.onEvent = {};
        return attempt;
    }

    Attempt resumed(const std::filesystem::path& from) const
    {
        TrainRequest request = requestIn("stopped");
        request.resumeFrom = from;
        Attempt attempt;
        RunControl control;
        attempt.ended = Session(request, control, attempt.events).run();
        return attempt;
    }

    std::string refusalOf(const Checkpoint& checkpoint, const Experiment& experiment) const
    {
        const BatchPlan plan = solveBatch(experiment).plan.value();
        const WindowSequence windows(plan, 100, experiment.run.epochs);
        const TrainRequest request { experiment, {}, {} };
        return sentenceOf([&] { checkResumable(checkpoint, request, windows, 100, m_data); });
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_experiment = plainExperiment(writtenPictures(folder() / "data", 100, 20));
    }

    void aStoppedRunEndsAsOneNeverStopped_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("sgd, flush") << QStringList {};
        QTest::newRow("BatchNorm, carry, clip")
            << QStringList { "model.norm=batch", "batch.tail=carry", "optimizer.clip_norm=0.5" };
        QTest::newRow("BatchNorm by windows, carry") << QStringList { "model.norm=batch",
            "model.batchnorm_window=true", "batch.tail=carry" };
        QTest::newRow("AdamW, drop, EMA") << QStringList { "optimizer.name=adamw",
            "batch.tail=drop", "optimizer.ema=0.9", "optimizer.weight_decay=0.01" };
        QTest::newRow("AMSGrad") << QStringList { "optimizer.name=adam", "optimizer.lr=0.001",
            "optimizer.beta2=0.6", "optimizer.amsgrad=true" };
        QTest::newRow("RMSprop, centered, carry") << QStringList { "optimizer.name=rmsprop",
            "optimizer.centered=true", "optimizer.lr=0.001", "batch.tail=carry" };
        QTest::newRow("a window beyond an epoch, sum, cosine")
            << QStringList { "batch.tail=carry", "batch.steps=20", "batch.reduction=sum",
                   "schedule.name=cosine", "optimizer.lr=0.002", "run.epochs=5" };
        QTest::newRow("carry, EMA, update ratio")
            << QStringList { "batch.tail=carry", "optimizer.ema=0.9", "trace.update_ratio=true" };
        QTest::newRow("schedule of N, dampening")
            << QStringList { "batch.steps=auto", "batch.schedule=1 from step 0, 4 from step 3",
                   "optimizer.lr_rule=linear", "optimizer.dampening=0.1" };
    }

    void aStoppedRunEndsAsOneNeverStopped()
    {
        QFETCH(QStringList, settings);
        for (const QString& setting : settings) {
            if (setting == QStringLiteral("batch.steps=auto"))
                m_experiment.batch.steps = {};
            else
                QVERIFY(applySetting(m_experiment, setting.toStdString()).empty());
        }
        const Attempt whole = straight();
        QVERIFY2(
            whole.ended.outcome == RunOutcome::Completed, whole.ended.message.english().c_str());
        std::vector<Attempt> attempts;
        attempts.push_back(stopped({}, 1, 2));
        int open = 0;
        for (std::int64_t step = 2; step < 12; step += 2) {
            if (attempts.back().ended.outcome == RunOutcome::Completed)
                break;
            QVERIFY2(attempts.back().ended.outcome == RunOutcome::Stopped,
                attempts.back().ended.message.english().c_str());
            open += readCheckpoint(attempts.back().ended.checkpoint).state.cursor.open ? 1 : 0;
            attempts.push_back(stopped(attempts.back().ended.checkpoint, step, 3));
        }
        if (attempts.back().ended.outcome == RunOutcome::Stopped)
            attempts.push_back(resumed(attempts.back().ended.checkpoint));
        QVERIFY2(attempts.back().ended.outcome == RunOutcome::Completed,
            attempts.back().ended.message.english().c_str());
        QVERIFY(attempts.size() > 1);
        if (open == 0)
            qWarning("every stop fell between two windows; none was in the middle of one");

        const Checkpoint left = readCheckpoint(whole.ended.checkpoint);
        const Checkpoint right = readCheckpoint(attempts.back().ended.checkpoint);
        QVERIFY(sameTensors(left.model, right.model));
        QVERIFY(sameTensors(left.tensors, right.tensors));
        QVERIFY(sameSteps(whole.events.all<StepDone>(), joined<StepDone>(attempts)));
        const auto epochs = joined<EpochDone>(attempts);
        const auto wholeEpochs = whole.events.all<EpochDone>();
        QCOMPARE(epochs.size(), wholeEpochs.size());
        for (std::size_t i = 0; i < epochs.size(); ++i) {
            QCOMPARE(epochs[i].trainLoss - wholeEpochs[i].trainLoss, 0.0);
            QCOMPARE(epochs[i].trainAccuracy, wholeEpochs[i].trainAccuracy);
        }
        const auto evaluations = joined<Evaluated>(attempts);
        const auto wholeEvaluations = whole.events.all<Evaluated>();
        QCOMPARE(evaluations.size(), wholeEvaluations.size());
        for (std::size_t i = 0; i < evaluations.size(); ++i)
            QCOMPARE(evaluations[i].testLoss - wholeEvaluations[i].testLoss, 0.0);
    }

    void aRunThatIsMadeLongerIsTheRunThatWasAsLongFromTheBeginning_data()
    {
        QTest::addColumn<QStringList>("settings");
        QTest::newRow("sgd, flush") << QStringList {};
        QTest::newRow("AdamW, drop, EMA, augmented") << QStringList { "optimizer.name=adamw",
            "batch.tail=drop", "optimizer.ema=0.9", "data.augment=crop:2, flip" };
        QTest::newRow("BatchNorm, carry into the second epoch, step")
            << QStringList { "model.norm=batch", "batch.tail=carry", "batch.steps=5",
                   "schedule.name=step", "schedule.every=1 epoch" };
        QTest::newRow("precise BatchNorm, evaluated now and then")
            << QStringList { "model.norm=batch", "model.batchnorm_precise=true",
                   "run.evaluate_every=3 steps", "schedule.warmup_steps=3" };
        QTest::newRow("carry, ended by its limit")
            << QStringList { "batch.tail=carry", "run.limit_steps=5" };
    }

    void aRunThatIsMadeLongerIsTheRunThatWasAsLongFromTheBeginning()
    {
        QFETCH(QStringList, settings);
        for (const QString& setting : settings)
            QVERIFY(!hasErrors(applySetting(m_experiment, setting.toStdString())));
        Experiment longer = m_experiment;
        m_experiment.run.epochs = 2;
        longer.run.epochs = 4;
        longer.run.limitSteps = m_experiment.run.limitSteps > 0 ? 11 : 0;
        const Attempt first = straight();
        QVERIFY2(
            first.ended.outcome == RunOutcome::Completed, first.ended.message.english().c_str());
        QVERIFY(checkLonger(
            requireResolved(m_experiment), requireResolved(longer), 100, first.ended.step)
                    .empty());
        std::swap(m_experiment, longer);
        const Attempt second = resumed(first.ended.checkpoint);
        QVERIFY2(
            second.ended.outcome == RunOutcome::Completed, second.ended.message.english().c_str());
        std::filesystem::remove_all(folder() / "straight");
        const Attempt whole = straight();
        QVERIFY(whole.ended.step > first.ended.step);
        QVERIFY(sameSteps(whole.events.all<StepDone>(), joined<StepDone>({ first, second })));
        const Checkpoint left = readCheckpoint(whole.ended.checkpoint);
        const Checkpoint right = readCheckpoint(second.ended.checkpoint);
        QVERIFY(sameTensors(left.model, right.model));
        QVERIFY(sameTensors(left.tensors, right.tensors));
        QCOMPARE(second.events.all<Evaluated>().back().testLoss,
            whole.events.all<Evaluated>().back().testLoss);
        QCOMPARE(second.events.all<RunStarted>().front().totalSteps, whole.ended.step);
    }

    void secondsAndFactorGoOn()
    {
        m_experiment.run.epochs = 60;
        const Attempt first = stopped({}, 2, 2);
        QVERIFY(first.ended.outcome == RunOutcome::Stopped);
        const double saved = readCheckpoint(first.ended.checkpoint).state.position.seconds;
        const Attempt second = resumed(first.ended.checkpoint);
        QVERIFY(saved >= first.events.all<StepDone>().back().seconds);
        QVERIFY(second.events.all<StepDone>().front().seconds >= saved);
    }

    void aRunThatWasCutOffAsItEndedIsNotEvaluatedAgain()
    {
        const Attempt whole = straight();
        TrainRequest request = requestIn("straight");
        request.resumeFrom = whole.ended.checkpoint;
        RunControl control;
        EventList events;
        const RunEnded ended = Session(request, control, events).run();
        QVERIFY(ended.outcome == RunOutcome::Completed);
        QCOMPARE(ended.step, whole.ended.step);
        QVERIFY(events.all<Evaluated>().empty());
        QVERIFY(sameTensors(
            readCheckpoint(ended.checkpoint).model, readCheckpoint(whole.ended.checkpoint).model));
    }

    void aLearningRateThatWasChangedStaysSo()
    {
        TrainRequest request = requestIn("changed");
        RunControl control;
        control.setLearningRate(0.5 * m_experiment.optimizer.lr);
        EventList events;
        events.onEvent = [&](const Event& event) {
            if (std::holds_alternative<StepDone>(event))
                control.requestStop();
        };
        request.resumeFrom = Session(request, control, events).run().checkpoint;
        QCOMPARE(readCheckpoint(request.resumeFrom).state.factor, 0.5);
        RunControl next;
        EventList later;
        const RunEnded ended = Session(request, next, later).run();
        QVERIFY(ended.outcome == RunOutcome::Completed);
        QCOMPARE(later.all<StepDone>().front().learningRate, 0.5 * m_experiment.optimizer.lr);
        QVERIFY(later.all<LearningRateChanged>().empty());
        QCOMPARE(readCheckpoint(ended.checkpoint).state.factor, 0.5);
    }

    // Its last checkpoint would otherwise hold more samples of the window than it counts.
    void aFailureInTheWindowThatWasResumedKeepsWhatItWasResumedFrom()
    {
        m_experiment.batch.tail = Tail::Carry;
        const Attempt whole = straight();
        TrainRequest request = requestIn("stopped");
        RunControl first;
        EventList events;
        events.onEvent = [&](const Event& event) {
            if (std::holds_alternative<Evaluated>(event))
                first.requestStop(); // with a window that goes on in the next epoch
        };
        const RunEnded stopped = Session(request, first, events).run();
        QVERIFY(readCheckpoint(stopped.checkpoint).state.cursor.open.has_value());

        request.resumeFrom = stopped.checkpoint;
        RunControl second;
        second.setLearningRate(2 * m_experiment.optimizer.lr);
        events.onEvent = [](const Event& event) {
            if (std::holds_alternative<LearningRateChanged>(event))
                throw std::runtime_error("It broke."); // all slices are in
        };
        const RunEnded failed = Session(request, second, events).run();
        QVERIFY2(failed.outcome == RunOutcome::Failed, failed.message.english().c_str());
        QCOMPARE(failed.checkpoint, stopped.checkpoint);
        const Attempt rest = resumed(failed.checkpoint);
        QVERIFY2(rest.ended.outcome == RunOutcome::Completed, rest.ended.message.english().c_str());
        QVERIFY(sameTensors(readCheckpoint(whole.ended.checkpoint).model,
            readCheckpoint(rest.ended.checkpoint).model));
    }

    void atAWindowsBoundaryAnotherCutGoesOn()
    {
        m_experiment.checkpoint.every = { 1, Span::Unit::Steps };
        straight();
        const std::filesystem::path boundary = checkpointsIn(folder() / "straight").back();
        m_experiment.batch.micro = BatchNumber::given(16);
        m_experiment.batch.steps = BatchNumber::given(2);
        const Attempt other = resumed(boundary);
        QVERIFY2(
            other.ended.outcome == RunOutcome::Completed, other.ended.message.english().c_str());
    }

    void whatDiffersIsNamed()
    {
        Checkpoint checkpoint;
        checkpoint.recipe = writeRecipe(m_experiment);
        checkpoint.trainSamples = 100;
        QVERIFY(refusalOf(checkpoint, m_experiment).empty());
        Experiment other = m_experiment;
        other.run.seed = 9;
        QVERIFY(refusalOf(checkpoint, other).find("trained with 1; resume") != std::string::npos);
        other = m_experiment;
        other.batch.micro = BatchNumber::given(16);
        other.batch.steps = BatchNumber::given(2);
        QVERIFY(refusalOf(checkpoint, other).empty());
        checkpoint.state.cursor = { .epoch = 1,
            .offset = 8,
            .open = Window { .epoch = 1, .steps = 4, .samples = 32 },
            .filled = 8 };
        checkpoint.state.position = { .epoch = 1, .samples = 8, .microBatches = 1 };
        checkpoint.state.slicesDone = 1;
        QCOMPARE(refusalOf(checkpoint, m_experiment), std::string());
        QVERIFY(
            refusalOf(checkpoint, other).find("in the middle of a window") != std::string::npos);
        checkpoint.state.cursor.offset = 4711;
        QVERIFY(refusalOf(checkpoint, m_experiment).find("position") != std::string::npos);
        checkpoint.state = {};
        checkpoint.trainSamples = 99;
        QVERIFY(refusalOf(checkpoint, m_experiment).find("99") != std::string::npos);
        checkpoint.trainSamples = 100;
        checkpoint.data.classes = { "0", "1" };
        checkpoint.data.trainDigest = "aa";
        checkpoint.data.testDigest = "bb";
        m_data = checkpoint.data;
        QCOMPARE(refusalOf(checkpoint, m_experiment), std::string());
        m_data.trainDigest = "cc";
        QVERIFY(refusalOf(checkpoint, m_experiment).find("training samples") != std::string::npos);
        m_data.classes = { "0", "2" };
        QVERIFY(refusalOf(checkpoint, m_experiment).find("class 1") != std::string::npos);
    }

    void aWindowThatAnEpochsEndLeftOpenIsAPlaceToGoOnFrom()
    {
        m_experiment.batch.tail = Tail::Carry;
        Checkpoint checkpoint;
        checkpoint.recipe = writeRecipe(m_experiment);
        checkpoint.trainSamples = 100;
        checkpoint.state.cursor = { .epoch = 1,
            .offset = 100,
            .updates = 3,
            .open = Window { .epoch = 1, .steps = 4, .samples = 32 },
            .filled = 4 };
        checkpoint.state.position = { .epoch = 1, .step = 3, .samples = 100, .microBatches = 13 };
        checkpoint.state.slicesDone = 1;
        QCOMPARE(refusalOf(checkpoint, m_experiment), std::string());
    }

    void aDamagedCheckpointIsRefusedBeforeTheModelIsTouched()
    {
        straight();
        const std::filesystem::path newest = checkpointsIn(folder() / "straight").front();
        written(newest / "state.safetensors", "damaged");
        const std::string refusal = test::refusalOf([&] { resumed(newest); });
        QVERIFY2(refusal.find("state.safetensors") != std::string::npos, refusal.c_str());
    }

    void aRunThatCannotGoOnLeavesItsCheckpoints()
    {
        m_experiment.checkpoint.every = { 1, Span::Unit::Steps };
        straight();
        const auto kept = checkpointsIn(folder() / "straight");
        m_experiment.run.seed = 9;
        TrainRequest request = requestIn("straight");
        request.resumeFrom = kept.back();
        RunControl control;
        EventList events;
        const std::string refusal =
            test::refusalOf([&] { Session(request, control, events).run(); });
        QVERIFY2(refusal.starts_with("run.seed is 9"), refusal.c_str());
        QVERIFY(events.events.empty());
        QCOMPARE(checkpointsIn(folder() / "straight"), kept);
    }

    void whatComesAfterTheCheckpointIsOfAnAttemptThatIsOver()
    {
        m_experiment.checkpoint.every = { 1, Span::Unit::Steps };
        m_experiment.checkpoint.keep = 3;
        straight();
        const auto kept = checkpointsIn(folder() / "straight");
        QVERIFY(kept.size() > 2);
        TrainRequest request = requestIn("straight");
        request.resumeFrom = kept[1];
        RunControl control;
        EventList events;
        events.onEvent = [&](const Event& event) {
            if (std::holds_alternative<RunStarted>(event))
                QCOMPARE(checkpointsIn(folder() / "straight").front(), kept[1]);
        };
        QVERIFY(Session(request, control, events).run().outcome == RunOutcome::Completed);
    }

    void aRunDoesNotGoOnWithOtherTrainingData()
    {
        const Attempt whole = straight();
        const SavedCheckpoint saved = inspectCheckpoint(whole.ended.checkpoint);
        QCOMPARE(saved.format, 3);
        QVERIFY(saved.data.isKnown());
        QVERIFY(trainedOn(saved, {}) == saved.data);
        QVERIFY(trainedOn(std::nullopt, saved.data) == saved.data);
        QVERIFY(trainedOn(SavedCheckpoint {}, saved.data) == saved.data); // of format 2
        TrainRequest request = requestIn("straight");
        QVERIFY(resumeProblem(saved.data, request).empty());
        request.experiment.data.path = writtenPictures(folder() / "other", 101, 30).string();
        const std::string problem = resumeProblem(saved.data, request).english();
        QVERIFY2(problem.find("training samples") != std::string::npos, problem.c_str());
        written(std::filesystem::path(request.experiment.data.path) / "train-labels-idx1-ubyte",
            "damaged");
        QVERIFY(!resumeProblem(saved.data, request).empty());
        QVERIFY(resumeProblem({}, request).empty()); // nothing is known to differ
    }

    void otherTestDataAreWarnedOfAndARunGoesOn()
    {
        m_experiment.run.epochs = 2;
        const Attempt whole = straight();
        TrainRequest request = requestIn("longer");
        request.resumeFrom = whole.ended.checkpoint;
        request.experiment.run.epochs = 3;
        request.experiment.data.path = writtenPictures(folder() / "other", 100, 31).string();
        RunControl control;
        EventList events;
        const RunEnded ended = Session(request, control, events).run();
        QVERIFY2(ended.outcome == RunOutcome::Completed, ended.message.english().c_str());
        QVERIFY(events.all<RunMessage>().front().text.english().find("test samples")
            != std::string::npos);
    }

    void whatARunWasTrainedOnIsTold()
    {
        const Attempt whole = straight();
        const DataIdentity told = whole.events.all<RunStarted>().front().data;
        QVERIFY(told.isKnown());
        QCOMPARE(told.classes.size(), std::size_t { 10 });
        QCOMPARE(told.height, std::int64_t { 28 });
        QVERIFY(readCheckpoint(whole.ended.checkpoint).data == told);
        QVERIFY(readCheckpoint(bestCheckpoint(folder() / "straight")).data == told);
    }

    void inspectingTellsThePlaceOrTheDamage()
    {
        straight();
        const std::filesystem::path newest = checkpointsIn(folder() / "straight").front();
        const SavedCheckpoint whole = inspectCheckpoint(newest);
        QVERIFY2(whole.problem.empty(), whole.problem.english().c_str());
        QVERIFY(whole.experiment == m_experiment);
        const Position at = readCheckpoint(newest).state.position;
        QCOMPARE(whole.at.step, at.step);
        QCOMPARE(whole.at.microBatches, at.microBatches);
        QCOMPARE(whole.at.seconds, at.seconds);
        QVERIFY(!whole.inWindow);
        written(newest / "model.safetensors", "damaged");
        const std::string problem = inspectCheckpoint(newest).problem.english();
        QVERIFY2(problem.find((newest / "model.safetensors").string()) != std::string::npos,
            problem.c_str());
        QCOMPARE(inspectCheckpoint(newest).file, newest / "model.safetensors");
        QVERIFY(!inspectCheckpoint(folder() / "nowhere").problem.empty());
    }

    void theLastAndTheBestAreKept()
    {
        m_experiment.checkpoint.every = { 1, Span::Unit::Steps };
        m_experiment.checkpoint.keep = 3;
        const Attempt whole = straight();
        const auto kept = checkpointsIn(folder() / "straight");
        QCOMPARE(kept.size(), std::size_t { 3 });
        QCOMPARE(kept.front(), checkpointAt(folder() / "straight", whole.ended.step));
        QCOMPARE(QString::fromStdString(whole.ended.checkpoint),
            QString::fromStdString(kept.front().string()));
        double best = 0;
        std::int64_t bestStep = 0;
        for (const Evaluated& evaluation : whole.events.all<Evaluated>())
            if (evaluation.testAccuracy > best) {
                best = evaluation.testAccuracy;
                bestStep = evaluation.step;
            }
        const Checkpoint saved = readCheckpoint(bestCheckpoint(folder() / "straight"));
        QCOMPARE(saved.state.position.step, bestStep);
        QCOMPARE(saved.state.best, best);
    }
};

QTEST_GUILESS_MAIN(TestResume)
#include "tst_resume.moc"
