// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_export.h"

#include "run_log_fixture.h"

#include "engine/exchange/hparams.h"
#include "engine/exchange/record_file.h"
#include "engine/exchange/tensorboard_event.h"
#include "engine/exchange/tensorboard_histogram.h"
#include "engine/exchange/tensorboard_tags.h"

#include <algorithm>
#include <fstream>
#include <map>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

struct Point {
    std::int64_t step = 0;
    double wallTime = 0;
    double value = 0;
};
struct File {
    std::map<std::string, std::vector<Point>> scalars;
    std::vector<std::string> hparamTags;
    HparamsOfRun hparams;
    std::size_t versions = 0;
};

File readFile(const fs::path& file)
{
    File read;
    RecordReader reader(file);
    while (const auto record = reader.next()) {
        const EventRecord event = eventIn(*record).value();
        read.versions += event.isVersion ? 1 : 0;
        for (const EventValue& value : event.values) {
            if (value.number)
                read.scalars[std::string(value.tag)].push_back(
                    { event.step, event.wallTime, *value.number });
            else
                read.hparamTags.emplace_back(value.tag);
            readHparams(read.hparams, value.pluginContent);
        }
    }
    return read;
}

std::vector<fs::path> filesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

class TestTensorBoardExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void everyRunHasAFolderWithItsScalars();
    void metricsAreInTheUsualGroups();
    void settingsAreHparams();
    void timesAreThoseOfTheAttempts();
    void namesAreSafeAndUnique_data();
    void namesAreSafeAndUnique();
    void anotherExportReplacesTheFile();
    void runsOfOtherFoldersStay();
    void refusesWhatIsInTheWay();
    void aFullDiskLeavesNothing();
    void cancellingLeavesNothing();
    void damageIsRefusedOrLeftOut();
    void histogramsAreAmongTheEvents();

private:
    fs::path path(const char* name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    File only() const { return readFile(filesIn(path("out")).at(0)); }
    TensorBoardExport exported(const std::vector<RunId>& runs)
    {
        return exportTensorBoard(*m_reader, runs, path("out")).value();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_writer;
    std::unique_ptr<RunLogReader> m_reader;
};

void TestTensorBoardExport::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_writer = std::make_unique<RunLogWriter>(path("runs.db"));
    writeRun(*m_writer, "lenet5 on mnist", 20);
    m_reader = std::make_unique<RunLogReader>(path("runs.db"));
}

void TestTensorBoardExport::cleanup()
{
    m_reader.reset();
    m_writer.reset();
    m_folder.reset();
}

void TestTensorBoardExport::everyRunHasAFolderWithItsScalars()
{
    writeRun(*m_writer, "lenet5 on mnist", 3);
    const TensorBoardExport done = exported({ RunId { 1 }, RunId { 2 } });
    QCOMPARE(done.folders,
        (std::vector { path("out/lenet5_on_mnist-1"), path("out/lenet5_on_mnist-2") }));
    QCOMPARE(done.values, std::int64_t { 23 * 10 });
    const std::vector<fs::path> files = filesIn(path("out"));
    QCOMPARE(files.size(), std::size_t { 2 });
    std::int64_t bytes = 0;
    for (const fs::path& file : files)
        bytes += static_cast<std::int64_t>(fs::file_size(file));
    QCOMPARE(done.bytes, bytes);
    const File first = readFile(files[0]);
    QCOMPARE(first.versions, std::size_t { 1 });
    const std::vector<Point>& loss = first.scalars.at("loss/train");
    QCOMPARE(loss.size(), std::size_t { 20 });
    for (std::size_t i = 0; i < loss.size(); ++i) {
        QCOMPARE(loss[i].step, static_cast<std::int64_t>(i) + 1);
        QCOMPARE(loss[i].value, static_cast<double>(1 / static_cast<float>(i + 1)));
    }
    QCOMPARE(readFile(files[1]).scalars.at("time/throughput").size(), std::size_t { 3 });
}

