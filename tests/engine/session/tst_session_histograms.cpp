// SPDX-License-Identifier: Apache-2.0
// trace.histograms: when they are measured, of what, and that nothing else of a run notices.
#include "engine/session/run_histograms.h"

#include <cmath>
#include <map>

#include <QTemporaryDir>
#include <QTest>

#include "tests/engine/session/device_run.h"
#include "tests/support/fake_accelerator/fake_accelerator.h"

using namespace accrue;
using namespace accrue::test;

namespace {

using Steps = std::vector<std::int64_t>;

Steps stepsOf(const EventList& events)
{
    Steps steps;
    for (const HistogramsMeasured& measured : events.all<HistogramsMeasured>())
        steps.push_back(measured.step);
    return steps;
}

// By parameter.
std::map<std::string, ParameterHistogram> of(const HistogramsMeasured& measured, HistogramOf kind)
{
    std::map<std::string, ParameterHistogram> found;
    for (const ParameterHistogram& histogram : measured.histograms)
        if (histogram.of == kind)
            found[histogram.parameter] = histogram;
    return found;
}

double squares(const ParameterHistogram& histogram)
{
    return static_cast<double>(countOf(histogram))
        * (histogram.mean * histogram.mean + histogram.deviation * histogram.deviation);
}

// Without what is cached, which no phase holds.
std::vector<std::vector<PhaseMemory>> memoryOf(const EventList& events)
{
    std::vector<std::vector<PhaseMemory>> all;
    for (const MemoryMeasured& measured : events.all<MemoryMeasured>()) {
        all.push_back(measured.phases);
        for (PhaseMemory& phase : all.back())
            phase.cachedBytes = phase.otherBytes = 0;
    }
    return all;
}

Steps peaksOf(const EventList& events)
{
    Steps peaks;
    for (const StepDone& step : events.all<StepDone>())
        peaks.push_back(step.peakBytes);
    return peaks;
}

bool sameHistograms(const HistogramsMeasured& a, const HistogramsMeasured& b)
{
    return a.step == b.step && a.epoch == b.epoch && a.samples == b.samples
        && a.microBatches == b.microBatches && a.histograms == b.histograms;
}

} // namespace

class TestSessionHistograms : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path folder() const { return m_folder->path().toStdString(); }

    // Three windows in each of two epochs: 16, 16 and 8 samples.
    DeviceRun trained(const SettingTexts& settings, const char* saved = nullptr) const
    {
        OpenRequest request = deviceRequest(folder(), "cpu", settings);
        if (saved != nullptr)
            request.checkpointFolder = folder() / saved;
        return run(request);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void areMeasuredWhenTheirSpanIsOver_data();
    void areMeasuredWhenTheirSpanIsOver();
    void aRunThatEndsEarlyEndsWithThem();
    void areOfEachParameterInTheOrderOfTheNetwork();
    void valuesAreThoseOfTheModelThatIsSaved();
    void gradientsAreWhatTheOptimizerGot_data();
    void gradientsAreWhatTheOptimizerGot();
    void theRunIsTheSameWithoutThem_data();
    void theRunIsTheSameWithoutThem();
    void aStoppedRunHasThoseOfOneNeverStopped_data();
    void aStoppedRunHasThoseOfOneNeverStopped();
    void aGradientThatDivergedIsShown();
    void aDeviceMeasuresAsTheHost();
    void memoryThatRunsOutIsAWarning();
    void areNotReadWhereDevicesHaveParts();
};

void TestSessionHistograms::areMeasuredWhenTheirSpanIsOver_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<QList<int>>("steps");
    const auto row = [](const char* every, const QList<int>& steps) {
        QTest::newRow(every) << QStringList {
            QStringLiteral("trace.histograms=") + QString::fromLatin1(every)
        } << steps;
    };
    row("off", {});
    row("1 epoch", { 1, 3, 6 });
    row("2 steps", { 1, 2, 4, 6 });
    row("4 steps", { 1, 4, 6 });
    row("100 steps", { 1, 6 });
    row("1000 minutes", { 1, 6 });
    QTest::newRow("1 epoch, windows beyond it")
        << QStringList { "trace.histograms=1 epoch", "batch.tail=carry" } << QList<int> { 1, 3, 5 };
    QTest::newRow("1 epoch, no tail")
        << QStringList { "trace.histograms=1 epoch", "batch.tail=drop" } << QList<int> { 1, 2, 4 };
}

