// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"
#include "app/command_table.h"

#include "run_log_fixture.h"

#include "app/commands/commands.h"
#include "engine/base/language.h"
#include "engine/door/loader.h"
#include "engine/experiment/recipe.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/app/command_line_fixture.h"
#include "tests/support/fake_engine.h"

#include <csignal>
#include <functional>
#include <memory>
#include <sstream>
#include <streambuf>
#include <utility>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace accrue;

namespace {

using Words = std::vector<std::string>;

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

QJsonObject objectOf(const std::string& json)
{
    return QJsonDocument::fromJson(bytes(json)).object();
}

// The numbers of the runs that are listed, in their order.
QString listed(const Words& more)
{
    Words call { "list", "--json" };
    call.insert(call.end(), more.begin(), more.end());
    const CommandResult result = runAccrue(call);
    if (result.code != 0)
        return QString::fromStdString(result.err);
    QStringList ids;
    const QJsonArray runs = QJsonDocument::fromJson(bytes(result.out)).array();
    for (const auto& run : runs)
        ids << QString::number(run.toObject().value(QLatin1String("id")).toInt());
    return ids.join(QLatin1Char(' '));
}

// Answers y to a question, after doing something else.
class AnswerAfter : public std::streambuf {
public:
    explicit AnswerAfter(std::function<void()> done)
        : m_done(std::move(done))
    {
    }

private:
    int_type underflow() override
    {
        if (gptr() != nullptr)
            return traits_type::eof();
        m_done();
        setg(m_answer.data(), m_answer.data(), m_answer.data() + m_answer.size());
        return traits_type::to_int_type(*gptr());
    }

    std::function<void()> m_done;
    std::string m_answer = "y\n";
};

} // namespace

// The commands that find, name and delete runs, print recipes and explain commands, in this
// process.
class TestRunsCommands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup();

    void listFindsRunsAsTheWindowsSearchDoes_data();
    void listFindsRunsAsTheWindowsSearchDoes();
    void listNamesWhatItDoesNotUnderstand_data();
    void listNamesWhatItDoesNotUnderstand();
    void listSaysThatNoRunMatches();
    void listShowsAnyKeysAsColumns();
    void renameNoteAndTagReachTheLog();
    void aTagThatLooksLikeAnOptionIsATag();
    void whatCannotBeANameOrATagIsRefused();
    void aRunThatIsTrainedMeanwhileCanBeNamed();
    void pruneDeletesTheRunsThatAreNamed();
    void pruneAsksOnceAndOnlyOnATerminal();
    void pruneRefusesARunThatIsTrained();
    void pruneEndsWithOneWhereARunWasKept();
    void pruneRefusesARunThatMayTrainOnAnotherMachine();
    void recipesShowPrintsTheFileAsItIs();
    void recipesShowKnowsOwnRecipesAndTellsJson();
    void anUnknownRecipeIsAnsweredWithTheNearest();
    void helpIsThatOfTheCommand();
    void anUnknownCommandIsAnsweredWithTheNearest();
    void csvGoesToTheStandardOutput();
    void aMetricThatNoTableKnowsIsShownAndComparedWithoutABest();
    void theDataAreDescribedInTheLanguageAndForProgramsInEnglish();
    void wrongInputThatTheEngineFindsLeavesNoRun();
    void aCompletedRunGoesOnForLonger();
    void aCompletedRunThatIsNotMadeLongerNamesTheSetting();
    void aRunThatWasMadeLongerStaysAsLongWhenItIsCutOff();
    void theCallForLongerIsOneThatGoesOn_data();
    void theCallForLongerIsOneThatGoesOn();
    void aScheduleThatKnowsTheLengthIsRefused();

private:
    std::filesystem::path log() const { return pathOf(*m_home, "data/accrue/runs.db"); }
    RunRecord run(int id) const { return RunLogReader(log()).run(RunId { id }); }
    void train(const Words& more = {});

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<FakeEngine> m_engine;
};

