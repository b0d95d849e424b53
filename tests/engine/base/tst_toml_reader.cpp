// SPDX-License-Identifier: Apache-2.0
#include "engine/base/toml_reader.h"

#include "engine/base/file_messages.h"

#include "engine/base/files.h"
#include "engine/base/shown_text.h"

#include <string>

#include <QTest>

using namespace accrue;

namespace {

QString problemOf(const std::string& toml)
{
    return QString::fromStdString(messageOf(readToml(toml).problem).english());
}

std::string repeated(const std::string& text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

} // namespace

class TestTomlReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The library runs into undefined behaviour on some of them.
    void lettersBeyondAsciiNeedQuotes_data()
    {
        QTest::addColumn<QByteArray>("toml");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("shown");
        QTest::newRow("key") << QByteArray("é = 1") << 1 << "é";
        QTest::newRow("within a key") << QByteArray("\na× = 1") << 2 << "×";
        QTest::newRow("value") << QByteArray("x = ё") << 1 << "ё";
        QTest::newRow("section") << QByteArray("[batch]é") << 1 << "é";
        QTest::newRow("behind text") << QByteArray("a = \"b\\\"\"é") << 1 << "é";
    }
    void lettersBeyondAsciiNeedQuotes()
    {
        QFETCH(QByteArray, toml);
        QFETCH(int, line);
        QFETCH(QString, shown);
        const TomlText read = readToml(toml.toStdString());
        QCOMPARE(QString::fromStdString(messageOf(read.problem).english()),
            QStringLiteral("is not TOML: line %1, %2 needs quotes around it").arg(line).arg(shown));
        QCOMPARE(read.problem.line, line);
        QVERIFY(read.entries.empty());
    }

