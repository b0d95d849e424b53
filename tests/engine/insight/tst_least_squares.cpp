// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/least_squares.h"

#include <cmath>
#include <random>

#include <QTest>

using namespace accrue;

namespace {

bool isNear(double found, double wanted, double tolerance = 1e-9)
{
    return std::abs(found - wanted) <= tolerance;
}

// A line of slope 2 through (0, 1), with the value at one place moved by `disturbance`.
std::vector<Equation> line(double disturbance)
{
    std::vector<Equation> all;
    all.reserve(12);
    for (int x = 0; x < 12; ++x)
        all.push_back({ { 1.0 * x, 1 },
            2.0 * x + 1 + (x == 11 ? disturbance : 0) + (x % 2 == 0 ? 0.01 : -0.01) });
    return all;
}

} // namespace

class TestLeastSquares : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equationsThatAgreeAreSolved()
    {
        const auto found = leastSquares({ { { 1, 1 }, 3 }, { { 1, -1 }, 1 }, { { 2, 0 }, 4 } });
        QVERIFY(isNear(found[0], 2) && isNear(found[1], 1));
    }

    // The best x would be (2, −1); with none below 0 the first alone meets 1·x = 1, 2·x = 3: 7/5.
    void noUnknownIsBelowZero()
    {
        const auto found = leastSquares({ { { 1, 1 }, 1 }, { { 2, 1 }, 3 } });
        QVERIFY(isNear(found[0], 1.4) && found[1] == 0);
    }

    void unknownsOfOtherSizesAreFound()
    {
        const auto found =
            leastSquares({ { { 1e9, 1 }, 3 }, { { 2e9, 1 }, 4 }, { { 5e9, 1 }, 7 } });
        QVERIFY(isNear(found[0] * 1e9, 1) && isNear(found[1], 2));
    }

    void whatIsNotDeterminedIsZero()
    {
        const auto found = leastSquares({ { { 1, 0, 2 }, 2 }, { { 2, 0, 4 }, 4 } });
        QVERIFY(found[1] == 0);
        QVERIFY(isNear(found[0] + 2 * found[2], 2));
        QVERIFY(leastSquares({}).empty());
    }

    // The values that make it so are what Lawson and Hanson call the Kuhn-Tucker conditions: no
    // error lessens if an unknown grows, and those above 0 are at their best.
    void nothingBetterIsNear()
    {
        std::mt19937 random(3);
        std::normal_distribution<double> normal(0, 1);
        for (int turn = 0; turn < 50; ++turn) {
            std::vector<Equation> all(12);
            for (Equation& equation : all) {
                equation.wanted = normal(random);
                for (int i = 0; i < 6; ++i)
                    equation.factors.push_back(normal(random));
            }
            const auto found = leastSquares(all);
            for (std::size_t i = 0; i < 6; ++i) {
                double slope = 0;
                for (const Equation& equation : all)
                    slope -= equation.factors[i] * errorOf(equation, found);
                QVERIFY(found[i] >= 0);
                QVERIFY(found[i] > 0 ? isNear(slope, 0, 1e-8) : slope < 1e-8);
            }
        }
    }

    void oneDisturbedEquationMovesTheOthersLittle()
    {
        const auto plain = leastSquares(line(30));
        const auto robust = robustLeastSquares(line(30));
        QVERIFY(std::abs(plain[0] - 2) > 0.5);
        QVERIFY2(std::abs(robust[0] - 2) < 0.01, qPrintable(QString::number(robust[0])));
    }

    void theMedianIsThatOfTheMiddle()
    {
        QCOMPARE(medianOf({ 3, 1, 2 }), 2.0);
        QCOMPARE(medianOf({ 4, 1, 2, 3 }), 2.5);
        QVERIFY(std::isnan(medianOf({})));
    }
};

QTEST_GUILESS_MAIN(TestLeastSquares)
#include "tst_least_squares.moc"
