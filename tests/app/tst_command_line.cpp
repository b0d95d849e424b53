// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "run_log_fixture.h"

#include "engine/base/language.h"
#include "engine/door/checkpoints.h"
#include "engine/door/loader.h"
#include "engine/logfile/lock_file.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"
#include "tests/app/command_line_fixture.h"
#include "tests/support/fake_engine.h"
#include "tests/support/idx_files.h"
#include "tests/support/waiting.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <limits>
#include <memory>
#include <sstream>
#include <thread>
#include <utility>

#include <unistd.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace accrue;
using namespace std::chrono_literals;

namespace {

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

QJsonArray arrayOf(const std::string& json)
{
    return QJsonDocument::fromJson(bytes(json)).array();
}

QJsonObject objectOf(const std::string& json)
{
    return QJsonDocument::fromJson(bytes(json)).object();
}

QString member(const QJsonObject& object, const char* name)
{
    return object.value(QLatin1String(name)).toString();
}

const std::vector<std::string> kTwoEpochs { "train", "first-run", "--set", "run.epochs=2" };
const std::vector<std::string> kResume { "resume", "1" };

// Breaks when all of the run's events are on their way.
class BreakingEngine : public FakeEngine {
public:
    RunEnded train(const TrainRequest& request, RunControl& control, EventSink& events) override
    {
        FakeEngine::train(request, control, events);
        throw std::runtime_error("The engine broke.");
    }
};

} // namespace

// The command line in this process, on a fake engine and a real run log in a temporary home.
class TestCommandLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void trainingEndsWithATableOfResults();
    void trainingPrintsJsonLinesThatAreInTheLog();
    void trainingWithoutALogSavesTheModelElsewhere();
    void trainingsWithoutALogHaveFoldersThatTellThemApart();
    void settingsDeviceAndNameReachTheRun();
    void allFindingsAreSaidAtOnceWithTheirLines();
    void aSettingCanMendARecipe();
    void findingsNameTheOptionThatGaveTheKey();
    void settingsThatCannotBeReadAreSaid();
    void aDataFolderThatIsNoneIsSaid();
    void imagesOfOneValueAreWrongInput();
    void warningsDoNotStop();
    void whatTheDataSetIsTooSmallForIsSaidBeforeTheStart();
    void trainWithoutARecipeNamesThem();
    void wrongInputIsOneSentenceAndTwo_data();
    void wrongInputIsOneSentenceAndTwo();
    void rawBytesOfAnArgumentNeverReachTheTerminal();
    void aNameIsTakenAsItStands();
    void aMissingDataSetNamesWhereItWasSearched();
    void aMissingDeviceNamesThoseThatAreThere();
    void outcomesHaveTheirExitCodes();
    void ctrlCStopsSavesAndSaysWhere();
    void terminationStopsAndEndsWith143();
    void aStopEndsAPauseOfNoStep();
    void aLogThatLacksTheEndIsAFailure();
    void anEngineThatBreaksIsAFailure();
    void aFullDiskIsNoWrongInput();
    void ctrlCEndsARunWhoseLogCannotBeWritten();

    void aStoppedRunSaysHowItGoesOnAndDoes();
    void aRunWithoutACheckpointBeginsAgain();
    void damageIsFoundAndNeverExported();
    void memoryOfADamagedLogIsShown();
    void anOlderLogIsCheckedAsFarAsItCanBe();
    void aResumedRunKeepsItsNameAndLastSettings();
    void aDamagedCheckpointIsNamedAndTheOneBeforeOffered();
    void withoutAWholeCheckpointTheBeginningIsOffered();
    void aCheckpointCanBeNamed();
    void anotherCutOfTheSameBatchGoesOn();
    void whatARunWasTrainedWithStays();
    void whatCannotBeResumedIsSaid();
    void dataThatTheRunWasNotTrainedOnAreSaidBeforeAnythingIsLogged();
    void aCheckpointThatIsNotTheRunsIsRefused_data();
    void aCheckpointThatIsNotTheRunsIsRefused();
    void aRunIsNotResumedToAnEndThatItHasPassed();
    void aStoppedRunWhoseRatesKnowItsLengthKeepsIt();
    void aFolderThatIsALinkIsRefusedAndWhatIsBehindItStays();
    void checkpointsThatLinkInACircleAreNamed();

    void listOfNoLogIsEmptyWithAHint();
    void listShowsRunsNewestFirst();
    void aLongNameDoesNotWidenTheTable();
    void showTellsSettingsResultsAndEvents();
    void aResumedRunSaysWhichAttemptItIs();
    void compareShowsWhatDiffers();
    void compareShowsTheThreadsThatWereUsed();
    void anUnknownRunIsAnErrorWithCandidates();
    void memoryTellsWhatItWasFor();
    void trainingTellsMemoryWhereItChanges();
    void memoryOfAStepIsThatOfItsWindow();
    void memoryThatWasNotMeteredIsSaid();
    void exportWritesCsv();
    void archivedRunsAreHiddenUntilUnarchived();
    void pruneDeletesArchivedRunsOnlyAfterAYes();

    void aPrunedLogThatCannotBeMadeSmallerIsSaid();

    void recipesListsShippedAndOwn();
    void recipesSaysWhichOwnOneIsHidden();
    void dataSaysWhatIsFoundAndWhereItSearched();
    void doctorWorksWithAndWithoutAnEngine();
    void doctorSaysWhichCheckpointsAreDamaged();
    void selfTestJoinsTheEnginesChecksAndTheLogs();
    void versionIsTold();
    void everyCommandTellsJson_data();
    void everyCommandTellsJson();
    void aFullDiskBehindTheOutputIsAnError();

private:
    CommandResult trainQuickly(const std::vector<std::string>& more = {});
    // A call that trains run #1, of 20 steps, and is stopped after one of them.
    CommandResult stopAfter(
        std::int64_t step, const std::vector<std::string>& call, int signal = SIGINT);
    std::filesystem::path log() const { return pathOf(*m_home, "data/accrue/runs.db"); }
    std::filesystem::path checkpointOf(int run) const
    {
        return RunLogReader(log()).run(RunId { run }).checkpoint;
    }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeEngine> m_engine;
    std::int64_t m_done = 0; // steps that stopAfter has let through
};

void TestCommandLine::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
    useHome(pathOf(*m_home, ""));
    m_engine = std::make_unique<FakeEngine>();
    m_done = 0;
    setEngineForTesting(m_engine.get());
}

void TestCommandLine::cleanup()
{
    setEngineForTesting(nullptr);
}

CommandResult TestCommandLine::trainQuickly(const std::vector<std::string>& more)
{
    std::vector<std::string> arguments = kTwoEpochs;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runAccrue(arguments);
}

void TestCommandLine::trainingEndsWithATableOfResults()
{
    const CommandResult result = trainQuickly();
    QVERIFY2(result.code == 0, result.err.c_str());
    const QByteArray out = bytes(result.out);
    for (const char* part : { "first-run: completed", "Test accuracy", "best", "b 32 × N 4 = B 128",
             "Throughput", "Peak memory (training)", "Peak memory (evaluation)", "Model", "#1 in ",
             "accrue export --csv run-1.csv" })
        QVERIFY2(out.contains(part), part);
    QCOMPARE(bytes(result.err).count("epoch "), 2);
    QVERIFY(!out.contains('\x1b'));
    QVERIFY(std::filesystem::exists(checkpointOf(1)));
}