    void whatIsNotUtf8IsToBeSavedAnew_data()
    {
        QTest::addColumn<QByteArray>("toml");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* name, const QByteArray& toml, const char* problem) {
            QTest::newRow(name) << toml << QString::fromLatin1(problem);
        };
        row("Latin-1", "\xE9 = 1",
            "is not UTF-8: line 1, \\xE9 is not part of a character; save it as UTF-8");
        row("Latin-1 behind a line", "a = 1\nb = \xE9t\xE9",
            "is not UTF-8: line 2, \\xE9 is not part of a character; save it as UTF-8");
        row("UTF-16", QByteArray("\xFF\xFEn\0", 4),
            "is not UTF-8: line 1, \\xFF is not part of a character; save it as UTF-8");
    }
    void whatIsNotUtf8IsToBeSavedAnew()
    {
        QFETCH(QByteArray, toml);
        const TomlText read = readToml(toml.toStdString());
        QTEST(QString::fromStdString(messageOf(read.problem).english()), "problem");
        QVERIFY(read.entries.empty());
    }

    void inQuotesAndCommentsTheyAreFine()
    {
        const TomlText read = readToml("\xEF\xBB\xBF# é\n\"é\" = 'ё' # ×\nb = \"\"\"日\n本\"\"\"");
        QVERIFY(read.problem.empty());
        QCOMPARE(read.entries.size(), std::size_t { 2 });
        QVERIFY(read.find("\"é\"") != nullptr);
        QVERIFY(read.find("b") != nullptr);
        QVERIFY(read.find("c") == nullptr);
    }

    void deepListsAndTablesAreRefusedBeforeTheyAreTaken()
    {
        QCOMPARE(problemOf("a = " + repeated("[", 16) + repeated("]", 16)), QString());
        const QString problem = QStringLiteral(
            "is nested too deeply: line 2, more than 16 lists and tables inside one another");
        QCOMPARE(problemOf("\na = " + repeated("[", 400'000)), problem);
        QCOMPARE(problemOf("\na = " + repeated("{ a = ", 100'000)), problem);
        QCOMPARE(problemOf("a = [ " + repeated("[1], ", 20'000) + "]"), QString());
    }

    void aMessageQuotesLittle()
    {
        const std::string key(900'000, 'k');
        for (const std::size_t length : { 300, 400'000 }) {
            const std::string name(length, 'n');
            const QString twice = problemOf(name + " = 1\n" + name + " = 2");
            QVERIFY2(twice.contains(QLatin1String("cannot redefine")), qPrintable(twice));
            QVERIFY2(
                twice.contains(QString(kQuotedCharacters, QLatin1Char('n'))), qPrintable(twice));
            QVERIFY(!twice.contains(QString(kQuotedCharacters + 1, QLatin1Char('n'))));
        }
        const TomlText read = readToml("a = \"" + key + "\"");
        QVERIFY(read.entries.front().value.shown.size() < 100);
        QVERIFY(problemOf(std::string(kLargestTextFile + 1, '#')).contains("larger than 1 MiB"));
    }

    void aSettingIsTomlWhereItBeginsSo()
    {
        std::vector<std::int64_t> counts;
        QVERIFY(read(writtenFromSetting("[256, 128]"), counts));
        QCOMPARE(counts, std::vector<std::int64_t>({ 256, 128 }));
        QVERIFY(read(writtenFromSetting("256, 128"), counts));
        QVERIFY(read(writtenFromSetting("1_000, 0x40, +3"), counts));
        QCOMPARE(counts, std::vector<std::int64_t>({ 1000, 64, 3 }));
        QVERIFY(read(writtenFromSetting("1_000"), counts));
        QCOMPARE(counts, std::vector<std::int64_t> { 1000 });
        std::string text;
        for (const char* quoted : { "\"b 32\"", "b 32", "  b 32 " }) {
            QVERIFY(read(writtenFromSetting(quoted), text));
            QCOMPARE(text, std::string("b 32"));
        }
        QVERIFY(read(writtenFromSetting("\"b # 32\""), text));
        QCOMPARE(text, std::string("b # 32"));
        for (const char* bare : { "[draft", "\"a\" and \"b\"", "{}", "'b'", "\"b\" # 32" }) {
            QVERIFY(read(writtenFromSetting(bare), text));
            QCOMPARE(text, std::string(bare));
        }
    }

    void elementsOfAListNeedNoBracketsInASetting()
    {
        std::vector<std::string> texts;
        for (const char* list : { "\"a, b\", \"c\"", "[\"a, b\", \"c\"]" }) {
            QVERIFY(read(writtenFromSetting(list), texts));
            QCOMPARE(texts, std::vector<std::string>({ "a, b", "c" }));
        }
        QVERIFY(read(writtenFromSetting("\"a\""), texts)); // one is a list, too
        QCOMPARE(texts, std::vector<std::string> { "a" });
        const TomlText file = readToml("a = \"a\"");
        QVERIFY(!read(file.entries.front().value, texts)); // in a file it is none
        const auto tables = elementsOf(writtenFromSetting("{ a = 1 }, { a = 2 }"));
        QVERIFY(tables && tables->size() == 2);
        QCOMPARE(tomlOf((*tables)[1]), std::string("{a = 2}"));
    }

    void whatIsWrittenIsReadAgain()
    {
        for (const char* toml : { "true", "-3", "0.5", "\"a \\\"b\\\"\"", "[1, [2, 3]]",
                 "{a = 1, \"b c\" = [\"d\"]}" }) {
            const WrittenValue value = writtenFromSetting(toml);
            QCOMPARE(tomlOf(value), std::string(toml));
        }
    }

    void aNumberIsReadAsTomlWritesIt_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qlonglong>("value");
        QTest::newRow("hexadecimal") << QByteArray("0x10") << 16LL;
        QTest::newRow("octal") << QByteArray("0o17") << 15LL;
        QTest::newRow("with underscores") << QByteArray("1_000") << 1000LL;
        QTest::newRow("with a sign") << QByteArray("+1_0") << 10LL;
        QTest::newRow("with blanks") << QByteArray(" 16 ") << 16LL;
    }
    void aNumberIsReadAsTomlWritesIt()
    {
        QFETCH(QByteArray, text);
        QFETCH(qlonglong, value);
        std::int64_t number = 0;
        QVERIFY(read(writtenFromSetting(text.toStdString()), number));
        QCOMPARE(number, value);
    }

    void whatOnlyLooksLikeANumberStaysText()
    {
        std::string text;
        std::int64_t number = 0;
        for (const char* other : { "1979-05-27", "0x", "1 epoch", "4GiB", "1__0", "1 # two",
                 "0x10#", "0x10, ten", "1, 1979-05-27", "1], [2" }) {
            QVERIFY(!read(writtenFromSetting(other), number));
            QVERIFY(read(writtenFromSetting(other), text));
            QCOMPARE(text, std::string(other));
        }
    }
};

QTEST_GUILESS_MAIN(TestTomlReader)
#include "tst_toml_reader.moc"
