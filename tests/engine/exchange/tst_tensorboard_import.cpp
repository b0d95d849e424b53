// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_import.h"

#include "run_log_fixture.h"

#include "engine/exchange/tensorboard_event.h"
#include "engine/exchange/tensorboard_histogram.h"
#include "engine/runlog/histogram_reader.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/run_import.h"
#include "engine/runlog/run_log_reader.h"

#include <fstream>
#include <map>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

// Written by Python's tensorboard package: tests/data/make_event_files.py.
fs::path stored()
{
    return fs::path(qgetenv("ACCRUE_SOURCE").toStdString()) / "tests/data/event_files";
}

fs::path storedHistograms()
{
    return stored().parent_path() / "event_histograms";
}

std::map<std::string, ForeignRun> runsIn(const fs::path& folder)
{
    std::map<std::string, ForeignRun> runs;
    for (const EventFolder& events : eventFoldersIn(folder))
        if (ReadEvents read = readEvents(events, folder); read.run)
            runs[events.name] = std::move(*read.run);
    return runs;
}

std::vector<double> valuesOf(const ForeignRun& run, const std::string& metric)
{
    std::vector<double> values;
    for (const ForeignSeries& series : run.series)
        if (series.metric == metric)
            for (const ForeignPoint& point : series.points)
                values.push_back(point.value);
    return values;
}

std::string contentOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

constexpr const char* kFile = "events.out.tfevents.1764270000.example.1";

} // namespace

class TestTensorBoardImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_folder.reset(); }

    void readsWhatTensorBoardWrote();
    void readsTensorsAsItReadsSimpleValues();
    void readsHparamsAndTheEnd();
    void whatATrainingRepeatedCountsOnce();
    void theLastOfSeveralValuesOfAStepCounts();
    void everyFolderIsARun();
    void importsAsARunOfAnotherProgram();
    void importedTwiceIsOnce();
    void aRunThatHasGrownIsBroughtUpToDate();
    void whatTheUserChangedStays();
    void theSameRunAtAnotherPlaceIsTheSame();
    void namesWhatItCannotRead_data();
    void namesWhatItCannotRead();
    void leavesOutStepsBelowZero();
    void readsHistogramsOfOldAndNewWriters();
    void importsHistogramsOnce();
    void leavesOutWrongHistograms();
    void saysThatThereIsNothing();

