// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/axis_range.h"

#include <QTest>

#include <cmath>

using namespace accrue;

class TestAxisRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsItsDataInRoundSteps_data();
    void holdsItsDataInRoundSteps();
    void standsStillWhileDataGrowsInsideIt();
    void growsByAStepWhenDataLeavesIt();
    void shrinksOnlyWhenDataFillsLittleOfIt();
    void givesOneValueAHeight();
    void startsWhereXStarts();
    void ticksAreRoundAndInside();
    void logTicksAreDecadesWithTwoAndFiveWhereThereIsRoom();
    void anAxisOfBytesCountsInAUnit();
    void ticksOfBytesAreRoundInTheirUnit();
    void logTicksOfBytesArePowersOfTwo();
    void aLogAxisWithinADecadeHasRoundTicks_data();
    void aLogAxisWithinADecadeHasRoundTicks();
    void oneDecadeDoesNotStandAlone();
    void whatDoublesHasTicksAtPowersOfTwo_data();
    void whatDoublesHasTicksAtPowersOfTwo();
};

void TestAxisRange::holdsItsDataInRoundSteps_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("axisLow");
    QTest::addColumn<double>("axisHigh");
    QTest::newRow("loss") << 0.08 << 2.31 << 0.0 << 2.5;
    QTest::newRow("accuracy") << 0.91 << 0.987 << 0.9 << 1.0;
    QTest::newRow("bytes") << 6e6 << 1.04e7 << 6e6 << 1.1e7;
    QTest::newRow("negative") << -3.2 << 4.1 << -4.0 << 6.0;
    QTest::newRow("tiny") << 1e-9 << 4e-9 << 1e-9 << 4e-9;
}

void TestAxisRange::holdsItsDataInRoundSteps()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(double, axisLow);
    QFETCH(double, axisHigh);
    const AxisRange range = niceRange(low, high);
    QVERIFY(std::abs(range.low - axisLow) <= 1e-9 * (axisHigh - axisLow));
    QVERIFY(std::abs(range.high - axisHigh) <= 1e-9 * std::abs(axisHigh));
}

void TestAxisRange::standsStillWhileDataGrowsInsideIt()
{
    AxisRange range = niceRange(0, 3.1);
    const AxisRange first = range;
    for (double high = 3.1; high < 3.9; high += 0.1) {
        range = niceRange(0, high, range);
        QCOMPARE(range, first);
    }
}

void TestAxisRange::growsByAStepWhenDataLeavesIt()
{
    const AxisRange before = niceRange(0, 3.9);
    const AxisRange after = niceRange(0, 4.1, before);
    QVERIFY(after.high > before.high);
    QVERIFY(after.high <= 4.1 + after.step);
}

void TestAxisRange::shrinksOnlyWhenDataFillsLittleOfIt()
{
    const AxisRange wide = niceRange(0, 10);
    QCOMPARE(niceRange(0, 4, wide), wide);
    QVERIFY(niceRange(0, 3, wide).high < wide.high);
}

void TestAxisRange::givesOneValueAHeight()
{
    for (const double value : { 0.0, 0.04, 1e9, -7.0 }) {
        const AxisRange range = niceRange(value, value);
        QVERIFY(range.low < value && range.high > value);
    }
}

void TestAxisRange::startsWhereXStarts()
{
    const AxisRange range = niceRange(1, 937, {}, Grow::HighOnly);
    QCOMPARE(range.low, 1.0);
    QCOMPARE(range.high, 1000.0);
}

void TestAxisRange::ticksAreRoundAndInside()
{
    const auto ticks = niceTicks(0.13, 0.87, 5);
    QVERIFY(ticks.size() >= 3 && ticks.size() <= 6);
    for (const double tick : ticks)
        QVERIFY(
            tick >= 0.13 && tick <= 0.87 && std::abs(tick * 100 - std::round(tick * 100)) < 1e-9);
    QVERIFY(niceTicks(1, 1, 5).empty());
}

void TestAxisRange::logTicksAreDecadesWithTwoAndFiveWhereThereIsRoom()
{
    const auto decades = logTicks(-3, 1, 5);
    QCOMPARE(decades, (std::vector<double> { -3, -2, -1, 0, 1 }));
    const auto fine = logTicks(-1, 0, 8);
    QCOMPARE(fine.size(), std::size_t { 4 });
    QVERIFY(std::abs(fine[1] - std::log10(0.2)) < 1e-12);
    for (const double tick : logTicks(-30, 10, 5))
        QCOMPARE(tick, std::round(tick));
}

void TestAxisRange::anAxisOfBytesCountsInAUnit()
{
    QCOMPARE(byteUnit(0), 1.0);
    QCOMPARE(byteUnit(1023), 1.0);
    QCOMPARE(byteUnit(1024), 1024.0);
    QCOMPARE(byteUnit(12e6), 1024.0 * 1024.0);
}

