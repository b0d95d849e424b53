// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/mean_curve.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace accrue;

namespace {

CurveLevels levelsOf(const std::vector<SeriesPoint>& points)
{
    CurveLevels levels;
    for (const SeriesPoint& point : points)
        levels.add(point);
    return levels;
}

} // namespace

class TestMeanCurve : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // scipy.stats.t.interval(0.95, 4, mean, sem) of 0.91, 0.93, 0.92, 0.95, 0.90.
    void theIntervalIsThatOfStudentsT()
    {
        double mean = 0;
        const CurveSpread spread =
            spreadOf({ 0.91, 0.93, 0.92, 0.95, 0.90 }, MeanBand::Interval, mean);
        QCOMPARE(spread.runs, 5);
        QVERIFY(spread.isInterval);
        QVERIFY(std::abs(mean - 0.922) < 1e-12);
        QVERIFY2(std::abs(spread.low - 0.8981161161190002) < 1e-9,
            qPrintable(QString::number(spread.low, 'f', 10)));
        QVERIFY2(std::abs(spread.high - 0.9458838838809999) < 1e-9,
            qPrintable(QString::number(spread.high, 'f', 10)));
    }

    void oneRunHasNoInterval()
    {
        double mean = 0;
        const CurveSpread spread = spreadOf({ 0.5 }, MeanBand::Interval, mean);
        QCOMPARE(spread.runs, 1);
        QCOMPARE(spread.low, 0.5);
        QCOMPARE(spread.high, 0.5);
    }

    void theRangeIsLowestToHighest()
    {
        double mean = 0;
        const CurveSpread spread = spreadOf({ 3, 1, 5 }, MeanBand::Range, mean);
        QCOMPARE(mean, 3.0);
        QCOMPARE(spread.low, 1.0);
        QCOMPARE(spread.high, 5.0);
    }

    void runsAtTheSameStepsAreAveragedStepByStep()
    {
        const CurveLevels a = levelsOf({ { 1, 1 }, { 2, 2 }, { 3, 3 } });
        const CurveLevels b = levelsOf({ { 1, 3 }, { 2, 4 } });
        const MeanCurve mean = meanOf({ &a, &b }, MeanBand::Range);
        QCOMPARE(mean.levels->size(), std::size_t { 3 });
        QCOMPARE(mean.levels->at(0), (SeriesPoint { 1, 2 }));
        QCOMPARE(mean.levels->at(1), (SeriesPoint { 2, 3 }));
        QCOMPARE(mean.levels->at(2), (SeriesPoint { 3, 3 })); // b has ended
        QCOMPARE(mean.spread[1].runs, 2);
        QCOMPARE(mean.spread[2].runs, 1);
        QCOMPARE(mean.band.size(), std::size_t { 2 });
    }

    void runsAtOtherPlacesAreAveragedOnTheirLines()
    {
        const CurveLevels a = levelsOf({ { 0, 0 }, { 10, 10 } });
        const CurveLevels b = levelsOf({ { 0, 10 }, { 5, 15 }, { 10, 20 } });
        const MeanCurve mean = meanOf({ &a, &b }, MeanBand::Range);
        for (std::size_t i = 0; i < mean.levels->size(); ++i) {
            const SeriesPoint at = mean.levels->at(i);
            QCOMPARE(mean.spread[i].runs, 2);
            QVERIFY2(std::abs(at.y - (at.x + 5)) <= 2.5, qPrintable(QString::number(at.y)));
        }
    }

    void whatIsNotFiniteCountsNowhere()
    {
        const double none = std::numeric_limits<double>::quiet_NaN();
        const CurveLevels a = levelsOf({ { 1, 1 }, { 2, none } });
        const CurveLevels b = levelsOf({ { 1, 3 }, { 2, 4 } });
        const MeanCurve mean = meanOf({ &a, &b, nullptr }, MeanBand::Interval);
        QCOMPARE(mean.levels->at(1).y, 4.0);
        QCOMPARE(mean.spread[1].runs, 1);
        QVERIFY(!meanOf({ nullptr }, MeanBand::Interval).levels);
    }

    void manyPointsBecomeAsManyAsWanted()
    {
        CurveLevels a;
        CurveLevels b;
        for (int i = 0; i < 10'000; ++i) {
            a.add({ static_cast<double>(i), 1 });
            b.add({ static_cast<double>(i), 2 });
        }
        const MeanCurve mean = meanOf({ &a, &b }, MeanBand::Interval, 500);
        QCOMPARE(mean.levels->size(), std::size_t { 500 });
        QCOMPARE(mean.levels->at(499), (SeriesPoint { 9999, 1.5 }));
    }
};

QTEST_GUILESS_MAIN(TestMeanCurve)
#include "tst_mean_curve.moc"
