// SPDX-License-Identifier: Apache-2.0
#include "ui/run/smoothing.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace accrue;

class TestSmoothing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsItsFormula();
    void leavesAConstantSeriesAsItIs();
    void changesNothingWithWeightZero();
    void stepsOverValuesThatAreNotFinite();
};

static std::vector<SeriesPoint> series(const std::vector<double>& values)
{
    std::vector<SeriesPoint> points;
    for (const double value : values)
        points.push_back({ static_cast<double>(points.size()), value });
    return points;
}

void TestSmoothing::followsItsFormula()
{
    // s: 0.2, 0.16 + 0.4 = 0.56, 0.448 + 0.8 = 1.248; out: s / (1 - 0.8^t).
    const auto out = smoothed(series({ 1, 2, 4 }), 0.8);
    QCOMPARE(out[0].y, 1.0);
    QCOMPARE(out[1].y, 0.56 / 0.36);
    QCOMPARE(out[2].y, 1.248 / 0.488);
    QCOMPARE(out[2].x, 2.0);
}

void TestSmoothing::leavesAConstantSeriesAsItIs()
{
    for (const SeriesPoint& point : smoothed(series({ 3, 3, 3, 3 }), 0.99))
        QVERIFY(std::abs(point.y - 3) < 1e-12);
}

void TestSmoothing::changesNothingWithWeightZero()
{
    const auto out = smoothed(series({ 1, 5, -2 }), 0);
    QCOMPARE(out[1].y, 5.0);
    QCOMPARE(out[2].y, -2.0);
}

void TestSmoothing::stepsOverValuesThatAreNotFinite()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto out = smoothed(series({ 1, nan, 2 }), 0.8);
    QVERIFY(std::isnan(out[1].y));
    QCOMPARE(out[2].y, 0.56 / 0.36);
}

QTEST_GUILESS_MAIN(TestSmoothing)
#include "tst_smoothing.moc"