void TestCommandLine::trainingPrintsJsonLinesThatAreInTheLog()
{
    const CommandResult result = trainQuickly({ "--json" });
    QCOMPARE(result.code, 0);
    std::vector<double> losses;
    QStringList events;
    for (const std::string& line : linesOf(result.out)) {
        const QJsonObject object = objectOf(line);
        events << member(object, "event");
        if (events.back() == QLatin1String("step"))
            losses.push_back(object.value(QLatin1String("loss")).toDouble());
    }
    QCOMPARE(events.mid(0, 3).join(QLatin1Char(' ')), QStringLiteral("run_started plan step"));
    QCOMPARE(events.last(), QStringLiteral("run_ended"));
    QCOMPARE(losses.size(), std::size_t { 20 });
    RunLogReader reader(log());
    const auto points = reader.series(RunId { 1 }, "loss", Axis::Step);
    QCOMPARE(points.size(), losses.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        QCOMPARE(points[i].y, losses[i]);
}

void TestCommandLine::trainingWithoutALogSavesTheModelElsewhere()
{
    const CommandResult result = trainQuickly({ "--db", "none" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY(!std::filesystem::exists(log()));
    const std::filesystem::path folder = m_engine->lastRequest().checkpointFolder;
    QCOMPARE(folder.parent_path(), pathOf(*m_home, "data/accrue/checkpoints"));
    QVERIFY(std::filesystem::exists(checkpointAt(folder, 20) / "model.safetensors"));
    QVERIFY2(bytes(result.out).contains(bytes(folder.string())), result.out.c_str());
    QVERIFY(bytes(result.out).simplified().contains("Run log none"));
}

// Several may begin in one second, and a run's name may be of any length.
void TestCommandLine::trainingsWithoutALogHaveFoldersThatTellThemApart()
{
    std::string name = "x";
    while (name.size() < 300)
        name += "ä";
    const CommandResult result = trainQuickly({ "--db", "none", "--name", name });
    QVERIFY2(result.code == 0, result.err.c_str());
    const std::filesystem::path folder = m_engine->lastRequest().checkpointFolder;
    QVERIFY(std::filesystem::exists(checkpointAt(folder, 20) / "model.safetensors"));
    const QByteArray file = bytes(folder.filename().string());
    QVERIFY2(file.endsWith("-" + QByteArray::number(getpid())), file.constData());
    QVERIFY2(file.startsWith(bytes(name.substr(0, 99)) + "-"), file.constData());
}

void TestCommandLine::settingsDeviceAndNameReachTheRun()
{
    const CommandResult result = runAccrue({ "--set", "batch.micro=16", "train", "first-run",
        "--set", "run.limit_steps=3", "--device", "cpu", "--name", "small steps" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const Experiment experiment = m_engine->lastRequest().resolved.experiment;
    QCOMPARE(experiment.batch.micro.value, std::int64_t { 16 });
    QCOMPARE(experiment.run.device, std::string("cpu"));
    QCOMPARE(experiment.name, std::string("small steps"));
    RunLogReader reader(log());
    QCOMPARE(reader.run(reader.resolve("small steps")).step, std::int64_t { 3 });
}

void TestCommandLine::allFindingsAreSaidAtOnceWithTheirLines()
{
    const auto recipe = pathOf(*m_home, "bad.toml");
    writeFile(recipe, "[batch]\nmicro = 0\nmicros = 3\n\n[optimizer]\nlr = nan\n");
    const CommandResult result =
        runAccrue({ "train", recipe.string(), "--set", "model.norm=purple" });
    QCOMPARE(result.code, 2);
    const QByteArray err = bytes(result.err);
    const QByteArray source = bytes(recipe.string());
    QVERIFY2(err.contains(source + ":2: batch.micro: "), err.constData());
    QVERIFY2(err.contains(source + ":3: batch.micros: "), err.constData());
    QVERIFY2(err.contains(source + ":6: optimizer.lr: "), err.constData());
    QVERIFY2(err.contains("--set: model.norm: "), err.constData());
    QCOMPARE(m_engine->trainings(), 0);
    QVERIFY(!std::filesystem::exists(log()));
}

void TestCommandLine::aSettingCanMendARecipe()
{
    const auto recipe = pathOf(*m_home, "short.toml");
    writeFile(recipe, "[run]\nepochs = 0\n");
    QCOMPARE(runAccrue({ "train", recipe.string() }).code, 2);
    const CommandResult mended = runAccrue({ "train", recipe.string(), "--set", "run.epochs=1" });
    QVERIFY2(mended.code == 0, mended.err.c_str());
}

void TestCommandLine::findingsNameTheOptionThatGaveTheKey()
{
    const auto recipe = pathOf(*m_home, "base.toml");
    writeFile(recipe, "name = \"\"\nrun.device = \"cuda:7\"\n");
    const CommandResult ranges =
        runAccrue({ "train", recipe.string(), "--set", "run.epochs=0", "--device", "foo" });
    QCOMPARE(ranges.code, 2);
    const QByteArray err = bytes(ranges.err);
    QVERIFY2(err.contains("--set: run.epochs: 0; allowed: "), err.constData());
    QVERIFY2(err.contains("--device: run.device: \"foo\"; allowed: "), err.constData());
    QVERIFY2(err.contains(bytes(recipe.string()) + ":1: name: empty; allowed: "), err.constData());

    const CommandResult named = runAccrue({ "train", "first-run", "--name", "" });
    QVERIFY2(bytes(named.err).startsWith("--name: name: empty; allowed: "), named.err.c_str());
    const CommandResult line = runAccrue({ "train", recipe.string(), "--name", "x" });
    QVERIFY2(bytes(line.err).contains(bytes(recipe.string()) + ":2: run.device is cuda:7, but"),
        line.err.c_str());
    const CommandResult set = trainQuickly({ "--set", "run.device=cuda:9" });
    QVERIFY2(bytes(set.err).contains("--set run.device is cuda:9, but"), set.err.c_str());
    const CommandResult device = trainQuickly({ "--device", "cuda" });
    QVERIFY2(bytes(device.err).contains("accrue: --device is cuda, but"), device.err.c_str());
    QCOMPARE(m_engine->trainings(), 0);
}

void TestCommandLine::settingsThatCannotBeReadAreSaid()
{
    const auto settings = pathOf(*m_home, "config/accrue/settings.toml");
    writeFile(settings, "run_log = \"" + pathOf(*m_home, "mine.db").string() + "\"\n= broken\n");
    const std::string warning = "warning: " + settings.string() + " is not TOML: line 2";
    for (const std::string command : { "list", "data", "prune" }) {
        const CommandResult result = runAccrue({ command });
        QCOMPARE(result.code, 0);
        QVERIFY2(bytes(result.err).startsWith(bytes(warning)), result.err.c_str());
        QVERIFY2(
            bytes(result.err).contains(". The default is used instead.\n"), result.err.c_str());
    }
    QVERIFY2(bytes(trainQuickly().err).startsWith(bytes(warning)), "train");
    const CommandResult named = runAccrue({ "list", "--db", log().string() });
    QVERIFY2(named.err.empty(), named.err.c_str()); // the settings do not matter here
}

void TestCommandLine::aDataFolderThatIsNoneIsSaid()
{
    const std::string folder = pathOf(*m_home, "no-such").string();
    const std::string warning = "warning: --data " + folder + " is not a folder";
    for (const CommandResult& result : { runAccrue({ "data", "--data", folder }),
             runAccrue({ "doctor", "--data", folder }), trainQuickly({ "--data", folder }) }) {
        QCOMPARE(result.code, 0);
        QVERIFY2(bytes(result.err).startsWith(bytes(warning)), result.err.c_str());
    }
}

void TestCommandLine::imagesOfOneValueAreWrongInput()
{
    using namespace test;
    const auto folder = writtenDataSet(pathOf(*m_home, "constant"));
    written(folder / "train-images-idx3-ubyte", idxHeader({ 20, 4, 3 }) + std::string(240, '\0'));
    const CommandResult result =
        trainQuickly({ "--set", "data.name=idx", "--set", "data.path=" + folder.string() });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("all its pixels are 0"), result.err.c_str());
    QVERIFY(!std::filesystem::exists(log()));
}

void TestCommandLine::warningsDoNotStop()
{
    const auto recipe = pathOf(*m_home, "norm.toml");
    writeFile(recipe, "[model]\nnorm = \"batch\"\n[batch]\nmicro = 2\n[run]\nlimit_steps = 2\n");
    const CommandResult result = runAccrue({ "train", recipe.string() });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(bytes(result.err).contains(": warning: "), result.err.c_str());
}

// The digits are 12 000: with B = 11 999 the last window has one sample.
void TestCommandLine::whatTheDataSetIsTooSmallForIsSaidBeforeTheStart()
{
    const auto recipe = pathOf(*m_home, "tail.toml");
    writeFile(recipe,
        "[model]\nname = \"mlp\"\nnorm = \"batch\"\nbatchnorm_momentum = \"corrected\"\n"
        "[batch]\nsteps = \"auto\"\neffective = 11999\n");
    const CommandResult tail = runAccrue({ "train", recipe.string() });
    QCOMPARE(tail.code, 2);
    QVERIFY2(bytes(tail.err).contains(bytes(recipe.string()) + ":7: batch.effective: "),
        tail.err.c_str());
    QCOMPARE(m_engine->trainings(), 0);
    QVERIFY(!std::filesystem::exists(log()));
}

void TestCommandLine::trainWithoutARecipeNamesThem()
{
    const CommandResult result = runAccrue({ "train" });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("first-run"), result.err.c_str());
}

void TestCommandLine::wrongInputIsOneSentenceAndTwo_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("names");
    const auto row = [](const char* title, const char* arguments, const char* names) {
        QTest::newRow(title) << QString::fromUtf8(arguments).split(QLatin1Char(' '))
                             << QByteArray(names);
    };
    row("no such recipe", "train no-such-recipe", "no-such-recipe");
    row("recipe that is not there", "train ./no/such.toml", "no/such.toml");
    row("two recipes", "train first-run mlp-digits", "one recipe");
    row("recipe that is a folder", "train /", "/");
    row("setting without a value", "train first-run --set batch.micro", "batch.micro");
    row("negative size", "train first-run --set batch.micro=-1", "batch.micro");
    row("numbers that disagree",
        "train first-run --set batch.effective=100 --set batch.micro=32 --set batch.steps=2",
        "batch.");
    row("setting given twice", "train first-run --set batch.micro=16 --set batch.micro=17",
        "batch.micro is set twice, by --set batch.micro=16 and by --set batch.micro=17");
    row("setting and option", "train first-run --device cpu --set run.device=cuda",
        "run.device is set twice, by --set run.device=cuda and by --device cpu; set it once.");
    row("log that is a folder", "train first-run --db /", "/");
    row("log of something else", "list --db /etc/passwd", "/etc/passwd");
    row("none where a log is needed", "list --db none", "--db none");
    row("no name of a log", "list --db ", "--db is empty");
    row("no name of a log to train into", "train first-run --db ", "--db is empty");
    row("show without a run", "show", "accrue show 12");
    row("resume without a run", "resume", "accrue resume 12");
    row("resume of two runs", "resume 1 2", "one run");
    row("resume without a log", "resume 1", "runs.db");
    row("resume of no log", "resume 1 --db none", "--db none");
    row("compare of one run", "compare 1", "two runs");
    row("show without a log", "show 1", "runs.db");
    row("export without a file", "export", "--csv");
    row("empty recipe", "train ", "one recipe");
    row("data of no kind", "data download mnist", "mnist is neither");
    row("data get of nothing", "data get", "mnist, fashion-mnist, cifar10, cifar100");
    row("data get of an unknown set", "data get mnist emnist", "emnist cannot be downloaded");
    row("data get into nowhere", "data get mnist --data ", "--data is empty");
    row("data get into a file", "data get mnist --data /etc/passwd",
        "/etc/passwd cannot be created");
    row("one mirror for two sets", "data get mnist cifar10 --mirror http://a.example",
        "--mirror works for one data set");
    row("mirror that is none", "data get mnist --mirror file:///etc", "file:///etc");
    row("mirror for the list", "data list --mirror http://a.example", "data get only");
    row("mistyped recipe", "train first-runn", "did you mean first-run?");
}

void TestCommandLine::wrongInputIsOneSentenceAndTwo()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, names);
    std::vector<std::string> words;
    for (const QString& word : arguments)
        words.push_back(word.toStdString());
    const CommandResult result = runAccrue(words);
    QCOMPARE(result.code, 2);
    QVERIFY(result.out.empty());
    const QByteArray err = bytes(result.err);
    QVERIFY2(err.contains(names), err.constData());
    for (const char* never : { "exception", "std::", "terminate", "what()" })
        QVERIFY2(!err.contains(never), err.constData());
}