void TestRunsCommands::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    useHome(pathOf(*m_home, ""));
    m_engine = std::make_unique<FakeEngine>();
    setEngineForTesting(m_engine.get());
}

void TestRunsCommands::cleanup()
{
    setEngineForTesting(nullptr);
}

void TestRunsCommands::train(const Words& more)
{
    Words call { "train", "first-run", "--set", "run.epochs=2" };
    call.insert(call.end(), more.begin(), more.end());
    const CommandResult result = runAccrue(call);
    QVERIFY2(result.code == 0, result.err.c_str());
}

void TestRunsCommands::listFindsRunsAsTheWindowsSearchDoes_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("ids");
    const auto row = [](const QStringList& options, const char* ids) {
        QTest::newRow(qPrintable(options.join(QLatin1Char(' '))))
            << options << QString::fromLatin1(ids);
    };
    row({}, "3 2 1");
    row({ "--filter", "lr=0.05,0.1" }, "2 1");
    row({ "--filter", "state=completed" }, "3 2");
    row({ "--filter", "state=diverged" }, "1");
    row({ "--filter", "state=finished" }, "3 2 1");
    row({ "--filter", "state=stopped" }, "");
    row({ "--filter", "twin" }, "3 2");
    row({ "--filter", "twin lr<0.05" }, "3");
    row({ "--sort", "lr" }, "3 2 1");
    row({ "--sort", "lr:desc" }, "1 2 3");
    row({ "--sort", "name" }, "1 3 2");
    row({ "--sort", "id:asc" }, "1 2 3");
    row({ "--sort", "optimizer.lr:asc", "--filter", "name=twin" }, "3 2");
    row({ "--all", "--sort", "id" }, "3 2 1");
}

void TestRunsCommands::listFindsRunsAsTheWindowsSearchDoes()
{
    QFETCH(QStringList, options);
    QFETCH(QString, ids);
    m_engine->setOptions({ .divergeAtStep = 3 });
    QCOMPARE(
        runAccrue({ "train", "first-run", "--name", "bad", "--set", "optimizer.lr=0.1" }).code, 1);
    m_engine->setOptions({});
    train({ "--name", "twin", "--set", "optimizer.lr=0.05" });
    train({ "--name", "twin", "--set", "optimizer.lr=0.01" });
    Words words;
    for (const QString& option : options)
        words.push_back(option.toStdString());
    QCOMPARE(listed(words), ids);
}

void TestRunsCommands::listNamesWhatItDoesNotUnderstand_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* option, const char* value, const char* says) {
        QTest::newRow(value) << QString::fromLatin1(option) << QString::fromLatin1(value)
                             << QString::fromLatin1(says);
    };
    row("--filter", "nrom=group", "Did you mean norm?");
    row("--filter", "optimizer.momentun=0.9", "Did you mean optimizer.momentum?");
    row("--filter", "lr=0.05 OR", "lr=0.05,0.02");
    row("--filter", "b<many", "compares with a number");
    row("--sort", "accurazy", "Did you mean accuracy?");
    row("--sort", "lr:up", "asc or desc");
}

void TestRunsCommands::listNamesWhatItDoesNotUnderstand()
{
    QFETCH(QString, option);
    QFETCH(QString, value);
    QFETCH(QString, says);
    train();
    const CommandResult result = runAccrue({ "list", option.toStdString(), value.toStdString() });
    QCOMPARE(result.code, 2);
    QVERIFY(result.out.empty());
    QVERIFY2(bytes(result.err).contains(says.toLatin1()), result.err.c_str());
}

void TestRunsCommands::listSaysThatNoRunMatches()
{
    train();
    const CommandResult result = runAccrue({ "list", "--filter", "state=stopped" });
    QCOMPARE(result.code, 0);
    QCOMPARE(result.out, std::string());
    QCOMPARE(result.err, std::string("None of 1 run matches state=stopped.\n"));
    QCOMPARE(runAccrue({ "list", "--filter", "state=stopped", "--json" }).out, std::string("[]\n"));
}