void TestSessionHistograms::areMeasuredWhenTheirSpanIsOver()
{
    QFETCH(QStringList, settings);
    QFETCH(QList<int>, steps);
    SettingTexts texts;
    for (const QString& setting : settings)
        texts.push_back(setting.toStdString());
    const DeviceRun done = trained(texts);
    QVERIFY(done.ended.outcome == RunOutcome::Completed);
    QCOMPARE(stepsOf(done.events), Steps(steps.begin(), steps.end()));
    // Each after the figures of its update.
    std::int64_t step = 0;
    for (const Event& event : done.events.events) {
        if (const auto* update = std::get_if<StepDone>(&event))
            step = update->step;
        else if (const auto* measured = std::get_if<HistogramsMeasured>(&event))
            QCOMPARE(measured->step, step);
    }
}

void TestSessionHistograms::aRunThatEndsEarlyEndsWithThem()
{
    const DeviceRun done =
        trained({ "trace.histograms=100 steps", "run.stop_when=test_loss < 100", "run.epochs=3" });
    QVERIFY(done.ended.early == EarlyEnd::Rule);
    QCOMPARE(stepsOf(done.events), (Steps { 1, done.ended.step }));
}

void TestSessionHistograms::areOfEachParameterInTheOrderOfTheNetwork()
{
    const DeviceRun done = trained({ "trace.histograms=1 epoch", "model.norm=batch" }, "saved");
    const HistogramsMeasured measured = done.events.all<HistogramsMeasured>().front();
    QCOMPARE(of(measured, HistogramOf::Value).size(), of(measured, HistogramOf::Gradient).size());
    std::vector<std::string> names;
    for (const ParameterHistogram& histogram : measured.histograms)
        if (histogram.of == HistogramOf::Value) {
            names.push_back(histogram.parameter);
            QCOMPARE(countOf(histogram), tensorOf(done.model, histogram.parameter).numel());
        }
    QCOMPARE(names.front(), std::string("conv1.weight"));
    QCOMPARE(names.back(), std::string("fc3.bias"));
    const std::int64_t started = done.events.all<RunStarted>().front().parameters;
    std::int64_t scalars = 0;
    for (const auto& [name, histogram] : of(measured, HistogramOf::Value))
        scalars += countOf(histogram);
    QCOMPARE(scalars, started);
}

void TestSessionHistograms::valuesAreThoseOfTheModelThatIsSaved()
{
    const DeviceRun done = trained({ "trace.histograms=1 epoch" }, "saved");
    const HistogramsMeasured last = done.events.all<HistogramsMeasured>().back();
    QCOMPARE(last.step, done.ended.step);
    for (const auto& [name, histogram] : of(last, HistogramOf::Value)) {
        const at::Tensor values = tensorOf(done.model, name).to(at::kDouble);
        QCOMPARE(histogram.least, values.min().item<double>());
        QCOMPARE(histogram.largest, values.max().item<double>());
        QCOMPARE(histogram.mean, values.mean().item<double>());
        QCOMPARE(histogram.deviation, values.std(/*unbiased=*/false).item<double>());
    }
}

void TestSessionHistograms::gradientsAreWhatTheOptimizerGot_data()
{
    QTest::addColumn<QString>("clipping");
    QTest::newRow("as computed") << QString();
    QTest::newRow("after clipping") << QStringLiteral("optimizer.clip_norm=0.01");
}