void TestCommandLine::rawBytesOfAnArgumentNeverReachTheTerminal()
{
    const CommandResult result = runAccrue({ "train", "caf\xE9" });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).startsWith("caf\\xE9: There is no recipe caf\\xE9: "),
        result.err.c_str());
}

void TestCommandLine::aNameIsTakenAsItStands()
{
    QCOMPARE(trainQuickly({ "--name", "\"b 32\"" }).code, 0);
    QCOMPARE(RunLogReader(log()).run(RunId { 1 }).name, std::string("\"b 32\""));
    QCOMPARE(trainQuickly({ "--set", "name=\"b 32\"" }).code, 0);
    QCOMPARE(RunLogReader(log()).run(RunId { 2 }).name, std::string("b 32"));
}

void TestCommandLine::aMissingDataSetNamesWhereItWasSearched()
{
    const auto folder = pathOf(*m_home, "sets");
    const CommandResult result = runAccrue({ "train", "lenet5-mnist", "--data", folder.string() });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains(bytes(folder.string())), result.err.c_str());
    QVERIFY2(bytes(result.err).contains("--data"), result.err.c_str());
    QCOMPARE(m_engine->trainings(), 0);
}

void TestCommandLine::aMissingDeviceNamesThoseThatAreThere()
{
    const CommandResult result = trainQuickly({ "--device", "cuda" });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("cpu (Fake CPU)"), result.err.c_str());
    QVERIFY(bytes(result.err).contains("--device cpu"));
    QVERIFY(!std::filesystem::exists(log()));
}

void TestCommandLine::outcomesHaveTheirExitCodes()
{
    m_engine->setOptions({ .divergeAtStep = 3 });
    const CommandResult diverged = trainQuickly();
    QCOMPARE(diverged.code, 1);
    QVERIFY2(bytes(diverged.out).contains("diverged"), diverged.out.c_str());
    m_engine->setOptions({ .outOfMemoryAtStep = 3 });
    QCOMPARE(trainQuickly().code, 1);
    m_engine->setOptions({ .failAtStep = 3 });
    QCOMPARE(trainQuickly().code, 1);
    m_engine->setOptions({ .failToStart = true });
    QCOMPARE(trainQuickly({ "--json" }).code, 1);
}

void TestCommandLine::ctrlCStopsSavesAndSaysWhere()
{
    m_engine->setOptions({ .held = true });
    m_engine->allowSteps(5);
    auto training = std::async(std::launch::async, [this] { return trainQuickly(); });
    QVERIFY(m_engine->waitForStep(5));
    kill(getpid(), SIGINT);
    const CommandResult result = training.get();
    QCOMPARE(result.code, 130);
    QVERIFY2(bytes(result.err).contains("Stopping"), result.err.c_str());
    const std::string folder = m_engine->lastRequest().checkpointFolder.string();
    QVERIFY2(bytes(result.out).contains(bytes(folder)), result.out.c_str());
    RunLogReader reader(log());
    const RunRecord run = reader.run(RunId { 1 });
    QVERIFY(run.outcome == RunOutcome::Stopped);
    QCOMPARE(run.step, std::int64_t { 5 });
}

void TestCommandLine::terminationStopsAndEndsWith143()
{
    m_engine->setOptions({ .held = true });
    m_engine->allowSteps(1);
    auto training = std::async(std::launch::async, [this] { return trainQuickly({ "--json" }); });
    QVERIFY(m_engine->waitForStep(1));
    kill(getpid(), SIGTERM);
    const CommandResult result = training.get();
    QCOMPARE(result.code, 143);
    const QJsonObject last = objectOf(linesOf(result.out).back());
    QCOMPARE(member(last, "event"), QStringLiteral("run_ended"));
    QCOMPARE(member(last, "outcome"), QStringLiteral("stopped"));
}

void TestCommandLine::aStopEndsAPauseOfNoStep()
{
    m_engine->setOptions({ .held = true }); // not one step is let through
    auto training = std::async(std::launch::async, [this] {
        return trainQuickly({ "--db", "none", "--json" });
    });
    while (m_engine->trainings() == 0)
        m_engine->waitForStep(1, std::chrono::milliseconds(5));
    kill(getpid(), SIGINT);
    QCOMPARE(training.get().code, 130);
}

void TestCommandLine::aLogThatLacksTheEndIsAFailure()
{
    m_engine->setOptions({ .held = true });
    m_engine->allowSteps(5);
    auto training = std::async(std::launch::async, [this] { return trainQuickly(); });
    QVERIFY(m_engine->waitForStep(5));
    QTRY_COMPARE(RunLogReader(log()).run(RunId { 1 }).step, std::int64_t { 5 });
    LockFile other(log(), LockFile::Purpose::Writing);
    QTRY_VERIFY(other.tryTurn());
    m_engine->allowSteps(1000);
    const CommandResult result = training.get();
    QCOMPARE(result.code, 1);
    QVERIFY2(
        bytes(result.err).contains("the log lacks everything after step 5"), result.err.c_str());
    QVERIFY2(
        bytes(result.err).contains("Another process has held the run log"), result.err.c_str());
    QVERIFY2(!bytes(result.err).contains("is written when"), result.err.c_str());
    QVERIFY2(bytes(result.out).contains("first-run: completed"), result.out.c_str());
    QVERIFY(RunLogReader(log()).run(RunId { 1 }).state == RunState::Interrupted);
}

void TestCommandLine::anEngineThatBreaksIsAFailure()
{
    BreakingEngine engine;
    setEngineForTesting(&engine);
    const CommandResult result = trainQuickly({ "--json" });
    QCOMPARE(result.code, 1);
    QVERIFY2(bytes(result.err).contains("The engine broke."), result.err.c_str());
    QVERIFY2(bytes(result.out).contains("run_ended"), result.out.c_str()); // emitted before it left
}