void TestRunsCommands::listShowsAnyKeysAsColumns()
{
    train();
    runAccrue({ "tag", "1", "+b", "+a" });
    const CommandResult result =
        runAccrue({ "list", "--columns", "optimizer.lr,state", "--columns", "tag,note" });
    QCOMPARE(result.code, 0);
    const std::vector<std::string> lines = linesOf(result.out);
    QCOMPARE(lines.size(), std::size_t { 2 });
    QCOMPARE(QString::fromStdString(lines[0]).simplified(),
        QStringLiteral("Run Name optimizer.lr state tag note"));
    const QString row = QString::fromStdString(lines[1]).simplified();
    QVERIFY2(row.startsWith(QLatin1String("#1 first-run 0.02 ")), qPrintable(row));
    QVERIFY2(row.endsWith(QStringLiteral(" a b –")), qPrintable(row));
    const CommandResult wrong = runAccrue({ "list", "--columns", "optimizer.lrr" });
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.find("optimizer.lr") != std::string::npos, wrong.err.c_str());
}

void TestRunsCommands::renameNoteAndTagReachTheLog()
{
    train();
    QCOMPARE(runAccrue({ "rename", "1", "two words" }).out,
        std::string("Renamed #1 first-run to two words.\n"));
    QCOMPARE(runAccrue({ "note", "two words", "a note, 5 % better" }).code, 0);
    QCOMPARE(runAccrue({ "tag", "#1", "+seed2", "+baseline" }).out,
        std::string("#1 two words: baseline seed2\n"));
    QCOMPARE(run(1).name, std::string("two words"));
    QCOMPARE(run(1).note, std::string("a note, 5 % better"));
    QCOMPARE(listed({ "--filter", "tag=baseline" }), QStringLiteral("1"));
    const CommandResult shown = runAccrue({ "show", "1" });
    QVERIFY2(bytes(shown.out).contains("baseline seed2"), shown.out.c_str());

    const CommandResult renamed = runAccrue({ "rename", "1", "third", "--json" });
    QCOMPARE(
        objectOf(renamed.out).value(QLatin1String("name")).toString(), QStringLiteral("third"));
    const CommandResult tagged = runAccrue({ "--json", "tag", "1", "-seed2" });
    QCOMPARE(
        objectOf(tagged.out).value(QLatin1String("tags")).toArray(), QJsonArray { "baseline" });
    QCOMPARE(runAccrue({ "note", "1", "-" }, "of two\nlines\n").code, 0);
    QCOMPARE(run(1).note, std::string("of two\nlines"));
    const std::string longest(1024 * 1024, 'x');
    QCOMPARE(runAccrue({ "note", "1", longest }).code, 0);
    QCOMPARE(run(1).note, longest);
    QCOMPARE(runAccrue({ "note", "1", "" }).out, std::string("Removed the note on #1 third.\n"));
    QCOMPARE(run(1).note, std::string());
}

void TestRunsCommands::aTagThatLooksLikeAnOptionIsATag()
{
    train();
    QCOMPARE(runAccrue({ "tag", "+d", "+all", "1", "--db", log().string() }).code, 0);
    QCOMPARE(runAccrue({ "tag", "1", "-d", "-never" }).out, std::string("#1 first-run: all\n"));
    QCOMPARE(runAccrue({ "tag", "1" }).out, std::string("#1 first-run: all\n"));
    QCOMPARE(runAccrue({ "tag", "1", "-all" }).out, std::string("#1 first-run has no tags\n"));
    QCOMPARE(runAccrue({ "tag", "1", "+h" }).code, 0);
    QCOMPARE(runAccrue({ "tag", "1", "--", "-h" }).out, std::string("#1 first-run has no tags\n"));
    QCOMPARE(runAccrue({ "tag", "1", "--", "h" }).code, 2);
    QCOMPARE(runAccrue({ "note", "--db", log().string(), "1", "--", "-5 % --json" }).code, 0);
    QCOMPARE(run(1).note, std::string("-5 % --json"));
    QVERIFY(bytes(runAccrue({ "tag", "-h" }).out).contains("[+TAG|-TAG]…"));
}

