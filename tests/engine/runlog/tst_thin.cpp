// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QTest>

using namespace accrue;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<SeriesPoint> wave(int count)
{
    std::vector<SeriesPoint> points;
    points.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        points.push_back({ static_cast<double>(i), std::sin(i * 0.37) });
    return points;
}

bool inOrder(const std::vector<SeriesPoint>& points)
{
    return std::is_sorted(points.begin(), points.end(),
        [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
}

} // namespace

class TestThin : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leavesFewPointsAlone();
    void keepsTheExtremesOfEveryBucket();
    void keepsFirstAndLast();
    void keepsASpikeOfOnePoint();
    void keepsANonFinitePointVisible();
    void boundsTheNumberOfPoints();
    void takesPointsAtOnePlace();
    void takesNothing();
};

void TestThin::leavesFewPointsAlone()
{
    QCOMPARE(thin(wave(20), 10).size(), std::size_t { 20 });
    QCOMPARE(thin(wave(20), 0).size(), std::size_t { 20 });
}

void TestThin::keepsTheExtremesOfEveryBucket()
{
    const std::vector<SeriesPoint> points = wave(1001);
    const std::vector<SeriesPoint> thinned = thin(points, 10);
    QVERIFY(inOrder(thinned));
    for (int bucket = 0; bucket < 10; ++bucket) {
        const auto within = [&](const SeriesPoint& p) {
            return p.x >= bucket * 100 && p.x < (bucket + 1) * 100;
        };
        double low = 2;
        double high = -2;
        double thinLow = 2;
        double thinHigh = -2;
        for (const SeriesPoint& p : points)
            if (within(p)) {
                low = std::min(low, p.y);
                high = std::max(high, p.y);
            }
        for (const SeriesPoint& p : thinned)
            if (within(p)) {
                thinLow = std::min(thinLow, p.y);
                thinHigh = std::max(thinHigh, p.y);
            }
        QCOMPARE(thinLow, low);
        QCOMPARE(thinHigh, high);
    }
}

void TestThin::keepsFirstAndLast()
{
    const std::vector<SeriesPoint> thinned = thin(wave(5000), 50);
    QCOMPARE(thinned.front().x, 0.0);
    QCOMPARE(thinned.back().x, 4999.0);
}

void TestThin::keepsASpikeOfOnePoint()
{
    std::vector<SeriesPoint> points = wave(100'000);
    points[54'321].y = 1e9;
    const std::vector<SeriesPoint> thinned = thin(points, 100);
    QVERIFY(std::any_of(
        thinned.begin(), thinned.end(), [](const SeriesPoint& p) { return p.y == 1e9; }));
}

void TestThin::keepsANonFinitePointVisible()
{
    std::vector<SeriesPoint> points = wave(10'000);
    points[5'000].y = kNaN;
    points[9'000].y = std::numeric_limits<double>::infinity();
    const std::vector<SeriesPoint> thinned = thin(points, 20);
    QVERIFY(inOrder(thinned));
    QCOMPARE(std::count_if(thinned.begin(), thinned.end(),
                 [](const SeriesPoint& p) { return !std::isfinite(p.y); }),
        2);
    for (SeriesPoint& point : points)
        point.y = kNaN;
    QVERIFY(thin(points, 20).size() >= 20);
}

void TestThin::boundsTheNumberOfPoints()
{
    QVERIFY(thin(wave(1'000'000), 800).size() <= 2 * 800 + 2);
}

void TestThin::takesPointsAtOnePlace()
{
    std::vector<SeriesPoint> points(100, { 7.0, 1.0 });
    points[50].y = 3;
    const std::vector<SeriesPoint> thinned = thin(points, 10);
    QVERIFY(thinned.size() <= 4);
    QVERIFY(
        std::any_of(thinned.begin(), thinned.end(), [](const SeriesPoint& p) { return p.y == 3; }));
}

void TestThin::takesNothing()
{
    QVERIFY(thin({}, 10).empty());
}

QTEST_GUILESS_MAIN(TestThin)
#include "tst_thin.moc"
