// SPDX-License-Identifier: Apache-2.0
#include "engine/base/format.h"

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <locale>
#include <string>

#include <QTest>

#include <rapidcheck.h>

using namespace accrue;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Streams with the decimal comma of much of Europe.
struct CommaPoint : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
};

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

} // namespace

class TestFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAreGroupedByThinSpaces_data();
    void countsAreGroupedByThinSpaces();
    void bytesHaveThreeDigitsAndABinaryUnit_data();
    void bytesHaveThreeDigitsAndABinaryUnit();
    void durationsReadLikeAClock_data();
    void durationsReadLikeAClock();
    void numbersPercentsAndRates();
    void nonFiniteValuesAreSaid();
    void theLocaleChangesNothing();
    void exactNumbersReadBackAsTheSameDouble();
};

void TestFormat::countsAreGroupedByThinSpaces_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("expected");
    QTest::newRow("0") << qint64 { 0 } << "0";
    QTest::newRow("999") << qint64 { 999 } << "999";
    QTest::newRow("4690") << qint64 { 4690 } << QStringLiteral("4\u202f690");
    QTest::newRow("million") << qint64 { 1000000 } << QStringLiteral("1\u202f000\u202f000");
    QTest::newRow("-100") << qint64 { -100 } << "-100";
    QTest::newRow("-1000") << qint64 { -1000 } << QStringLiteral("-1\u202f000");
    QTest::newRow("smallest") << std::numeric_limits<qint64>::min()
                              << QStringLiteral(
                                     "-9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808");
}

void TestFormat::countsAreGroupedByThinSpaces()
{
    QFETCH(qint64, value);
    QTEST(text(formatCount(value)), "expected");
}

void TestFormat::bytesHaveThreeDigitsAndABinaryUnit_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("expected");
    QTest::newRow("0") << qint64 { 0 } << "0 B";
    QTest::newRow("1023") << qint64 { 1023 } << "1023 B";
    QTest::newRow("1 KiB") << qint64 { 1024 } << "1.00 KiB";
    QTest::newRow("212 MiB") << qint64 { 212 } * 1024 * 1024 << "212 MiB";
    QTest::newRow("1.50 GiB") << qint64 { 1536 } * 1024 * 1024 << "1.50 GiB";
    QTest::newRow("10.0 KiB") << qint64 { 10239 } << "10.0 KiB";
    QTest::newRow("one byte below a MiB") << qint64 { 1024 } * 1024 - 1 << "1.00 MiB";
    QTest::newRow("negative") << qint64 { -2048 } << "-2.00 KiB";
    QTest::newRow("largest") << std::numeric_limits<qint64>::max() << "8.00 EiB";
}

void TestFormat::bytesHaveThreeDigitsAndABinaryUnit()
{
    QFETCH(qint64, bytes);
    QTEST(text(formatBytes(bytes)), "expected");
}

void TestFormat::durationsReadLikeAClock_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<QString>("expected");
    QTest::newRow("0") << 0.0 << "0.0 s";
    QTest::newRow("0.8") << 0.8 << "0.8 s";
    QTest::newRow("9.94") << 9.94 << "9.9 s";
    QTest::newRow("9.96") << 9.96 << "0:10";
    QTest::newRow("41") << 41.2 << "0:41";
    QTest::newRow("59.6") << 59.6 << "1:00";
    QTest::newRow("3599.7") << 3599.7 << "1:00:00";
    QTest::newRow("1:02:07") << 3727.0 << "1:02:07";
    QTest::newRow("100 hours") << 360000.0 << "100:00:00";
    QTest::newRow("negative") << -41.0 << "-0:41";
    QTest::newRow("beyond any clock") << 1e300 << "1e+300 s";
}

void TestFormat::durationsReadLikeAClock()
{
    QFETCH(double, seconds);
    QTEST(text(formatDuration(seconds)), "expected");
}

void TestFormat::numbersPercentsAndRates()
{
    QCOMPARE(text(formatNumber(0.04)), QStringLiteral("0.04"));
    QCOMPARE(text(formatNumber(2.302585)), QStringLiteral("2.303"));
    QCOMPARE(text(formatNumber(1.2e-5)), QStringLiteral("1.2e-05"));
    QCOMPARE(text(formatNumber(1234567, 3)), QStringLiteral("1.23e+06"));
    QCOMPARE(text(formatPercent(0.98712)), QStringLiteral("98.71 %"));
    QCOMPARE(text(formatPercent(1)), QStringLiteral("100.00 %"));
    QCOMPARE(text(formatRate(9840.4)), QStringLiteral("9\u202f840 img/s"));
    QCOMPARE(text(formatRate(12.345)), QStringLiteral("12.3 img/s"));
}

void TestFormat::nonFiniteValuesAreSaid()
{
    for (const double value : { kNan, -kNan, kInfinity, -kInfinity }) {
        const QString shown = text(exactNumber(value));
        QCOMPARE(text(formatNumber(value)), shown);
        QCOMPARE(text(formatPercent(value)), shown);
        QCOMPARE(text(formatDuration(value)), shown);
        QCOMPARE(text(formatRate(value)), shown);
    }
    QCOMPARE(text(exactNumber(kNan)), QStringLiteral("nan"));
    QCOMPARE(text(exactNumber(-kNan)), QStringLiteral("nan"));
    QCOMPARE(text(exactNumber(kInfinity)), QStringLiteral("inf"));
    QCOMPARE(text(exactNumber(-kInfinity)), QStringLiteral("-inf"));
}

void TestFormat::theLocaleChangesNothing()
{
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPoint));
    std::setlocale(LC_ALL, "de_DE.UTF-8"); // for printf, where that locale is installed
    const std::string written = exactNumber(0.5) + formatNumber(0.5) + formatBytes(1536);
    std::setlocale(LC_ALL, "C");
    std::locale::global(before);
    QCOMPARE(text(written), QStringLiteral("0.50.51.50 KiB"));
}

void TestFormat::exactNumbersReadBackAsTheSameDouble()
{
    QCOMPARE(text(exactNumber(0.1)), QStringLiteral("0.1"));
    QCOMPARE(text(exactNumber(1e-8)), QStringLiteral("1e-08"));
    QVERIFY(rc::check("exactNumber", [](std::uint64_t bits) {
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        RC_PRE(std::isfinite(value));
        const std::string written = exactNumber(value);
        double back = 0;
        std::from_chars(written.data(), written.data() + written.size(), back);
        RC_ASSERT(back == value && std::signbit(back) == std::signbit(value));
    }));
}

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
