// SPDX-License-Identifier: Apache-2.0
#include "engine/report/sweep_outlook.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

#include "engine/experiment/key_names.h"
#include "engine/queue/run_queue.h"
#include "engine/report/law_store.h"
#include "engine/report/queue_outlook.h"
#include "tests/engine/runlog/run_log_fixture.h"
#include "tests/support/memory_fits.h"

using namespace accrue;
using namespace accrue::test;

namespace {

constexpr std::int64_t kUpdatesOfAnEpoch = 94; // the built-in digits: 12,000 samples, B = 128
constexpr const char* kMicro = "batch.micro=8,16,32";

Experiment onCpu()
{
    Experiment experiment;
    experiment.name = "base";
    experiment.run.device = "cpu";
    experiment.run.epochs = 1;
    return experiment;
}

SweepRuns sweepOf(const Experiment& base, const char* axis = kMicro)
{
    SweepDefinition sweep { .base = base, .axes = { *parseAxis(axis).axis } };
    sweep.keepsEffective = true;
    return expand(sweep);
}

MemoryFit fitOnCpu(std::int64_t totalBytes)
{
    MemoryFit fit = fitOfSamples(1000);
    fit.device = "cpu";
    fit.threads = 1;
    fit.totalBytes = totalBytes;
    fit.law.from = 1;
    fit.law.to = 1000;
    return fit;
}

bool isNear(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9 * expected;
}

} // namespace