void TestRunsCommands::whatCannotBeANameOrATagIsRefused()
{
    train();
    const std::vector<Words> calls { { "rename", "1" }, { "rename", "1", "  " },
        { "rename", "1", std::string(201, 'x') }, { "rename", "1", "a\tb" },
        { "rename", "1", "a\nb" }, { "rename", "1", "a\xe9" }, { "note", "1", "a\xe9" },
        { "note", "1", std::string(1024 * 1024 + 1, 'x') }, { "rename", "9", "x" }, { "note", "1" },
        { "note", "1", "two", "texts" }, { "tag" }, { "tag", "1", "+a b" }, { "tag", "1", "+a,b" },
        { "tag", "1", "new" }, { "tag", "9", "+new" }, { "note", "1", "x", "--db", "none" } };
    for (const Words& call : calls) {
        const CommandResult result = runAccrue(call);
        QVERIFY2(result.code == 2 && !result.err.empty(), call.front().c_str());
    }
    QCOMPARE(runAccrue({ "note", "1", "-" }, std::string("a\0b", 3)).code, 2);
    QCOMPARE(run(1).name, std::string("first-run"));
    QCOMPARE(run(1).note, std::string());
    QVERIFY(run(1).tags.empty());
}

void TestRunsCommands::aRunThatIsTrainedMeanwhileCanBeNamed()
{
    RunLogWriter other(log());
    const RunId live = writeRun(other, "live", 3, /*ended=*/false);
    QCOMPARE(runAccrue({ "rename", "live", "renamed" }).code, 0);
    QCOMPARE(runAccrue({ "tag", "1", "+now" }).code, 0);
    other.sink(live).emitEvent(stepAt(4));
    other.sink(live).emitEvent(endAt(4));
    QVERIFY(other.close());
    QCOMPARE(run(1).name, std::string("renamed"));
    QCOMPARE(run(1).tags, Words { "now" });
    QCOMPARE(run(1).step, 4);
    QVERIFY(RunLogReader(log()).damageInRuns().empty());
}

void TestRunsCommands::pruneDeletesTheRunsThatAreNamed()
{
    train();
    train({ "--name", "second" });
    train({ "--name", "third" });
    QCOMPARE(runAccrue({ "archive", "3" }).code, 0);
    const std::filesystem::path checkpoint = run(2).checkpoint;
    QVERIFY(std::filesystem::exists(checkpoint));
    const CommandResult pruned = runAccrue({ "prune", "second", "3", "--yes" });
    QVERIFY2(bytes(pruned.out).startsWith("Deleted 2 runs, "), pruned.out.c_str());
    QVERIFY(bytes(pruned.out).contains(" freed."));
    QVERIFY(!std::filesystem::exists(checkpoint));
    QCOMPARE(listed({ "--all" }), QStringLiteral("1"));
    const CommandResult json = runAccrue({ "prune", "1", "-y", "--json" });
    QCOMPARE(objectOf(json.out).value(QLatin1String("runs")).toArray(), QJsonArray { 1 });
    QVERIFY(objectOf(json.out).value(QLatin1String("freed_bytes")).toDouble() > 0);
}

void TestRunsCommands::pruneAsksOnceAndOnlyOnATerminal()
{
    train();
    train();
    const CommandResult silent = runAccrue({ "prune", "1", "2" });
    QCOMPARE(silent.code, 2);
    QVERIFY2(bytes(silent.err).contains("#1 first-run, #2 first-run"), silent.err.c_str());
    QVERIFY(bytes(silent.err).contains("--yes"));
    Arguments arguments;
    arguments.command = "prune";
    arguments.operands = { "1", "2" };
    for (const char* answer : { "n\n", "y\n" }) {
        std::istringstream in(answer);
        std::ostringstream out;
        std::ostringstream err;
        Console console(in, out, err, { .in = true });
        QCOMPARE(pruneCommand(arguments, console), 0);
        QCOMPARE(bytes(err.str()).count("[y/N]"), 1);
        QCOMPARE(bytes(out.str()).startsWith("Deleted 2 runs"), *answer == 'y');
    }
    QCOMPARE(listed({ "--all" }), QString());
}

