// SPDX-License-Identifier: Apache-2.0
#include "app/exit_code.h"
#include "engine/exchange/tensorboard_event.h"
#include "tests/app/command_line_fixture.h"

#include "run_log_fixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace accrue;
using Json = nlohmann::json;

// accrue import and accrue export --tensorboard as a user and a script call them.
class TestImportCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();

    void needsExactlyOneSource();
    void importsEventFilesAndNamesWhatItCannotRead();
    void aFolderWithoutEventsIsAnError();
    void showsTheColumnsOfACsvFileBefore();
    void aScriptHasToSayYes();
    void aWrongMapImportsNothing();
    void severalLogsBecomeOne();
    void refusesItselfAndWhatIsNoLog();
    void skipsDamagedRunsOnRequest();
    void exportsForTensorBoardAndBack();

private:
    std::string path(const std::string& name) const { return pathOf(*m_folder, name).string(); }
    CommandResult run(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), { "--db", path("runs.db") });
        return runAccrue(arguments);
    }
    Json json(std::vector<std::string> arguments) const
    {
        arguments.emplace_back("--json");
        const CommandResult result = run(arguments);
        return result.code == kExitDone ? Json::parse(result.out) : Json(result.err);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

bool contains(const std::string& text, const std::string& words)
{
    return QString::fromStdString(text).simplified().contains(QString::fromStdString(words));
}

} // namespace

void TestImportCommand::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    useHome(pathOf(*m_folder, "home"));
}

void TestImportCommand::needsExactlyOneSource()
{
    for (const std::vector<std::string>& words :
        { std::vector<std::string> { "import" }, { "import", "a.db", "--csv", "b.csv" },
            { "import", "--csv", "b.csv", "--tensorboard", "logs" } }) {
        const CommandResult result = run(words);
        QCOMPARE(result.code, kExitWrongInput);
        QVERIFY2(contains(result.err, "import needs what to import"), result.err.c_str());
    }
    QVERIFY(contains(run({ "import", "a.db", "--dry-run" }).err, "are for CSV files"));
}

void TestImportCommand::importsEventFilesAndNamesWhatItCannotRead()
{
    std::string events;
    appendScalar(events, 10, 1, "loss", 0.5);
    appendScalar(events, 11, 2, "loss", 0.25);
    writeFile(path("logs/a/tfevents.1"), events.substr(0, events.size() - 1));
    writeFile(path("logs/b/tfevents.1"), "no event file");
    const Json first = json({ "import", "--tensorboard", path("logs") });
    QCOMPARE(first["runs"].size(), std::size_t { 1 });
    QVERIFY(first["runs"][0]["result"] == "added" && first["runs"][0]["name"] == "a");
    QCOMPARE(first["problems"].size(), std::size_t { 2 });
    QVERIFY(contains(first["problems"][0], "ends within a record"));
    QVERIFY(contains(first["problems"][1], "is not an event file"));
    writeFile(path("logs/a/tfevents.1"), events);
    QVERIFY(json({ "import", "--tensorboard", path("logs") })["runs"][0]["result"] == "updated");
    QVERIFY(json({ "import", "--tensorboard", path("logs") })["runs"][0]["result"] == "unchanged");
    QVERIFY(contains(run({ "list" }).out, "a"));
}

void TestImportCommand::aFolderWithoutEventsIsAnError()
{
    writeFile(path("logs/notes.txt"), "notes");
    const CommandResult result = run({ "import", "--tensorboard", path("logs") });
    QCOMPARE(result.code, kExitWrongInput);
    QVERIFY2(contains(result.err, "There are no runs of TensorBoard"), result.err.c_str());
    QVERIFY(!std::filesystem::exists(path("runs.db")));
}

void TestImportCommand::showsTheColumnsOfACsvFileBefore()
{
    writeFile(path("m.csv"), "epoch,step,val_acc\n0,10,0.5\n1,20,0.75\n");
    const CommandResult shown = run({ "import", "--csv", path("m.csv"), "--dry-run" });
    QCOMPARE(shown.code, kExitDone);
    QVERIFY2(contains(shown.err, "val_acc 0.5 metric val_acc"), shown.err.c_str());
    QVERIFY(!std::filesystem::exists(path("runs.db")));
    const Json mapping =
        json({ "import", "--csv", path("m.csv"), "--dry-run", "--map", "val_acc=test_accuracy" });
    QVERIFY(mapping["rows"] == 2);
    QVERIFY(mapping["columns"][1]["role"] == "step");
    QVERIFY(mapping["columns"][2]["metric"] == "test_accuracy");
}