// Without momentum an update is −lr · gradient, so the means of values follow those of gradients;
// and the norm is that of all gradients together.
void TestSessionHistograms::gradientsAreWhatTheOptimizerGot()
{
    QFETCH(QString, clipping);
    SettingTexts settings { "trace.histograms=1 steps", "optimizer.momentum=0",
        "optimizer.lr=0.1" };
    if (!clipping.isEmpty())
        settings.push_back(clipping.toStdString());
    const DeviceRun done = trained(settings);
    const auto all = done.events.all<HistogramsMeasured>();
    const auto steps = done.events.all<StepDone>();
    QCOMPARE(all.size(), std::size_t { 6 });
    for (std::size_t i = 1; i < all.size(); ++i) {
        const auto before = of(all[i - 1], HistogramOf::Value);
        const auto after = of(all[i], HistogramOf::Value);
        double square = 0;
        for (const auto& [name, gradient] : of(all[i], HistogramOf::Gradient)) {
            const double expected = before.at(name).mean - 0.1 * gradient.mean;
            QVERIFY(std::abs(after.at(name).mean - expected) < 1e-14);
            square += squares(gradient);
        }
        const double norm = clipping.isEmpty() ? steps[i].gradientNorm : 0.01;
        QVERIFY(steps[i].gradientNorm > 0.01);
        QVERIFY2(std::abs(std::sqrt(square) / norm - 1) < 2e-4, "the norm of all gradients");
    }
}

void TestSessionHistograms::theRunIsTheSameWithoutThem_data()
{
    QTest::addColumn<QString>("device");
    QTest::newRow("the host") << QStringLiteral("cpu");
    QTest::newRow("the fake accelerator") << QStringLiteral("cuda");
}

// To the bit, and with the same memory in every phase. What an allocator caches is not the run's.
void TestSessionHistograms::theRunIsTheSameWithoutThem()
{
    QFETCH(QString, device);
    const SettingTexts settings { "run.precision=float32", "memory.metering=full",
        "optimizer.ema=0.9", "optimizer.clip_norm=0.5" };
    SettingTexts with = settings;
    with.emplace_back("trace.histograms=1 steps");
    const auto made = [&](const SettingTexts& texts, const char* saved) {
        OpenRequest request = deviceRequest(folder(), device.toStdString(), texts);
        request.checkpointFolder = folder() / saved;
        return run(request);
    };
    const DeviceRun plain = made(settings, "plain");
    const DeviceRun traced = made(with, "traced");
    QCOMPARE(stepsOf(traced.events).size(), std::size_t { 6 });
    QVERIFY(sameTensors(plain.model, traced.model));
    QCOMPARE(plain.events.losses(), traced.events.losses());
    QVERIFY(memoryOf(plain.events) == memoryOf(traced.events));
    QVERIFY(peaksOf(plain.events) == peaksOf(traced.events));
}

void TestSessionHistograms::aStoppedRunHasThoseOfOneNeverStopped_data()
{
    QTest::addColumn<QString>("every");
    QTest::newRow("epochs") << QStringLiteral("trace.histograms=1 epoch");
    QTest::newRow("steps") << QStringLiteral("trace.histograms=2 steps");
}

// It stops in the middle of the window that carries the first epoch's tail, where the span is over
// and they are due when the window ends.
void TestSessionHistograms::aStoppedRunHasThoseOfOneNeverStopped()
{
    QFETCH(QString, every);
    const SettingTexts settings { every.toStdString(), "batch.tail=carry", "batch.micro=4" };
    const DeviceRun whole = trained(settings);
    OpenRequest request = deviceRequest(folder(), "cpu", settings);
    request.checkpointFolder = folder() / "stopped";
    RunControl control;
    EventList events;
    events.onEvent = [&](const Event& event) {
        if (std::holds_alternative<EpochDone>(event))
            control.requestStop();
    };
    const RunEnded stopped = Session(request, control, events).run();
    QVERIFY(stopped.outcome == RunOutcome::Stopped);
    QVERIFY(readCheckpoint(stopped.checkpoint).state.cursor.open.has_value());
    request.resumeFrom = stopped.checkpoint;
    const DeviceRun rest = run(request);
    QVERIFY(rest.ended.outcome == RunOutcome::Completed);
    auto joined = events.all<HistogramsMeasured>();
    for (const HistogramsMeasured& measured : rest.events.all<HistogramsMeasured>())
        joined.push_back(measured);
    const auto expected = whole.events.all<HistogramsMeasured>();
    QCOMPARE(joined.size(), expected.size());
    for (std::size_t i = 0; i < joined.size(); ++i)
        QVERIFY(sameHistograms(joined[i], expected[i]));
}