void TestRunsCommands::pruneRefusesARunThatIsTrained()
{
    RunLogWriter other(log());
    writeRun(other, "ended", 3);
    writeRun(other, "live", 3, /*ended=*/false);
    const CommandResult refused = runAccrue({ "prune", "ended", "live", "--yes" });
    QCOMPARE(refused.code, 2);
    QVERIFY2(bytes(refused.err).contains("#2 live is in progress"), refused.err.c_str());
    QCOMPARE(listed({}), QStringLiteral("2 1"));
}

void TestRunsCommands::pruneEndsWithOneWhereARunWasKept()
{
    train();
    train();
    QCOMPARE(runAccrue({ "archive", "1" }).code, 0);
    Arguments arguments;
    arguments.command = "prune";
    AnswerAfter taken([this] { RunLogWriter(log()).setArchived(RunId { 1 }, false); });
    std::ostringstream out;
    std::ostringstream err;
    std::istream in(&taken);
    Console console(in, out, err, { .in = true });
    QCOMPARE(pruneCommand(arguments, console), 1);
    QCOMPARE(out.str(), std::string());
    QVERIFY2(bytes(err.str()).contains("#1 first-run was not deleted"), err.str().c_str());

    arguments.operands = { "1", "2" };
    AnswerAfter deleted([this] { RunLogWriter(log()).prune({ RunId { 1 } }, Prunable::Any); });
    std::istream again(&deleted);
    Console other(again, out, err, { .in = true });
    QCOMPARE(pruneCommand(arguments, other), 1);
    QVERIFY2(bytes(out.str()).startsWith("Deleted 1 run, "), out.str().c_str());
}

void TestRunsCommands::pruneRefusesARunThatMayTrainOnAnotherMachine()
{
    {
        RunLogWriter gone(log());
        writeRun(gone, "far", 3, /*ended=*/false);
    }
    changeRuns(log(), "UPDATE runs SET host = 'another', boot_id = 'other'");
    const CommandResult refused = runAccrue({ "prune", "far", "--yes" });
    QCOMPARE(refused.code, 2);
    QVERIFY2(
        bytes(refused.err).contains("#1 far was started on the host another"), refused.err.c_str());
    QCOMPARE(listed({}), QStringLiteral("1"));
    QCOMPARE(runAccrue({ "archive", "far" }).code, 0);
    QCOMPARE(runAccrue({ "prune", "1", "--yes" }).code, 0);
    QCOMPARE(listed({ "--all" }), QString());
}

void TestRunsCommands::recipesShowPrintsTheFileAsItIs()
{
    for (const ShippedRecipe& recipe : shippedRecipes()) {
        const CommandResult shown = runAccrue({ "recipes", "show", recipe.name });
        QCOMPARE(shown.out, recipe.toml);
        QVERIFY(shown.err.empty());
    }
    const std::filesystem::path source = qgetenv("ACCRUE_SOURCE").toStdString();
    const CommandResult shown = runAccrue({ "recipes", "show", "first-run" });
    QCOMPARE(shown.out, readFile(source / "experiments/first-run.toml"));
    const std::filesystem::path mine = pathOf(*m_home, "mine.toml");
    writeFile(mine, shown.out);
    const CommandResult trained =
        runAccrue({ "train", mine.string(), "--set", "run.limit_steps=2" });
    QVERIFY2(trained.code == 0, trained.err.c_str());
}

