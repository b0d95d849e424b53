// SPDX-License-Identifier: Apache-2.0
#include "engine/logfile/views.h"

#include "run_log_fixture.h"

#include "engine/events/metrics.h"
#include "engine/experiment/keys.h"
#include "engine/logfile/migrations.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"

#include <QtTest>

using namespace accrue;

namespace {

constexpr const char* kViews[] { "v_runs", "v_steps", "v_epochs" };

std::string inMarks(const std::string& name)
{
    return "\"" + name + "\"";
}

} // namespace

// The views of a log as another program sees them, straight from the file.
class TestViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void haveAColumnForEachKeyAndMetric();
    void aStepHasWhatWasLogged();
    void numbersThatAreNotFiniteArePutAsSqlHasThem();
    void whatALaterAttemptDidAgainIsLeftOut();
    void anEvaluationIsBesideItsEpoch();
    void statesAreInWordsAndArchivedRunsAreMarked();
    void valuesOfTheFirstRankAreColumns();
    void runsOfOtherProgramsAreAmongThem();
    void namesThatOnlyTheRowsKnowAreColumns();
    void olderLogsGetTheSameColumns_data();
    void olderLogsGetTheSameColumns();
    void viewsThatLackAColumnAreReplaced();
    void viewsOfANewerProgramStay();
    void aForeignViewIsReplacedAndNeverRead();
    void aTableOfThatNameIsLeftAlone();
    void theCheckOfALogDoesNotStumble();
    void aLogThatIsOpenedAgainIsNotChanged();

private:
    std::filesystem::path log() const { return m_folder->filePath("runs.db").toStdString(); }
    void open() const { RunLogWriter(log()).close(); }
    std::string text(const std::string& sql) const { return textIn(log(), sql); }
    std::int64_t integer(const std::string& sql) const { return integerIn(log(), sql); }
    std::string columns(const std::string& view) const
    {
        return text("SELECT group_concat(name) FROM pragma_table_info('" + view + "')");
    }
    std::string statement(const std::string& view) const
    {
        return text("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = '" + view + "'");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestViews::haveAColumnForEachKeyAndMetric()
{
    open();
    const auto has = [&](const std::string& view, const std::string& name) {
        return integer("SELECT count(*) FROM pragma_table_info('" + view + "') WHERE name = '"
                   + name + "'")
            == 1;
    };
    for (const KeyInfo& key : experimentKeys())
        QVERIFY2(has("v_runs", key.key), key.key.c_str());
    for (const MetricInfo& metric : metrics()) {
        for (const char* value : { "final", "best", "best_step", "min", "max" })
            QVERIFY2(has("v_runs", metric.name + "." + value), metric.name.c_str());
        const bool ofStep = metric.section == MetricSection::Step;
        QVERIFY2(has(ofStep ? "v_steps" : "v_epochs", metric.name), metric.name.c_str());
    }
}

void TestViews::aStepHasWhatWasLogged()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "first", 20);
    RunLogReader reader(log());
    for (const MetricInfo& metric : metrics()) {
        if (metric.section != MetricSection::Step || isCarriedByName(metric))
            continue;
        const std::vector<SeriesPoint> series = reader.series(run, metric.name, Axis::Step);
        QCOMPARE(integer("SELECT count(*) FROM v_steps WHERE run = 1"), std::int64_t { 20 });
        const auto last = QString::number(series.back().y, 'g', 17).toStdString();
        QCOMPARE(integer("SELECT count(*) FROM v_steps WHERE step = 20 AND name = 'first' AND "
                     + inMarks(metric.name) + " = " + last),
            std::int64_t { 1 });
    }
    QCOMPARE(integer("SELECT max(samples) FROM v_steps"), std::int64_t { 2560 });
}

void TestViews::numbersThatAreNotFiniteArePutAsSqlHasThem()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "first", 4);
    }
    execute(log(),
        "UPDATE steps SET loss = 'nan' WHERE step = 1; UPDATE steps SET loss = 'inf' WHERE step ="
        " 2; UPDATE steps SET loss = '-inf' WHERE step = 3");
    QCOMPARE(text("SELECT group_concat(coalesce(loss, 'none')) FROM v_steps WHERE step < 4"),
        std::string("none,Inf,-Inf"));
    QCOMPARE(text("SELECT typeof(loss) FROM v_steps WHERE step = 4"), std::string("real"));
}

void TestViews::whatALaterAttemptDidAgainIsLeftOut()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "resumed", 12, /*ended=*/false);
    writer.sink(run).emitEvent(epochAt(1, 12, 0.5, 0.5));
    writer.sink(run).emitEvent(endAt(12, RunOutcome::Stopped));
    writer.flush();
    writer.resumeRun(run, pointAfter(8));
    for (std::int64_t step = 9; step <= 10; ++step)
        writer.sink(run).emitEvent(stepAt(step));
    writer.flush();
    QCOMPARE(integer("SELECT count(*) FROM steps"), std::int64_t { 14 });
    QCOMPARE(
        text("SELECT count(*) || ' ' || max(step) || ' ' || count(DISTINCT step) FROM v_steps"),
        std::string("10 10 10"));
    QCOMPARE(integer("SELECT count(*) FROM epochs"), std::int64_t { 1 });
    QCOMPARE(integer("SELECT count(*) FROM v_epochs"), std::int64_t { 0 });
}

