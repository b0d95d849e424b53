// SPDX-License-Identifier: Apache-2.0
#include "app/findings.h"

#include "engine/base/language.h"

#include <sstream>

#include <QtTest>

using namespace accrue;

class TestFindings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFindingIsWrittenAsCompilersWriteIt_data();
    void aFindingIsWrittenAsCompilersWriteIt();
    void nothingIsSaidTwiceInAnotherLanguage();
    void theGravestComeFirstInTheOrderOfLines();
    void ofManyTheFirstTwentyAreSaid();
};

void TestFindings::aFindingIsWrittenAsCompilersWriteIt_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<int>("line");
    QTest::addColumn<Finding::Severity>("severity");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("key said once") << QByteArray("batch.micro") << 12 << Finding::Severity::Error
                                   << QByteArray("batch.micro is 0; allowed: count.")
                                   << QByteArray("r.toml:12: batch.micro: 0; allowed: count.");
    QTest::newRow("other sentence")
        << QByteArray("batch.micro") << 3 << Finding::Severity::Warning
        << QByteArray("A small batch hurts.")
        << QByteArray("r.toml:3: warning: batch.micro: A small batch hurts.");
    QTest::newRow("note") << QByteArray("batch.micro") << 3 << Finding::Severity::Note
                          << QByteArray("It is measured first.")
                          << QByteArray("r.toml:3: note: batch.micro: It is measured first.");
    QTest::newRow("file and line said once")
        << QByteArray() << 1 << Finding::Severity::Error
        << QByteArray("r.toml is not TOML: line 1, column 6: odd.")
        << QByteArray("r.toml:1: not TOML: column 6: odd.");
    QTest::newRow("no line, no key")
        << QByteArray() << 0 << Finding::Severity::Error << QByteArray("It is gone.")
        << QByteArray("r.toml: It is gone.");
}

void TestFindings::aFindingIsWrittenAsCompilersWriteIt()
{
    QFETCH(QByteArray, key);
    QFETCH(int, line);
    QFETCH(Finding::Severity, severity);
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, text);
    const Finding finding { severity, key.toStdString(), line,
        Message::plain(message.toStdString()) };
    QCOMPARE(QByteArray::fromStdString(findingText(finding, "r.toml")), text);
}

void TestFindings::nothingIsSaidTwiceInAnotherLanguage()
{
    const Message unknown("setting.unknown_key", { { "key", std::string("batch.micr") } });
    const Finding key { Finding::Severity::Error, "batch.micr", 0, unknown };
    const Finding line {
        Finding::Severity::Error, "", 2,
        Message("recipe.not_toml",
            { { "file", std::string("r.toml") },
                { "problem",
                    Message("toml.not_utf8", { { "line", 2 }, { "byte", std::string("E9") } }) } })
    };
    setLanguage(*findLanguage("zh_CN"));
    const std::string ofKey = findingText(key, "--set");
    const std::string ofLine = findingText(line, "r.toml");
    setLanguage(languages().front());
    QCOMPARE(QString::fromStdString(ofKey).count(QStringLiteral("batch.micr")), 1);
    QCOMPARE(QString::fromStdString(ofLine).count(QStringLiteral("r.toml")), 1);
    QVERIFY2(ofLine.find("第 2 行") == std::string::npos, ofLine.c_str());
}

void TestFindings::theGravestComeFirstInTheOrderOfLines()
{
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console(in, out, err, {});
    printFindings(console,
        { { Finding::Severity::Note, "", 1, Message::plain("n.") },
            { Finding::Severity::Warning, "", 1, Message::plain("w.") },
            { Finding::Severity::Error, "", 0, Message::plain("c.") },
            { Finding::Severity::Error, "", 9, Message::plain("b.") },
            { Finding::Severity::Error, "", 2, Message::plain("a.") } },
        "r");
    QCOMPARE(err.str(), std::string("r:2: a.\nr:9: b.\nr: c.\nr:1: warning: w.\nr:1: note: n.\n"));
    QVERIFY(out.str().empty());
}

void TestFindings::ofManyTheFirstTwentyAreSaid()
{
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Console console(in, out, err, {});
    const Finding note { Finding::Severity::Note, "", 1, Message::plain("n.") };
    Findings findings(59'999, note);
    findings.push_back(
        { Finding::Severity::Error, std::string(900'000, 'k'), 60'000, Message::plain("e.") });
    printFindings(console, findings, "r");
    const QByteArray said = QByteArray::fromStdString(err.str());
    QVERIFY2(said.startsWith("r:60000: kkk"), said.left(100).constData());
    QVERIFY2(said.endsWith("r: 59\u202f980 more findings are not shown; correct these first.\n"),
        said.right(100).constData());
    QCOMPARE(said.count('\n'), 21);
    QVERIFY(said.size() < 1000);
}

QTEST_GUILESS_MAIN(TestFindings)
#include "tst_findings.moc"
