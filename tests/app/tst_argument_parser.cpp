// SPDX-License-Identifier: Apache-2.0
#include "app/argument_parser.h"

#include "app/command_table.h"
#include "engine/base/language.h"
#include "engine/base/sentences.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "engine/runs/run_keys.h"
#include "tests/support/translation_codes.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <QtTest>

using namespace accrue;

namespace {
ParsedArguments parse(std::initializer_list<const char*> words)
{
    std::vector<const char*> argv { "accrue" };
    argv.insert(argv.end(), words.begin(), words.end());
    return parseArguments(static_cast<int>(argv.size()), argv.data());
}
} // namespace

class TestArgumentParser : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void optionsMayStandBeforeAndAfterTheCommand();
    void eachSetTakesOneAssignment();
    void runsAreSeparatedBySpacesOrCommas();
    void wordsInBracketsAreNoLists();
    void operandsMayStandAmongOptions();
    void aNoteMayBeLong();
    void everyCommandHasHelpWithAnExampleAndJson_data();
    void everyCommandHasHelpWithAnExampleAndJson();
    void usageNamesEachOperandAndWhichMayBeLeftOut_data();
    void usageNamesEachOperandAndWhichMayBeLeftOut();
    void everyCommandAndOptionIsTranslated_data();
    void everyCommandAndOptionIsTranslated();
    void anOptionThatSetsAKeyHasTheHelpOfItsRow();
    void helpOfACommandIsItsOwnHoweverItIsAskedFor();
    void wrongUsageIsOneSentence_data();
    void wrongUsageIsOneSentence();
    void wrongUsageNamesTheCommandForItsHelp();
    void versionNeedsNoCommand();
};

void TestArgumentParser::optionsMayStandBeforeAndAfterTheCommand()
{
    const auto words = { std::initializer_list<const char*> {
                             "--json", "--db", "list", "train", "first-run", "--name", "x" },
        { "train", "first-run", "--json", "--name", "x", "--db", "list" },
        { "train", "--db=list", "--json", "first-run", "--name=x" } };
    for (const auto& line : words) {
        const ParsedArguments parsed = parse(line);
        QCOMPARE(parsed.error.english(), std::string());
        QCOMPARE(parsed.arguments.command, std::string("train"));
        QCOMPARE(parsed.arguments.operands, std::vector<std::string> { "first-run" });
        QCOMPARE(parsed.arguments.runLog.value_or(""), std::string("list"));
        QCOMPARE(parsed.arguments.name.value_or(""), std::string("x"));
        QVERIFY(parsed.arguments.json);
    }
}

void TestArgumentParser::eachSetTakesOneAssignment()
{
    const ParsedArguments parsed = parse({ "train", "--set", "batch.micro=16", "first-run", "--set",
        "optimizer.lr=-1", "--name=--x" });
    QCOMPARE(parsed.error.english(), std::string());
    QCOMPARE(parsed.arguments.name.value_or(""), std::string("--x"));
    QCOMPARE(parsed.arguments.operands, std::vector<std::string> { "first-run" });
    QCOMPARE(parsed.arguments.settings,
        (std::vector<std::string> { "batch.micro=16", "optimizer.lr=-1" }));
}

void TestArgumentParser::runsAreSeparatedBySpacesOrCommas()
{
    const ParsedArguments parsed =
        parse({ "export", "--runs", "1,2", "baseline", "--csv", "a.csv", "--wide" });
    QCOMPARE(parsed.error.english(), std::string());
    QCOMPARE(parsed.arguments.runs, (std::vector<std::string> { "1", "2", "baseline" }));
    QCOMPARE(parsed.arguments.csv, std::string("a.csv"));
    QVERIFY(parsed.arguments.wide);
}

void TestArgumentParser::wordsInBracketsAreNoLists()
{
    using Words = std::vector<std::string>;
    QCOMPARE(
        parse({ "rename", "1", "[baseline]" }).arguments.operands, (Words { "1", "[baseline]" }));
    QCOMPARE(parse({ "note", "1", "[a, b]" }).arguments.operands, (Words { "1", "[a, b]" }));
    QCOMPARE(parse({ "note", "1", "--", "[a, b]" }).arguments.operands, (Words { "1", "[a, b]" }));
    QCOMPARE(parse({ "prune", "[1]", "-y" }).arguments.operands, Words { "[1]" });
    QCOMPARE(parse({ "show", "{}" }).arguments.operands, Words { "{}" });
    QCOMPARE(parse({ "tag", "[1]", "+[new]" }).arguments.tagChanges, Words { "+[new]" });
    QCOMPARE(parse({ "export", "--csv", "-", "--runs", "[a]", "[b]" }).arguments.runs,
        (Words { "[a]", "[b]" }));
    QCOMPARE(
        parse({ "train", "x", "--name", "[a]" }).arguments.name.value_or(""), std::string("[a]"));
}

