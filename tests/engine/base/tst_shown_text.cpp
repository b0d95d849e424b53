// SPDX-License-Identifier: Apache-2.0
#include "engine/base/shown_text.h"

#include <QTest>

using namespace accrue;

class TestShownText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsQuotedHasEightyCharacters()
    {
        const std::string eighty(80, 'x');
        QCOMPARE(shortened(eighty), eighty);
        QCOMPARE(shortened(eighty + "y"), eighty + "…");
        QCOMPARE(shortened("日本語", 2), std::string("日本…"));
        QCOMPARE(shortened(std::string(8'000'000, 'a')).size(), 80 + std::string("…").size());
    }

    void bytesThatAreNoUtf8AreEscaped()
    {
        QCOMPARE(shortened("caf\xE9 \xC3\xA9 \xFF"), std::string("caf\\xE9 é \\xFF"));
        QCOMPARE(shortened("a\x1b[31m\nb"), std::string("a?[31m?b"));
        QVERIFY(isUtf8("é"));
        QVERIFY(!isUtf8("caf\xE9"));
        QVERIFY(!isUtf8("\xED\xA0\x80")); // a surrogate
        QCOMPARE(firstCharacter("").length, std::size_t { 0 });
    }

    void charactersHaveACodePointAndAPlace()
    {
        QCOMPARE(firstCharacter("a").point, std::uint32_t { 'a' });
        QCOMPARE(firstCharacter("日本").point, std::uint32_t { 0x65e5 });
        QCOMPARE(firstCharacter("日本").length, std::size_t { 3 });
        QCOMPARE(firstCharacter("\xF0\x9F\x8C\xB8").point, std::uint32_t { 0x1f338 });
        QCOMPARE(firstCharacter("\xE9").length, std::size_t { 0 });
        QCOMPARE(endOfCharacters("日本語", 2), std::size_t { 6 });
        QCOMPARE(endOfCharacters("日本語", 3), std::string_view::npos);
        QCOMPARE(endOfCharacters("\xE9\x80x", 2), std::size_t { 2 }); // each byte is one
    }

    void noCharacterIsCutInTwo()
    {
        QCOMPARE(firstBytes("日本語", 9), std::string_view("日本語"));
        QCOMPARE(firstBytes("日本語", 8), std::string_view("日本"));
        QCOMPARE(firstBytes("日本語", 2), std::string_view());
        QCOMPARE(firstBytes("a\xE9\x80x", 3), std::string_view("a\xE9\x80")); // each byte is one
    }
};

QTEST_GUILESS_MAIN(TestShownText)
#include "tst_shown_text.moc"