void TestTensorBoardExport::metricsAreInTheUsualGroups()
{
    std::map<std::string, std::string> tags;
    for (const auto* table : { &metrics(), &tracedMetrics() })
        for (const MetricInfo& metric : *table)
            QVERIFY2(tags.emplace(tagOf(metric), metric.name).second, metric.name.c_str());
    for (const auto& [tag, metric] : std::map<std::string, std::string> { { "loss/train", "loss" },
             { "loss/train_epoch", "train_loss" }, { "loss/test", "test_loss" },
             { "loss/validation", "validation_loss" }, { "accuracy/train_epoch", "train_accuracy" },
             { "accuracy/test", "test_accuracy" }, { "optimizer/learning_rate", "learning_rate" },
             { "time/step_ms", "step_ms" }, { "memory/peak_bytes", "peak_bytes" },
             { "time/throughput", "throughput" }, { "trace/traced_checksum", "traced_checksum" },
             { "devices/wait_ms/rank_0", "wait_ms" } })
        QCOMPARE(tags[tag], metric);
    QCOMPARE(tagOf(metricNamed("Loss/my own")), std::string("Loss/my own"));
    QCOMPARE(tagOf(metricNamed("wait_ms"), 3), std::string("devices/wait_ms/rank_3"));
}

void TestTensorBoardExport::settingsAreHparams()
{
    exported({ RunId { 1 } });
    const File file = only();
    QCOMPARE(file.hparamTags,
        (std::vector<std::string> { "_hparams_/experiment", "_hparams_/session_start_info",
            "_hparams_/session_end_info" }));
    std::map<std::string, SettingValue> settings(
        file.hparams.settings.begin(), file.hparams.settings.end());
    QVERIFY(settings.at("batch.micro") == SettingValue(32.0));
    QVERIFY(settings.at("optimizer.lr") == SettingValue(0.01));
    QVERIFY(settings.at("data.name") == SettingValue(std::string("digits")));
    QVERIFY(settings.at("data.shuffle") == SettingValue(true));
    QVERIFY(!settings.contains("name"));
    QVERIFY(file.hparams.outcome == RunOutcome::Completed);
}

// Training time since the attempt began, from when that began.
void TestTensorBoardExport::timesAreThoseOfTheAttempts()
{
    const RunId run = writeRun(*m_writer, "resumed", 10, /*ended=*/false);
    m_writer->sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
    m_writer->flush();
    m_writer->resumeRun(run, pointAfter(8));
    for (std::int64_t step = 9; step <= 12; ++step)
        m_writer->sink(run).emitEvent(stepAt(step));
    m_writer->flush();
    exported({ run });
    const std::vector<RunAttempt> attempts = m_reader->attempts(run);
    const std::vector<SeriesRow> rows = m_reader->rows(run, "loss");
    const std::vector<Point> points = only().scalars.at("loss/train");
    QCOMPARE(points.size(), std::size_t { 12 });
    for (std::size_t i = 0; i < points.size(); ++i) {
        const RunAttempt& in = attempts.at(points[i].step <= 8 ? 0 : 1);
        const double expected =
            static_cast<double>(in.startedMs) / 1000 + rows[i].seconds - in.from.seconds;
        QCOMPARE(points[i].wallTime, expected);
    }
}

void TestTensorBoardExport::namesAreSafeAndUnique_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("folder");
    QTest::newRow("path") << "../../etc/passwd"
                          << "_.._.._etc_passwd-7";
    QTest::newRow("hidden") << ".x"
                            << "_.x-7";
    QTest::newRow("shell") << "a b$(c)*?\"'"
                           << "a_b__c_____-7";
    QTest::newRow("chinese") << "梯度累积"
                             << "梯度累积-7";
    QTest::newRow("long") << QString(300, 'x') << QString(100, 'x') + "-7";
}

void TestTensorBoardExport::namesAreSafeAndUnique()
{
    QFETCH(QString, name);
    RunRecord run;
    run.id = RunId { 7 };
    run.name = name.toStdString();
    QTEST(QString::fromStdString(folderNameOf(run)), "folder");
}

void TestTensorBoardExport::anotherExportReplacesTheFile()
{
    const RunId run = writeRun(*m_writer, "growing", 2, /*ended=*/false);
    exported({ run });
    const std::vector<fs::path> before = filesIn(path("out"));
    m_writer->sink(run).emitEvent(stepAt(3));
    m_writer->flush();
    exported({ run });
    QCOMPARE(filesIn(path("out")), before);
    QCOMPARE(only().scalars.at("loss/train").size(), std::size_t { 3 });
}

void TestTensorBoardExport::runsOfOtherFoldersStay()
{
    fs::create_directories(path("out/theirs"));
    std::ofstream(path("out/theirs/events.out.tfevents.1.them")) << "theirs";
    exported({ RunId { 1 } });
    QCOMPARE(filesIn(path("out")).size(), std::size_t { 2 });
    QCOMPARE(fs::file_size(path("out/theirs/events.out.tfevents.1.them")), std::uintmax_t { 6 });
}

