// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_controller.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <memory>

#include "engine/logfile/lock_file.h"
#include "engine/report/law_store.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_engine.h"
#include "tests/support/waiting.h"

using namespace accrue;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

Experiment shortRun()
{
    Experiment experiment;
    experiment.name = "short";
    experiment.run.epochs = 1;
    return experiment;
}

// Its b must be the largest that fits.
Experiment runWithinBudget(std::int64_t bytes)
{
    Experiment experiment = shortRun();
    experiment.batch.effective = BatchNumber::given(512);
    experiment.batch.micro = BatchNumber::solved();
    experiment.memory.budget = Bytes { bytes };
    return experiment;
}

} // namespace

class TestRunController : public QObject {
    Q_OBJECT
private:
    std::filesystem::path log() const
    {
        return std::filesystem::path(m_folder->path().toStdString()) / "runs.db";
    }
    RunRecord only() const
    {
        RunLogReader reader(log());
        const std::vector<RunRecord> runs = reader.runs();
        return runs.size() == 1 ? runs.front() : RunRecord {};
    }

    // A run that ends only when it is stopped; some of its steps are in the log.
    void startLongRun(RunController& controller) const
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
        Experiment experiment = shortRun();
        experiment.run.epochs = 1000;
        controller.start(requireResolved(experiment), {});
        QTRY_COMPARE(controller.state(), RunController::State::Running);
        QTRY_VERIFY(only().step >= 3);
    }

    std::filesystem::path folderOfOnly() const
    {
        return RunLogReader(log()).checkpointFolder(RunId { 1 });
    }

    // A run of ten steps, stopped after some of them.
    void stopAfter(std::int64_t steps, RunController& controller,
        const Experiment& experiment = shortRun()) const
    {
        engine().setOptions({ .held = true });
        engine().allowSteps(steps);
        controller.start(requireResolved(experiment), {});
        QTRY_COMPARE(controller.state(), RunController::State::Running);
        QTRY_COMPARE(only().step, steps);
        controller.stop();
        QTRY_COMPARE(controller.state(), RunController::State::Idle);
        engine().setOptions({});
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
        engine().setOptions({});
        setEngineForTesting(&engine());
    }

    void aRunIsStartedLoggedAndEndedOffTheGuiThread()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy started(&controller, &RunController::runStarted);
        QSignalSpy ended(&controller, &RunController::runEnded);
        controller.start(requireResolved(shortRun()), {});
        QCOMPARE(controller.state(), RunController::State::Starting);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(started.count(), 1);
        QCOMPARE(controller.state(), RunController::State::Idle);
        QCOMPARE(only().outcome, std::optional(RunOutcome::Completed));
        QCOMPARE(only().step, std::int64_t { 10 });
        QCOMPARE(ended.first().at(1).value<RunEnded>().step, std::int64_t { 10 });
    }

    void theMicroBatchThatFitsTheBudgetIsMeasuredBeforeTheRunBegins()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy measuring(&controller, &RunController::measuringChanged);
        QSignalSpy ended(&controller, &RunController::runEnded);
        const int fits = engine().fits();
        controller.start(requireResolved(runWithinBudget(16 << 20)), {});
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(engine().fits(), fits + 1);
        QCOMPARE(measuring.count(), 5); // four windows, and the end of it
        QVERIFY(!controller.measuring());
        QCOMPARE(only().experiment.batch.micro, BatchNumber::given(171));
        QCOMPARE(only().experiment.batch.effective, BatchNumber::given(512));
        QCOMPARE(controller.experiment(), only().experiment);
        QCOMPARE(engine().lastRequest().resolved.experiment, only().experiment);

        controller.start(requireResolved(runWithinBudget(8 << 20)), {});
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(engine().fits(), fits + 2); // each budget is verified separately
        QCOMPARE(controller.experiment().batch.micro, BatchNumber::given(57));

        controller.start(requireResolved(runWithinBudget(8 << 20)), {});
        QTRY_COMPARE(ended.count(), 3);
        QCOMPARE(engine().fits(), fits + 2); // it is known now
        QCOMPARE(controller.experiment().batch.micro, BatchNumber::given(57));
    }

    void stopEndsTheMeasuringAndNoRunBegins()
    {
        engine().setOptions({ .held = true });
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy failed(&controller, &RunController::startFailed);
        QSignalSpy started(&controller, &RunController::runStarted);
        controller.start(requireResolved(runWithinBudget(16 << 20)), {});
        QTRY_VERIFY(controller.measuring());
        QCOMPARE(controller.measuring()->micro, std::int64_t { 32 });
        QCOMPARE(controller.state(), RunController::State::Starting);
        controller.stop();
        QCOMPARE(controller.state(), RunController::State::Stopping);
        QTRY_COMPARE(controller.state(), RunController::State::Idle);
        QVERIFY(!controller.measuring());
        QCOMPARE(started.count() + failed.count(), 0);
        QVERIFY(RunLogReader(log()).runs().empty());
        QVERIFY(!std::filesystem::exists(lawDirectory())); // nothing incomplete is stored
    }

    void aBudgetThatNothingFitsIsSaidAndNoRunBegins()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy failed(&controller, &RunController::startFailed);
        controller.start(requireResolved(runWithinBudget(1 << 20)), {});
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(
            failed.first().first().toString(), QStringLiteral("Not one sample fits the budget."));
        QCOMPARE(controller.state(), RunController::State::Idle);
        QVERIFY(RunLogReader(log()).runs().empty());
    }

    void aSecondStartWhileOneTrainsIsIgnored()
    {
        engine().setOptions({ .held = true });
        const int before = engine().trainings();
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        controller.start(requireResolved(shortRun()), {});
        controller.start(requireResolved(shortRun()), {});
        QTRY_COMPARE(controller.state(), RunController::State::Running);
        controller.stop();
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(engine().trainings(), before + 1);
    }

    void pauseHoldsUntilResume()
    {
        engine().setOptions({ .stepTime = std::chrono::milliseconds(20) });
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        controller.start(requireResolved(shortRun()), {});
        QVERIFY(!controller.canPause()); // not before it trains
        QTRY_VERIFY(controller.canPause());
        controller.pause();
        QCOMPARE(controller.state(), RunController::State::Pausing);
        QTRY_COMPARE(controller.state(), RunController::State::Paused);
        QCOMPARE(ended.count(), 0);
        QCOMPARE(controller.progress().phase, Phase::Paused);
        controller.resume();
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(only().outcome, std::optional(RunOutcome::Completed));
    }

    void stopKeepsWhatWasTrained()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        startLongRun(controller);
        controller.stop();
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(only().outcome, std::optional(RunOutcome::Stopped));
        QVERIFY(only().step >= 3);
        QVERIFY(std::filesystem::is_directory(only().checkpoint));
    }

    void aStoppedRunGoesOnFromItsCheckpoint()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy started(&controller, &RunController::runStarted);
        QSignalSpy ended(&controller, &RunController::runEnded);
        stopAfter(4, controller);
        controller.resumeLogged(only(), {});
        QCOMPARE(controller.state(), RunController::State::Starting);
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(started.last().first().value<RunId>(), RunId { 1 });
        QCOMPARE(only().outcome, std::optional(RunOutcome::Completed));
        QCOMPARE(only().attempt, 2);
        QCOMPARE(engine().lastRequest().resumeFrom, checkpointAt(folderOfOnly(), 4));
        QCOMPARE(
            RunLogReader(log()).series(RunId { 1 }, "loss", Axis::Step).size(), std::size_t { 10 });
    }

    void allDevicesAreCountedAgainWhenARunIsResumed()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy failed(&controller, &RunController::startFailed);
        QSignalSpy ended(&controller, &RunController::runEnded);
        Experiment all = shortRun();
        all.batch.devices = { BatchNumber::Kind::All, 1 };
        stopAfter(4, controller, all);
        controller.resumeLogged(only(), {}); // on a machine without a CUDA device
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(QLatin1String("batch.devices = 2")));
        FakeEngineOptions here;
        here.devices.push_back({ .id = "cuda:0", .name = "Fake GPU", .detail = {} });
        engine().setOptions(here);
        controller.resumeLogged(only(), {});
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(only().outcome, std::optional(RunOutcome::Completed));
        QVERIFY(only().experiment.batch.devices.isAll());
        QCOMPARE(engine().lastRequest().resolved.plan.devices, std::int64_t { 1 });
    }

    void aDamagedCheckpointIsToldBeforeAnythingBegins()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy damaged(&controller, &RunController::foundDamaged);
        QSignalSpy ended(&controller, &RunController::runEnded);
        stopAfter(4, controller);
        std::filesystem::resize_file(checkpointAt(folderOfOnly(), 4) / "checkpoint.toml", 0);
        controller.resumeLogged(only(), {});
        QTRY_COMPARE(damaged.count(), 1);
        QCOMPARE(controller.state(), RunController::State::Idle);
        QCOMPARE(only().attempt, 1);
        const auto choice = damaged.first().at(1).value<ResumeChoice>();
        QCOMPARE(choice.damaged.size(), std::size_t { 1 });
        QVERIFY(!choice.newest);
        controller.resumeLogged(only(), {}, RunController::Damaged::PassOver);
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(only().attempt, 2);
        QVERIFY(engine().lastRequest().resumeFrom.empty());
        QCOMPARE(damaged.count(), 1);
    }

    void otherDataThanTheRunsAreToldAndNothingIsLogged()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy failed(&controller, &RunController::startFailed);
        stopAfter(4, controller);
        engine().setOptions(
            { .resumeProblem = Message::plain("The training samples are others.") });
        controller.resumeLogged(only(), {});
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(
            failed.first().first().toString(), QStringLiteral("The training samples are others."));
        QCOMPARE(only().attempt, 1);
    }

    void wrongInputThatTheEngineFindsIsToldAndNothingIsLogged()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy failed(&controller, &RunController::startFailed);
        QSignalSpy started(&controller, &RunController::runStarted);
        engine().setOptions({ .wrongInput = "The picture cannot be read." });
        controller.start(requireResolved(shortRun()), {});
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.first().first().toString(), QStringLiteral("The picture cannot be read."));
        QCOMPARE(started.count(), 0);
        QCOMPARE(controller.state(), RunController::State::Idle);
        QVERIFY(RunLogReader(log()).runs().empty());
        engine().setOptions({});
        stopAfter(4, controller);
        engine().setOptions({ .wrongInput = "The picture cannot be read." });
        controller.resumeLogged(only(), {});
        QTRY_COMPARE(failed.count(), 2);
        QCOMPARE(only().attempt, 1);
    }

    void aResumeThatIsStoppedTellsOfNothingDamaged()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy damaged(&controller, &RunController::foundDamaged);
        stopAfter(4, controller);
        std::filesystem::resize_file(checkpointAt(folderOfOnly(), 4) / "checkpoint.toml", 0);
        controller.resumeLogged(only(), {});
        controller.stop();
        QTRY_COMPARE(controller.state(), RunController::State::Idle);
        QCOMPARE(damaged.count(), 0);
        QCOMPARE(only().attempt, 1);
    }

    void whatHasCompletedDoesNotGoOn()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        QSignalSpy failed(&controller, &RunController::startFailed);
        controller.start(requireResolved(shortRun()), {});
        QTRY_COMPARE(ended.count(), 1);
        controller.resumeLogged(only(), {});
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(QLatin1String("has completed")));
        QCOMPARE(only().attempt, 1);
    }

    void aCompletedRunGoesOnForMoreEpochs()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        QSignalSpy failed(&controller, &RunController::startFailed);
        controller.start(requireResolved(shortRun()), {});
        QTRY_COMPARE(ended.count(), 1);
        controller.resumeLogged(only(), {}, RunController::Damaged::Ask, 1);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(
            QLatin1String("resume it with more epochs")));
        const std::int64_t steps = only().step;
        controller.resumeLogged(only(), {}, RunController::Damaged::Ask, 3);
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(only().attempt, 2);
        QCOMPARE(only().step, 3 * steps);
        QCOMPARE(only().totalSteps, 3 * steps);
        QCOMPARE(only().experiment.run.epochs, 3);
        QCOMPARE(controller.experiment().run.epochs, 3);
    }

    // The question is about making it longer, not only about resuming it.
    void theLengthIsToldWithADamagedCheckpoint()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        QSignalSpy damaged(&controller, &RunController::foundDamaged);
        controller.start(requireResolved(shortRun()), {});
        QTRY_COMPARE(ended.count(), 1);
        std::filesystem::resize_file(
            checkpointAt(folderOfOnly(), only().step) / "checkpoint.toml", 0);
        controller.resumeLogged(only(), {}, RunController::Damaged::Ask, 3);
        QTRY_COMPARE(damaged.count(), 1);
        const auto length = damaged.first().at(2).value<std::optional<std::int64_t>>();
        QCOMPARE(length, std::optional<std::int64_t>(3));
        controller.resumeLogged(only(), {}, RunController::Damaged::PassOver, length);
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(only().experiment.run.epochs, 3);
    }

    void aRunThatItsLimitEndedGoesOnForMoreSteps()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        Experiment limited = shortRun();
        limited.run.limitSteps = 4;
        controller.start(requireResolved(limited), {});
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(only().step, 4);
        controller.resumeLogged(only(), {}, RunController::Damaged::Ask, 7);
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(only().step, 7);
        QCOMPARE(only().experiment.run.limitSteps, 7);
        QCOMPARE(only().experiment.run.epochs, 1);
    }

    void stopGetsThroughALogThatCannotBeWritten()
    {
        constexpr std::int64_t kMany = std::int64_t { 1 } << 40;
        engine().setOptions({ .trainSamples = kMany, .held = true });
        engine().allowSteps(1);
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        controller.start(requireResolved(shortRun()), {});
        QTRY_COMPARE(controller.state(), RunController::State::Running);
        LockFile other(log(), LockFile::Purpose::Writing);
        QTRY_VERIFY(other.tryTurn());
        engine().allowSteps(kMany); // until 64 MiB wait, and with them the session
        std::int64_t emitted = 1;
        while (engine().waitForStep(emitted + 1, std::chrono::milliseconds(300)))
            emitted += 1000;
        controller.stop();
        engine().waitForStep(std::numeric_limits<std::int64_t>::max()); // that is, for the end
        QVERIFY(std::filesystem::exists(engine().lastRequest().checkpointFolder));
        other.endTurn();
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 60000); // 64 MiB of rows are written
        QCOMPARE(only().outcome, std::optional(RunOutcome::Stopped));
    }

    void whatTheLogLacksAtTheEndIsSaidAndWrittenLater()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        startLongRun(controller);
        LockFile other(log(), LockFile::Purpose::Writing);
        QTRY_VERIFY(other.tryTurn());
        const std::int64_t logged = only().step;
        controller.stop();
        QTRY_COMPARE(ended.count(), 1);
        const QString message =
            QString::fromStdString(ended.first().at(1).value<RunEnded>().message.english());
        QVERIFY2(message.contains(QStringLiteral("has no data after step %1.").arg(logged)),
            qPrintable(message));
        QVERIFY2(message.contains(m_folder->path()), qPrintable(message)); // and why
        QVERIFY(message.endsWith(controller.unwritten()));
        other.endTurn();
        QTRY_COMPARE(only().outcome, std::optional(RunOutcome::Stopped));
        controller.start(requireResolved(shortRun()), {});
        QVERIFY(controller.unwritten().isEmpty());
        controller.stop();
    }

    void aLearningRateReachesTheRun()
    {
        EngineHost host;
        LogHost logHost(log());
        RunController controller(host, logHost);
        QSignalSpy ended(&controller, &RunController::runEnded);
        startLongRun(controller);
        QVERIFY(!controller.learningRateStep());
        controller.setLearningRate(controller.experiment().optimizer.lr / 2);
        const auto changed = [this]() -> std::optional<std::int64_t> {
            for (const RunMarker& marker : RunLogReader(log()).markers(only().id))
                if (marker.kind == RunMarker::Kind::LearningRate)
                    return marker.step;
            return {};
        };
        QTRY_VERIFY(changed());
        QCOMPARE(controller.learningRateStep(), changed());
        controller.stop();
        QTRY_COMPARE(ended.count(), 1);
    }

    void aLogThatCannotBeOpenedIsOneSentence()
    {
        EngineHost host;
        LogHost logHost(m_folder->path().toStdString()); // a directory
        RunController controller(host, logHost);
        QSignalSpy failed(&controller, &RunController::startFailed);
        controller.start(requireResolved(shortRun()), {});
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed.first().first().toString().contains(m_folder->path()));
        QCOMPARE(controller.state(), RunController::State::Idle);
        controller.start(requireResolved(shortRun()), {}); // and it may be tried again
        QTRY_COMPARE(failed.count(), 2);
    }

    void aDyingControllerStopsAndSavesItsRun()
    {
        EngineHost host;
        {
            LogHost logHost(log());
            RunController controller(host, logHost);
            startLongRun(controller);
        }
        QCOMPARE(only().outcome, std::optional(RunOutcome::Stopped));
    }
};

QTEST_GUILESS_MAIN(TestRunController)
#include "tst_run_controller.moc"
