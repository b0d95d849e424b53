// SPDX-License-Identifier: Apache-2.0
#include "app/text_table.h"

#include <QtTest>

using namespace accrue;

class TestTextTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void widthCountsColumnsNotBytes_data();
    void widthCountsColumnsNotBytes();
    void columnsAreAligned();
    void noLineEndsInSpaces();
    void controlCharactersNeverReachTheTerminal();
    void bytesThatAreNoUtf8AreEscaped();
    void clippedTextFitsAndSaysThatItWasCut();
    void coloursAreThereOnlyWhenAsked();
};

void TestTextTable::widthCountsColumnsNotBytes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("width");
    QTest::newRow("ascii") << QByteArray("abc") << 3;
    QTest::newRow("narrow no-break space") << QByteArray("4\u202f690") << 5;
    QTest::newRow("wide") << QByteArray("数字") << 4;
    QTest::newRow("combining") << QByteArray("e\u0301") << 1;
    QTest::newRow("broken bytes") << QByteArray("\xff\xc3") << 2;
}

void TestTextTable::widthCountsColumnsNotBytes()
{
    QFETCH(QByteArray, text);
    QFETCH(int, width);
    QCOMPARE(displayWidth(text.toStdString()), width);
}

void TestTextTable::columnsAreAligned()
{
    TextTable table({ "Name", "Value" }, { 1 });
    table.addRow({ "x", "1" });
    table.addRow({ "数字", "1000" });
    QCOMPARE(table.render(false),
        std::string("Name  Value\n"
                    "x         1\n"
                    "数字   1000\n"));
}

void TestTextTable::noLineEndsInSpaces()
{
    TextTable table;
    table.addRow({ "long", "a" });
    table.addRow({ "b", "" });
    table.addRow({ "", "" });
    QCOMPARE(table.render(false), std::string("long  a\nb\n\n"));
}

void TestTextTable::controlCharactersNeverReachTheTerminal()
{
    TextTable table;
    table.addRow({ "evil\x1b[2Jname\nnext" });
    QCOMPARE(table.render(false), std::string("evil?[2Jname?next\n"));
}

void TestTextTable::bytesThatAreNoUtf8AreEscaped()
{
    QCOMPARE(printable("near \xB9"
                       "ABLE \xC3\xA9"),
        std::string("near \\xB9ABLE é"));
    QCOMPARE(displayWidth("\xED\xA0\x80"), 3); // a surrogate: no character, three bytes
}

void TestTextTable::clippedTextFitsAndSaysThatItWasCut()
{
    QCOMPARE(clipped("abcdef", 6), std::string("abcdef"));
    QCOMPARE(clipped("abcdef", 4), std::string("abc…"));
    QCOMPARE(displayWidth(clipped("数字数字", 4)), 3);
}

void TestTextTable::coloursAreThereOnlyWhenAsked()
{
    TextTable table({ "Name" });
    table.addRow({ { "bad", TextStyle::Bad } });
    QCOMPARE(table.render(false), std::string("Name\nbad\n"));
    QCOMPARE(table.render(true), std::string("\x1b[1mName\x1b[0m\n\x1b[31mbad\x1b[0m\n"));
}

QTEST_GUILESS_MAIN(TestTextTable)
#include "tst_text_table.moc"
