// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/pareto_front.h"

#include <cmath>
#include <limits>

#include <QTest>

using namespace accrue;
using Points = std::vector<std::vector<double>>;
using Front = std::vector<bool>;

namespace {

// By its definition, point by point.
Front byDefinition(const Points& points, const std::vector<Better>& better)
{
    const auto gain = [&](std::size_t one, std::size_t other, std::size_t i) {
        const double step = points[one][i] - points[other][i];
        return better[i] == Better::Higher ? step : -step;
    };
    Front front;
    for (std::size_t each = 0; each < points.size(); ++each) {
        bool dominated = false;
        for (std::size_t other = 0; other < points.size(); ++other) {
            bool worse = false;
            bool ahead = false;
            for (std::size_t i = 0; i < better.size(); ++i) {
                worse = worse || gain(other, each, i) < 0;
                ahead = ahead || gain(other, each, i) > 0;
            }
            dominated = dominated || (!worse && ahead);
        }
        front.push_back(!dominated);
    }
    return front;
}

} // namespace

class TestParetoFront : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Accuracy against memory.
    void whatAnotherPointBeatsInBothIsNotOnIt()
    {
        const Points points { { 0.98, 200 }, { 0.97, 100 }, { 0.96, 150 }, { 0.98, 210 } };
        QCOMPARE(paretoFront(points, { Better::Higher, Better::Lower }),
            (Front { true, true, false, false }));
        QCOMPARE(paretoFront(points, { Better::Higher, Better::Higher }),
            (Front { false, false, false, true }));
    }

    void equalPointsAreOnItTogether()
    {
        const Points points { { 1, 1 }, { 1, 1 }, { 1, 2 } };
        QCOMPARE(
            paretoFront(points, { Better::Lower, Better::Lower }), (Front { true, true, false }));
    }

    void threeNumbersAreAsByDefinition()
    {
        Points points;
        for (int i = 0; i < 300; ++i) // few values, so that many are equal
            points.push_back({ std::round(5 * std::sin(0.37 * i)),
                std::round(5 * std::sin(1.1 * i)), std::round(5 * std::cos(2.3 * i)) });
        for (const Better first : { Better::Higher, Better::Lower }) {
            const std::vector<Better> better { first, Better::Lower, Better::Higher };
            const Front front = paretoFront(points, better);
            QCOMPARE(front, byDefinition(points, better));
            const auto count = std::count(front.begin(), front.end(), true);
            QVERIFY(count > 0 && count < 300);
        }
    }

    void whatIsNotFiniteIsNotOnItAndHidesNothing()
    {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const Points points { { NAN, 1 }, { 2, 2 }, { kInfinite, 0 } };
        QCOMPARE(
            paretoFront(points, { Better::Higher, Better::Lower }), (Front { false, true, false }));
        QCOMPARE(paretoFront({}, { Better::Higher, Better::Lower }), Front {});
        QCOMPARE(paretoFront({ { 1, 1 } }, { Better::Higher, Better::Lower }), Front { true });
    }

    void aNumberWithoutADirectionDecidesNothing()
    {
        const Points points { { 1, 5 }, { 2, 9 }, { 2, 1 } };
        QCOMPARE(paretoFront(points, { Better::Higher, Better::Neither }),
            (Front { false, true, true }));
    }
};

QTEST_GUILESS_MAIN(TestParetoFront)
#include "tst_pareto_front.moc"