private:
    fs::path path(const std::string& name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    void write(const std::string& name, const std::string& bytes) const
    {
        fs::create_directories(path(name).parent_path());
        std::ofstream(path(name), std::ios::binary) << bytes;
    }
    std::vector<ImportedRun> imported(const fs::path& folder) const
    {
        RunImport import(path("runs.db"));
        std::vector<ImportedRun> runs;
        for (const auto& [name, run] : runsIn(folder))
            runs.push_back(import.add(run));
        return runs;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestTensorBoardImport::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void TestTensorBoardImport::readsWhatTensorBoardWrote()
{
    const ForeignRun run = runsIn(stored()).at("simple");
    QCOMPARE(run.name, std::string("simple"));
    QVERIFY(run.source == RunSource::TensorBoard);
    QCOMPARE(run.origin, (stored() / "simple").string());
    QCOMPARE(run.createdMs, std::int64_t { 1764270000250 });
    QCOMPARE(run.endedMs, std::int64_t { 1764270002250 });
    QVERIFY(run.outcome == RunOutcome::Completed);
    QCOMPARE(run.series.size(), std::size_t { 2 });
    QCOMPARE(run.series[0].metric, std::string("accuracy"));
    QVERIFY(std::isnan(run.series[0].points.at(0).value));
    const std::vector<ForeignPoint>& loss = run.series[1].points;
    QCOMPARE(loss.size(), std::size_t { 5 });
    for (std::size_t i = 0; i < loss.size(); ++i) {
        QCOMPARE(loss[i].step, static_cast<std::int64_t>(i));
        QCOMPARE(loss[i].seconds, static_cast<double>(i) / 2);
        QCOMPARE(loss[i].value, static_cast<double>(1 / static_cast<float>(i + 1)));
    }
}

void TestTensorBoardImport::readsTensorsAsItReadsSimpleValues()
{
    const ForeignRun run = runsIn(stored()).at("deep/tensors");
    QCOMPARE(run.name, std::string("deep/tensors"));
    QCOMPARE(
        valuesOf(run, "loss"), (std::vector<double> { 1, static_cast<double>(2.0F / 3), 0.5 }));
}

void TestTensorBoardImport::readsHparamsAndTheEnd()
{
    const ForeignRun run = runsIn(stored()).at("hparams");
    const std::map<std::string, SettingValue> settings(run.settings.begin(), run.settings.end());
    QCOMPARE(settings.size(), std::size_t { 4 });
    QVERIFY(settings.at("lr") == SettingValue(0.05));
    QVERIFY(settings.at("optimizer") == SettingValue(std::string("sgd")));
    QVERIFY(settings.at("augment") == SettingValue(true));
    QVERIFY(settings.at("batch") == SettingValue(128.0));
    QVERIFY(run.outcome == RunOutcome::Failed);
}

void TestTensorBoardImport::whatATrainingRepeatedCountsOnce()
{
    QCOMPARE(valuesOf(runsIn(stored()).at("restarted"), "loss"),
        (std::vector<double> { 0, 1, 2, 3, 14, 15 }));
}

void TestTensorBoardImport::theLastOfSeveralValuesOfAStepCounts()
{
    std::string bytes;
    for (const double value : { 1, 2, 3 })
        appendScalar(bytes, 10, 5, "loss", value);
    appendScalar(bytes, 9, 4, "loss", 9);
    write("a/tfevents", bytes);
    QCOMPARE(valuesOf(runsIn(path("")).at("a"), "loss"), (std::vector<double> { 9, 3 }));
}

void TestTensorBoardImport::everyFolderIsARun()
{
    std::string bytes;
    appendScalar(bytes, 1, 1, "loss", 1);
    write("logs/tfevents.1", bytes);
    write("logs/a/b/tfevents.1", bytes + bytes);
    std::string later;
    appendScalar(later, 2, 2, "loss", 2);
    write("logs/a/b/tfevents.2", later);
    write("logs/a/b/model.pt", "no event file");
    const std::map<std::string, ForeignRun> runs = runsIn(path("logs/"));
    QCOMPARE(runs.size(), std::size_t { 2 });
    QCOMPARE(runs.at(".").name, std::string("logs"));
    QCOMPARE(valuesOf(runs.at("a/b"), "loss"), (std::vector<double> { 1, 2 }));
}

void TestTensorBoardImport::importsAsARunOfAnotherProgram()
{
    const std::vector<ImportedRun> runs = imported(stored());
    QCOMPARE(runs.size(), std::size_t { 4 });
    const fs::path log = path("runs.db");
    QCOMPARE(integerIn(log, "SELECT count(*) FROM runs WHERE source = 'tensorboard'"),
        std::int64_t { 4 });
    const std::string ofHparams = " FROM runs WHERE name = 'hparams'";
    QCOMPARE(textIn(log, "SELECT outcome" + ofHparams), std::string("failed"));
    QCOMPARE(textIn(log, "SELECT origin" + ofHparams), (stored() / "hparams").string());
    QCOMPARE(textIn(log, "SELECT recipe" + ofHparams), std::string());
    QCOMPARE(textIn(log, "SELECT best_test_accuracy" + ofHparams), std::string("0.75"));
    QCOMPARE(integerIn(log, "SELECT step" + ofHparams), std::int64_t { 7 });
    QCOMPARE(textIn(log,
                 "SELECT group_concat(key || '=' || kind, ' ') FROM settings, runs WHERE run_id"
                 " = id AND name = 'hparams'"),
        std::string("augment=boolean batch=number lr=number optimizer=text"));
    QCOMPARE(integerIn(log, "SELECT count(*) FROM metric_values"), std::int64_t { 6 + 3 + 1 + 6 });
    QCOMPARE(integerIn(log, "SELECT count(*) FROM steps"), std::int64_t { 0 });
    const LogCheck check = checkLog(log);
    QVERIFY2(check.damage.empty(), describe(check.damage).english().c_str());
}

void TestTensorBoardImport::importedTwiceIsOnce()
{
    const std::vector<ImportedRun> first = imported(stored());
    const std::string before =
        textIn(path("runs.db"), "SELECT group_concat(checksum) FROM checksums");
    const std::vector<ImportedRun> second = imported(stored());
    QCOMPARE(second.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        QVERIFY(first[i].result == ImportResult::Added);
        QVERIFY(second[i].result == ImportResult::Unchanged);
        QVERIFY(second[i].run == first[i].run);
    }
    QCOMPARE(textIn(path("runs.db"), "SELECT group_concat(checksum) FROM checksums"), before);
}

void TestTensorBoardImport::aRunThatHasGrownIsBroughtUpToDate()
{
    std::string bytes;
    for (std::int64_t step = 1; step <= 100; ++step)
        appendScalar(bytes, 100 + static_cast<double>(step), step, "loss", 1.0 / step);
    write("logs/a/tfevents.1", bytes);
    const ImportedRun first = imported(path("logs")).at(0);
    for (std::int64_t step = 101; step <= 250; ++step)
        appendScalar(bytes, 100 + static_cast<double>(step), step, "loss", 1.0 / step);
    write("logs/a/tfevents.1", bytes);
    const ImportedRun second = imported(path("logs")).at(0);
    QVERIFY(second.result == ImportResult::Updated);
    QVERIFY(second.run == first.run);
    QCOMPARE(
        integerIn(path("runs.db"), "SELECT count(*) FROM metric_values"), std::int64_t { 250 });
    QCOMPARE(integerIn(path("runs.db"), "SELECT count(*) FROM runs"), std::int64_t { 1 });
    QCOMPARE(integerIn(path("runs.db"), "SELECT ended_ms FROM runs"), std::int64_t { 350'000 });
    const LogCheck check = checkLog(path("runs.db"));
    QVERIFY2(check.damage.empty(), describe(check.damage).english().c_str());
}

void TestTensorBoardImport::whatTheUserChangedStays()
{
    std::string bytes;
    appendScalar(bytes, 1, 1, "loss", 1);
    write("logs/a/tfevents.1", bytes);
    const RunId run = imported(path("logs")).at(0).run;
    {
        RunLogWriter writer(path("runs.db"));
        writer.rename(run, "mine");
        writer.setNote(run, "a note");
        writer.changeTags(run, { "baseline" }, {});
    }
    appendScalar(bytes, 2, 2, "loss", 2);
    write("logs/a/tfevents.1", bytes);
    QVERIFY(imported(path("logs")).at(0).result == ImportResult::Updated);
    QCOMPARE(textIn(path("runs.db"), "SELECT name || note || tags FROM runs"),
        std::string("minea notebaseline"));
}

void TestTensorBoardImport::theSameRunAtAnotherPlaceIsTheSame()
{
    imported(stored());
    fs::copy(stored(), path("elsewhere"), fs::copy_options::recursive);
    for (const ImportedRun& run : imported(path("elsewhere")))
        QVERIFY(run.result != ImportResult::Added);
    QCOMPARE(integerIn(path("runs.db"), "SELECT count(*) FROM runs"), std::int64_t { 4 });
}

void TestTensorBoardImport::namesWhatItCannotRead_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("values");
    QTest::addColumn<QString>("words");
    const QByteArray whole = QByteArray::fromStdString(contentOf(stored() / "simple" / kFile));
    QTest::newRow("no event file") << QByteArray("This is a text file, whatever its name says.")
                                   << 0 << "is not an event file";
    QTest::newRow("cut off") << whole.left(whole.size() - 3) << 5
                             << "ends within a record at byte 278: 6 events before it were read";
    QTest::newRow("only a header") << whole.left(5) << 0 << "ends within a record at byte 0";
    QByteArray flipped = whole;
    flipped[60] = static_cast<char>(flipped[60] ^ 1);
    QTest::newRow("a flipped bit")
        << flipped << 5 << "1 event did not match its checksum and was left out";
    QByteArray length = whole;
    length[278] = static_cast<char>(length[278] ^ 1);
    QTest::newRow("a flipped length") << length << 5 << "is damaged at byte 278: 6 events";
    QTest::newRow("whole") << whole << 6 << "";
    QTest::newRow("empty") << QByteArray() << 0 << "";
}

void TestTensorBoardImport::namesWhatItCannotRead()
{
    QFETCH(QByteArray, bytes);
    QFETCH(int, values);
    QFETCH(QString, words);
    write("logs/tfevents", bytes.toStdString());
    const ReadEvents read = readEvents(eventFoldersIn(path("logs")).at(0), path("logs"));
    std::size_t found = 0;
    if (read.run)
        for (const ForeignSeries& series : read.run->series)
            found += series.points.size();
    QCOMPARE(found, static_cast<std::size_t>(values));
    QCOMPARE(read.problems.size(), words.isEmpty() ? std::size_t { 0 } : std::size_t { 1 });
    if (!words.isEmpty()) {
        const std::string text = read.problems.front().english();
        QVERIFY2(QString::fromStdString(text).contains(words), text.c_str());
        QVERIFY2(text.find(path("logs/tfevents").string()) != std::string::npos, text.c_str());
    }
}

void TestTensorBoardImport::leavesOutStepsBelowZero()
{
    std::string bytes;
    appendScalar(bytes, 1, -1, "loss", 1);
    appendScalar(bytes, 1, 0, "loss", 2);
    write("tfevents", bytes);
    const ReadEvents read = readEvents(eventFoldersIn(path("")).at(0), path(""));
    QCOMPARE(valuesOf(*read.run, "loss"), std::vector<double> { 2 });
    QVERIFY(read.problems.at(0).english().find("1 value of steps below 0") != std::string::npos);
}

void TestTensorBoardImport::readsHistogramsOfOldAndNewWriters()
{
    const ForeignRun run = runsIn(storedHistograms()).at("histograms");
    QCOMPARE(run.histograms.size(), std::size_t { 2 });
    QVERIFY(run.series.empty());
    const HistogramsMeasured& first = run.histograms.at(0);
    QCOMPARE(first.step, std::int64_t { 3 });
    QCOMPARE(run.histograms.at(1).seconds, 2.0);
    QCOMPARE(first.histograms.size(), std::size_t { 3 });
    const ParameterHistogram& old = first.histograms.at(0);
    QCOMPARE(old.parameter, std::string("fc.weight"));
    QVERIFY(old.of == HistogramOf::Value);
    QCOMPARE(countOf(old), std::int64_t { 104 });
    QCOMPARE(old.counts.size(), kHistogramBins);
    QCOMPARE(old.largest, 8.0);
    const ParameterHistogram& gradient = first.histograms.at(1);
    QCOMPARE(gradient.parameter, std::string("fc.weight"));
    QVERIFY(gradient.of == HistogramOf::Gradient);
    QCOMPARE(gradient.counts, (std::vector<std::int64_t> { 1, 2, 3, 4 }));
    const ParameterHistogram& tensor = first.histograms.at(2);
    QCOMPARE(tensor.parameter, std::string("dense/kernel"));
    QCOMPARE(tensor.counts, (std::vector<std::int64_t> { 4, 0, 3, 1 }));
}

void TestTensorBoardImport::importsHistogramsOnce()
{
    const fs::path log = path("runs.db");
    imported(storedHistograms());
    const std::int64_t rows = integerIn(log, "SELECT count(*) FROM histograms");
    QCOMPARE(rows, std::int64_t { 6 });
    const RunId run { integerIn(log, "SELECT id FROM runs WHERE name = 'histograms'") };
    HistogramReader reader(log);
    QCOMPARE(
        reader.names(run).parameters, (std::vector<std::string> { "fc.weight", "dense/kernel" }));
    QCOMPARE(reader.histograms(run, "dense/kernel", HistogramOf::Value).size(), std::size_t { 2 });
    QCOMPARE(integerIn(log, "SELECT step FROM runs WHERE name = 'histograms'"), std::int64_t { 7 });
    for (const ImportedRun& again : imported(storedHistograms()))
        QVERIFY(again.result == ImportResult::Unchanged);
    QCOMPARE(integerIn(log, "SELECT count(*) FROM histograms"), rows);
    const LogCheck check = checkLog(log);
    QVERIFY2(check.damage.empty(), describe(check.damage).english().c_str());
}

void TestTensorBoardImport::leavesOutWrongHistograms()
{
    std::string bytes;
    appendScalar(bytes, 1, 1, "loss", 1);
    appendHistogram(bytes, 1, 1, "fc.weight", "no histogram");
    appendHistogram(bytes, 1, 2, "fc.weight",
        histogramProto({ .parameter = "fc.weight", .least = 1, .largest = 2, .counts = { 3, 4 } }));
    write("logs/tfevents", bytes);
    const ReadEvents read = readEvents(eventFoldersIn(path("logs")).at(0), path("logs"));
    QCOMPARE(read.problems.size(), std::size_t { 1 });
    QCOMPARE(read.problems.front().english(),
        std::string(".: 1 histogram with limits or counts that no numbers have was left out."));
    QCOMPARE(read.run->histograms.size(), std::size_t { 1 });
    QCOMPARE(read.run->series.size(), std::size_t { 1 });
}

void TestTensorBoardImport::saysThatThereIsNothing()
{
    QVERIFY(eventFoldersIn(path("")).empty());
    write("file", "x");
    for (const char* name : { "file", "nothing" }) {
        const std::string message = messageOf([&] { eventFoldersIn(path(name)); });
        QVERIFY2(message.find("is not a folder") != std::string::npos, message.c_str());
    }
}

QTEST_GUILESS_MAIN(TestTensorBoardImport)
#include "tst_tensorboard_import.moc"