void TestViews::anEvaluationIsBesideItsEpoch()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "first", 10, /*ended=*/false);
    writer.sink(run).emitEvent(evaluationAt(5, 0.75, 0.25));
    writer.sink(run).emitEvent(epochAt(1, 10, 0.5, 0.125));
    writer.sink(run).emitEvent(validated(evaluationAt(10, 0.25, 0.5), 0.375, 0.625));
    writer.flush();
    QCOMPARE(text("SELECT group_concat(step || ' ' || coalesce(train_loss, '-') || ' ' ||"
                  " test_loss || ' ' || coalesce(validation_accuracy, '-'), '; ') FROM"
                  " (SELECT * FROM v_epochs ORDER BY step)"),
        std::string("5 - 0.75 -; 10 0.5 0.25 0.625"));
}

void TestViews::statesAreInWordsAndArchivedRunsAreMarked()
{
    RunLogWriter writer(log());
    writeRun(writer, "ended", 2);
    writeRun(writer, "trained", 2, /*ended=*/false);
    writer.setArchived(RunId { 1 }, true);
    QCOMPARE(text("SELECT group_concat(name || ' ' || state || ' ' || coalesce(outcome, '-') || ' '"
                  " || archived, '; ') FROM (SELECT * FROM v_runs ORDER BY run)"),
        std::string("ended finished completed 1; trained unfinished - 0"));
    QCOMPARE(integer("SELECT sum(archived) FROM v_steps"), std::int64_t { 2 });
    QCOMPARE(text("SELECT \"batch.micro\" || ' ' || \"optimizer.name\" FROM v_runs WHERE run = 1"),
        std::string("32 sgd"));
    QCOMPARE(integer("SELECT \"loss.best_step\" FROM v_runs WHERE run = 1"), std::int64_t { 2 });
}

void TestViews::valuesOfTheFirstRankAreColumns()
{
    RunLogWriter writer(log());
    const RunId run = writeRun(writer, "ratios", 0, /*ended=*/false);
    for (std::int64_t step = 1; step <= 3; ++step) {
        StepDone done = stepAt(step);
        done.values = { { nameOf(MetricId::UpdateRatio), 0.5 * static_cast<double>(step) } };
        writer.sink(run).emitEvent(done);
    }
    writer.flush();
    execute(log(),
        "INSERT INTO metric_values SELECT run_id, attempt, step, micro_batches, samples, epoch,"
        " seconds, metric, 1, 77.0 FROM metric_values");
    QCOMPARE(text("SELECT group_concat(update_ratio) FROM v_steps"), std::string("0.5,1.0,1.5"));
}

void TestViews::runsOfOtherProgramsAreAmongThem()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "ours", 2);
        writeRun(writer, "theirs", 0);
    }
    execute(log(), "UPDATE runs SET source = 'script' WHERE id = 2");
    for (const char* value : { "1, 'loss', 0, 0.5", "1, 'peak_bytes', 0, 7.0", "2, 'loss', 0, 0.25",
             "2, 'loss', 1, 9.0", "2, 'test_accuracy', 0, 0.75", "3, 'test_accuracy', 0, 'nan'" }) {
        std::string row(value);
        const std::size_t comma = row.find(',');
        execute(log(),
            "INSERT INTO metric_values VALUES (2, 1, " + row.substr(0, comma) + ", 0, 0, 0, 0.0"
                + row.substr(comma) + ")");
    }
    QCOMPARE(
        text("SELECT group_concat(step || ' ' || loss || ' ' || coalesce(peak_bytes, '-'), '; ')"
             " FROM v_steps WHERE name = 'theirs'"),
        std::string("1 0.5 7; 2 0.25 -"));
    QCOMPARE(text("SELECT group_concat(step || ' ' || coalesce(test_accuracy, '-'), '; ')"
                  " FROM v_epochs WHERE name = 'theirs'"),
        std::string("2 0.75; 3 -"));
    QCOMPARE(integer("SELECT count(*) FROM v_steps"), std::int64_t { 4 });
}

