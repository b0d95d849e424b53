// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv.h"

#include "run_log_fixture.h"

#include "engine/exchange/csv_file.h"
#include "tests/support/fake_memory.h"

#include <array>
#include <chrono>
#include <fstream>
#include <limits>
#include <map>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Table = std::vector<std::vector<std::string>>;

std::string readText(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

// RFC 4180, strictly: every record ends in CRLF, quotes are doubled.
Table parsed(const std::string& text)
{
    Table table(1, { "" });
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& cell = table.back().back();
        if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
            cell += text[i++];
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && text[i] == ',')
            table.back().emplace_back();
        else if (!quoted && text.compare(i, 2, "\r\n") == 0)
            ++i, table.push_back({ "" });
        else
            cell += text[i];
    }
    table.pop_back();
    return table;
}

std::size_t entriesIn(const fs::path& folder)
{
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

} // namespace

class TestCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void seriesReadBackExactly();
    void seriesHasARowForEachRank();
    void seriesKeepsNonFiniteValues();
    void validationIsThereWhereSamplesAreHeldOut();
    void runsHaveSettingsAndSummaries();
    void rowsAreAllAsLongAsTheHeader();
    void quotesWhatNeedsIt();
    void memoryHasARowForEachPhase();
    void defusesFormulas_data();
    void defusesFormulas();
    void leavesNegativeNumbersAlone();
    void cancelLeavesNothingBehind();
    void replacesAFileAtOnce();
    void writesThroughALink();
    void neverReplacesADeviceOrAPipe();
    void namesTheFileAsItWasGiven();
    void removesWhatAKilledExportLeft();
    void cutsANameOfAnotherProgram();
    void saysWhenTheFileCannotBeWritten();
    void saysWhenTheFolderCannotBeEntered();
    void saysWhenTheDiskIsFull();
    void aRunThatIsNotThereLeavesNothingBehind();
    void neverReplacesTheRunLog();
    void aLiveRunHasTheSameStepsOfEveryMetric();

private:
    fs::path path(const char* name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_writer;
    std::unique_ptr<RunLogReader> m_reader;
};

void TestCsv::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    fs::create_directory(path("out"));
    m_writer = std::make_unique<RunLogWriter>(path("runs.db"));
    writeRun(*m_writer, "=cmd|' /c calc'!A1", 20);
    m_reader = std::make_unique<RunLogReader>(path("runs.db"));
}

void TestCsv::cleanup()
{
    m_reader.reset();
    m_writer.reset();
    m_folder.reset();
}

void TestCsv::seriesReadBackExactly()
{
    QVERIFY(exportSeriesCsv(*m_reader, { RunId { 1 } }, path("out/long.csv")));
    const Table table = parsed(readText(path("out/long.csv")));
    QCOMPARE(table.front(),
        (std::vector<std::string> { "run", "name", "step", "samples", "micro_batches", "epoch",
            "seconds", "metric", "value", "rank" }));
    QCOMPARE(table.size(), std::size_t { 1 + 20 * 10 });
    std::map<std::string, double> loss;
    for (const std::vector<std::string>& row : table)
        if (row[7] == "loss")
            loss[row[2]] = std::stod(row[8]);
    for (int step = 1; step <= 20; ++step)
        QVERIFY(loss.at(std::to_string(step)) == 1.0 / step); // every bit
    QCOMPARE(table[1][1], std::string("'=cmd|' /c calc'!A1"));
    QCOMPARE(table[2][3], std::string("256"));
}