void TestAxisRange::ticksOfBytesAreRoundInTheirUnit()
{
    const double mib = 1024.0 * 1024;
    QCOMPARE(byteTicks(0, 21.5 * mib, 5),
        (std::vector<double> { 0, 5 * mib, 10 * mib, 15 * mib, 20 * mib }));
    QCOMPARE(byteTicks(0, 900, 4), (std::vector<double> { 0, 250, 500, 750 }));
    // Not 11.25, which would be written as 11.2.
    QCOMPARE(byteTicks(11 * mib, 12.5 * mib, 6),
        (std::vector<double> { 11 * mib, 11.5 * mib, 12 * mib, 12.5 * mib }));
    QCOMPARE(byteTicks(0, 2048 * mib, 4),
        (std::vector<double> { 0, 512 * mib, 1024 * mib, 1536 * mib, 2048 * mib }));
}

void TestAxisRange::logTicksOfBytesArePowersOfTwo()
{
    const auto exponent = [](double tick) { return std::round(tick / std::log10(2.0)); };
    const auto fine = logByteTicks(std::log10(5e6), std::log10(40e6), 5);
    QCOMPARE(fine.size(), std::size_t { 3 }); // 8, 16 and 32 MiB
    QCOMPARE(exponent(fine.front()), 23.0);
    const auto coarse = logByteTicks(3, 11, 4);
    QCOMPARE(coarse.size(), std::size_t { 3 }); // 1 KiB is above 1,000: KiB, MiB, GiB
    for (const double tick : coarse)
        QCOMPARE(std::fmod(exponent(tick), 10.0), 0.0);
}

void TestAxisRange::aLogAxisWithinADecadeHasRoundTicks_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("bytes");
    QTest::addColumn<QList<double>>("ticks");
    const double mib = 1024.0 * 1024;
    QTest::newRow("loss") << 0.09 << 0.115 << false
                          << QList<double> { 0.09, 0.095, 0.1, 0.105, 0.11, 0.115 };
    QTest::newRow("one two five") << 0.09 << 0.6 << false << QList<double> { 0.1, 0.2, 0.5 };
    QTest::newRow("memory") << 11 * mib << 21 * mib << true
                            << QList<double> { 12 * mib, 14 * mib, 16 * mib, 18 * mib, 20 * mib };
}

void TestAxisRange::aLogAxisWithinADecadeHasRoundTicks()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, bytes);
    QFETCH(QList<double>, ticks);
    const auto found = (bytes ? logByteTicks : logTicks)(std::log10(low), std::log10(high), 5);
    QCOMPARE(found.size(), static_cast<std::size_t>(ticks.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double wanted = ticks.at(static_cast<qsizetype>(i));
        QVERIFY(std::abs(std::pow(10.0, found[i]) - wanted) < 1e-9 * wanted);
    }
}

static QList<double> valuesOf(const std::vector<double>& exponents)
{
    QList<double> values;
    for (const double exponent : exponents)
        values.append(std::round(std::pow(10.0, exponent) * 1e6) / 1e6);
    return values;
}

void TestAxisRange::oneDecadeDoesNotStandAlone()
{
    const auto ticks = [](double low, double high, int wanted) {
        return valuesOf(logTicks(std::log10(low), std::log10(high), wanted));
    };
    QCOMPARE(ticks(0.03, 0.5, 3), (QList<double> { 0.03, 0.1, 0.3 }));
    QCOMPARE(ticks(0.05, 0.9, 2), (QList<double> { 0.1, 0.3 }));
    QCOMPARE(ticks(0.005, 0.2, 2), (QList<double> { 0.01, 0.1 }));
    QCOMPARE(ticks(0.0011, 0.9, 2), (QList<double> { 0.01, 0.1 })); // one of every second
    const double kib = 1024;
    QCOMPARE(valuesOf(logByteTicks(std::log10(34 * kib), std::log10(900 * kib), 2)),
        (QList<double> { 64 * kib, 256 * kib })); // between 32 KiB and 1 MiB
}

void TestAxisRange::whatDoublesHasTicksAtPowersOfTwo_data()
{
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QList<double>>("ticks");
    QTest::newRow("many") << 6.0 << 90.0 << QList<double> { 8, 16, 32, 64 };
    QTest::newRow("b 64 and b 128") << 51.2 << 160.0 << QList<double> { 64, 128 };
    QTest::newRow("N 1 and N 2") << 0.8 << 2.5 << QList<double> { 1, 2 };
    QTest::newRow("N 1 alone") << 0.8 << 1.25 << QList<double> { 1 };
    QTest::newRow("N 3 alone") << 2.4 << 3.75 << QList<double> { 3 };
    QTest::newRow("less than one") << 0.2 << 2.5 << QList<double> { 1, 2 };
    QTest::newRow("none in between") << 90.0 << 120.0 << QList<double> { 90, 100, 110, 120 };
    QTest::newRow("between whole numbers") << 1.1 << 1.9 << QList<double> {};
}

void TestAxisRange::whatDoublesHasTicksAtPowersOfTwo()
{
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(QList<double>, ticks);
    QCOMPARE(valuesOf(logTwoTicks(std::log10(low), std::log10(high), 5)), ticks);
}

QTEST_GUILESS_MAIN(TestAxisRange)
#include "tst_axis_range.moc"
