// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/trend_line.h"

#include "tests/engine/insight/comparison_references.h"

#include <cmath>
#include <limits>

#include <QTest>

using namespace accrue;

namespace {

using Points = std::vector<std::pair<double, double>>;

Points pointsOf(const nlohmann::json& wanted)
{
    Points points;
    for (std::size_t i = 0; i < wanted.at("x").size(); ++i)
        points.emplace_back(wanted.at("x")[i], wanted.at("y")[i]);
    return points;
}

} // namespace

class TestTrendLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lineAndBandAgreeWithScipy()
    {
        for (const auto& wanted : comparisonReferences("trends")) {
            const std::string which = wanted.dump();
            const auto found = trendOf(pointsOf(wanted));
            QVERIFY2(found, which.c_str());
            QVERIFY2(agrees(found->slope, wanted.at("slope")), which.c_str());
            QVERIFY2(agrees(found->intercept, wanted.at("intercept")), which.c_str());
            QCOMPARE(found->rSquared.has_value(), !wanted.at("r_squared").is_null());
            if (found->rSquared)
                QVERIFY2(agrees(*found->rSquared, wanted.at("r_squared")), which.c_str());
            for (std::size_t i = 0; i < wanted.at("places").size(); ++i)
                QVERIFY2(agrees(found->halfAt(wanted.at("places")[i]), wanted.at("halves")[i]),
                    which.c_str());
        }
    }

    void fewerThanThreePlacesHaveNoTrend()
    {
        QVERIFY(!trendOf({}));
        const Points twoPlaces { { 1, 2 }, { 1, 3 }, { 2, 3 }, { 2, 5 } };
        QVERIFY(!trendOf(twoPlaces));
        QCOMPARE(placesOf(twoPlaces), 2);
        QVERIFY(trendOf({ { 1, 2 }, { 2, 3 }, { 3, 5 } }));
    }

    void whatIsNotFiniteIsLeftOut()
    {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        Points points { { 1, 2 }, { 2, 3 }, { 3, 5 } };
        const auto whole = trendOf(points);
        points.insert(
            points.end(), { { NAN, 1 }, { 4, NAN }, { kInfinite, 1 }, { 5, -kInfinite } });
        const auto found = trendOf(points);
        QCOMPARE(found->count, 3);
        QCOMPARE(found->slope, whole->slope);
        QCOMPARE(placesOf(points), 3);
    }
};

QTEST_GUILESS_MAIN(TestTrendLine)
#include "tst_trend_line.moc"
