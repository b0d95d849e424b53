// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/export_check.h"

#include "run_log_fixture.h"

#include "engine/exchange/csv.h"
#include "tests/support/fake_memory.h"

#include <array>
#include <atomic>
#include <fstream>
#include <random>
#include <span>
#include <thread>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

class TestExportCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_folder.reset(); }

    void aFlippedBitIsNeverExported();
    void refusesDamageAndWritesNothing_data();
    void refusesDamageAndWritesNothing();
    void leavesOutTheRowsOfADamagedBatch();
    void leavesOutTheWindowsOfADamagedBatch();
    void leavesOutARunWhoseOwnRowsAreDamaged();
    void anArchivedRunIsNotHiddenByDamage();
    void runsThatAreBegunMeanwhileAreNoDamage();
    void namesTheAttempt();
    void readsNoMoreThanTheTableHasTwiceOfOverlappingBatches();

private:
    fs::path path(const char* name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    fs::path log() const { return path("runs.db"); }
    // All three forms; what one throws is its text.
    std::array<std::string, 3> exported(
        bool all = true, std::vector<LogDamage>* leftOut = nullptr) const;
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

std::string contentOf(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return { std::istreambuf_iterator<char>(stream), {} };
}

void trainInto(RunLogWriter& writer, RunId run, std::int64_t from, std::int64_t to)
{
    EventSink& sink = writer.sink(run);
    for (std::int64_t step = from + 1; step <= to; ++step) {
        sink.emitEvent(stepAt(step));
        ParameterTraced traced { .step = step, .epoch = 1, .microBatches = {} };
        traced.microBatches.push_back({ .samples = step * 128,
            .microBatches = step * 4,
            .checksum = static_cast<std::uint32_t>(step),
            .values = { 1.0 / static_cast<double>(step) } });
        sink.emitEvent(traced);
        if (step % 40 == 1)
            sink.emitEvent(MemoryMeasured { .step = step,
                .epoch = 1,
                .seconds = 1,
                .phases = fakeWindowMemory({ 32, 32 + step }, 1000, /*everyMicroBatch=*/false) });
        if (step % 10 == 0) {
            sink.emitEvent(epochAt(step / 10, step, 1 / static_cast<double>(step), 0.5));
            sink.emitEvent(validated(evaluationAt(step, 0.1, 0.9), 0.2, 0.8));
        }
        if (step % 25 == 0)
            writer.flush();
    }
}

// Several runs, one of them resumed, one archived, with memory and traces; closed.
void makeLog(const fs::path& file)
{
    RunLogWriter writer(file);
    for (const char* name : { "first", "second", "third" }) {
        const Experiment experiment = experimentNamed(name);
        const RunId run = writer.beginRun(requireResolved(experiment));
        writer.sink(run).emitEvent(startOf(experiment));
        trainInto(writer, run, 0, 150);
        writer.sink(run).emitEvent(endAt(150, RunOutcome::Stopped));
        writer.flush();
    }
    writer.resumeRun(RunId { 2 }, pointAfter(120));
    trainInto(writer, RunId { 2 }, 120, 160);
    writer.sink(RunId { 2 }).emitEvent(endAt(160));
    writer.flush();
    writer.setArchived(RunId { 3 }, true);
}

void flipBit(const fs::path& file, std::uint64_t bit)
{
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(bit / 8));
    const int byte = stream.get();
    stream.seekp(static_cast<std::streamoff>(bit / 8));
    stream.put(static_cast<char>(byte ^ (1 << (bit % 8))));
}

} // namespace

void TestExportCheck::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    makeLog(log());
}