// As pandas reads it: a pivot by `rank` has a column for each of them.
void TestCsv::seriesHasARowForEachRank()
{
    const RunId run = m_writer->beginRun(requireResolved(experimentNamed("ranks")));
    m_writer->sink(run).emitEvent(stepAt(1));
    RanksMeasured measured { .step = 1, .epoch = 1, .samples = 128, .microBatches = 4 };
    for (const std::int64_t rank : { 0, 1, 2 }) {
        measured.values.push_back({ "wait_ms", 1.5 + static_cast<double>(rank), rank });
        measured.values.push_back({ "rank_checksum", 7, rank });
    }
    m_writer->sink(run).emitEvent(measured);
    m_writer->flush();
    exportSeriesCsv(*m_reader, { run }, path("out/ranks.csv"));
    std::vector<std::string> found;
    for (const std::vector<std::string>& row : parsed(readText(path("out/ranks.csv"))))
        if (row[7] == "wait_ms" || row[7] == "rank_checksum" || row[7] == "loss")
            found.push_back(row[2] + " " + row[4] + " " + row[7] + " " + row[8] + " " + row[9]);
    QCOMPARE(found,
        (std::vector<std::string> { "1 4 loss 1 0", "1 4 wait_ms 1.5 0", "1 4 wait_ms 2.5 1",
            "1 4 wait_ms 3.5 2", "1 4 rank_checksum 7 0", "1 4 rank_checksum 7 1",
            "1 4 rank_checksum 7 2" }));
}

void TestCsv::seriesKeepsNonFiniteValues()
{
    const RunId run = m_writer->beginRun(requireResolved(experimentNamed("odd")));
    for (const double loss : { kNaN, std::numeric_limits<double>::infinity(), -1e-300 }) {
        StepDone step = stepAt(static_cast<std::int64_t>(numberOf(run)));
        static std::int64_t micro = 0;
        step.microBatches = ++micro;
        step.loss = loss;
        m_writer->sink(run).emitEvent(step);
    }
    m_writer->flush();
    exportSeriesCsv(*m_reader, { run }, path("out/odd.csv"));
    const Table table = parsed(readText(path("out/odd.csv")));
    QCOMPARE(table[1][8], std::string("nan"));
    QCOMPARE(table[2][8], std::string("inf"));
    QCOMPARE(std::stod(table[3][8]), -1e-300);
}

void TestCsv::validationIsThereWhereSamplesAreHeldOut()
{
    const RunId run = m_writer->beginRun(requireResolved(experimentNamed("split")));
    m_writer->sink(run).emitEvent(validated(evaluationAt(10, 0.4, 0.9), 0.5, 0.8));
    m_writer->sink(run).emitEvent(evaluationAt(20, 0.4, 0.9));
    m_writer->flush();
    exportSeriesCsv(*m_reader, { run }, path("out/split.csv"));
    std::vector<std::string> found;
    for (const std::vector<std::string>& row : parsed(readText(path("out/split.csv"))))
        if (row[7].starts_with("validation"))
            found.push_back(row[2] + " " + row[7] + " " + row[8]);
    QCOMPARE(found,
        (std::vector<std::string> { "10 validation_loss 0.5", "10 validation_accuracy 0.8" }));
}

void TestCsv::runsHaveSettingsAndSummaries()
{
    QVERIFY(exportRunsCsv(*m_reader, { RunId { 1 } }, path("out/wide.csv")));
    const Table table = parsed(readText(path("out/wide.csv")));
    QCOMPARE(table.size(), std::size_t { 2 });
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < table[0].size(); ++i)
        QVERIFY2(row.emplace(table[0][i], table[1][i]).second, table[0][i].c_str());
    QCOMPARE(row.at("run"), std::string("1"));
    QCOMPARE(row.at("state"), std::string("finished"));
    QCOMPARE(row.at("batch.micro"), std::string("32"));
    QCOMPARE(row.at("optimizer.lr"), std::string("0.01"));
    QCOMPARE(row.at("loss.final"), std::string("0.05"));
    QCOMPARE(row.at("loss.best_step"), std::string("20"));
    QCOMPARE(row.at("loss.max"), std::string("1"));
    QCOMPARE(row.at("test_accuracy.best"), std::string());
    QCOMPARE(row.at("validation_accuracy.best"), std::string());
}

