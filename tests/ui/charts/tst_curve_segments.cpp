// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_segments.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace accrue;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

PlotAxes axesFrom(double low, double high)
{
    PlotAxes axes;
    axes.x.low = low;
    axes.x.high = high;
    return axes;
}

} // namespace

class TestCurveSegments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cutsAtValuesThatAreNotFinite();
    void leavesOutWhatALogarithmCannotShow();
    void keepsTheNeighboursOfAWindow();
    void clipsLinesExactlyAtTheEdges();
    void extentIgnoresWhatIsNotFinite();
    void findsTheNearestPoint();
};

void TestCurveSegments::cutsAtValuesThatAreNotFinite()
{
    const std::vector<SeriesPoint> points { { 1, 1 }, { 2, kNan }, { 3, 3 }, { 4, kInfinity },
        { 5, 5 }, { 6, 6 } };
    const auto segments = segmentsOf(points, axesFrom(-1e9, 1e9));
    QCOMPARE(segments.size(), std::size_t { 3 });
    QCOMPARE(segments[2].size(), 2);
}

void TestCurveSegments::leavesOutWhatALogarithmCannotShow()
{
    PlotAxes axes = axesFrom(0, 9);
    axes.y.logarithmic = true;
    const auto segments = segmentsOf({ { 1, 10 }, { 2, 0 }, { 3, 100 }, { 4, -1 } }, axes);
    QCOMPARE(segments.size(), std::size_t { 2 });
    QCOMPARE(segments[1].first(), QPointF(3, 2));
}

void TestCurveSegments::keepsTheNeighboursOfAWindow()
{
    std::vector<SeriesPoint> points;
    for (int i = 0; i < 100; ++i)
        points.push_back({ double(i), double(i) });
    const auto segments = segmentsOf(points, axesFrom(40.5, 42.5));
    QCOMPARE(segments.size(), std::size_t { 1 });
    QCOMPARE(segments[0].first().x(), 40.0);
    QCOMPARE(segments[0].last().x(), 43.0);
}

void TestCurveSegments::clipsLinesExactlyAtTheEdges()
{
    const auto parts = clipped(
        { { -1, 0.5 }, { 0.5, 0.5 }, { 0.5, 2 }, { 0.75, 2 }, { 0.75, 0 } }, QRectF(0, 0, 1, 1));
    QCOMPARE(parts.size(), std::size_t { 2 });
    QCOMPARE(parts[0].first(), QPointF(0, 0.5));
    QCOMPARE(parts[0].last(), QPointF(0.5, 1));
    QCOMPARE(parts[1].first(), QPointF(0.75, 1));
    QVERIFY(clipped({ { 2, 2 }, { 3, 3 } }, QRectF(0, 0, 1, 1)).empty());
}

void TestCurveSegments::extentIgnoresWhatIsNotFinite()
{
    CurveExtent extent;
    extent.add(1, kNan);
    QVERIFY(extent.isEmpty());
    extent.add(1, 5);
    extent.add(2, kInfinity);
    extent.add(3, -2);
    QCOMPARE(extent.lowY, -2.0);
    QCOMPARE(extent.highY, 5.0);
    QCOMPARE(extent.highX, 3.0);
}

void TestCurveSegments::findsTheNearestPoint()
{
    const std::vector<SeriesPoint> points { { 1, 10 }, { 2, 20 }, { 4, 40 } };
    QCOMPARE(nearestPoint(points, 2.4, 0)->y, 20.0);
    QCOMPARE(nearestPoint(points, 3.4, 0)->y, 40.0);
    QVERIFY(!nearestPoint(points, 5, 0));
    QCOMPARE(nearestPoint(points, 5, 2)->y, 40.0);
    QVERIFY(!nearestPoint({}, 1, 9));
}

QTEST_GUILESS_MAIN(TestCurveSegments)
#include "tst_curve_segments.moc"