class TestSweepOutlook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
        m_log = std::make_unique<RunLogWriter>(file());
    }

    void nothingIsPredictedFromNothing()
    {
        const SweepRuns sweep = known(sweepOf(onCpu()));
        for (const SweepRun& run : sweep.runs) {
            QCOMPARE(run.prediction.updates, kUpdatesOfAnEpoch);
            QVERIFY(!run.prediction.peakBytes && !run.prediction.time);
            QCOMPARE(run.resolved->epoch.samples, 12'000);
        }
        const SweepTotals totals = totalsOf(sweep.runs);
        QCOMPARE(totals.runs, 3);
        QCOMPARE(totals.withoutTime, 3);
        QVERIFY(!totals.peakBytes);
    }

    void theStoredModelPredictsThePeak()
    {
        storeFit(lawDirectory(), onCpu(), fitOnCpu(1'000'000));
        const SweepRuns sweep = known(sweepOf(onCpu()));
        QCOMPARE(sweep.runs[0].prediction.peakBytes, 8'000);
        QCOMPARE(sweep.runs[2].prediction.peakBytes, 32'000);
        QCOMPARE(totalsOf(sweep.runs).peakBytes, 32'000);
    }

    void aModelOfOtherSettingsPredictsNothing()
    {
        Experiment other = onCpu();
        other.model.norm = Norm::Group;
        storeFit(lawDirectory(), other, fitOnCpu(1'000'000));
        QVERIFY(!known(sweepOf(onCpu())).runs[0].prediction.peakBytes);
    }

    void aRunThatNeedsMoreThanThereIsIsWarnedOf()
    {
        storeFit(lawDirectory(), onCpu(), fitOnCpu(20'000));
        const SweepRuns sweep = known(sweepOf(onCpu()));
        QVERIFY(sweep.runs[0].findings.empty());
        QVERIFY(!sweep.runs[2].findings.empty());
    }

    void runsOfTheSameBatchNumbersPredictTheTime()
    {
        logRun(onCpu(), 8, 16, 0.5);
        logRun(onCpu(), 8, 16, 0.6);
        logRun(onCpu(), 32, 4, 0.2);
        const SweepRuns sweep = known(sweepOf(onCpu()));
        const PredictedTime first = *sweep.runs[0].prediction.time;
        QVERIFY(isNear(first.seconds, 0.55 * kUpdatesOfAnEpoch));
        // t(0.95, 1) = 12.706 · 0.0707 · √1.5
        QCOMPARE(*first.low, 0.0);
        QVERIFY(std::abs(*first.high / kUpdatesOfAnEpoch - 1.650) < 0.001);
        QVERIFY(!sweep.runs[1].prediction.time); // b = 16 was never trained
        QVERIFY(isNear(sweep.runs[2].prediction.time->seconds, 0.2 * kUpdatesOfAnEpoch));
        const SweepTotals totals = totalsOf(sweep.runs);
        QCOMPARE(totals.withoutTime, 1);
        QVERIFY(isNear(totals.time.seconds, 0.75 * kUpdatesOfAnEpoch));
        QVERIFY(!totals.time.low); // one run shows no deviation
    }

    void runsOfOtherSettingsPredictNothing_data()
    {
        QTest::addColumn<QString>("setting");
        for (const char* setting : { "model.norm=group", "run.precision=bfloat16", "run.threads=1",
                 "run.evaluate_every=10 steps", "memory.metering=full" })
            QTest::newRow(setting) << QString::fromUtf8(setting);
    }
    void runsOfOtherSettingsPredictNothing()
    {
        QFETCH(QString, setting);
        Experiment other = onCpu();
        QVERIFY(applySetting(other, setting.toStdString()).empty());
        logRun(other, 8, 16, 0.5);
        QVERIFY(!known(sweepOf(onCpu())).runs[0].prediction.time);
    }

    void rateSeedAndLengthDoNotMatterToTheTime()
    {
        Experiment other = onCpu();
        other.optimizer.lr = 0.5;
        other.run.seed = 9;
        other.run.epochs = 30;
        logRun(other, 8, 16, 0.5);
        QVERIFY(known(sweepOf(onCpu())).runs[0].prediction.time.has_value());
    }

    void aRunOfAFewUpdatesIsNoMeasurement()
    {
        logRun(onCpu(), 8, 16, 0.5, /*updates=*/19);
        QVERIFY(!known(sweepOf(onCpu())).runs[0].prediction.time);
    }

    // In an empty log nothing is known when runs are added; after the first one it is.
    void queuedRunsGetTheTimeOfThoseThatWereTrainedSince()
    {
        Experiment base = onCpu();
        base.batch.micro = BatchNumber::given(8);
        base.batch.steps = BatchNumber::given(16);
        Experiment other = base;
        other.batch.micro = BatchNumber::given(32);
        RunQueue(*m_log).add(
            { { requireResolved(base), {}, {} }, { requireResolved(other), {}, {} } });
        QVERIFY(!secondsLeft(0) && !secondsLeft(1));
        logRun(onCpu(), 8, 16, 0.5);
        QVERIFY(isNear(secondsLeft(0).value_or(0), 0.5 * kUpdatesOfAnEpoch));
        QVERIFY(!secondsLeft(1)); // b = 32 was never trained
    }

    // Its seconds go on from its checkpoint, as its steps do. Of halving, all but the worst are.
    void aResumedRunIsAMeasurementToo()
    {
        logRun(onCpu(), 8, 16, 0.5);
        std::vector<RunRecord> runs = RunLogReader(file()).runs();
        runs.front().attempt = 2;
        const auto time = LoggedTimes(runs).of(runs.front().experiment, runs.front().plan, 10);
        QVERIFY(time && isNear(time->seconds, 5));
    }

    // What was known when it was added holds, until it trains and has a pace of its own.
    void aTimeThatIsKnownIsKept()
    {
        Experiment base = onCpu();
        base.batch.micro = BatchNumber::given(8);
        base.batch.steps = BatchNumber::given(16);
        RunQueue(*m_log).add({ { requireResolved(base), {}, 7.0 } });
        logRun(onCpu(), 8, 16, 0.5);
        QCOMPARE(secondsLeft(0), 7.0);
    }

    void aDataSetThatIsMissingMakesRunsImpossible()
    {
        Experiment base = onCpu();
        base.data.name = DataName::Mnist;
        const SweepRuns sweep = known(sweepOf(base));
        for (const SweepRun& run : sweep.runs) {
            QVERIFY(!run.canRun());
            QCOMPARE(run.findings.back().key, std::string(key::dataName));
        }
        QCOMPARE(totalsOf(sweep.runs).runs, 0);
    }

    // A warm-up of 94 steps is as long as the run.
    void whatTheEpochDoesNotAllowIsNamed()
    {
        Experiment base = onCpu();
        const SweepRuns sweep = known(sweepOf(base, "schedule.warmup_steps=10,94"));
        QVERIFY(sweep.runs[0].canRun());
        QVERIFY(!sweep.runs[1].canRun());
        QVERIFY(hasErrors(sweep.runs[1].findings));
    }

private:
    // Of the run at that place of the queue.
    std::optional<double> secondsLeft(std::size_t place) const
    {
        std::vector<RunRecord> runs = RunLogReader(file()).runs();
        predictMissingTimes(runs);
        return secondsLeftOf(queueOf(runs).at(place));
    }

    std::filesystem::path file() const { return (m_folder->path() + "/runs.db").toStdString(); }

    // A run with that mean time of an update.
    void logRun(Experiment experiment, std::int64_t micro, std::int64_t steps, double seconds,
        std::int64_t updates = 100)
    {
        experiment.batch.micro = BatchNumber::given(micro);
        experiment.batch.steps = BatchNumber::given(steps);
        RunStarted started = startOf(experiment);
        started.plan = requireResolved(experiment).plan;
        started.epoch = planEpoch(started.plan, 12'000);
        const RunId id = m_log->beginRun(requireResolved(experiment));
        EventSink& sink = m_log->sink(id);
        sink.emitEvent(started);
        StepDone step = stepAt(updates);
        step.seconds = seconds * static_cast<double>(updates);
        sink.emitEvent(step);
        RunEnded ended = endAt(updates);
        ended.seconds = step.seconds;
        sink.emitEvent(ended);
        QVERIFY(m_log->flush());
    }

    SweepRuns known(SweepRuns sweep) const
    {
        RunLogReader log(file());
        SweepOutlook outlook(&log, { m_folder->path().toStdString() });
        for (SweepRun& run : sweep.runs)
            outlook.addTo(run);
        return sweep;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
};

QTEST_GUILESS_MAIN(TestSweepOutlook)
#include "tst_sweep_outlook.moc"