void TestCsv::rowsAreAllAsLongAsTheHeader()
{
    const RunId bare = m_writer->beginRun(requireResolved(experimentNamed("bare")));
    exportRunsCsv(*m_reader, { RunId { 1 }, bare }, path("out/wide.csv"));
    const Table table = parsed(readText(path("out/wide.csv")));
    QCOMPARE(table.size(), std::size_t { 3 });
    QCOMPARE(table[1].size(), table[0].size());
    QCOMPARE(table[2].size(), table[0].size());
}

void TestCsv::quotesWhatNeedsIt()
{
    const Table table { { "a,b", "c\"d", "e\nf", "g", "" }, { "x\r\ny", "ü", " x ", "'y'", "z" } };
    writeCsv(path("out/table.csv"), table);
    QCOMPARE(parsed(readText(path("out/table.csv"))), table);
    QVERIFY(readText(path("out/table.csv")).ends_with("\r\n"));
}

void TestCsv::memoryHasARowForEachPhase()
{
    const RunId run = m_writer->beginRun(requireResolved(experimentNamed("metered")));
    const MemoryMeasured window {
        .step = 1, .epoch = 1, .seconds = 0.25, .phases = fakeWindowMemory({ 32, 32 }, 100, false)
    };
    m_writer->sink(run).emitEvent(window);
    QVERIFY(m_writer->flush());
    QVERIFY(exportMemoryCsv(*m_reader, { run, RunId { 1 } }, path("out/memory.csv")));
    const Table table = parsed(readText(path("out/memory.csv")));
    QCOMPARE(table.size(), 1 + window.phases.size());
    const PhaseMemory& forward = window.phases[1];
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < table[0].size(); ++i)
        row[table[0][i]] = table[2].at(i);
    QCOMPARE(row.at("name"), std::string("metered"));
    QCOMPARE(row.at("step"), std::string("1"));
    QCOMPARE(row.at("seconds"), std::string("0.25"));
    QCOMPARE(row.at("phase"), std::string("forward"));
    QCOMPARE(row.at("micro_batch"), std::string("1"));
    QCOMPARE(row.at("samples"), std::string("32"));
    QCOMPARE(row.at("peak_bytes"), std::to_string(forward.peakBytes));
    QCOMPARE(row.at("peak.workspace"), std::to_string(forward.atPeak.back()));
    QCOMPARE(row.at("end.workspace"), std::string("0"));
    QCOMPARE(row.at("end.data_set"), std::to_string(forward.atEnd.front()));
    QCOMPARE(row.at("other_bytes"), std::string("0"));
}

void TestCsv::defusesFormulas_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("cell");
    QTest::newRow("equals") << "=1+1"
                            << "'=1+1";
    QTest::newRow("plus") << "+x"
                          << "'+x";
    QTest::newRow("minus") << "-x"
                           << "'-x";
    QTest::newRow("at") << "@SUM(A1)"
                        << "'@SUM(A1)";
    QTest::newRow("tab") << "\t=1"
                         << "'\t=1";
    QTest::newRow("carriage return") << "\r=1"
                                     << "\"'\r=1\"";
    QTest::newRow("in the middle") << "a=1"
                                   << "a=1";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("with a comma") << "=a,b"
                                  << "\"'=a,b\"";
}

void TestCsv::defusesFormulas()
{
    QFETCH(QString, text);
    QFETCH(QString, cell);
    QCOMPARE(QString::fromStdString(CsvFile::textCell(text.toStdString())), cell);
}

void TestCsv::leavesNegativeNumbersAlone()
{
    QCOMPARE(CsvFile::shownCell("-0.5"), std::string("-0.5"));
    QCOMPARE(CsvFile::shownCell("-inf"), std::string("-inf"));
    QCOMPARE(CsvFile::shownCell("-0.5 ms"), std::string("'-0.5 ms"));
    QCOMPARE(CsvFile::shownCell("-1+cmd"), std::string("'-1+cmd"));
}