void TestRunsCommands::recipesShowKnowsOwnRecipesAndTellsJson()
{
    const std::string toml = "# mine\r\n[run]\r\nepochs = 3\r\n\n"; // not as we would write it
    const std::filesystem::path file = pathOf(*m_home, "data/accrue/recipes/my-own.toml");
    writeFile(file, toml);
    for (const std::string& name :
        { std::string("my-own"), std::string("my-own.toml"), file.string() }) // as train finds it
        QCOMPARE(runAccrue({ "recipes", "show", name }).out, toml);
    QCOMPARE(runAccrue({ "recipes", "show", pathOf(*m_home, "none.toml").string() }).code, 2);
    const QJsonObject own = objectOf(runAccrue({ "recipes", "show", "my-own", "--json" }).out);
    QCOMPARE(own.value(QLatin1String("toml")).toString(), QString::fromStdString(toml));
    QCOMPARE(own.value(QLatin1String("file")).toString(), QString::fromStdString(file.string()));
    const QJsonObject shipped =
        objectOf(runAccrue({ "recipes", "show", "first-run", "--json" }).out);
    QVERIFY(shipped.value(QLatin1String("file")).isNull());
}

void TestRunsCommands::anUnknownRecipeIsAnsweredWithTheNearest()
{
    const CommandResult near = runAccrue({ "recipes", "show", "frist-run" });
    QCOMPARE(near.code, 2);
    QVERIFY2(bytes(near.err).contains("did you mean first-run?"), near.err.c_str());
    QCOMPARE(runAccrue({ "recipes", "show" }).code, 2);
    QCOMPARE(runAccrue({ "recipes", "sho", "first-run" }).code, 2);
    QCOMPARE(runAccrue({ "recipes", "list" }).out, runAccrue({ "recipes" }).out);
}

void TestRunsCommands::helpIsThatOfTheCommand()
{
    for (const std::string& command : commandNames()) {
        const CommandResult help = runAccrue({ "help", command });
        QCOMPARE(help.code, 0);
        QCOMPARE(help.out, runAccrue({ command, "--help" }).out);
    }
    QCOMPARE(runAccrue({ "help" }).out, runAccrue({ "--help" }).out);
    QVERIFY(bytes(runAccrue({ "help" }).out).contains("rename"));
}

void TestRunsCommands::anUnknownCommandIsAnsweredWithTheNearest()
{
    for (const Words& call : { Words { "help", "trainn" }, Words { "trainn" } }) {
        const CommandResult result = runAccrue(call);
        QCOMPARE(result.code, 2);
        QVERIFY2(bytes(result.err).contains("did you mean train?"), result.err.c_str());
    }
    QVERIFY(
        bytes(runAccrue({ "help", "qqqqqqqq" }).err).contains("the commands are train, resume"));
}

void TestRunsCommands::csvGoesToTheStandardOutput()
{
    train();
    const std::filesystem::path file = pathOf(*m_home, "runs.csv");
    const std::vector<Words> calls { { "export", "--csv" }, { "export", "--wide", "--csv" },
        { "memory", "1", "--csv" } };
    for (Words call : calls) {
        call.push_back(file.string());
        QCOMPARE(runAccrue(call).code, 0);
        call.back() = "-";
        const CommandResult printed = runAccrue(call);
        QCOMPARE(printed.code, 0);
        QVERIFY(printed.out == readFile(file));
        QVERIFY2(printed.err.empty(), printed.err.c_str());
        call.push_back("--json");
        QCOMPARE(runAccrue(call).code, 2);
        QVERIFY(!std::filesystem::exists("-"));
    }
}

void TestRunsCommands::aMetricThatNoTableKnowsIsShownAndComparedWithoutABest()
{
    {
        RunLogWriter writer(log());
        for (const double scale : { 12.5, 7.5 }) {
            const RunId run = writeRun(writer, "foreign", 2, /*ended=*/false);
            StepDone step = stepAt(3);
            step.values = { { "noise_scale", scale } };
            writer.sink(run).emitEvent(step);
            writer.sink(run).emitEvent(endAt(3));
        }
        QVERIFY(writer.close());
    }
    const QByteArray shown = bytes(runAccrue({ "show", "1" }).out);
    QVERIFY2(shown.contains("\nnoise_scale"), shown.constData());
    const QByteArray compared = bytes(runAccrue({ "compare", "1", "2" }).out);
    QVERIFY2(compared.contains("\nnoise_scale, final"), compared.constData());
    QVERIFY2(!compared.contains("noise_scale, best"), compared.constData());
    QVERIFY2(compared.contains("\nPeak memory (training), best"), compared.constData());
    const QJsonObject json = objectOf(runAccrue({ "compare", "1", "2", "--json" }).out);
    const QJsonObject last = json.value(QLatin1String("metrics")).toArray().last().toObject();
    QCOMPARE(last.value(QLatin1String("metric")).toString(), QStringLiteral("noise_scale"));
    QCOMPARE(last.value(QLatin1String("final")).toArray(), (QJsonArray { 12.5, 7.5 }));
    QCOMPARE(last.value(QLatin1String("best")).toArray(),
        (QJsonArray { QJsonValue::Null, QJsonValue::Null }));
}