void TestViews::namesThatOnlyTheRowsKnowAreColumns()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "theirs", 0);
    }
    execute(log(),
        "UPDATE runs SET source = 'script'; INSERT INTO settings VALUES"
        " (1, 'warm\"up', 'integer', 3), (1, 'STEP', 'integer', 4);"
        " INSERT INTO summaries VALUES (1, 'bleu', 0.5, 0.5, 1, 0.5, 0.5),"
        " (1, char(10), 1, 1, 1, 1, 1);"
        " INSERT INTO metric_values VALUES (1, 1, 1, 0, 0, 0, 0.0, 'bleu', 0, 0.5)");
    open();
    QCOMPARE(integer("SELECT \"warm\"\"up\" FROM v_runs"), std::int64_t { 3 });
    QCOMPARE(integer("SELECT step FROM v_runs"), std::int64_t { 0 }); // the run's own
    QCOMPARE(text("SELECT bleu || ' ' || \"bleu.best\" FROM v_steps JOIN v_runs USING (run)"),
        std::string("0.5 0.5"));
    QCOMPARE(integer("SELECT count(*) FROM pragma_table_info('v_steps') WHERE name = char(10)"),
        std::int64_t { 0 });
}

void TestViews::olderLogsGetTheSameColumns_data()
{
    QTest::addColumn<int>("format");
    for (const int format : { 1, 5 })
        QTest::newRow(std::to_string(format).c_str()) << format;
}

void TestViews::olderLogsGetTheSameColumns()
{
    QFETCH(int, format);
    open();
    std::vector<std::string> wanted;
    for (const char* view : kViews)
        wanted.push_back(columns(view));
    m_folder = std::make_unique<QTemporaryDir>();
    if (format == 1)
        makeLogOfFormat1(log());
    else
        makeLogOfFormat5(log());
    const std::int64_t steps = RunLogReader(log()).series(RunId { 1 }, "loss", Axis::Step).size();
    QCOMPARE(columns("v_runs"), std::string()); // nothing is written while it is read
    open();
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QCOMPARE(columns(kViews[i]), wanted[i]);
    QVERIFY(steps > 0);
    QCOMPARE(integer("SELECT count(*) FROM v_steps WHERE run = 1"), steps);
}

void TestViews::viewsThatLackAColumnAreReplaced()
{
    open();
    for (const char* view : kViews) {
        const std::string whole = statement(view);
        execute(log(), "DROP VIEW " + std::string(view));
        std::string less = whole;
        less.replace(less.find(" AS \"name\""), 10, " AS \"was\"");
        for (std::size_t at; (at = less.find(" AS \"name\"")) != std::string::npos;)
            less.replace(at, 10, " AS \"was\"");
        execute(log(), less);
        open();
        QCOMPARE(statement(view), whole);
        execute(log(), "DROP VIEW " + std::string(view));
        std::string older = whole;
        older.replace(older.find("revision 1"), 10, "revision 0");
        execute(log(), older);
        open();
        QCOMPARE(statement(view), whole);
    }
}

void TestViews::viewsOfANewerProgramStay()
{
    open();
    for (const auto& [from, to] : { std::pair { " AS \"name\"", " AS \"name\", 7 AS \"later\"" },
             { "revision 1", "revision 2" } }) {
        std::string newer = statement("v_runs");
        newer.replace(newer.find(from), std::string(from).size(), to);
        execute(log(), "DROP VIEW v_runs");
        execute(log(), newer);
        open();
        QCOMPARE(statement("v_runs"), newer);
    }
}

void TestViews::aForeignViewIsReplacedAndNeverRead()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "first", 3);
    }
    const std::string ours = statement("v_runs");
    execute(log(),
        "DROP VIEW v_runs; CREATE VIEW v_runs AS SELECT load_extension('/tmp/mine.so')"
        " AS run, * FROM v_runs, \"no AS \"\"name\"");
    QCOMPARE(RunLogReader(log()).runs().size(), std::size_t { 1 });
    QVERIFY(checkLog(log()).damage.empty());
    RunLogWriter(log()).rename(RunId { 1 }, "renamed");
    QCOMPARE(statement("v_runs"), ours);
    QCOMPARE(text("SELECT name FROM v_runs"), std::string("renamed"));
}

void TestViews::aTableOfThatNameIsLeftAlone()
{
    open();
    execute(log(),
        "DROP VIEW v_steps; CREATE TABLE v_steps (mine TEXT);"
        " INSERT INTO v_steps VALUES ('kept')");
    RunLogWriter writer(log());
    writeRun(writer, "first", 3);
    QCOMPARE(text("SELECT mine FROM v_steps"), std::string("kept"));
    QCOMPARE(integer("SELECT count(*) FROM v_runs"), std::int64_t { 1 });
}

void TestViews::theCheckOfALogDoesNotStumble()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "first", 100);
    }
    const LogCheck check = checkLog(log());
    QVERIFY(check.damage.empty());
    QCOMPARE(check.runs, std::int64_t { 1 });
}

void TestViews::aLogThatIsOpenedAgainIsNotChanged()
{
    open();
    const std::int64_t before = integer("PRAGMA schema_version");
    open();
    QCOMPARE(integer("PRAGMA schema_version"), before);
}

QTEST_GUILESS_MAIN(TestViews)
#include "tst_views.moc"