void TestImportCommand::aScriptHasToSayYes()
{
    writeFile(path("m.csv"), "step,loss\n1,0.5\n");
    const CommandResult asked = run({ "import", "--csv", path("m.csv") });
    QCOMPARE(asked.code, kExitWrongInput);
    QVERIFY2(contains(asked.err, "import with --yes"), asked.err.c_str());
    const Json done = json({ "import", "--csv", path("m.csv"), "--yes" });
    QVERIFY(done["runs"][0]["name"] == "m");
}

void TestImportCommand::aWrongMapImportsNothing()
{
    writeFile(path("m.csv"), "step,loss\n1,0.5\n");
    const CommandResult result =
        run({ "import", "--csv", path("m.csv"), "--yes", "--map", "los=step" });
    QCOMPARE(result.code, kExitWrongInput);
    QVERIFY2(contains(result.err, "--map: There is no column los."), result.err.c_str());
    QVERIFY(contains(run({ "import", "--csv", path("none.csv"), "--yes" }).err, "none.csv"));
    QVERIFY(!std::filesystem::exists(path("runs.db")));
}

void TestImportCommand::severalLogsBecomeOne()
{
    for (const char* name : { "a.db", "b.db" }) {
        RunLogWriter log(path(name));
        writeRun(log, name, 5);
    }
    const CommandResult result = run({ "import", path("a.db"), path("b.db") });
    QCOMPARE(result.code, kExitDone);
    QVERIFY2(contains(result.out, "2 runs added, 0 updated, 0 unchanged"), result.out.c_str());
    QCOMPARE(json({ "list" }).size(), std::size_t { 2 });
    QCOMPARE(run({ "doctor", "--check-log" }).code, kExitDone);
}

void TestImportCommand::refusesItselfAndWhatIsNoLog()
{
    {
        RunLogWriter log(path("runs.db"));
        writeRun(log, "mine", 5);
    }
    const CommandResult itself = run({ "import", path("runs.db") });
    QCOMPARE(itself.code, kExitWrongInput);
    QVERIFY2(contains(itself.err, "is the run log to import into"), itself.err.c_str());
    writeFile(path("text.db"), std::string(200, 'x'));
    for (const char* name : { "text.db", "none.db" })
        QCOMPARE(run({ "import", path(name) }).code, kExitWrongInput);
    const CommandResult nothing = run({ "import", "" });
    QCOMPARE(nothing.code, kExitWrongInput);
    QVERIFY2(contains(nothing.err, "import needs what to import"), nothing.err.c_str());
}

void TestImportCommand::skipsDamagedRunsOnRequest()
{
    {
        RunLogWriter log(path("a.db"));
        writeRun(log, "damaged", 5);
        writeRun(log, "whole", 5);
    }
    execute(path("a.db"), "UPDATE steps SET loss = 7.0 WHERE run_id = 1 AND step = 3");
    const CommandResult refused = run({ "import", path("a.db") });
    QCOMPARE(refused.code, kExitFailed);
    QVERIFY2(contains(refused.err, "so nothing was imported"), refused.err.c_str());
    const CommandResult result = run({ "import", path("a.db"), "--damaged" });
    QCOMPARE(result.code, kExitDone);
    QVERIFY2(contains(result.err, "Not imported, because it is damaged: table steps, run #1"),
        result.err.c_str());
    QCOMPARE(json({ "list" }).size(), std::size_t { 1 });
}

void TestImportCommand::exportsForTensorBoardAndBack()
{
    {
        RunLogWriter log(path("runs.db"));
        writeRun(log, "mine", 5);
    }
    const Json wrote = json({ "export", "--tensorboard", path("logs") });
    QVERIFY(wrote["runs"] == 1);
    QVERIFY(wrote["values"] == 50);
    QVERIFY(
        contains(run({ "export", "--tensorboard", path("logs"), "--csv", "x.csv" }).err, "either"));
    const Json read = json({ "import", "--tensorboard", path("logs") });
    QVERIFY(read["runs"][0]["name"] == "mine-1");
    QCOMPARE(read["problems"].size(), std::size_t { 0 });
}

QTEST_GUILESS_MAIN(TestImportCommand)
#include "tst_import_command.moc"
