// SPDX-License-Identifier: Apache-2.0
// A device that fails permanently while a run trains on it, in the whole window with the real
// engine and the fake accelerator (tests/support/fake_accelerator). A process cannot get a lost
// device back, so each failure has a process of its own: this program, called again.
#include "ui/window/device_loss.h"

#include <QApplication>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "engine/door/checkpoints.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/waiting.h"
#include "ui/compare/compare_page.h"
#include "ui/train/experiment_form.h"
#include "ui/train/train_page.h"
#include "ui/widgets/inline_message.h"
#include "ui/window/main_window.h"

using namespace accrue;

class TestLostDevice : public QObject {
    Q_OBJECT
private:
    static constexpr const char* kChild = "ACCRUE_TEST_LOST";

    // 12 windows of 4 micro-batches, a checkpoint every second window, evaluations among them.
    static Experiment shortRun(const char* device)
    {
        Experiment experiment;
        experiment.name = device;
        experiment.run.device = device;
        experiment.run.threads = 1;
        experiment.run.epochs = 1;
        experiment.run.limitSteps = 12;
        experiment.run.evaluateEvery = Span { 5, Span::Unit::Steps };
        experiment.checkpoint.every = Span { 2, Span::Unit::Steps };
        return experiment;
    }

    static void trainToItsEnd(Backend& backend, const char* device)
    {
        backend.controller.start(requireResolved(shortRun(device)), {});
        QVERIFY(backend.controller.isActive());
        QTRY_VERIFY(!backend.controller.isActive());
    }

    // What was acknowledged is in the log, without a gap.
    static void checkTheLog(const std::filesystem::path& file, const RunRecord& run)
    {
        const LogCheck check = checkLog(file);
        QVERIFY2(check.damage.empty(), "the log is damaged");
        const std::vector<SeriesPoint> losses =
            RunLogReader(file).series(run.id, "loss", Axis::Step);
        QCOMPARE(static_cast<std::int64_t>(losses.size()), run.step);
    }

    static void checkTheCheckpoint(Engine& engine, const std::filesystem::path& folder)
    {
        const auto saved = checkpointsIn(folder);
        if (saved.empty())
            return; // it failed before the first one
        const SavedCheckpoint newest = engine.inspect(saved.front());
        QVERIFY2(newest.problem.empty(), newest.problem.english().c_str());
    }

private Q_SLOTS:
    void windowLogAndCheckpointStayUsable_data()
    {
        QTest::addColumn<QByteArray>("fault");
        for (const char* fault :
            { "forward:1", "forward:6", "forward:17", "forward:30", "forward:47", // micro-batches
                "backward:1", "backward:9", "backward:20", "backward:45", "backward:80", "copy:2",
                "copy:4", "copy:9", "copy:14", "copy:25", //
                "free:40", "free:300", "free:700", "free:1000", "free:1300" })
            QTest::newRow(fault) << QByteArray(fault);
    }

    void windowLogAndCheckpointStayUsable()
    {
        QFETCH(QByteArray, fault);
        QTemporaryDir folder;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(kChild, folder.path());
        environment.insert("ACCRUE_FAKE_FAULT", QString::fromLatin1(fault));
        QProcess child;
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::MergedChannels);
        child.start(
            QCoreApplication::applicationFilePath(), { "-o", "-,txt", "inAProcessOfItsOwn" });
        QVERIFY(child.waitForFinished(10 * kHangsAfterMs));
        const QByteArray said = child.readAll();
        QVERIFY2(child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0, said);
        QVERIFY2(said.contains(" 0 skipped"), said);
    }

    // The row above, executed by this program.
    void inAProcessOfItsOwn()
    {
        if (!qEnvironmentVariableIsSet(kChild))
            QSKIP("is called by the test before it");
        const std::filesystem::path folder = qgetenv(kChild).toStdString();
        qputenv("XDG_DATA_HOME", qgetenv(kChild));
        qputenv("XDG_CONFIG_HOME", qgetenv(kChild));
        const std::filesystem::path log = folder / "runs.db";
        Theme theme;
        Backend backend(log);
        MainWindow window(backend, theme);
        window.show();
        trainToItsEnd(backend, "cuda");

        const RunRecord lost = RunLogReader(log).runs().front();
        QCOMPARE(lost.outcome, std::optional(RunOutcome::Failed));
        QVERIFY2(
            lost.message.english().find("cuda:0 has failed") == 0, lost.message.english().c_str());
        QVERIFY(lost.step < 12);
        checkTheLog(log, lost);
        checkTheCheckpoint(
            *backend.engine.await().engine, RunLogReader(log).checkpointFolder(lost.id));

        InlineMessage& message = *window.deviceLoss().message();
        QTRY_VERIFY(message.isVisible());
        QCOMPARE(message.button()->text(), QStringLiteral("Re&start and resume run #1"));
        window.showPage(window.compare());
        window.showPage(window.train());
        trainToItsEnd(backend, "cpu");
        const RunRecord onCpu = RunLogReader(log).runs().front();
        QCOMPARE(onCpu.outcome, std::optional(RunOutcome::Completed));
        checkTheLog(log, onCpu);
        QSignalSpy refused(&backend.controller, &RunController::startFailed);
        trainToItsEnd(backend, "cuda");
        QCOMPARE(refused.count(), 1);
        QVERIFY(refused.first().first().toString().contains(QLatin1String("estart Accrue")));
        QCOMPARE(RunLogReader(log).runs().size(), std::size_t { 2 });
    }
};

QTEST_MAIN(TestLostDevice)
#include "tst_lost_device.moc"
