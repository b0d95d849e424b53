// SPDX-License-Identifier: Apache-2.0
#include "ui/run/curve_levels.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace accrue;

namespace {

std::vector<SeriesPoint> noise(std::size_t count, double firstX = 1, double stepX = 1)
{
    std::mt19937 random(7);
    std::normal_distribution<double> value(0, 1);
    std::vector<SeriesPoint> points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({ firstX + static_cast<double>(i) * stepX, value(random) });
    return points;
}

CurveLevels levelsOf(const std::vector<SeriesPoint>& points)
{
    CurveLevels levels;
    for (const SeriesPoint& point : points)
        levels.add(point);
    return levels;
}

std::pair<double, double> extremes(const std::vector<SeriesPoint>& points, double low, double high)
{
    double least = INFINITY;
    double most = -INFINITY;
    for (const SeriesPoint& point : points)
        if (point.x >= low && point.x <= high && std::isfinite(point.y)) {
            least = std::min(least, point.y);
            most = std::max(most, point.y);
        }
    return { least, most };
}

} // namespace

class TestCurveLevels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fewPointsAreAllOfThem()
    {
        const auto points = noise(50);
        QCOMPARE(levelsOf(points).in({ 0, 100, 600 }), points);
        QVERIFY(CurveLevels().in({ 0, 100, 600 }).empty());
    }

    void aWindowHasOnePointBeyondEitherEdge()
    {
        const CurveLevels levels = levelsOf(noise(50));
        const auto found = levels.in({ 9.5, 20.5, 600 });
        QCOMPARE(found.front().x, 9.0);
        QCOMPARE(found.back().x, 21.0);
    }

    void manyPointsKeepTheirExtremes_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("all") << 0.0 << 100'000.0;
        QTest::newRow("a part") << 31'111.0 << 77'777.0;
        QTest::newRow("over the edge of a chunk") << 32'000.0 << 34'000.0;
    }

    // A column moves by at most a quarter of its width, so that of every two neighbours the
    // extremes are those of the points.
    void manyPointsKeepTheirExtremes()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        const auto points = noise(100'000);
        const CurveLevels levels = levelsOf(points);
        constexpr int kColumns = 200;
        const auto found = levels.in({ low, high, kColumns });
        QVERIFY(found.size() <= 2 * kColumns + 4);
        QVERIFY(std::is_sorted(found.begin(), found.end(),
            [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; }));
        QCOMPARE(extremes(found, low, high), extremes(points, low, high));
        const double width = (high - low) / kColumns;
        for (int column = 1; column + 1 < kColumns; ++column) {
            const double from = low + column * width;
            const auto inner = extremes(points, from + width / 4, from + width * 3 / 4);
            const auto drawn = extremes(found, from - width / 4, from + width * 5 / 4);
            QVERIFY(drawn.first <= inner.first && drawn.second >= inner.second);
        }
    }

    void columnsOfALogarithmicAxisAreEqualInItsLogarithm()
    {
        const CurveLevels levels = levelsOf(noise(100'000));
        const auto found = levels.in({ 1, 100'000, 100, true });
        const auto early = std::count_if(found.begin(), found.end(),
            [](const SeriesPoint& point) { return point.x <= 316; }); // the middle in decades
        QVERIFY2(early > 50, qPrintable(QString::number(early)));
    }

    void unequalStepsOfXAreKept()
    {
        auto points = noise(70'000);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i].x = std::sqrt(static_cast<double>(i));
        const CurveLevels levels = levelsOf(points);
        for (const std::size_t i : { 0, 1, 32'767, 32'768, 69'999 })
            QCOMPARE(levels.at(i), points[i]);
        QCOMPARE(levels.nearest(std::sqrt(5000.1), 1)->x, std::sqrt(5000.0));
        QCOMPARE(levels.firstFrom(std::sqrt(40'000.0)), std::size_t { 40'000 });
    }

    void whatIsNotFiniteStaysInItsColumn()
    {
        auto points = noise(100'000);
        points[50'000].y = std::numeric_limits<double>::quiet_NaN();
        const CurveLevels levels = levelsOf(points);
        const auto found = levels.in({ 0, 100'000, 100 });
        QCOMPARE(std::count_if(found.begin(), found.end(),
                     [](const SeriesPoint& point) { return std::isnan(point.y); }),
            1);
        QVERIFY(std::isfinite(levels.yExtent().low) && std::isfinite(levels.yExtent().high));
    }

    // The log's thread goes on adding while the window draws the copy.
    void aCopyDoesNotGrow()
    {
        const auto points = noise(40'000);
        CurveLevels levels = levelsOf({ points.begin(), points.begin() + 35'000 });
        const CurveLevels copy = levels;
        for (auto point = points.begin() + 35'000; point != points.end(); ++point)
            levels.add(*point);
        QCOMPARE(copy.size(), std::size_t { 35'000 });
        QCOMPARE(copy.at(34'999), points[34'999]);
        QCOMPARE(levels.at(39'999), points[39'999]);
        QCOMPARE(copy.in({ 0, 1e6, 100 }).back(), points[34'999]);
    }

    void theNearestPointIsWithinReach()
    {
        const CurveLevels levels = levelsOf(noise(10));
        QCOMPARE(levels.nearest(3.4, 0)->x, 3.0);
        QCOMPARE(levels.nearest(0.5, 1)->x, 1.0);
        QVERIFY(!levels.nearest(0.5, 0.1));
        QVERIFY(!levels.nearest(12, 1));
    }
};

QTEST_GUILESS_MAIN(TestCurveLevels)
#include "tst_curve_levels.moc"