void TestCommandLine::aFullDiskIsNoWrongInput()
{
    {
        const FileSizeLimit limit(2000);
        const CommandResult result = trainQuickly();
        QCOMPARE(result.code, 1);
        QVERIFY2(bytes(result.err).contains("Free some space"), result.err.c_str());
    }
    QCOMPARE(runAccrue({ "train", "first-run", "--set", "run.epochs=50" }).code, 0);
    const FileSizeLimit limit(50'000);
    const CommandResult result =
        runAccrue({ "export", "--csv", pathOf(*m_home, "x.csv").string() });
    QCOMPARE(result.code, 1);
    QVERIFY2(bytes(result.err).contains("The CSV file"), result.err.c_str());
}

void TestCommandLine::ctrlCEndsARunWhoseLogCannotBeWritten()
{
    m_engine->setOptions({ .trainSamples = std::int64_t { 1 } << 40, .held = true });
    m_engine->allowSteps(1);
    auto training = std::async(std::launch::async, [this] { return trainQuickly(); });
    QVERIFY(m_engine->waitForStep(1));
    LockFile other(log(), LockFile::Purpose::Writing);
    QTRY_VERIFY(other.tryTurn());
    m_engine->allowSteps(std::int64_t { 1 } << 40); // until the queue is full and the session hangs
    std::int64_t emitted = 1;
    while (m_engine->waitForStep(emitted + 1, std::chrono::milliseconds(300)))
        emitted += 1000;
    kill(getpid(), SIGINT);
    m_engine->waitForStep(std::numeric_limits<std::int64_t>::max()); // that is, for its end
    QVERIFY(std::filesystem::exists(m_engine->lastRequest().checkpointFolder));
    other.endTurn();
    QCOMPARE(training.get().code, 130);
    QVERIFY(RunLogReader(log()).run(RunId { 1 }).outcome == RunOutcome::Stopped);
}

CommandResult TestCommandLine::stopAfter(
    std::int64_t step, const std::vector<std::string>& call, int signal)
{
    const int before = m_engine->trainings();
    m_engine->setOptions({ .held = true });
    m_engine->allowSteps(step - std::exchange(m_done, step));
    auto training = std::async(std::launch::async, [&] { return runAccrue(call); });
    while (m_engine->trainings() == before && training.wait_for(1ms) != std::future_status::ready)
        std::this_thread::yield();
    m_engine->waitForStep(step);
    if (training.wait_for(0ms) != std::future_status::ready) // otherwise nobody takes the signal
        kill(getpid(), signal);
    const CommandResult result = training.get(); // held until the signal is heard
    m_engine->setOptions({});
    return result;
}

void TestCommandLine::aStoppedRunSaysHowItGoesOnAndDoes()
{
    const CommandResult stopped = stopAfter(5, kTwoEpochs);
    QCOMPARE(stopped.code, 130);
    QVERIFY2(bytes(stopped.out).simplified().contains("Resume accrue resume 1 Show"),
        stopped.out.c_str());
    const CommandResult result = runAccrue({ "resume", "1", "--json" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QCOMPARE(
        bytes(result.err), QByteArray("Resuming run #1 first-run as attempt 2 from step 5.\n"));
    const QJsonObject started = objectOf(linesOf(result.out).front());
    QCOMPARE(started.value(QLatin1String("id")).toInt(), 1);
    QCOMPARE(started.value(QLatin1String("attempt")).toInt(), 2);
    QCOMPARE(objectOf(linesOf(result.out)[2]).value(QLatin1String("step")).toInt(), 6);
    RunLogReader reader(log());
    const RunRecord run = reader.run(RunId { 1 });
    QVERIFY(run.outcome == RunOutcome::Completed);
    QCOMPARE(run.attempt, 2);
    const auto points = reader.series(run.id, "loss", Axis::Step);
    QCOMPARE(points.size(), std::size_t { 20 });
    QCOMPARE(points.back().x, 20.0);
    QCOMPARE(reader.runs().size(), std::size_t { 1 });
}

void TestCommandLine::aRunWithoutACheckpointBeginsAgain()
{
    m_engine->setOptions({ .failAtStep = 3 });
    const CommandResult failed = trainQuickly({ "--set", "run.threads=1" });
    QVERIFY2(bytes(failed.out).contains("accrue resume 1"), failed.out.c_str());
    m_engine->setOptions({});
    const CommandResult result = runAccrue({ "resume", "first-run" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(
        bytes(result.err)
            .startsWith(
                "Run #1 first-run restarts from step 0 as attempt 2: it has no saved checkpoint"),
        result.err.c_str());
    RunLogReader reader(log());
    QCOMPARE(reader.series(RunId { 1 }, "loss", Axis::Step).size(), std::size_t { 20 });
    QVERIFY(m_engine->lastRequest().resumeFrom.empty());
}

void TestCommandLine::damageIsFoundAndNeverExported()
{
    trainQuickly({ "--name", "damaged" });
    trainQuickly({ "--name", "whole" });
    const CommandResult whole = runAccrue({ "doctor", "--check-log" });
    QCOMPARE(whole.code, 0);
    QVERIFY2(bytes(whole.out).contains("is undamaged: 2 runs"), whole.out.c_str());
    execute(log(), "UPDATE steps SET loss = 7.5 WHERE run_id = 1 AND step = 3");
    const CommandResult found = runAccrue({ "doctor", "--check-log" });
    QCOMPARE(found.code, 1);
    QVERIFY2(bytes(found.out).contains("steps   #1        1  1 – 20"), found.out.c_str());
    const QJsonObject json = objectOf(runAccrue({ "doctor", "--check-log", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("whole")).toBool(true), false);
    const QJsonObject damage = json.value(QLatin1String("damage")).toArray().at(0).toObject();
    QCOMPARE(damage.value(QLatin1String("table")).toString(), QStringLiteral("steps"));
    QCOMPARE(damage.value(QLatin1String("last_step")).toInt(), 20);
    const std::string csv = pathOf(*m_home, "out.csv").string();
    const CommandResult refused = runAccrue({ "export", "--csv", csv });
    QCOMPARE(refused.code, 1);
    QVERIFY2(
        bytes(refused.err).contains("table steps, run #1, steps 1 to 20"), refused.err.c_str());
    QVERIFY(!std::filesystem::exists(csv));
    const CommandResult rest = runAccrue({ "export", "--csv", csv, "--damaged" });
    QCOMPARE(rest.code, 0);
    QVERIFY2(bytes(rest.err).contains("Not in the file: table steps, run #1"), rest.err.c_str());
    QVERIFY2(bytes(rest.out).contains("skipped, completely or partly: 1 run"), rest.out.c_str());
    QVERIFY(std::filesystem::exists(csv));
}

void TestCommandLine::memoryOfADamagedLogIsShown()
{
    std::filesystem::create_directories(log().parent_path());
    makeLogOfFormat5(log());
    execute(log(), "UPDATE memory SET peak_bytes = -1");
    const CommandResult shown = runAccrue({ "memory", "4" });
    QVERIFY2(shown.code == 0, shown.err.c_str());
    QVERIFY2(bytes(shown.out).contains("Micro-batch"), shown.out.c_str());
}

void TestCommandLine::anOlderLogIsCheckedAsFarAsItCanBe()
{
    std::filesystem::create_directories(log().parent_path());
    makeLogOfFormat5(log());
    const CommandResult whole = runAccrue({ "doctor", "--check-log" });
    QCOMPARE(whole.code, 0);
    QVERIFY2(bytes(whole.out).contains("Its format 5 has no checksums"), whole.out.c_str());
    execute(log(), "UPDATE runs SET step = 3 WHERE id = 1");
    QCOMPARE(runAccrue({ "doctor", "--check-log" }).code, 1);
}

void TestCommandLine::aResumedRunKeepsItsNameAndLastSettings()
{
    stopAfter(5, kTwoEpochs);
    RunLogWriter(log()).rename(RunId { 1 }, "mine");
    const CommandResult stopped =
        stopAfter(7, { "resume", "1", "--set", "batch.micro=16" }, SIGTERM);
    QVERIFY2(stopped.code == 143, stopped.err.c_str());
    const CommandResult result = runAccrue({ "resume", "mine" });
    QVERIFY2(bytes(result.out).startsWith("mine: completed\n"), result.out.c_str());
    QCOMPARE(m_engine->lastRequest().resolved.experiment.batch.micro.value, std::int64_t { 16 });
    QCOMPARE(RunLogReader(log()).run(RunId { 1 }).attempt, 3);
}

void TestCommandLine::aDamagedCheckpointIsNamedAndTheOneBeforeOffered()
{
    stopAfter(5, kTwoEpochs);
    stopAfter(8, kResume);
    const auto damaged = checkpointOf(1) / "checkpoint.toml";
    writeFile(damaged, "x");
    const CommandResult refused = runAccrue({ "resume", "1", "--db", log().string() });
    QCOMPARE(refused.code, 2);
    QCOMPARE(bytes(refused.err),
        bytes("accrue: \"" + damaged.string()
            + "\" is damaged. To resume from the one before it: accrue resume 1 --db '"
            + log().string() + "' --from step-000000005\n"));
    QCOMPARE(RunLogReader(log()).run(RunId { 1 }).attempt, 2);
    const CommandResult result = runAccrue({ "resume", "1", "--from", "step-000000005" });
    QVERIFY2(result.code == 0, result.err.c_str());
    RunLogReader reader(log());
    QCOMPARE(reader.series(RunId { 1 }, "loss", Axis::Step).size(), std::size_t { 20 });
    QCOMPARE(reader.attempts(RunId { 1 }).back().from.step, std::int64_t { 5 });
}

void TestCommandLine::withoutAWholeCheckpointTheBeginningIsOffered()
{
    stopAfter(5, kTwoEpochs);
    const auto damaged = checkpointOf(1) / "checkpoint.toml";
    writeFile(damaged, "");
    const CommandResult refused = runAccrue({ "resume", "1" });
    QCOMPARE(refused.code, 2);
    QCOMPARE(bytes(refused.err),
        bytes("accrue: \"" + damaged.string()
            + "\" is damaged. To start over from step 0: accrue resume 1 --from start\n"));
    QVERIFY(runAccrue({ "resume", "1", "--from", "start" }).code == 0);
    QCOMPARE(RunLogReader(log()).attempts(RunId { 1 }).back().from.step, std::int64_t { 0 });
}

void TestCommandLine::aCheckpointCanBeNamed()
{
    stopAfter(5, kTwoEpochs);
    stopAfter(8, kResume);
    for (const std::string name : { "step-6", "../run", "best" }) {
        const CommandResult refused = runAccrue({ "resume", "1", "--from=" + name });
        QCOMPARE(refused.code, 2);
        QVERIFY2(bytes(refused.err).contains("this run has start, step-000000008, step-000000005."),
            refused.err.c_str());
    }
    QVERIFY(runAccrue({ "resume", "1", "--from", "step-000000005" }).code == 0);
    QCOMPARE(m_engine->lastRequest().resumeFrom.filename().string(), std::string("step-000000005"));
}

void TestCommandLine::anotherCutOfTheSameBatchGoesOn()
{
    stopAfter(5, kTwoEpochs);
    const CommandResult result = runAccrue({ "resume", "1", "--set", "batch.steps=2" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const RunRecord run = RunLogReader(log()).run(RunId { 1 });
    QCOMPARE(run.plan.micro, std::int64_t { 64 });
    QCOMPARE(run.plan.effective, std::int64_t { 128 });
    QCOMPARE(RunLogReader(log()).series(run.id, "loss", Axis::Step).size(), std::size_t { 20 });
}

void TestCommandLine::whatARunWasTrainedWithStays()
{
    stopAfter(5, kTwoEpochs);
    const CommandResult result = runAccrue({ "resume", "1", "--set", "run.seed=7", "--set",
        "batch.effective=64", "--set", "batch.steps=2", "--set", "run.epochs=3" });
    QCOMPARE(result.code, 2);
    const QByteArray err = bytes(result.err);
    QVERIFY2(err.contains("--set: run.seed: 7, but the run was trained with 1; resume it"),
        err.constData());
    QVERIFY2(err.contains("--set: batch.effective: 64, but the run was trained with an effective "
                          "batch of 128 samples"),
        err.constData());
    QVERIFY(!err.contains("epochs"));
    QCOMPARE(RunLogReader(log()).run(RunId { 1 }).attempt, 1);
}

void TestCommandLine::whatCannotBeResumedIsSaid()
{
    m_engine->setOptions({ .held = true });
    m_engine->allowSteps(1);
    auto training = std::async(std::launch::async, [this] { return trainQuickly(); });
    QVERIFY(m_engine->waitForStep(1));
    const CommandResult running = runAccrue({ "resume", "1" });
    m_engine->allowSteps(1000);
    QCOMPARE(training.get().code, 0);
    QCOMPARE(running.code, 2);
    QVERIFY2(bytes(running.err).contains("is training now"), running.err.c_str());
    const CommandResult completed = runAccrue({ "resume", "1" });
    QCOMPARE(completed.code, 2);
    QVERIFY2(bytes(completed.err).contains("has completed"), completed.err.c_str());
    const CommandResult unknown = runAccrue({ "resume", "nobody" });
    QCOMPARE(unknown.code, 2);
    QVERIFY2(bytes(unknown.err).contains("nobody"), unknown.err.c_str());
}

void TestCommandLine::dataThatTheRunWasNotTrainedOnAreSaidBeforeAnythingIsLogged()
{
    stopAfter(5, kTwoEpochs);
    m_engine->setOptions({ .resumeProblem = Message::plain("The training samples are others.") });
    for (const std::vector<std::string>& from :
        { std::vector<std::string> {}, { "--from", "start" } }) {
        std::vector<std::string> words { "resume", "1" };
        words.insert(words.end(), from.begin(), from.end());
        const CommandResult refused = runAccrue(words);
        QCOMPARE(refused.code, 2);
        QCOMPARE(bytes(refused.err), bytes("accrue: The training samples are others.\n"));
    }
    QCOMPARE(RunLogReader(log()).run(RunId { 1 }).attempt, 1);
}

void TestCommandLine::aCheckpointThatIsNotTheRunsIsRefused_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("recipe") << QByteArray("lr = 0.02") << QByteArray("lr = 0.03")
                            << QByteArray(
                                   "optimizer.lr is 0.03, but the run was trained with 0.02");
    QTest::newRow("samples") << QByteArray("5 640 ") << QByteArray("5 641 ")
                             << QByteArray("saved after 641 samples in step 5");
}

void TestCommandLine::aCheckpointThatIsNotTheRunsIsRefused()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, says);
    stopAfter(5, kTwoEpochs);
    const auto file = checkpointOf(1) / "checkpoint.toml";
    const QByteArray changed = bytes(readFile(file)).replace(from, to);
    QVERIFY2(changed.contains(to), changed.constData());
    writeFile(file, changed.toStdString());
    for (const std::vector<std::string>& more :
        { std::vector<std::string> {}, std::vector<std::string> { "--from", "step-000000005" } }) {
        std::vector<std::string> call = kResume;
        call.insert(call.end(), more.begin(), more.end());
        const CommandResult refused = runAccrue(call);
        QCOMPARE(refused.code, 2);
        QVERIFY2(bytes(refused.err).contains(says), refused.err.c_str());
    }
    const CommandResult evaluated = runAccrue({ "evaluate", "1" });
    QCOMPARE(evaluated.code, 2);
    QVERIFY2(bytes(evaluated.err).contains(says), evaluated.err.c_str());
    QCOMPARE(runAccrue({ "doctor", "--check-checkpoints" }).code, 1);
    const CommandResult both = runAccrue({ "doctor", "--check-log", "--check-checkpoints" });
    QCOMPARE(both.code, 1); // the log is undamaged
    QVERIFY2(bytes(both.out).contains("is undamaged"), both.out.c_str());
    QVERIFY2(bytes(both.out).contains(says), both.out.c_str());
    QCOMPARE(runAccrue({ "doctor", "--check-log", "--check-checkpoints", "--json" }).code, 2);
}

void TestCommandLine::aRunIsNotResumedToAnEndThatItHasPassed()
{
    stopAfter(15, kTwoEpochs);
    const CommandResult shorter = runAccrue({ "resume", "1", "--set", "run.epochs=1" });
    QCOMPARE(shorter.code, 2);
    QVERIFY2(bytes(shorter.err).contains("run.epochs: 1, but the checkpoint is in epoch 2"),
        shorter.err.c_str());
    const CommandResult refused = runAccrue({ "resume", "1", "--set", "run.limit_steps=14" });
    QCOMPARE(refused.code, 2);
    QVERIFY2(bytes(refused.err).contains("run.limit_steps: 14, but the checkpoint is at step 15"),
        refused.err.c_str());
    QCOMPARE(runAccrue({ "resume", "1", "--set", "run.limit_steps=16" }).code, 0);
}

void TestCommandLine::aStoppedRunWhoseRatesKnowItsLengthKeepsIt()
{
    std::vector<std::string> cosine = kTwoEpochs;
    cosine.insert(cosine.end(), { "--set", "schedule.name=cosine" });
    stopAfter(5, cosine);
    for (const std::string other : { "run.epochs=4", "run.limit_steps=15" }) {
        const CommandResult refused = runAccrue({ "resume", "1", "--set", other });
        QCOMPARE(refused.code, 2);
        QVERIFY2(
            bytes(refused.err).contains("schedule.name is cosine, whose learning rates depend"),
            refused.err.c_str());
    }
    const RunRecord run = RunLogReader(log()).run(RunId { 1 });
    QCOMPARE(run.attempt, 1);
    QCOMPARE(run.experiment.run.epochs, 2);
    QCOMPARE(runAccrue({ "resume", "1", "--set", "run.limit_steps=20" }).code, 0); // as long
}

void TestCommandLine::aFolderThatIsALinkIsRefusedAndWhatIsBehindItStays()
{
    stopAfter(5, kTwoEpochs);
    const std::filesystem::path folder = checkpointOf(1).parent_path();
    const std::filesystem::path elsewhere = pathOf(*m_home, "elsewhere");
    std::filesystem::rename(folder, elsewhere);
    std::filesystem::create_directory_symlink(elsewhere, folder);
    for (const char* from : { "start", "step-000000005" }) {
        const CommandResult refused = runAccrue({ "resume", "1", "--from", from });
        QCOMPARE(refused.code, 2);
        QVERIFY2(bytes(refused.err).contains("is a link"), refused.err.c_str());
    }
    QVERIFY(std::filesystem::exists(elsewhere / "step-000000005" / "checkpoint.toml"));
    QCOMPARE(RunLogReader(log()).run(RunId { 1 }).attempt, 1);
}

void TestCommandLine::checkpointsThatLinkInACircleAreNamed()
{
    stopAfter(5, kTwoEpochs);
    const std::filesystem::path best = checkpointOf(1).parent_path() / "best";
    std::filesystem::create_symlink(best, best);
    for (const std::vector<std::string>& call :
        { std::vector<std::string> { "resume", "1", "--from", "best" },
            std::vector<std::string> { "evaluate", "1", "--from", "best" } }) {
        const CommandResult refused = runAccrue(call);
        QCOMPARE(refused.code, 2);
        QVERIFY2(bytes(refused.err).contains(bytes(best.string()))
                && !bytes(refused.err).contains("filesystem error"),
            refused.err.c_str());
    }
}

void TestCommandLine::listOfNoLogIsEmptyWithAHint()
{
    const CommandResult text = runAccrue({ "list" });
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.empty());
    QVERIFY2(bytes(text.err).contains("accrue train first-run"), text.err.c_str());
    const CommandResult json = runAccrue({ "list", "--json" });
    QCOMPARE(json.code, 0);
    QVERIFY(QJsonDocument::fromJson(bytes(json.out)).isArray());
    QVERIFY(!std::filesystem::exists(log()));
}

void TestCommandLine::listShowsRunsNewestFirst()
{
    QCOMPARE(trainQuickly({ "--name", "older" }).code, 0);
    QCOMPARE(trainQuickly({ "--name", "newer" }).code, 0);
    const std::vector<std::string> lines = linesOf(runAccrue({ "list" }).out);
    QCOMPARE(lines.size(), std::size_t { 3 });
    QVERIFY2(bytes(lines[1]).contains("#2  newer  completed  20/20"), lines[1].c_str());
    QVERIFY2(bytes(lines[2]).contains("#1  older  completed  20/20"), lines[2].c_str());
    const QJsonArray json = arrayOf(runAccrue({ "list", "--json" }).out);
    QCOMPARE(json.size(), 2);
    QCOMPARE(member(json[0].toObject(), "name"), QStringLiteral("newer"));
    QCOMPARE(member(json[0].toObject(), "state"), QStringLiteral("finished"));
}

void TestCommandLine::aLongNameDoesNotWidenTheTable()
{
    QCOMPARE(trainQuickly({ "--name", std::string(200, 'x') }).code, 0);
    QCOMPARE(trainQuickly({ "--name", "short" }).code, 0);
    for (const CommandResult& result :
        { runAccrue({ "list" }), runAccrue({ "compare", "1", "2" }) })
        for (const std::string& line : linesOf(result.out))
            QVERIFY2(line.size() < 190, line.c_str());
    const QJsonArray json = arrayOf(runAccrue({ "list", "--json" }).out);
    QCOMPARE(member(json[1].toObject(), "name").size(), 200);
}

void TestCommandLine::showTellsSettingsResultsAndEvents()
{
    QCOMPARE(trainQuickly({ "--set", "optimizer.lr=0.125" }).code, 0);
    const CommandResult result = runAccrue({ "show", "#1" });
    QCOMPARE(result.code, 0);
    const QByteArray out = bytes(result.out);
    for (const char* part : { "#1 first-run", "completed", "b 32 × N 4 = B 128", "optimizer.lr",
             "0.125", "Test accuracy", "Event", "run-1" })
        QVERIFY2(out.contains(part), part);
    const QJsonObject json = objectOf(runAccrue({ "show", "1", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("id")).toInt(), 1);
}

void TestCommandLine::aResumedRunSaysWhichAttemptItIs()
{
    {
        RunLogWriter writer(log());
        const RunId run = writeRun(writer, "again", 10, /*ended=*/false);
        writer.sink(run).emitEvent(CheckpointSaved { 10, 0.1, "/a/folder" });
        writer.sink(run).emitEvent(endAt(10, RunOutcome::Stopped));
        writer.flush();
        QVERIFY2(!bytes(runAccrue({ "show", "1" }).out).contains("ttempt"), "has one only");
        writer.resumeRun(run, pointAfter(4));
        writer.sink(run).emitEvent(stepAt(5));
        writer.sink(run).emitEvent(endAt(5, RunOutcome::Stopped));
        writer.flush();
    }
    const CommandResult list = runAccrue({ "list" });
    QVERIFY2(bytes(list.out).contains("stopped, attempt 2  5/"), list.out.c_str());
    const QByteArray shown = bytes(runAccrue({ "show", "1" }).out);
    for (const char* part : { "stopped, attempt 2", "Attempt  From step",
             "Checkpoint saved to /a/folder (superseded)", "Resumed as attempt 2 from step 4\n" })
        QVERIFY2(shown.contains(part), shown.constData());
    setLanguage(*findLanguage("zh_CN"));
    const QByteArray chinese = bytes(runAccrue({ "show", "1" }).out);
    setLanguage(languages().front());
    for (const char* part : { "已停止（已被取代）\n", "已停止\n" }) // the endings of both attempts
        QVERIFY2(chinese.contains(part), chinese.constData());
    const QJsonObject json = objectOf(runAccrue({ "show", "1", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("attempt")).toInt(), 2);
    QCOMPARE(json.value(QLatin1String("step")).toInt(), 5);
}

void TestCommandLine::compareShowsWhatDiffers()
{
    QCOMPARE(trainQuickly({ "--name", "a" }).code, 0);
    QCOMPARE(trainQuickly({ "--name", "b", "--set", "batch.micro=16" }).code, 0);
    const CommandResult result = runAccrue({ "compare", "a", "2" });
    QCOMPARE(result.code, 0);
    const QByteArray out = bytes(result.out);
    QVERIFY2(out.contains("#1 a") && out.contains("#2 b"), out.constData());
    QVERIFY2(out.contains("batch.micro") && out.contains("16 *"), out.constData());
    QVERIFY2(!out.contains("optimizer.lr"), out.constData());
    QVERIFY2(out.contains("Test accuracy, best"), out.constData());
    const qsizetype training = out.indexOf("\nPeak memory (training)");
    QVERIFY2(training > 0 && out.indexOf("\nPeak memory (evaluation)") > training, out.constData());
    const QJsonObject json = objectOf(runAccrue({ "compare", "1", "2", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("runs")).toArray().size(), 2);
    const QJsonArray settings = json.value(QLatin1String("settings")).toArray();
    QStringList keys;
    for (const QJsonValue& setting : settings)
        keys << member(setting.toObject(), "key");
    QCOMPARE(keys, QStringList({ "batch.effective", "batch.micro" })); // B follows b
}

void TestCommandLine::compareShowsTheThreadsThatWereUsed()
{
    QCOMPARE(trainQuickly().code, 0); // auto, which takes 2
    QCOMPARE(trainQuickly({ "--set", "run.threads=2" }).code, 0);
    QCOMPARE(trainQuickly({ "--set", "run.threads=4" }).code, 0);
    const CommandResult alike = runAccrue({ "compare", "1", "2" });
    QVERIFY2(alike.code == 0 && !bytes(alike.out).contains("threads"), alike.out.c_str());
    const QJsonObject json = objectOf(runAccrue({ "compare", "1", "3", "--json" }).out);
    const QJsonObject setting = json.value(QLatin1String("settings")).toArray()[0].toObject();
    QCOMPARE(member(setting, "key"), QStringLiteral("run.threads"));
    QCOMPARE(setting.value(QLatin1String("values")).toArray(), (QJsonArray { 2, 4 }));
}

void TestCommandLine::anUnknownRunIsAnErrorWithCandidates()
{
    QCOMPARE(trainQuickly({ "--name", "twin" }).code, 0);
    QCOMPARE(trainQuickly({ "--name", "twin" }).code, 0);
    const CommandResult missing = runAccrue({ "show", "99" });
    QCOMPARE(missing.code, 2);
    QVERIFY2(bytes(missing.err).contains("99"), missing.err.c_str());
    const CommandResult ambiguous = runAccrue({ "compare", "twin", "1" });
    QCOMPARE(ambiguous.code, 2);
    QVERIFY2(bytes(ambiguous.err).contains('1') && bytes(ambiguous.err).contains('2'),
        ambiguous.err.c_str());
}

void TestCommandLine::memoryTellsWhatItWasFor()
{
    QCOMPARE(trainQuickly().code, 0);
    const auto file = pathOf(*m_home, "memory.csv");
    const CommandResult result = runAccrue({ "memory", "1", "--csv", file.string() });
    QVERIFY2(result.code == 0, result.err.c_str());
    const QByteArray out = bytes(result.out);
    for (const char* part : { "#1 first-run", "b 32 × N 4 = B 128", "forward", "backward",
             "Optimizer state", "Activations by layer", "conv1", "aten::max_pool2d" })
        QVERIFY2(out.contains(part), out.constData());
    QVERIFY2(!out.contains("EMA") && !out.contains("Cached"), "nothing was live in these");
    QVERIFY(bytes(readFile(file)).startsWith("run,name,step,epoch,seconds,phase,"));
    const QJsonObject json = objectOf(runAccrue({ "memory", "1", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("run")).toInt(), 1);
    const QJsonArray phases = json.value(QLatin1String("phases")).toArray();
    QCOMPARE(phases.size(), 5); // with the evaluation
    for (const auto& each : phases) {
        double sum = 0;
        for (const auto& category : each.toObject().value(QLatin1String("peak")).toObject())
            sum += category.toDouble();
        QCOMPARE(sum, each.toObject().value(QLatin1String("peak_bytes")).toDouble());
    }
}

void TestCommandLine::trainingTellsMemoryWhereItChanges()
{
    m_engine->setOptions({ .trainSamples = 1000 }); // the eighth window has 104 samples
    std::vector<int> steps;
    for (const std::string& line : linesOf(trainQuickly({ "--json" }).out)) {
        const QJsonObject event = objectOf(line);
        if (member(event, "event") == QLatin1String("memory"))
            steps.push_back(event.value(QLatin1String("step")).toInt());
    }
    QCOMPARE(steps, std::vector<int>({ 1, 8, 8, 9, 16 })); // at 8 also the evaluation's
}

void TestCommandLine::memoryOfAStepIsThatOfItsWindow()
{
    m_engine->setOptions({ .trainSamples = 1000 }); // the eighth window has 104 samples
    QCOMPARE(trainQuickly({ "--set", "memory.metering=full" }).code, 0);
    const auto told = [](const std::string& step) {
        return objectOf(runAccrue({ "memory", "1", "--step", step, "--json" }).out);
    };
    QCOMPARE(told("7").value(QLatin1String("step")).toInt(), 1);
    QCOMPARE(told("8").value(QLatin1String("step")).toInt(), 8);
    QCOMPARE(told("16").value(QLatin1String("step")).toInt(), 16);
    QCOMPARE(told("7").value(QLatin1String("steps")).toArray(), (QJsonArray { 1, 8, 9, 16 }));
    QCOMPARE(told("7").value(QLatin1String("phases")).toArray().size(), 3 * 4 + 1);
    for (const std::string step : { "0", "-1", "x", "1.5" }) {
        const CommandResult wrong = runAccrue({ "memory", "1", "--step=" + step });
        QCOMPARE(wrong.code, 2);
        QVERIFY2(bytes(wrong.err).contains("--step needs the number"), wrong.err.c_str());
    }
    const CommandResult later = runAccrue({ "memory", "1", "--step=17" });
    QCOMPARE(later.code, 2);
    QVERIFY2(bytes(later.err).contains("has trained 16 steps"), later.err.c_str());
}

void TestCommandLine::memoryThatWasNotMeteredIsSaid()
{
    QCOMPARE(trainQuickly({ "--set", "memory.metering=off" }).code, 0);
    const CommandResult result = runAccrue({ "memory", "1" });
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains("memory.metering was off"), result.err.c_str());
    QCOMPARE(runAccrue({ "memory" }).code, 2);
    QCOMPARE(runAccrue({ "memory", "1", "2" }).code, 2);
    QCOMPARE(runAccrue({ "memory", "9" }).code, 2);
    {
        RunLogWriter writer(log());
        const RunId run = writeRun(writer, "resumed", 3, /*ended=*/false);
        writer.sink(run).emitEvent(
            MemoryMeasured { .step = 3, .epoch = 1, .phases = { { .peakBytes = 1 } } });
        writer.flush();
    }
    const CommandResult early = runAccrue({ "memory", "2", "--step", "2" });
    QCOMPARE(early.code, 2);
    QVERIFY2(bytes(early.err).contains("is that of step 3"), early.err.c_str());
}

void TestCommandLine::exportWritesCsv()
{
    QCOMPARE(trainQuickly().code, 0);
    QCOMPARE(trainQuickly().code, 0);
    const auto file = pathOf(*m_home, "curves.csv");
    const CommandResult all = runAccrue({ "export", "--csv", file.string(), "--json" });
    QVERIFY2(all.code == 0, all.err.c_str());
    QCOMPARE(objectOf(all.out).value(QLatin1String("runs")).toInt(), 2);
    QVERIFY(bytes(readFile(file)).startsWith("run,name,step,samples,"));
    const CommandResult one =
        runAccrue({ "export", "--wide", "--runs", "2", "--csv", file.string() });
    QCOMPARE(one.code, 0);
    QCOMPARE(linesOf(readFile(file)).size(), std::size_t { 2 });
    const CommandResult onTheLog = runAccrue({ "export", "--csv", log().string() });
    QCOMPARE(onTheLog.code, 2);
    QVERIFY2(bytes(onTheLog.err).contains("would replace"), onTheLog.err.c_str());
    const CommandResult nowhere = runAccrue({ "export", "--csv", "/no/such/folder/a.csv" });
    QCOMPARE(nowhere.code, 2);
    QVERIFY2(bytes(nowhere.err).contains("/no/such/folder"), nowhere.err.c_str());
}

void TestCommandLine::archivedRunsAreHiddenUntilUnarchived()
{
    QCOMPARE(trainQuickly().code, 0);
    QCOMPARE(runAccrue({ "archive", "1" }).code, 0);
    QCOMPARE(arrayOf(runAccrue({ "list", "--json" }).out).size(), 0);
    QCOMPARE(arrayOf(runAccrue({ "list", "--json", "--all" }).out).size(), 1);
    QCOMPARE(runAccrue({ "unarchive", "1", "--json" }).code, 0);
    QCOMPARE(arrayOf(runAccrue({ "list", "--json" }).out).size(), 1);
}

void TestCommandLine::pruneDeletesArchivedRunsOnlyAfterAYes()
{
    QCOMPARE(trainQuickly().code, 0);
    QCOMPARE(trainQuickly().code, 0);
    QCOMPARE(runAccrue({ "prune", "--yes" }).code, 0);
    const std::filesystem::path first = checkpointOf(1);
    QCOMPARE(runAccrue({ "archive", "1" }).code, 0);
    const CommandResult silent = runAccrue({ "prune" });
    QCOMPARE(silent.code, 2); // no terminal to ask on
    QVERIFY2(bytes(silent.err).contains("--yes"), silent.err.c_str());
    QCOMPARE(arrayOf(runAccrue({ "list", "--json", "--all" }).out).size(), 2);
    const CommandResult pruned = runAccrue({ "prune", "--yes", "--json" });
    QVERIFY2(pruned.code == 0, pruned.err.c_str());
    QCOMPARE(objectOf(pruned.out).value(QLatin1String("runs")).toArray().size(), 1);
    QCOMPARE(arrayOf(runAccrue({ "list", "--json", "--all" }).out).size(), 1);
    QVERIFY(!std::filesystem::exists(first));
    QVERIFY(std::filesystem::exists(checkpointOf(2)));
}

void TestCommandLine::aPrunedLogThatCannotBeMadeSmallerIsSaid()
{
    {
        RunLogWriter writer(log());
        writeRun(writer, "kept", 5000);
        writer.setArchived(writeRun(writer, "gone", 10), true);
        writer.setArchived(writeRun(writer, "gone, too", 10), true);
    }
    const FileSizeLimit limit(std::filesystem::file_size(log()) / 2);
    const CommandResult pruned = runAccrue({ "prune", "--yes" });
    QCOMPARE(pruned.code, 0);
    QVERIFY2(bytes(pruned.out).startsWith("Deleted 2 runs"), pruned.out.c_str());
    QVERIFY2(
        bytes(pruned.err).contains("The log file itself could not be made smaller: The run log "),
        pruned.err.c_str());
    QCOMPARE(arrayOf(runAccrue({ "list", "--json", "--all" }).out).size(), 1);
}

void TestCommandLine::recipesListsShippedAndOwn()
{
    writeFile(pathOf(*m_home, "data/accrue/recipes/mine.toml"), "# My own.\n[run]\nepochs = 3\n");
    writeFile(pathOf(*m_home, "data/accrue/recipes/broken.toml"), "[run]\nepochz = 3\n");
    writeFile(pathOf(*m_home, "data/accrue/recipes/all.toml"), "[batch]\ndevices = \"all\"\n");
    const CommandResult result = runAccrue({ "recipes" });
    QCOMPARE(result.code, 0);
    QVERIFY2(bytes(result.out).contains("by all devices"), result.out.c_str());
    QVERIFY2(bytes(result.out).contains("first-run"), result.out.c_str());
    QVERIFY2(bytes(result.out).contains("My own."), result.out.c_str());
    QVERIFY2(bytes(result.out).contains("epochz"), result.out.c_str());
    const QJsonArray json = arrayOf(runAccrue({ "recipes", "--json" }).out);
    QCOMPARE(member(json[0].toObject(), "name"), QStringLiteral("first-run"));
}

void TestCommandLine::recipesSaysWhichOwnOneIsHidden()
{
    const auto hidden = pathOf(*m_home, "data/accrue/recipes/first-run.toml");
    writeFile(hidden, "run.epochs = 3\n");
    writeFile(pathOf(*m_home, "data/accrue/recipes/broken.toml"), "= 3\n");
    const CommandResult result = runAccrue({ "recipes" });
    QVERIFY2(bytes(result.err)
                 .startsWith(bytes(
                     "warning: " + hidden.string() + " is not listed: first-run is a shipped")),
        result.err.c_str());
    const QByteArray out = bytes(result.out);
    QVERIFY2(out.simplified().contains("broken – "), out.constData()); // it has no batch
}

void TestCommandLine::dataSaysWhatIsFoundAndWhereItSearched()
{
    const auto folder = pathOf(*m_home, "sets");
    const CommandResult result = runAccrue({ "data", "--data", folder.string() });
    QCOMPARE(result.code, 0);
    QCOMPARE(runAccrue({ "data", "list", "--data", folder.string() }).out, result.out);
    QVERIFY2(bytes(result.out).contains("digits         built in"), result.out.c_str());
    QVERIFY2(bytes(result.out).contains("missing"), result.out.c_str());
    QVERIFY2(bytes(result.out).contains(bytes(folder.string())), result.out.c_str());
}

void TestCommandLine::doctorWorksWithAndWithoutAnEngine()
{
    const CommandResult with = runAccrue({ "doctor" });
    QCOMPARE(with.code, 0);
    QVERIFY2(bytes(with.out).contains("2.11.0+fake"), with.out.c_str());
    QVERIFY2(bytes(with.out).contains("Device cpu"), with.out.c_str());
    QVERIFY2(bytes(with.out).contains("This machine can train."), with.out.c_str());
    QVERIFY2(!bytes(with.out).contains("No data set"), with.out.c_str());
    const QByteArray downloadable =
        "digits; accrue data get downloads mnist, fashion-mnist, cifar10";
    QVERIFY2(bytes(with.out).contains(downloadable), with.out.c_str());

    setEngineForTesting(nullptr);
    const QByteArray before = qgetenv("ACCRUE_ENGINE");
    qputenv("ACCRUE_ENGINE", "/no/such/libaccrue_engine.so");
    const CommandResult without = runAccrue({ "doctor" });
    const CommandResult training = trainQuickly();
    const CommandResult ofNoRun = runAccrue({ "evaluate", "99" });
    qputenv("ACCRUE_ENGINE", before);
    QCOMPARE(without.code, 1);
    QVERIFY2(bytes(without.out).contains("cannot be loaded"), without.out.c_str());
    QVERIFY2(bytes(without.out).contains("/no/such/libaccrue_engine.so"), without.out.c_str());
    QCOMPARE(training.code, 1);
    QVERIFY2(bytes(training.err).contains("/no/such/libaccrue_engine.so"), training.err.c_str());
    QCOMPARE(ofNoRun.code, 2); // reported without an engine
    QVERIFY2(bytes(ofNoRun.err).contains("There is no run log"), ofNoRun.err.c_str());
}

void TestCommandLine::doctorSaysWhichCheckpointsAreDamaged()
{
    QCOMPARE(runAccrue({ "doctor", "--check-checkpoints" }).code, 2); // no log
    QCOMPARE(trainQuickly().code, 0);
    QCOMPARE(trainQuickly().code, 0);
    QCOMPARE(runAccrue({ "archive", "1" }).code, 0);
    const CommandResult whole = runAccrue({ "doctor", "--check-checkpoints" });
    QCOMPARE(bytes(whole.out), bytes("2 checkpoints checked, 0 damaged.\n"));
    QCOMPARE(whole.code, 0);
    writeFile(checkpointOf(1) / "checkpoint.toml", "x");
    const CommandResult damaged = runAccrue({ "doctor", "--check-checkpoints" });
    QCOMPARE(damaged.code, 1);
    for (const std::string& part : { std::string("#1 "), checkpointOf(1).string(),
             std::string("checkpoint.toml"), std::string("2 checkpoints checked, 1 damaged.") })
        QVERIFY2(bytes(damaged.out).contains(bytes(part)), damaged.out.c_str());
    const QJsonObject json = objectOf(runAccrue({ "doctor", "--check-checkpoints", "--json" }).out);
    QCOMPARE(json.value(QLatin1String("damaged")).toInt(), 1);
    QCOMPARE(json.value(QLatin1String("checkpoints")).toArray().size(), 2);
}

void TestCommandLine::selfTestJoinsTheEnginesChecksAndTheLogs()
{
    const CommandResult passed = runAccrue({ "selftest" });
    QVERIFY2(passed.code == 0, passed.out.c_str());
    QVERIFY2(bytes(passed.out).contains("accumulation"), passed.out.c_str());
    QVERIFY2(bytes(passed.out).contains("run log: loss read back"), passed.out.c_str());
    QVERIFY2(bytes(passed.out).contains("skipped"), passed.out.c_str());
    QVERIFY2(!bytes(passed.out).contains("failed"), passed.out.c_str());
    m_engine->setOptions({ .selfTestPasses = false });
    const CommandResult failed = runAccrue({ "selftest", "--json" });
    QCOMPARE(failed.code, 1);
    QCOMPARE(objectOf(failed.out).value(QLatin1String("passed")).toBool(true), false);
    QCOMPARE(runAccrue({ "selftest", "--device", "cuda" }).code, 2);
    const QByteArray before = qgetenv("TMPDIR");
    qputenv("TMPDIR", "/proc"); // nothing that the user gave is wrong
    const CommandResult noRoom = runAccrue({ "selftest" });
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    QCOMPARE(noRoom.code, 1);
    QVERIFY2(bytes(noRoom.err).contains("/proc/accrue-"), noRoom.err.c_str());
    QVERIFY2(bytes(noRoom.err).contains(" cannot be created: "), noRoom.err.c_str());
}

void TestCommandLine::versionIsTold()
{
    const CommandResult result = runAccrue({ "--version" });
    QCOMPARE(result.code, 0);
    QVERIFY2(bytes(result.out).startsWith("accrue 0."), result.out.c_str());
    QVERIFY(!member(objectOf(runAccrue({ "--version", "--json" }).out), "accrue").isEmpty());
}

void TestCommandLine::everyCommandTellsJson_data()
{
    QTest::addColumn<QStringList>("arguments");
    for (const char* line : { "list", "explain first-run", "evaluate 1", "show 1", "compare 1 2",
             "export --csv all.csv", "recipes", "data", "data list", "doctor", "selftest",
             "archive 1", "unarchive 1", "prune", "--version" })
        QTest::newRow(line) << QString::fromLatin1(line).split(QLatin1Char(' '));
}

void TestCommandLine::everyCommandTellsJson()
{
    QFETCH(QStringList, arguments);
    QCOMPARE(trainQuickly().code, 0);
    QCOMPARE(trainQuickly().code, 0);
    std::vector<std::string> words;
    for (const QString& word : arguments)
        words.push_back(word == QLatin1String("all.csv") ? pathOf(*m_home, "all.csv").string()
                                                         : word.toStdString());
    words.push_back("--json");
    const CommandResult result = runAccrue(words);
    QVERIFY2(result.code == 0, result.err.c_str());
    QJsonParseError error;
    QJsonDocument::fromJson(bytes(result.out), &error);
    QVERIFY2(error.error == QJsonParseError::NoError, result.out.c_str());
}

void TestCommandLine::aFullDiskBehindTheOutputIsAnError()
{
    std::istringstream in;
    std::ofstream full("/dev/full");
    std::ostringstream err;
    const char* argv[] { "accrue", "recipes" };
    QCOMPARE(runCommandLine(2, argv, in, full, err), 1);
    QVERIFY2(bytes(err.str()).contains("No space left"), err.str().c_str());
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