void TestTensorBoardExport::refusesWhatIsInTheWay()
{
    const auto message = [&] { return messageOf([&] { exported({ RunId { 1 } }); }); };
    std::ofstream(path("out")) << "a file";
    QVERIFY2(message().find("is a file. Name a folder") != std::string::npos, message().c_str());
    fs::remove(path("out"));
    fs::create_directories(path("out"));
    std::ofstream(path("out/lenet5_on_mnist-1")) << "a file";
    QVERIFY2(message().find("would be written, is a file") != std::string::npos, message().c_str());
    fs::remove(path("out/lenet5_on_mnist-1"));
    fs::create_directories(path("out/lenet5_on_mnist-1"));
    std::ofstream(path("out/lenet5_on_mnist-1/notes.txt")) << "notes";
    QVERIFY2(message().find("contains notes.txt") != std::string::npos, message().c_str());
    QCOMPARE(filesIn(path("out")).size(), std::size_t { 1 });
}

void TestTensorBoardExport::aFullDiskLeavesNothing()
{
    const RunId large = writeRun(*m_writer, "large", 400);
    const auto work = [&] { exported({ RunId { 1 }, large }); };
    const FileSizeLimit limit(100'000);
    const std::string message = messageOf(work);
    QVERIFY2(message.find("Nothing was exported. Free some space") != std::string::npos,
        message.c_str());
    QCOMPARE(kindOf(work), RunLogError::Kind::Machine);
    QVERIFY(!fs::exists(path("out")));
}

void TestTensorBoardExport::cancellingLeavesNothing()
{
    double share = 0;
    QVERIFY(!exportTensorBoard(*m_reader, { RunId { 1 } }, path("out"), [&](double done) {
        share = done;
        return done < 0.5;
    }));
    QVERIFY(share >= 0.5);
    QVERIFY(!fs::exists(path("out")));
}

void TestTensorBoardExport::damageIsRefusedOrLeftOut()
{
    writeRun(*m_writer, "whole", 3);
    execute(path("runs.db"), "UPDATE steps SET loss = 7.0 WHERE run_id = 1 AND step = 3");
    const std::string message = messageOf([&] { exported({ RunId { 1 }, RunId { 2 } }); });
    QVERIFY2(message.find("`accrue export --tensorboard DIR --damaged`") != std::string::npos,
        message.c_str());
    QVERIFY(!fs::exists(path("out")));
    std::vector<LogDamage> leftOut;
    const auto done =
        exportTensorBoard(*m_reader, { RunId { 1 }, RunId { 2 } }, path("out"), {}, &leftOut);
    QCOMPARE(done->values, std::int64_t { 3 * 10 });
    QCOMPARE(leftOut.size(), std::size_t { 1 });
}

// At the time of their update, each parameter with its values and its gradient, but none without
// finite numbers.
void TestTensorBoardExport::histogramsAreAmongTheEvents()
{
    const RunId run = writeRun(*m_writer, "measured", 3, /*ended=*/false);
    ParameterHistogram gradient { .parameter = "fc.bias",
        .of = HistogramOf::Gradient,
        .least = -1,
        .largest = 1,
        .mean = 0.25,
        .deviation = 0.5,
        .counts = { 1, 2, 3, 4 } };
    HistogramsMeasured measured { .step = 3, .microBatches = 12, .seconds = 0.03 };
    measured.histograms = { { .parameter = "fc.bias", .notFinite = 10 }, gradient };
    m_writer->sink(run).emitEvent(measured);
    m_writer->sink(run).emitEvent(endAt(3));
    m_writer->flush();
    exported({ run });
    RecordReader reader(filesIn(path("out")).at(0));
    std::vector<EventRecord> found;
    std::optional<ParameterHistogram> read;
    while (const auto record = reader.next()) {
        const EventRecord event = eventIn(*record).value();
        for (const EventValue& value : event.values)
            if (value.histogram) {
                QCOMPARE(std::string(value.tag), std::string("gradients/fc.bias"));
                QCOMPARE(event.step, std::int64_t { 3 });
                read = histogramInProto(*value.histogram);
                found.push_back(event);
            }
    }
    QCOMPARE(found.size(), std::size_t { 1 });
    QVERIFY(read.has_value());
    QCOMPARE(read->counts, gradient.counts);
    QCOMPARE(read->mean, 0.25);
    const double began = static_cast<double>(m_reader->run(run).createdMs) / 1000;
    QVERIFY(std::abs(found.front().wallTime - began) < 10);
}

QTEST_GUILESS_MAIN(TestTensorBoardExport)
#include "tst_tensorboard_export.moc"