void TestCsv::cancelLeavesNothingBehind()
{
    double last = -1;
    const CsvProgress progress = [&](double share) {
        last = share;
        return share < 0.5;
    };
    QVERIFY(!exportSeriesCsv(*m_reader, { RunId { 1 } }, path("out/long.csv"), progress));
    QVERIFY(last >= 0.5 && last < 1);
    QVERIFY(!exportRunsCsv(*m_reader, { RunId { 1 } }, path("out/wide.csv"), progress));
    QCOMPARE(entriesIn(path("out")), std::size_t { 0 });
}

void TestCsv::replacesAFileAtOnce()
{
    writeCsv(path("out/t.csv"), { { "old" } });
    writeCsv(path("out/t.csv"), { { "new" } });
    QCOMPARE(readText(path("out/t.csv")), std::string("new\r\n"));
    QCOMPARE(entriesIn(path("out")), std::size_t { 1 });
}

void TestCsv::writesThroughALink()
{
    writeCsv(path("out/t.csv"), { { "old" } });
    fs::create_symlink("out/t.csv", path("link.csv"));
    writeCsv(path("link.csv"), { { "new" } });
    QVERIFY(fs::is_symlink(path("link.csv")));
    QCOMPARE(readText(path("out/t.csv")), std::string("new\r\n"));
}