std::array<std::string, 3> TestExportCheck::exported(
    bool all, std::vector<LogDamage>* leftOut) const
{
    std::array<std::string, 3> texts;
    std::size_t i = 0;
    for (const auto& write : { exportSeriesCsv, exportRunsCsv, exportMemoryCsv }) {
        std::string& text = texts.at(i++);
        fs::remove(path("out.csv"));
        try {
            RunLogReader reader(log());
            std::vector<RunId> runs;
            for (const RunRecord& run :
                reader.runs(all ? RunLogReader::Archived::Show : RunLogReader::Archived::Hide))
                runs.push_back(run.id);
            write(reader, runs, path("out.csv"), {}, leftOut);
            text = contentOf(path("out.csv"));
        } catch (const RunLogError& error) {
            text = std::string("error: ") + error.what();
            if (fs::exists(path("out.csv")))
                text = "a file in spite of an error";
        }
    }
    return texts;
}

// Damage is an error or makes no difference, wherever it is.
void TestExportCheck::aFlippedBitIsNeverExported()
{
    const std::string whole = contentOf(log());
    QVERIFY2(whole.size() > 90'000, std::to_string(whole.size()).c_str());
    const std::array<std::string, 3> before = exported(/*all=*/false);
    std::mt19937_64 random(20261122);
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        const std::uint64_t bit = random() % (8 * whole.size());
        std::ofstream(log(), std::ios::binary) << whole;
        flipBit(log(), bit);
        const std::array<std::string, 3> after = exported(/*all=*/false);
        for (std::size_t form = 0; form < before.size(); ++form) {
            const bool isError = after.at(form).starts_with("error: ");
            refused += isError ? 1 : 0;
            QVERIFY2(isError || after.at(form) == before.at(form),
                qPrintable(QStringLiteral("bit %1, form %2").arg(bit).arg(form)));
        }
    }
    QVERIFY(refused > 0);
    qInfo("%d of 900 exports refused, the others as of the whole log", refused);
}

void TestExportCheck::refusesDamageAndWritesNothing_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<int>("form");
    QTest::addColumn<QString>("words");
    QTest::newRow("steps") << "UPDATE steps SET loss = 7.0 WHERE run_id = 1 AND step = 70" << 0
                           << "(table steps, run #1, steps 65 to 128: the rows do not match";
    QTest::newRow("summaries") << "UPDATE summaries SET best = 7.0 WHERE run_id = 2" << 1
                               << "(table summaries, run #2: the rows do not match";
    QTest::newRow("memory") << "UPDATE memory SET peak_bytes = 7 WHERE run_id = 1 AND step = 41"
                            << 2 << "(table memory, run #1, steps";
}

void TestExportCheck::refusesDamageAndWritesNothing()
{
    QFETCH(QString, sql);
    QFETCH(int, form);
    QFETCH(QString, words);
    execute(log(), sql.toStdString());
    const std::string text = exported().at(static_cast<std::size_t>(form));
    QVERIFY2(
        text.starts_with("error: ") && QString::fromStdString(text).contains(words), text.c_str());
    const std::string call = form == 2 ? "accrue memory RUN --csv FILE" : "accrue export";
    QVERIFY2(
        text.find("`" + call + " --damaged` exports the rest") != std::string::npos, text.c_str());
}

void TestExportCheck::leavesOutTheRowsOfADamagedBatch()
{
    const std::string before = exported().front();
    execute(log(), "UPDATE steps SET loss = 7.0 WHERE run_id = 2 AND attempt = 1 AND step = 70");
    std::vector<LogDamage> leftOut;
    const std::string after = exported(true, &leftOut).front();
    QCOMPARE(leftOut.size(), std::size_t { 1 });
    QCOMPARE(describe(leftOut).english(),
        std::string("table steps, run #2, steps 65 to 128: the rows do not match the checksum"));
    const auto lines = [](const std::string& text) {
        return QByteArray::fromStdString(text).split('\n');
    };
    QByteArrayList expected;
    for (const QByteArray& line : lines(before)) {
        const QByteArrayList cells = line.split(',');
        const bool step = cells.size() > 7 && cells[0] == "2" && cells[2].toInt() >= 65
            && cells[2].toInt() <= 120; // from there on those of attempt 2, which are whole
        bool perStep = false;
        for (const MetricInfo& metric : metrics())
            perStep = perStep
                || (step && metric.section == MetricSection::Step
                    && cells[7] == metric.name.c_str());
        if (!perStep)
            expected << line;
    }
    QVERIFY(expected.size() < lines(before).size());
    QCOMPARE(lines(after), expected);
}

