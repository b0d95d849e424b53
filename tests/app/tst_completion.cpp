// SPDX-License-Identifier: Apache-2.0
#include "app/commands/completion.h"

#include "run_log_fixture.h"

#include "app/command_table.h"
#include "engine/base/language.h"
#include "engine/base/places.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "engine/runs/run_keys.h"
#include "tests/app/command_line_fixture.h"

#include <algorithm>

#include <QtTest>

using namespace accrue;

namespace {

using Words = std::vector<std::string>;
using Paths = Completion::Paths;

Words offered(const Words& words)
{
    Words found;
    for (const Completion::Candidate& candidate : completionOf(words).candidates)
        found.push_back(candidate.word);
    return found;
}

bool offers(const Words& words, const std::string& word)
{
    const Words found = offered(words);
    return std::find(found.begin(), found.end(), word) != found.end();
}

Paths pathsFor(const Words& words)
{
    return completionOf(words).paths;
}

} // namespace

// What a shell is told to offer, and the manual pages: both have everything that the tables have.
class TestCompletion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();

    void everyCommandIsOfferedAndHasAPage();
    void everyOptionOfACommandIsOfferedAndOnItsPage();
    void everyKeyAndEveryChoiceIsOffered();
    void everyKeyIsOnThePageOfKeys();
    void everyFilterAndSortKeyIsOffered();
    void aRecipeIsOneByNameOrAFile();
    void wordsOfTheUsageAreOffered();
    void pathsAreLeftToTheShell();
    void runsAreOfferedByNumberAndByName();
    void runsComeFromTheLogThatTheLineNames();
    void aLogThatCannotBeReadOffersNothing();
    void theLastOfSeveralValuesIsCompleted();
    void afterTwoHyphensThereAreNoOptions();
    void anUnknownWordOffersNothing();
    void aPageIsEnglishInEveryLanguage();
    void wrongCallsAreAnsweredWithASentence();

private:
    std::filesystem::path file(const std::string& name) const
    {
        return m_folder->path().toStdString() + "/" + name;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestCompletion::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    useHome(file("home"));
}

void TestCompletion::everyCommandIsOfferedAndHasAPage()
{
    const std::string program = runAccrue({ "man" }).out;
    for (const std::string& name : commandNames()) {
        QVERIFY2(offers({ "" }, name), name.c_str());
        QVERIFY2(offers({ name.substr(0, 2) }, name), name.c_str());
        QVERIFY2(offers({ "help", "" }, name), name.c_str());
        QVERIFY2(program.find("\\fB" + name + "\\fR") != std::string::npos, name.c_str());
        const CommandResult page = runAccrue({ "man", name });
        QCOMPARE(page.code, 0);
        QVERIFY(page.out.find(".SH NAME\naccrue\\-" + name + " \\- ") != std::string::npos);
    }
    QVERIFY(!offers({ "tr" }, "list"));
}

void TestCompletion::everyOptionOfACommandIsOfferedAndOnItsPage()
{
    for (const Command& command : commands()) {
        const std::string name(command.name);
        QString page = QString::fromStdString(runAccrue({ "man", name }).out);
        page.replace(QLatin1String("\\-"), QLatin1String("-"));
        for (const Option& option : command.givenOptions()) {
            const std::string first(option.name.substr(0, option.name.find(',')));
            const QString bold = QStringLiteral("\\fB%1\\fR").arg(first.c_str());
            const QString italic = QStringLiteral("\\fI%1\\fR").arg(first.c_str());
            QVERIFY2(page.contains(option.isOperand() ? italic : bold), qPrintable(bold));
            QVERIFY2(option.isOperand() || offers({ name, "-" }, first), qPrintable(bold));
            QVERIFY2(option.isOperand() || offers({ name, "x", first.substr(0, 3) }, first),
                qPrintable(bold));
        }
        QVERIFY(offers({ name, "--" }, "--json"));
        QVERIFY(page.contains(QLatin1String("\\fB--json\\fR")));
        QVERIFY(page.contains(QLatin1String("\\fB--help\\fR, \\fB-h\\fR")));
    }
    QVERIFY(offers({ "-" }, "--version"));
}