void TestCsv::neverReplacesADeviceOrAPipe()
{
    QCOMPARE(mkfifo(path("out/pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", path("out/link"));
    for (const char* name : { "out/pipe", "out/link" }) {
        const std::string message = messageOf([&] { writeCsv(path(name), { { "a" } }); });
        QVERIFY2(message.find("is not a regular file") != std::string::npos, message.c_str());
    }
    QVERIFY(fs::is_fifo(path("out/pipe")));
    QVERIFY(fs::is_symlink(path("out/link")));
    QCOMPARE(entriesIn(path("out")), std::size_t { 2 });
}

void TestCsv::namesTheFileAsItWasGiven()
{
    std::array<int, 2> ends {};
    QCOMPARE(pipe(ends.data()), 0);
    const std::string name = "/dev/fd/" + std::to_string(ends[1]);
    const std::string message = messageOf([&] { writeCsv(name, { { "a" } }); });
    close(ends[0]);
    close(ends[1]);
    QCOMPARE(message,
        "The CSV file " + name + " is not a regular file but a device or a pipe. Name a file.");
}

// Those of this file whose process has ended, once they are old; nothing else of the folder.
void TestCsv::removesWhatAKilledExportLeft()
{
    QProcess ended;
    ended.start(QStringLiteral("true"), QStringList());
    const std::string id = std::to_string(ended.processId());
    ended.waitForFinished();
    const auto leave = [&](const std::string& name, int days) {
        const fs::path file = path("out") / name;
        std::ofstream(file) << "half";
        fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
        return file;
    };
    const fs::path dead = leave("t.csv.writing-" + id, 2);
    const fs::path young = leave("t.csv.writing-" + id + "0000000", 0);
    const fs::path other = leave("u.csv.writing-" + id, 2);
    const fs::path living = leave("t.csv.writing-1", 2);
    writeCsv(path("out/t.csv"), { { "a" } });
    QVERIFY(!fs::exists(dead));
    for (const fs::path& file : { young, other, living, path("out/t.csv") })
        QVERIFY2(fs::exists(file), file.c_str());
}

void TestCsv::cutsANameOfAnotherProgram()
{
    const std::string longest(300, 'x');
    const std::string message = messageOf([&] { m_writer->rename(RunId { 1 }, longest); });
    QVERIFY2(message.find("at most 200 characters") != std::string::npos, message.c_str());
    changeRuns(path("runs.db"), "UPDATE runs SET name = printf('%.*c', 10000000, 'x')");
    QVERIFY(exportSeriesCsv(*m_reader, { RunId { 1 } }, path("out/long.csv")));
    QVERIFY(fs::file_size(path("out/long.csv")) < 200'000);
    const Table rows = parsed(readText(path("out/long.csv")));
    QCOMPARE(rows[1][1], std::string(199, 'x') + "…");
}

void TestCsv::saysWhenTheFileCannotBeWritten()
{
    const std::string missing = messageOf([&] { writeCsv(path("none/t.csv"), {}); });
    QVERIFY2(missing.find("cannot be created") != std::string::npos, missing.c_str());
    QVERIFY(missing.find(path("none/t.csv").string()) != std::string::npos);
    const std::string directory = messageOf([&] { writeCsv(path("out"), {}); });
    QVERIFY2(directory.find("is a directory") != std::string::npos, directory.c_str());
}

void TestCsv::saysWhenTheFolderCannotBeEntered()
{
    if (geteuid() != 0)
        QSKIP("needs root, to become a user who may not enter");
    fs::permissions(m_folder->path().toStdString(), fs::perms(0755));
    fs::permissions(path("out"), fs::perms(0700));
    QProcess child;
    startChild(child, { "csv", QString::fromStdString(path("out/t.csv").string()) });
    child.waitForFinished();
    const QByteArray said = child.readAllStandardOutput();
    QVERIFY2(
        said.startsWith("error The CSV file " + QByteArray::fromStdString(path("out").string())),
        said);
    QVERIFY2(said.contains("cannot be created (Permission denied)"), said);
}

void TestCsv::saysWhenTheDiskIsFull()
{
    const FileSizeLimit limit(10'000);
    const Table table(5000, { "some text", "more text" });
    const auto write = [&] { writeCsv(path("out/t.csv"), table); };
    const std::string message = messageOf(write);
    QVERIFY2(message.find("Free some space") != std::string::npos, message.c_str());
    QCOMPARE(kindOf(write), RunLogError::Kind::Machine);
    QCOMPARE(entriesIn(path("out")), std::size_t { 0 });
}

void TestCsv::aRunThatIsNotThereLeavesNothingBehind()
{
    const std::string message = messageOf([&] {
        exportSeriesCsv(*m_reader, { RunId { 1 }, RunId { 99 } }, path("out/x.csv"));
    });
    QVERIFY2(message.find("no run #99") != std::string::npos, message.c_str());
    QCOMPARE(entriesIn(path("out")), std::size_t { 0 });
}

void TestCsv::neverReplacesTheRunLog()
{
    fs::create_directory_symlink(path(""), path("out/link"));
    for (const char* name :
        { "runs.db", "out/../runs.db", "out/link/runs.db", "runs.db-wal", "runs.db-lock" }) {
        for (const auto& write : { exportSeriesCsv, exportRunsCsv }) {
            const std::string message =
                messageOf([&] { write(*m_reader, { RunId { 1 } }, path(name), {}, nullptr); });
            QVERIFY2(message.find("would replace") != std::string::npos, message.c_str());
        }
    }
    QCOMPARE(m_reader->runs().size(), std::size_t { 1 });
    QVERIFY(exportRunsCsv(*m_reader, { RunId { 1 } }, path("runs.db.csv")));
}

void TestCsv::aLiveRunHasTheSameStepsOfEveryMetric()
{
    const RunId run = writeRun(*m_writer, "live", 5, /*ended=*/false);
    std::int64_t step = 5;
    const CsvProgress progress = [&](double) {
        m_writer->sink(run).emitEvent(stepAt(++step));
        return m_writer->flush();
    };
    QVERIFY(exportSeriesCsv(*m_reader, { run }, path("out/live.csv"), progress));
    std::map<std::string, int> rows;
    for (const std::vector<std::string>& row : parsed(readText(path("out/live.csv"))))
        ++rows[row[7]];
    QCOMPARE(rows.at("loss"), rows.at("throughput"));
    QCOMPARE(rows.at("loss"), rows.at("peak_bytes"));
}

QTEST_GUILESS_MAIN(TestCsv)
#include "tst_csv.moc"