void TestSessionHistograms::aGradientThatDivergedIsShown()
{
    const DeviceRun done = trained({ "trace.histograms=100 steps", "optimizer.lr=1e9",
        "optimizer.momentum=0", "run.precision=float32" });
    QVERIFY(done.ended.outcome == RunOutcome::Diverged);
    const HistogramsMeasured last = done.events.all<HistogramsMeasured>().back();
    QCOMPARE(last.step, done.ended.step);
    std::int64_t notFinite = 0;
    for (const auto& [name, histogram] : of(last, HistogramOf::Gradient))
        notFinite += histogram.notFinite;
    QVERIFY(notFinite > 0);
}

// The fake accelerator, whose memory the host cannot read.
void TestSessionHistograms::aDeviceMeasuresAsTheHost()
{
    const SettingTexts settings { "trace.histograms=2 steps", "model.norm=batch" };
    const DeviceRun onHost = trained(settings);
    const DeviceRun onDevice = run(deviceRequest(folder(), "cuda", settings));
    QCOMPARE(stepsOf(onDevice.events), stepsOf(onHost.events));
    const auto found = onDevice.events.all<HistogramsMeasured>();
    const auto expected = onHost.events.all<HistogramsMeasured>();
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t j = 0; j < found[i].histograms.size(); ++j) {
            const ParameterHistogram& mine = found[i].histograms[j];
            const ParameterHistogram& other = expected[i].histograms.at(j);
            QCOMPARE(mine.parameter, other.parameter);
            QVERIFY(mine.of == other.of);
            QCOMPARE(countOf(mine), countOf(other));
            QVERIFY(std::abs(mine.least - other.least) <= 1e-12);
            QVERIFY(std::abs(mine.mean - other.mean) <= 1e-12);
            QVERIFY(std::abs(mine.deviation - other.deviation) <= 1e-12);
        }
}

// At any allocation that histograms make; some of them are tried again by the allocator.
void TestSessionHistograms::memoryThatRunsOutIsAWarning()
{
    OpenRequest request = deviceRequest(folder(), "cuda", { "trace.histograms=2 steps" });
    request.checkpointFolder = folder() / "refused";
    const DeviceRun expected = run(request);
    int warnings = 0;
    for (std::int64_t number = 1; number <= 9; number += 2) {
        const DeviceRun done = run(request, [&](const Event& event) {
            const auto* step = std::get_if<StepDone>(&event);
            if (step != nullptr && step->step == 2)
                fake::refuseAllocation(number);
        });
        fake::refuseAllocation(0);
        QVERIFY(done.ended.outcome == RunOutcome::Completed);
        QVERIFY(sameTensors(done.model, expected.model));
        for (const RunMessage& message : done.events.all<RunMessage>()) {
            QVERIFY2(message.text.code() == "session.histograms_left_out",
                message.text.english().c_str());
            QVERIFY(message.severity == RunMessage::Severity::Warning);
            QCOMPARE(stepsOf(done.events), (Steps { 1, 4, 6 }));
            ++warnings;
        }
    }
    QVERIFY(warnings > 0);
}

void TestSessionHistograms::areNotReadWhereDevicesHaveParts()
{
    Experiment experiment;
    for (const char* setting :
        { "trace.histograms=1 epoch", "batch.devices=2", "distributed.shard=optimizer" })
        QVERIFY(!hasErrors(applySetting(experiment, setting)));
    const KeyInfo& key = *findKey("trace.histograms");
    const KeyCondition* unmet = unmetCondition(key, experiment);
    QVERIFY(unmet != nullptr);
    QCOMPARE(
        unmet->whyNot.english(), std::string("it is used only with distributed.shard = \"none\""));
    experiment.distributed.shard = Shard::None;
    QVERIFY(unmetCondition(key, experiment) == nullptr);
    // On one device all of it is there.
    experiment.distributed.shard = Shard::Optimizer;
    experiment.batch.devices = {};
    QVERIFY(unmetCondition(key, experiment) == nullptr);
}

QTEST_GUILESS_MAIN(TestSessionHistograms)
#include "tst_session_histograms.moc"