void TestArgumentParser::operandsMayStandAmongOptions()
{
    const ParsedArguments parsed =
        parse({ "prune", "--db", "a.db", "1", "-y", "2", "--json", "--", "-3" });
    QCOMPARE(parsed.error.english(), std::string());
    QCOMPARE(parsed.arguments.operands, (std::vector<std::string> { "1", "2", "-3" }));
    QVERIFY(parsed.arguments.yes && parsed.arguments.json);
    const ParsedArguments tag =
        parse({ "tag", "--db", "a.db", "-old", "1", "+new", "--", "-h", "--old" });
    QCOMPARE(tag.error.english(), std::string());
    QCOMPARE(tag.arguments.operands, std::vector<std::string> { "1" });
    QCOMPARE(
        tag.arguments.tagChanges, (std::vector<std::string> { "-old", "+new", "-h", "--old" }));
    QVERIFY(!parse({ "show", "1", "-x" }).error.empty());
}

void TestArgumentParser::aNoteMayBeLong()
{
    const std::string text(100'000, 'a');
    const ParsedArguments parsed = parse({ "note", "1", text.c_str() });
    QCOMPARE(parsed.error.english(), std::string());
    QCOMPARE(parsed.arguments.operands.back(), text);
    QVERIFY(!parse({ "note", text.c_str(), "a" }).error.empty());
    QVERIFY(!parse({ "rename", "1", text.c_str() }).error.empty());
}

void TestArgumentParser::everyCommandHasHelpWithAnExampleAndJson_data()
{
    QTest::addColumn<QByteArray>("command");
    for (const std::string& name : commandNames())
        QTest::newRow(name.c_str()) << QByteArray::fromStdString(name);
}

void TestArgumentParser::everyCommandHasHelpWithAnExampleAndJson()
{
    QFETCH(QByteArray, command);
    const ParsedArguments parsed = parse({ command.constData(), "--help" });
    QCOMPARE(parsed.error.english(), std::string());
    const QByteArray help = QByteArray::fromStdString(parsed.help);
    QVERIFY2(help.contains("accrue " + command), help.constData());
    QVERIFY2(help.contains("Example"), help.constData());
    QVERIFY2(help.contains("--json"), help.constData());
    const ParsedArguments before = parse({ "--help", command.constData() });
    QCOMPARE(before.help, parsed.help);
}

void TestArgumentParser::usageNamesEachOperandAndWhichMayBeLeftOut_data()
{
    QTest::addColumn<QByteArray>("usage");
    for (const char* usage :
        { "train RECIPE", "list", "rename RUN NAME", "tag RUN [+TAG|-TAG]…", "prune [RUN]…",
            "recipes [list|show RECIPE]", "data [list|get DATASET…]", "help [COMMAND]" })
        QTest::newRow(QByteArray(usage).split(' ').front().constData()) << QByteArray(usage);
}

void TestArgumentParser::usageNamesEachOperandAndWhichMayBeLeftOut()
{
    QFETCH(QByteArray, usage);
    const QByteArray help =
        QByteArray::fromStdString(parse({ QTest::currentDataTag(), "--help" }).help);
    QVERIFY2(help.contains("\nUsage: accrue " + usage + " [OPTIONS]\n"), help.constData());
}

void TestArgumentParser::everyCommandAndOptionIsTranslated_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 1; i < languages().size(); ++i)
        QTest::newRow(std::string(languages()[i].id).c_str()) << static_cast<int>(i);
}

void TestArgumentParser::everyCommandAndOptionIsTranslated()
{
    QFETCH(int, index);
    const Language& language = languages()[static_cast<std::size_t>(index)];
    std::vector<std::string> wanted;
    for (const Command& command : commands()) {
        wanted.push_back(codeOf(command));
        for (const Option& option : command.givenOptions())
            if (option.key == nullptr)
                wanted.push_back(codeOf(command, option));
    }
    std::vector<std::string> found = test::codesOf(language);
    std::erase_if(found, [](const std::string& code) { return !code.starts_with("command."); });
    std::sort(wanted.begin(), wanted.end());
    std::vector<std::string> wrong; // missing or left over
    std::set_symmetric_difference(
        wanted.begin(), wanted.end(), found.begin(), found.end(), std::back_inserter(wrong));
    QCOMPARE(QString::fromStdString(commaList(wrong).english()), QString());

    // English lists the keys of its table; a translation is a text of its own.
    const std::string* filter = findTranslation(language, "command.list.filter");
    for (const RunKey& key : runKeys())
        QVERIFY2(QRegularExpression(QStringLiteral("\\b%1\\b").arg(key.name.c_str()))
                     .match(QString::fromStdString(*filter))
                     .hasMatch(),
            key.name.c_str());
}

