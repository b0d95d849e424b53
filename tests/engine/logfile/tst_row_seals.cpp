// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/row_seals.h"

#include "run_log_fixture.h"

#include "engine/runlog/log_check.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/fake_memory.h"

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestRowSeals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    void everythingThatTheWriterChangesStaysWhole();
    void aLogThatWasDeletedIsPutBackWhole();
    void aBatchIsClosedWithSixtyFourRows();
    void aStepIsNeverInTwoBatches();
    void aDamagedRowIsNeverSealedAnew();
    void aDamagedRunIsNotResumed();

private:
    std::filesystem::path log() const { return m_folder->filePath("runs.db").toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

std::string damageIn(const std::filesystem::path& log)
{
    return describe(checkLog(log).damage).english();
}

std::int64_t sealedRows(const std::filesystem::path& log)
{
    return integerIn(log, "SELECT coalesce(sum(row_count), 0) FROM checksums");
}

std::int64_t rowsIn(const std::filesystem::path& log)
{
    std::int64_t rows = 0;
    for (const CheckedTable table : checkedTables())
        rows += integerIn(log, "SELECT count(*) FROM " + std::string(nameOf(table)));
    return rows;
}

ParameterTraced traceAt(std::int64_t step)
{
    ParameterTraced traced { .step = step, .epoch = 1, .microBatches = {} };
    for (std::int64_t i = 4 * step - 3; i <= 4 * step; ++i)
        traced.microBatches.push_back(
            { .samples = i * 32, .microBatches = i, .checksum = 7, .values = { 0.5, -1 } });
    return traced;
}

} // namespace

#define VERIFY_WHOLE()                                                                             \
    QCOMPARE(damageIn(log()), std::string());                                                      \
    QCOMPARE(sealedRows(log()), rowsIn(log()))

void TestRowSeals::everythingThatTheWriterChangesStaysWhole()
{
    RunLogWriter writer(log());
    const Experiment experiment = experimentNamed("sealed");
    const RunId run = writer.beginRun(requireResolved(experiment));
    VERIFY_WHOLE();
    EventSink& sink = writer.sink(run);
    sink.emitEvent(startOf(experiment));
    for (std::int64_t step = 1; step <= 150; ++step) {
        sink.emitEvent(stepAt(step));
        sink.emitEvent(traceAt(step));
        sink.emitEvent(MemoryMeasured { .step = step,
            .epoch = 1,
            .seconds = 1,
            .phases = fakeWindowMemory({ 32, 32 + step }, 1000, /*everyMicroBatch=*/false) });
        if (step % 10 == 0) {
            sink.emitEvent(epochAt(step / 10, step, 1.0 / 3, 0.5));
            sink.emitEvent(validated(evaluationAt(step, 0.1, 0.9), 0.2, 0.8));
            sink.emitEvent(CheckpointSaved { .step = step, .seconds = 1, .folder = "f" });
        }
        if (step % 7 == 0)
            QVERIFY(writer.flush());
    }
    sink.emitEvent(RunPaused { .step = 150, .seconds = 1 });
    sink.emitEvent(endAt(150, RunOutcome::Stopped));
    QVERIFY(writer.flush());
    VERIFY_WHOLE();
    writer.rename(run, "renamed");
    writer.setNote(run, "noted");
    VERIFY_WHOLE();
    writer.resumeRun(run, pointAfter(100));
    VERIFY_WHOLE();
    for (std::int64_t step = 101; step <= 120; ++step)
        writer.sink(run).emitEvent(stepAt(step));
    writer.sink(run).emitEvent(endAt(120));
    QVERIFY(writer.flush());
    VERIFY_WHOLE();
    writeRun(writer, "other", 3);
    writer.setArchived(run, true);
    VERIFY_WHOLE();
    writer.prune({ run });
    VERIFY_WHOLE();
    QCOMPARE(integerIn(log(), "SELECT count(DISTINCT run_id) FROM checksums"), 1);
}

void TestRowSeals::aLogThatWasDeletedIsPutBackWhole()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "deleted", 100, /*ended=*/false);
    std::filesystem::remove(log());
    writer.sink(run).emitEvent(stepAt(101));
    QVERIFY(writer.flush());
    VERIFY_WHOLE();
    QCOMPARE(integerIn(log(), "SELECT count(*) FROM steps"), 101);
}

void TestRowSeals::aBatchIsClosedWithSixtyFourRows()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "live", 1, /*ended=*/false);
    for (std::int64_t step = 2; step <= 200; ++step) {
        writer.sink(run).emitEvent(stepAt(step));
        QVERIFY(writer.flush());
    }
    QCOMPARE(textIn(log(),
                 "SELECT group_concat(first_step || '-' || last_step || ':' || row_count, ' ') FROM"
                 " checksums WHERE table_name = 'steps'"),
        std::string("1-64:64 65-128:64 129-192:64 193-200:8"));
}

void TestRowSeals::aStepIsNeverInTwoBatches()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "traced", 1, /*ended=*/false);
    for (std::int64_t step = 1; step <= 40; ++step) {
        ParameterTraced first = traceAt(step);
        ParameterTraced second = first;
        first.microBatches.resize(1);
        second.microBatches.erase(second.microBatches.begin());
        writer.sink(run).emitEvent(first);
        QVERIFY(writer.flush());
        writer.sink(run).emitEvent(second);
        QVERIFY(writer.flush());
    }
    VERIFY_WHOLE();
    QCOMPARE(textIn(log(),
                 "SELECT group_concat(first_step || '-' || last_step, ' ') FROM checksums"
                 " WHERE table_name = 'traces'"),
        std::string("1-16 17-32 33-40"));
}

void TestRowSeals::aDamagedRowIsNeverSealedAnew()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "damaged", 3);
    execute(log(), "UPDATE runs SET seconds = 99.0");
    writer.rename(run, "still damaged");
    writer.setArchived(run, true);
    QCOMPARE(textIn(log(), "SELECT name FROM runs"), std::string("still damaged"));
    QVERIFY(QByteArray::fromStdString(damageIn(log())).contains("table runs, run #1"));
}

void TestRowSeals::aDamagedRunIsNotResumed()
{
    RunLogWriter writer(log());
    const Experiment experiment = experimentNamed("damaged");
    const RunId run = writer.beginRun(requireResolved(experiment));
    for (std::int64_t step = 1; step <= 100; ++step)
        writer.sink(run).emitEvent(stepAt(step));
    writer.sink(run).emitEvent(endAt(100, RunOutcome::Stopped));
    QVERIFY(writer.flush());
    execute(log(), "UPDATE steps SET loss = 0.125 WHERE step = 70");
    const std::string message = messageOf([&] { writer.resumeRun(run, pointAfter(100)); });
    QVERIFY2(
        message.find("table steps, run #1, steps 65 to 100") != std::string::npos, message.c_str());
    QCOMPARE(integerIn(log(), "SELECT attempt FROM runs"), 1);
}

QTEST_GUILESS_MAIN(TestRowSeals)
#include "tst_row_seals.moc"