void TestRunsCommands::theDataAreDescribedInTheLanguageAndForProgramsInEnglish()
{
    const Words csv { "export", "--wide", "--csv", "-" };
    m_engine->setOptions({ .trainSamples = 640, .testSamples = 20 });
    train();
    setLanguage(*findLanguage("zh_CN"));
    const QByteArray shown = bytes(runAccrue({ "show", "1" }).out);
    const QJsonObject json = objectOf(runAccrue({ "show", "1", "--json" }).out);
    const QByteArray exported = bytes(runAccrue(csv).out);
    setLanguage(languages().front());
    const char* const english = "Fake data, 640 train and 20 test";
    QVERIFY2(shown.contains("Fake data，640 个训练样本和 20 个测试样本"), shown.constData());
    QCOMPARE(json.value(QLatin1String("data")).toString(), QString::fromLatin1(english));
    QVERIFY2(exported.contains(english), exported.constData());
    QVERIFY(bytes(runAccrue({ "show", "1" }).out).contains(english));
}

void TestRunsCommands::wrongInputThatTheEngineFindsLeavesNoRun()
{
    m_engine->setOptions({ .wrongInput = "The picture cat/1.png cannot be read." });
    for (const Words& call :
        { Words { "train", "first-run" }, Words { "train", "first-run", "--json" },
            Words { "train", "first-run", "--db", "none" },
            Words { "equivalence", "first-run", "first-run" } }) {
        const CommandResult result = runAccrue(call);
        QCOMPARE(result.code, 2);
        QCOMPARE(result.out, std::string());
        QCOMPARE(result.err, std::string("accrue: The picture cat/1.png cannot be read.\n"));
    }
    QVERIFY(RunLogReader(log()).runs().empty());
    m_engine->setOptions({ .failAtStep = 3 });
    QCOMPARE(runAccrue({ "train", "first-run" }).code, 1);
    QCOMPARE(run(1).outcome, std::optional(RunOutcome::Failed));
    m_engine->setOptions({ .wrongInput = "The picture cat/1.png cannot be read." });
    QCOMPARE(runAccrue({ "resume", "1" }).code, 2);
    QCOMPARE(run(1).attempt, 1);
}

void TestRunsCommands::aCompletedRunGoesOnForLonger()
{
    train();
    QCOMPARE(run(1).totalSteps, 20);
    const CommandResult longer = runAccrue({ "resume", "1", "--set", "run.epochs=4" });
    QVERIFY2(longer.code == 0, longer.err.c_str());
    QVERIFY2(bytes(longer.err).contains("as attempt 2 from step 20"), longer.err.c_str());
    QCOMPARE(run(1).attempt, 2);
    QCOMPARE(run(1).step, 40);
    QCOMPARE(run(1).totalSteps, 40);
    QCOMPARE(run(1).experiment.run.epochs, 4);
    const CommandResult shown = runAccrue({ "show", "1" });
    QVERIFY2(bytes(shown.out).contains("run.epochs changed from 2 to 4"), shown.out.c_str());
    QVERIFY(bytes(runAccrue({ "list" }).out).contains("40/40"));
    QVERIFY(RunLogReader(log()).damageInRuns().empty());
}