void TestArgumentParser::anOptionThatSetsAKeyHasTheHelpOfItsRow()
{
    std::set<std::string> keys;
    for (const Command& command : commands())
        for (const Option& option : command.givenOptions())
            if (option.key != nullptr) {
                const KeyInfo& key = *findKey(option.key);
                const QString help =
                    QString::fromStdString(parse({ command.name.data(), "--help" }).help);
                const QString wanted =
                    QString::fromStdString(helpOf(key) + " Allowed: " + key.allowed.text());
                QVERIFY2(help.simplified().contains(wanted), qPrintable(help));
                keys.insert(key.key);
            }
    QCOMPARE(keys, std::set<std::string>({ key::runDevice, key::traceParameters }));
}

void TestArgumentParser::helpOfACommandIsItsOwnHoweverItIsAskedFor()
{
    const std::string help = parse({ "train", "--help" }).help;
    QCOMPARE(parse({ "help", "train" }).help, help);
    QCOMPARE(parse({ "help", "train", "--help" }).help, help);
    QCOMPARE(parse({ "help", "--help", "train" }).help, help);
    QVERIFY(parse({ "help", "--help" }).help != parse({ "help" }).help);
}

void TestArgumentParser::wrongUsageIsOneSentence_data()
{
    QTest::addColumn<QList<QByteArray>>("words");
    QTest::addColumn<QByteArray>("names");
    QTest::newRow("unknown command")
        << QList<QByteArray> { "tarin", "x" } << QByteArray("tarin; did you mean train?");
    QTest::newRow("unknown option") << QList<QByteArray> { "list", "--wat" } << QByteArray("--wat");
    QTest::newRow("option without value")
        << QList<QByteArray> { "list", "--db" } << QByteArray("--db");
    QTest::newRow("option of another command")
        << QList<QByteArray> { "list", "--csv", "a" } << QByteArray("--csv");
    QTest::newRow("operand where none is taken")
        << QList<QByteArray> { "doctor", "me" } << QByteArray("me");
    QTest::newRow("in the order in which they were typed") << QList<QByteArray> { "list", "foo",
        "--wat", "bar" } << QByteArray("Accrue does not expect foo --wat bar here.");
    QTest::newRow("option for a value") << QList<QByteArray> { "export", "--csv", "b.csv", "--runs",
        "--db", "g.db" } << QByteArray("--runs needs a value, but --db follows");
    QTest::newRow("option for a run")
        << QList<QByteArray> { "export", "--csv", "b.csv", "--runs", ",", "--db", "g.db" }
        << QByteArray("--runs needs numbers or names of runs, but --db follows");
    QTest::newRow("given twice") << QList<QByteArray> { "train", "x", "--name", "a", "--name=b" }
                                 << QByteArray("--name is given twice");
    QTest::newRow("no value at the end")
        << QList<QByteArray> { "list", "--db" } << QByteArray("--db needs a value");
    QTest::newRow("an empty value")
        << QList<QByteArray> { "memory", "1", "--csv", "" } << QByteArray("--csv needs a value");
    QTest::newRow("no end") << QList<QByteArray> { "train", QByteArray(100'000, 'a') }
                            << QByteArray(
                                   "aaa…\" has 100000 bytes; an argument may have at most 4096.");
    QTest::newRow("command without end") << QList<QByteArray> { QByteArray(4000, 'a') }
                                         << QByteArray("aaa…; the commands are train");
    QTest::newRow("nothing") << QList<QByteArray> {} << QByteArray("Name a command");
}

void TestArgumentParser::wrongUsageIsOneSentence()
{
    QFETCH(QList<QByteArray>, words);
    QFETCH(QByteArray, names);
    std::vector<const char*> argv { "accrue" };
    for (const QByteArray& word : words)
        argv.push_back(word.constData());
    const ParsedArguments parsed = parseArguments(static_cast<int>(argv.size()), argv.data());
    const QByteArray error = QByteArray::fromStdString(parsed.error.english());
    QVERIFY2(error.contains(names), error.constData());
    QVERIFY2(error.endsWith('.') || error.endsWith('?'), error.constData());
    QVERIFY(error.size() < 1000);
}

void TestArgumentParser::wrongUsageNamesTheCommandForItsHelp()
{
    QCOMPARE(parse({ "list", "--db" }).arguments.command, std::string("list"));
    QCOMPARE(parse({ "list", "--wat" }).arguments.command, std::string("list"));
    QCOMPARE(parse({ "--db" }).arguments.command, std::string());
}

void TestArgumentParser::versionNeedsNoCommand()
{
    QCOMPARE(parse({ "--version" }).arguments.command, std::string("version"));
    QVERIFY(parse({ "--version", "--json" }).arguments.json);
}

QTEST_GUILESS_MAIN(TestArgumentParser)
#include "tst_argument_parser.moc"