void TestCompletion::everyKeyAndEveryChoiceIsOffered()
{
    for (const KeyInfo& key : experimentKeys()) {
        QVERIFY2(offers({ "train", "first-run", "--set", "" }, key.key + "="), key.key.c_str());
        QVERIFY2(
            offers({ "train", "--set=" + key.key }, "--set=" + key.key + "="), key.key.c_str());
        QVERIFY2(offers({ "keys", key.key.substr(0, 3) }, key.key), key.key.c_str());
        for (const KeyChoice& choice : key.choices)
            QVERIFY2(offers({ "train", "--set", key.key + "=" }, key.key + "=" + choice.value),
                choice.value.c_str());
    }
    QCOMPARE(
        offered({ "train", "--set", "optimizer.nesterov=t" }), Words { "optimizer.nesterov=true" });
    QCOMPARE(offered({ "train", "--set", "model.norm=gr" }), Words { "model.norm=group" });
    QVERIFY(pathsFor({ "train", "--set", "data.path=" }) == Paths::Folders);
    QVERIFY(offers({ "train", "--device", "" }, "cpu"));
}

void TestCompletion::everyKeyIsOnThePageOfKeys()
{
    QString page = QString::fromStdString(runAccrue({ "man", "keys" }).out);
    page.replace(QLatin1String("\\-"), QLatin1String("-"));
    for (const KeyInfo& key : experimentKeys()) {
        QVERIFY2(page.contains(QStringLiteral("\\fB%1\\fR").arg(key.key.c_str())), key.key.c_str());
        QVERIFY2(page.contains(QString::fromStdString(key.allowed.english())), key.key.c_str());
    }
}

void TestCompletion::everyFilterAndSortKeyIsOffered()
{
    for (const RunKey& key : runKeys()) {
        QVERIFY2(offers({ "list", "--sort", "" }, key.name), key.name.c_str());
        QVERIFY2(offers({ "list", "--filter", "" }, key.name + "="), key.name.c_str());
    }
    QVERIFY(offers({ "list", "--filter", "state=" }, "state=completed"));
    QVERIFY(offers({ "list", "--filter", "norm=" }, "norm=group"));
    // The last condition of several in quotation marks, as bash passes them.
    QCOMPARE(offered({ "list", "--filter", "\"norm=group state=comp" }),
        Words { "norm=group state=completed" });
}

void TestCompletion::aRecipeIsOneByNameOrAFile()
{
    std::filesystem::create_directories(file("home/data/accrue/recipes"));
    writeFile(file("home/data/accrue/recipes/mine.toml"), "");
    for (const ShippedRecipe& shipped : shippedRecipes())
        QVERIFY2(offers({ "train", "" }, shipped.name), shipped.name.c_str());
    QVERIFY(offers({ "train", "mi" }, "mine"));
    QVERIFY(offers({ "recipes", "show", "first" }, "first-run"));
    QVERIFY(pathsFor({ "train", "x" }) == Paths::Files);
}

void TestCompletion::wordsOfTheUsageAreOffered()
{
    QCOMPARE(offered({ "recipes", "" }), Words({ "list", "show" }));
    QCOMPARE(offered({ "data", "g" }), Words { "get" });
    QVERIFY(offers({ "data", "get", "mnist", "cifar" }, "cifar10"));
    QCOMPARE(offered({ "queue", "ho" }), Words { "hold" });
    QVERIFY(offers({ "queue", "add", "first" }, "first-run"));
    QCOMPARE(
        offered({ "sweep", "first-run", "--order", "" }), Words({ "given", "memory", "time" }));
    QVERIFY(offers({ "sweep", "first-run", "--vary", "model.norm=" }, "model.norm=group"));
    QVERIFY(offers({ "summary", "--metric", "test_acc" }, "test_accuracy"));
    QCOMPARE(offered({ "completion", "" }), Words({ "bash", "zsh", "fish" }));
}

void TestCompletion::pathsAreLeftToTheShell()
{
    QVERIFY(pathsFor({ "export", "--csv", "" }) == Paths::Files);
    QVERIFY(pathsFor({ "export", "--csv=a" }) == Paths::Files);
    QVERIFY(pathsFor({ "--db", "" }) == Paths::Files);
    QVERIFY(pathsFor({ "list", "--db", "a.db", "" }) == Paths::None);
    QVERIFY(pathsFor({ "train", "--data", "" }) == Paths::Folders);
    QVERIFY(pathsFor({ "evaluate", "" }) == Paths::Folders);
    QVERIFY(pathsFor({ "train", "first-run", "--name", "" }) == Paths::None);
    QVERIFY(offered({ "train", "first-run", "--name", "" }).empty());
}