void TestRunsCommands::aCompletedRunThatIsNotMadeLongerNamesTheSetting()
{
    train();
    const CommandResult plain = runAccrue({ "resume", "1" });
    QCOMPARE(plain.code, 2);
    QVERIFY2(bytes(plain.err).contains("has completed"), plain.err.c_str());
    QVERIFY2(bytes(plain.err).contains("accrue resume 1 --set run.epochs=4"), plain.err.c_str());
    for (const char* same : { "run.epochs=2", "run.epochs=1" }) {
        const CommandResult refused = runAccrue({ "resume", "1", "--set", same });
        QCOMPARE(refused.code, 2);
        QVERIFY2(bytes(refused.err).contains("--set: run.epochs"), refused.err.c_str());
    }
    QCOMPARE(run(1).attempt, 1);
}

void TestRunsCommands::aRunThatWasMadeLongerStaysAsLongWhenItIsCutOff()
{
    train();
    m_engine->setOptions({ .failAtStep = 23 }); // without a checkpoint after that of step 20
    QCOMPARE(runAccrue({ "resume", "1", "--set", "run.epochs=4" }).code, 1);
    m_engine->setOptions({});
    const CommandResult result = runAccrue({ "resume", "1" });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(bytes(result.err).contains("as attempt 3 from step 20"), result.err.c_str());
    QCOMPARE(run(1).experiment.run.epochs, 4);
    QCOMPARE(run(1).step, 40);
}

void TestRunsCommands::theCallForLongerIsOneThatGoesOn_data()
{
    QTest::addColumn<QString>("limit");
    QTest::addColumn<QString>("call");
    QTest::addColumn<int>("steps");
    QTest::newRow("epochs") << "0"
                            << "accrue resume 1 --set run.epochs=4" << 40;
    QTest::newRow("limit") << "8"
                           << "accrue resume 1 --set run.limit_steps=16" << 16;
    QTest::newRow("limit, twice as many are more than its epochs take")
        << "13"
        << "accrue resume 1 --set run.epochs=4 --set run.limit_steps=26" << 26;
    QTest::newRow("both at their end")
        << "20"
        << "accrue resume 1 --set run.epochs=4 --set run.limit_steps=0" << 40;
    QTest::newRow("limit not reached") << "50"
                                       << "accrue resume 1 --set run.epochs=4" << 40;
}

void TestRunsCommands::theCallForLongerIsOneThatGoesOn()
{
    QFETCH(QString, limit);
    QFETCH(QString, call);
    QFETCH(int, steps);
    train({ "--set", "run.limit_steps=" + limit.toStdString() });
    const CommandResult plain = runAccrue({ "resume", "1" });
    QCOMPARE(plain.code, 2);
    QVERIFY2(bytes(plain.err).endsWith(": " + call.toUtf8() + "\n"), plain.err.c_str());
    Words words;
    for (const QString& word : call.split(QLatin1Char(' ')).mid(1))
        words.push_back(word.toStdString());
    const CommandResult longer = runAccrue(words);
    QVERIFY2(longer.code == 0, longer.err.c_str());
    QCOMPARE(run(1).step, steps);
}

void TestRunsCommands::aScheduleThatKnowsTheLengthIsRefused()
{
    train({ "--set", "schedule.name=cosine" });
    const CommandResult plain = runAccrue({ "resume", "1" });
    QCOMPARE(plain.code, 2);
    QVERIFY2(bytes(plain.err).contains("It cannot be trained longer: schedule.name is cosine"),
        plain.err.c_str());
    QVERIFY2(!bytes(plain.err).contains("--set"), plain.err.c_str());
    const CommandResult refused = runAccrue({ "resume", "1", "--set", "run.epochs=4" });
    QCOMPARE(refused.code, 2);
    QVERIFY2(bytes(refused.err).contains("schedule.name is cosine"), refused.err.c_str());
    QVERIFY2(bytes(refused.err).contains("model.init_from"), refused.err.c_str());
    QCOMPARE(run(1).attempt, 1);
}

QTEST_GUILESS_MAIN(TestRunsCommands)
#include "tst_runs_commands.moc"
