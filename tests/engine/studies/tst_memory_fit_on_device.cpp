// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/memory_fit.h"

#include <algorithm>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "engine/accelerator/accelerators.h"
#include "engine/studies/window_probe.h"
#include "tests/engine/session/device_run.h"
#include "tests/support/fake_accelerator/fake_accelerator.h"

using namespace accrue;
using namespace accrue::test;

// A fit on the fake accelerator.
namespace {

constexpr std::int64_t kMiB = 1024 * 1024;

std::int64_t mostReserved(const std::vector<PhaseMemory>& phases)
{
    std::int64_t most = 0;
    for (const PhaseMemory& phase : phases)
        most = std::max(most, phase.peakBytes + phase.cachedBytes);
    return most;
}

} // namespace

class TestMemoryFitOnDevice : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    FitRequest request(const SettingTexts& settings) const
    {
        const std::filesystem::path folder = m_folder->path().toStdString();
        if (!std::filesystem::exists(folder / "data"))
            writtenPictures(folder / "data", /*train=*/600, /*test=*/200);
        FitRequest made { deviceRequest(folder, "cuda", settings).experiment, {} };
        made.experiment.batch = {};
        return made;
    }

    MemoryFit fit(const SettingTexts& settings) const
    {
        RunControl control;
        return fitMemory(request(settings), control, {});
    }

    static DeviceRun trained(Experiment experiment, std::int64_t micro)
    {
        experiment.batch.micro = BatchNumber::given(micro);
        experiment.batch.steps = BatchNumber::given(2);
        experiment.run.limitSteps = 2;
        return run(OpenRequest { experiment, {}, {} });
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { giveBackMemory(); }

    void theLawIsTheOneOfRealRuns()
    {
        const MemoryFit found = fit({});
        QVERIFY2(found.problem.empty(), found.problem.english().c_str());
        QCOMPARE(found.device, std::string("cuda:0"));
        QCOMPARE(found.outsideBytes, 64 * kMiB);
        for (const std::int64_t micro : { 100, 200 }) {
            const Experiment asked = request({ "memory.metering=full" }).experiment;
            std::int64_t most = 0;
            for (const auto& memory : trained(asked, micro).events.all<MemoryMeasured>())
                most = std::max(most, mostReserved(memory.phases));
            const std::int64_t told = found.law.peakAt(micro);
            QVERIFY2(std::abs(told - most) <= 20 * kMiB,
                qPrintable(QString("b %1: law %2, run %3").arg(micro).arg(told).arg(most)));
        }
    }

    void aProvedSizeRunsWithinTheBudget()
    {
        const SettingTexts settings { "memory.budget=110MiB" };
        const MemoryFit found = fit(settings);
        QVERIFY2(found.problem.empty(), found.problem.english().c_str());
        QVERIFY(found.proof);
        QVERIFY2(found.proof->micro > 1 && found.proof->micro < 600,
            qPrintable(QString::number(found.proof->micro)));
        QVERIFY(found.proof->peakBytes <= 110 * kMiB);
        const DeviceRun done = trained(request(settings).experiment, found.proof->micro);
        QVERIFY2(done.ended.outcome == RunOutcome::Completed, done.ended.message.english().c_str());
        QVERIFY(done.events.all<OutOfMemory>().empty());
    }

    void microBatchesAreTimedOnTheDevice()
    {
        FitRequest asked = request({ "memory.budget=110MiB" });
        asked.alsoSpeeds = true;
        RunControl control;
        const MemoryFit found = fitMemory(asked, control, {});
        QVERIFY2(found.problem.empty(), found.problem.english().c_str());
        QVERIFY(found.speeds.size() >= 4);
        for (const MicroSpeed& speed : found.speeds)
            QVERIFY(speed.samplesPerSecond > 0);
        QCOMPARE(found.speedThreads, 1); // the host only enqueues
        QVERIFY(found.proof);
    }

    // What a process has lost it does not get back: this program is called again.
    void aDeviceThatFailsEndsTheFitWithASentence_data()
    {
        QTest::addColumn<QString>("fault");
        QTest::newRow("in the first pass") << "forward:1";
        QTest::newRow("in a later one") << "forward:3";
        QTest::newRow("in a backward pass") << "backward:4";
    }
    void aDeviceThatFailsEndsTheFitWithASentence()
    {
        QFETCH(QString, fault);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("ACCRUE_FAKE_FAULT", fault);
        QProcess child;
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::MergedChannels);
        child.start(
            QCoreApplication::applicationFilePath(), { "-o", "-,txt", "inAProcessOfItsOwn" });
        QVERIFY(child.waitForFinished(-1));
        const QByteArray said = child.readAll();
        QVERIFY2(child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0, said);
        QVERIFY2(said.contains(" 0 skipped"), said);
    }

    // Called by the row above.
    void inAProcessOfItsOwn()
    {
        if (!qEnvironmentVariableIsSet("ACCRUE_FAKE_FAULT"))
            QSKIP("is called by the test before it");
        const MemoryFit found = fit({});
        QVERIFY2(found.problem.english().starts_with("cuda:0 has failed: CUDA error"),
            found.problem.english().c_str());
        QVERIFY(found.machine);
        QVERIFY(isLost({ accelerator()->type(), 0 }));
        const MemoryFit again = fit({});
        QVERIFY2(again.problem.english().find("cannot be used again") != std::string::npos,
            again.problem.english().c_str());
    }

    void aBudgetBelowTheContextIsRefused()
    {
        const MemoryFit found = fit({ "memory.budget=32MiB" });
        QVERIFY2(found.problem.english().find("hold 64") != std::string::npos,
            found.problem.english().c_str());
    }

    // What windows before it have left is not its own.
    void aSmallWindowAfterALargeOneIsMeasuredByItself()
    {
        const FitRequest asked = request({});
        RunControl control;
        WindowProbe probe(asked, { accelerator()->type(), 0 }, control);
        const auto alone = probe.computeWindow(8);
        const auto again = probe.computeWindow(8);
        const auto large = probe.computeWindow(256);
        const auto after = probe.computeWindow(8);
        QVERIFY(mostReserved(*large) > mostReserved(*again) + 40 * kMiB);
        QCOMPARE(mostReserved(*after), mostReserved(*again));
        QVERIFY(mostReserved(probe.computeEvaluation()) <= mostReserved(*again) + 40 * kMiB);
        QVERIFY(mostReserved(*alone) > 0);
    }
};

QTEST_GUILESS_MAIN(TestMemoryFitOnDevice)
#include "tst_memory_fit_on_device.moc"