void TestCompletion::runsAreOfferedByNumberAndByName()
{
    {
        RunLogWriter log(defaultRunLog());
        for (const char* name : { "old", "twice", "twice", "base line", "two\nlines" })
            writeRun(log, name, 1);
        log.setArchived(RunId { 1 }, true);
    }
    QCOMPARE(offered({ "show", "" }), Words({ "5", "4", "3", "2", "base line" }));
    QCOMPARE(offered({ "compare", "5", "b" }), Words { "base line" });
    QCOMPARE(offered({ "unarchive", "" }), Words({ "1", "old" }));
    QVERIFY(offered({ "rename", "5", "" }).empty()); // its new name
    QCOMPARE(completionOf({ "show", "4" }).candidates.front().meaning, std::string("base line"));
}

void TestCompletion::runsComeFromTheLogThatTheLineNames()
{
    const std::string other = file("other.db").string();
    {
        RunLogWriter log(other);
        writeRun(log, "elsewhere", 1);
    }
    QVERIFY(offered({ "show", "" }).empty());
    QCOMPARE(offered({ "show", "--db", other, "e" }), Words { "elsewhere" });
    QCOMPARE(offered({ "--db=" + other, "show", "e" }), Words { "elsewhere" });
}

void TestCompletion::aLogThatCannotBeReadOffersNothing()
{
    writeFile(file("no.db"), "no database");
    QVERIFY(offered({ "show", "--db", file("no.db").string(), "" }).empty());
    QVERIFY(offered({ "show", "--db", "none", "" }).empty());
}

void TestCompletion::theLastOfSeveralValuesIsCompleted()
{
    {
        RunLogWriter log(defaultRunLog());
        writeRun(log, "first", 1);
        writeRun(log, "second", 1);
    }
    QCOMPARE(offered({ "export", "--runs", "first,se" }), Words { "first,second" });
    QCOMPARE(offered({ "export", "--runs=1,fi" }), Words { "--runs=1,first" });
    QCOMPARE(offered({ "export", "--runs", "first", "se" }), Words { "second" });
    QCOMPARE(offered({ "export", "--runs", "first", "--cs" }), Words { "--csv" });
}

void TestCompletion::afterTwoHyphensThereAreNoOptions()
{
    QVERIFY(offered({ "train", "--", "--s" }).empty());
    QVERIFY(offers({ "train", "--", "first" }, "first-run"));
}

void TestCompletion::anUnknownWordOffersNothing()
{
    QVERIFY(offered({ "tarin", "" }).empty());
    QVERIFY(offered({ "list", "what", "" }).empty());
    QVERIFY(offered({ "train", "--wat=" }).empty());
    QVERIFY(offered({ "train", "--set", "no.key=" }).empty());
    QCOMPARE(offered({}), offered({ "" }));
}

void TestCompletion::aPageIsEnglishInEveryLanguage()
{
    const std::string english = runAccrue({ "man", "train" }).out;
    const Language& before = language();
    setLanguage(*findLanguage("zh_CN"));
    const std::string here = runAccrue({ "man", "train" }).out;
    const bool isKept = language().id == "zh_CN";
    setLanguage(before);
    QCOMPARE(here, english);
    QVERIFY(isKept);
}

void TestCompletion::wrongCallsAreAnsweredWithASentence()
{
    for (const Words& call :
        { Words { "completion" }, Words { "completion", "tcsh" }, Words { "man", "tarin" },
            Words { "man", "train", "list" }, Words { "keys", "a", "b" } }) {
        const CommandResult result = runAccrue(call);
        QCOMPARE(result.code, 2);
        QCOMPARE(linesOf(result.err).size(), std::size_t { 1 });
    }
    QVERIFY(runAccrue({ "completion" }).err.find("bash, zsh, fish") != std::string::npos);
    QVERIFY(runAccrue({ "keys", "optimiser.lr" }).err.find("optimizer.lr") != std::string::npos);
    QCOMPARE(runAccrue({ "help", "optimizer.lr" }).out, runAccrue({ "keys", "optimizer.lr" }).out);
    QVERIFY(runAccrue({ "keys", "optimizer.lr" }).out.find("Default") != std::string::npos);
    QVERIFY(runAccrue({ "keys", "LEARNING" }).out.find("optimizer.lr") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestCompletion)
#include "tst_completion.moc"
