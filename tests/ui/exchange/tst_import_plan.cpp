// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/import_plan.h"

#include <QTemporaryDir>
#include <QTest>

#include "engine/queue/run_queue.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/engine/runlog/run_log_fixture.h"

#include <algorithm>
#include <fstream>
#include <memory>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

// Written by Python's tensorboard package: tests/data/make_event_files.py.
fs::path eventFiles()
{
    return fs::path(qgetenv("ACCRUE_SOURCE").toStdString()) / "tests/data/event_files";
}

constexpr const char* kWide = "step,train_loss,note\n1,0.9,a\n2,0.8,b\n3,0.7,c\n";

} // namespace

class TestImportPlan : public QObject {
    Q_OBJECT
private:
    fs::path path(const std::string& name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    fs::path write(const std::string& name, const std::string& content) const
    {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }
    fs::path log() const { return path("runs.db"); }
    ImportOutcome import(const ImportPlan& plan, const ImportWishes& wishes = {}) const
    {
        RunLogWriter writer(log());
        return importPlanned(writer, plan, wishes);
    }
    static std::int64_t known(const ImportPlan& plan)
    {
        return std::ranges::count_if(plan.runs, [](const PlannedRun& run) { return run.isKnown; });
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void tellsWhatAFileIsByItsContent()
    {
        writeRun(*std::make_unique<RunLogWriter>(path("log")), "a", 1);
        QCOMPARE(importKindOf(path("log")), ImportKind::RunLog); // by its content
        QCOMPARE(importKindOf(path("gone.db")), ImportKind::RunLog); // by its name
        QCOMPARE(importKindOf(write("a.csv", kWide)), ImportKind::Csv);
        QCOMPARE(importKindOf(write("events.out.tfevents.1.x", "")), ImportKind::TensorBoard);
        QCOMPARE(importKindOf(eventFiles()), ImportKind::TensorBoard);
    }

    void aLogIsPlannedAndImported()
    {
        {
            RunLogWriter other(path("other.db"));
            writeRun(other, "a", 5);
            writeRun(other, "b", 7);
            RunQueue(other).add({ { requireResolved(experimentNamed("waits")), {}, {} } });
        }
        const ImportPlan plan = planImport(path("other.db"), log());
        QVERIFY(!fs::exists(log())); // a plan changes nothing
        QCOMPARE(plan.runs.size(), std::size_t { 2 });
        QCOMPARE(plan.runs[1].name, std::string("b"));
        QCOMPARE(plan.runs[1].length, std::int64_t { 7 });
        QCOMPARE(plan.waiting, std::int64_t { 1 });
        QCOMPARE(known(plan), std::int64_t { 0 });
        const ImportOutcome first = import(plan);
        QCOMPARE(first.counts, (std::array<std::int64_t, 3> { 2, 0, 0 }));
        QCOMPARE(RunLogReader(log()).run(first.runs.at(1)).name, std::string("b"));
        QCOMPARE(first.problems.size(), std::size_t { 1 }); // the run that waits
        const ImportPlan again = planImport(path("other.db"), log());
        QCOMPARE(known(again), std::int64_t { 2 });
        QCOMPARE(import(again).counts, (std::array<std::int64_t, 3> { 0, 0, 2 }));
        QCOMPARE(RunLogReader(log()).runs().size(), std::size_t { 2 });
    }

    // Both logs are written by somebody: the other one by another program, this one by the window.
    void aLogThatIsBeingWrittenIsImportedAsFarAsItIs()
    {
        RunLogWriter other(path("other.db"));
        const RunId run = writeRun(other, "grows", 5, /*ended=*/false);
        const ImportPlan plan = planImport(path("other.db"), log());
        other.sink(run).emitEvent(stepAt(6));
        QVERIFY(other.flush());
        const ImportOutcome outcome = import(plan);
        QCOMPARE(RunLogReader(log()).run(outcome.runs.at(0)).step, std::int64_t { 6 });
        QVERIFY2(
            outcome.problems.at(0).english().find("is still being trained") != std::string::npos,
            outcome.problems.at(0).english().c_str());
        other.sink(run).emitEvent(stepAt(7));
        other.sink(run).emitEvent(endAt(7));
        QVERIFY(other.flush());
        const ImportPlan later = planImport(path("other.db"), log());
        QCOMPARE(import(later).counts, (std::array<std::int64_t, 3> { 0, 1, 0 }));
        QCOMPARE(RunLogReader(log()).run(outcome.runs.at(0)).step, std::int64_t { 7 });
    }

    void eventFilesArePlannedAndImported()
    {
        const ImportPlan plan = planImport(eventFiles(), log());
        QVERIFY(plan.runs.size() > 1);
        QVERIFY(std::ranges::all_of(
            plan.runs, [](const PlannedRun& run) { return run.length > 0 && !run.isKnown; }));
        const ImportOutcome outcome = import(plan);
        QCOMPARE(outcome.runs.size(), plan.runs.size());
        const ImportPlan again = planImport(eventFiles(), log());
        QCOMPARE(known(again), static_cast<std::int64_t>(plan.runs.size()));
    }

    void anEventFileStandsForItsOwnRun()
    {
        fs::path file;
        for (const auto& entry : fs::recursive_directory_iterator(eventFiles()))
            if (entry.path().filename().string().find("tfevents") != std::string::npos
                && planImport(entry.path().parent_path(), log()).runs.size() == 1)
                file = entry.path();
        QVERIFY(!file.empty());
        const ImportPlan one = planImport(file, log());
        QCOMPARE(one.runs.size(), std::size_t { 1 });
        import(planImport(file.parent_path(), log()));
        QVERIFY(planImport(file, log()).runs.front().isKnown); // it is the same run
    }

    void aCsvFileFollowsTheRolesOfItsColumns()
    {
        const fs::path file = write("a.csv", kWide);
        const ImportPlan plan = planImport(file, log());
        QCOMPARE(plan.runs.size(), std::size_t { 1 });
        QCOMPARE(plan.runs[0].length, std::int64_t { 3 });
        CsvLayout layout = plan.layout.value();
        setRole(layout, layout.columns[2], CsvRole::Run);
        setRole(layout, layout.columns[1], CsvRole::Metric, "loss");
        const ImportPlan mapped = planImport(file, log(), layout);
        QCOMPARE(mapped.runs.size(), std::size_t { 3 });
        const ImportOutcome outcome = import(mapped);
        QCOMPARE(outcome.runs.size(), std::size_t { 3 });
        QCOMPARE(RunLogReader(log()).series(outcome.runs[1], "loss", Axis::Step),
            (std::vector<SeriesPoint> { { 2, 0.8 } }));
        setRole(layout, layout.columns[1], CsvRole::Ignored);
        const ImportPlan none = planImport(file, log(), layout);
        QVERIFY(none.runs.empty());
        QVERIFY(!none.whyNot.empty());
    }

    void anImportThatIsStoppedLeavesWholeRuns()
    {
        const fs::path file = write("a.csv", "run,step,loss\na,1,0.5\na,2,0.4\nb,1,0.5\nc,1,0.5\n");
        const ImportPlan plan = planImport(file, log());
        QCOMPARE(plan.runs.size(), std::size_t { 3 });
        std::stop_source stop;
        RunLogWriter writer(log());
        const ImportOutcome outcome = importPlanned(
            writer, plan, {}, [&](double) { stop.request_stop(); }, stop.get_token());
        QCOMPARE(outcome.runs.size(), std::size_t { 1 });
        QCOMPARE(RunLogReader(log()).runs().size(), std::size_t { 1 });
    }

    void whatIsNoneOfThemIsRefusedInASentence_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("words");
        QTest::newRow("missing") << "gone.csv"
                                 << "does not exist";
        QTest::newRow("text as a log") << "text.db"
                                       << "is not";
        QTest::newRow("empty CSV") << "empty.csv"
                                   << "is empty";
        QTest::newRow("itself") << "runs.db"
                                << "is the run log to import into";
    }
    void whatIsNoneOfThemIsRefusedInASentence()
    {
        QFETCH(QString, name);
        QFETCH(QString, words);
        write("text.db", "This is a text, long enough to be more than a header.");
        write("empty.csv", "");
        writeRun(*std::make_unique<RunLogWriter>(log()), "a", 1);
        try {
            planImport(path(name.toStdString()), log());
            QFAIL("nothing was thrown");
        } catch (const Error& error) {
            QVERIFY2(error.message().english().find(words.toStdString()) != std::string::npos,
                error.what());
        }
    }

    void aFolderWithoutEventsSaysSo()
    {
        fs::create_directory(path("empty"));
        const ImportPlan plan = planImport(path("empty"), log());
        QVERIFY(plan.runs.empty());
        QVERIFY2(plan.whyNot.english().find("no runs of TensorBoard") != std::string::npos,
            plan.whyNot.english().c_str());
    }
};

QTEST_GUILESS_MAIN(TestImportPlan)
#include "tst_import_plan.moc"