void TestExportCheck::leavesOutTheWindowsOfADamagedBatch()
{
    execute(log(), "UPDATE memory SET peak_bytes = 7 WHERE run_id = 1 AND step = 41");
    std::vector<LogDamage> leftOut;
    const std::string after = exported(true, &leftOut).back();
    QVERIFY(after.find(",7,") == std::string::npos);
    QVERIFY(after.find("\r\n2,second,1,") != std::string::npos);
    QVERIFY(!leftOut.empty());
}

void TestExportCheck::leavesOutARunWhoseOwnRowsAreDamaged()
{
    execute(log(), "UPDATE attempts SET from_step = 7 WHERE run_id = 2 AND attempt = 2");
    std::vector<LogDamage> leftOut;
    for (const std::string& text : exported(true, &leftOut)) {
        QVERIFY(text.find("\r\n1,first,") != std::string::npos);
        QVERIFY(text.find("\r\n2,second,") == std::string::npos);
    }
    QCOMPARE(leftOut.size(), std::size_t { 3 }); // once for each form
    QCOMPARE(leftOut.front().table, std::string("attempts"));
}

void TestExportCheck::anArchivedRunIsNotHiddenByDamage()
{
    execute(log(), "UPDATE runs SET archived = 1 WHERE id = 1");
    for (const std::string& text : exported(/*all=*/false))
        QVERIFY2(text.find("table runs, run #1: the row does not match") != std::string::npos,
            text.c_str());
}

void TestExportCheck::runsThatAreBegunMeanwhileAreNoDamage()
{
    std::atomic<bool> done = false;
    std::thread other([&] {
        RunLogWriter writer(log());
        const Experiment experiment = experimentNamed("another");
        for (int run = 0; run < 100; ++run)
            writer.beginRun(requireResolved(experiment));
        done = true;
    });
    RunLogReader reader(log());
    std::string damage;
    while (!done && damage.empty())
        damage = describe(reader.damageInRuns()).english();
    other.join();
    QCOMPARE(damage, std::string());
}

void TestExportCheck::namesTheAttempt()
{
    execute(log(), "UPDATE steps SET loss = 7.0 WHERE run_id = 2 AND attempt = 2 AND step = 130");
    RunLogReader reader(log());
    QCOMPARE(describe(reader.damageIn(RunId { 2 }, CheckedTable::Steps).damage).english(),
        std::string("table steps, run #2, attempt 2, steps 121 to 160: the rows do not match the "
                    "checksum"));
}

// A file may claim that each of its rows is in thousands of batches.
void TestExportCheck::readsNoMoreThanTheTableHasTwiceOfOverlappingBatches()
{
    execute(log(),
        "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
        " INSERT INTO checksums SELECT run_id, table_name, attempt, n.i, 1000, 100, 1, column_names"
        " FROM checksums, n WHERE table_name = 'steps' AND run_id = 1 AND first_step = 1");
    RunLogReader reader(log());
    const auto damage = reader.damageIn(RunId { 1 }, CheckedTable::Steps).damage;
    QVERIFY(damage.size() >= 59);
    QVERIFY(damage.front().problem.english().find("cover the same rows")
        == std::string::npos); // was read
    for (const LogDamage& unread : std::span(damage).subspan(10))
        QCOMPARE(unread.problem.english(), std::string("two checksums cover the same rows"));
}

QTEST_GUILESS_MAIN(TestExportCheck)
#include "tst_export_check.moc"
