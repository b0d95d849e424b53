// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/scaling_law.h"

#include <cmath>
#include <random>

#include <QTest>

using namespace accrue;

namespace {

constexpr ScalingLaw kTrue { .microBatchSeconds = 0.02,
    .updateSeconds = 0.004,
    .latencySeconds = 60e-6,
    .secondsPerByte = 1 / 125e6 };

// Every combination of W, N and both ways to add up, of a gradient of 4 MB.
std::vector<ScalingPoint> pointsOf(const ScalingLaw& law, double noise, unsigned seed = 7)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> error(0, 1);
    std::vector<ScalingPoint> points;
    for (const std::int64_t ranks : { 1, 2, 4 })
        for (const std::int64_t steps : { 1, 2, 4, 8 })
            for (const bool every : { false, true }) {
                ScalingPoint point { ranks, steps, every, 4e6, 0 };
                point.windowSeconds = windowSeconds(law, point) * (1 + noise * error(random));
                points.push_back(point);
            }
    return points;
}

bool isNear(double found, double wanted, double tolerance)
{
    return std::abs(found / wanted - 1) <= tolerance;
}

} // namespace

class TestScalingLaw : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWindowIsThatOfTheFormula()
    {
        const ScalingPoint point { 2, 4, false, 4e6, 0 };
        // 4 c + u + (1 + 4 + 1) · 2 α + 4 MB / β
        QVERIFY(
            isNear(windowSeconds(kTrue, point), 0.08 + 0.004 + 12 * 60e-6 + 4e6 / 125e6, 1e-12));
        const ScalingPoint every { 2, 4, true, 4e6, 0 };
        QVERIFY(isNear(windowSeconds(kTrue, every), 0.084 + 18 * 60e-6 + 4 * (4e6 / 125e6), 1e-12));
    }

    void itsConstantsAreFound()
    {
        const ScalingLaw found = fitScaling(pointsOf(kTrue, 0)).value();
        QVERIFY(isNear(found.microBatchSeconds, kTrue.microBatchSeconds, 1e-6));
        QVERIFY(isNear(found.updateSeconds, kTrue.updateSeconds, 1e-6));
        QVERIFY(isNear(found.latencySeconds, kTrue.latencySeconds, 1e-4));
        QVERIFY(isNear(found.secondsPerByte, kTrue.secondsPerByte, 1e-6));
    }

    void noiseMovesItLittle()
    {
        const auto points = pointsOf(kTrue, 0.03);
        const ScalingLaw found = fitScaling(points).value();
        QVERIFY(isNear(found.microBatchSeconds, kTrue.microBatchSeconds, 0.05));
        QVERIFY(isNear(found.secondsPerByte, kTrue.secondsPerByte, 0.1));
        QVERIFY(medianOf(heldOutErrors(points)) < 0.05);
    }

    void noConstantIsBelowZero()
    {
        ScalingLaw free = kTrue;
        free.latencySeconds = 0;
        free.updateSeconds = 0;
        const ScalingLaw found = fitScaling(pointsOf(free, 0.05)).value();
        QVERIFY(found.latencySeconds >= 0 && found.updateSeconds >= 0);
    }

    void moreStepsHideTheNetwork()
    {
        const auto at = [](std::int64_t steps, bool every) {
            return efficiency(kTrue, { 8, steps, every, 4e6, 0 });
        };
        QVERIFY(at(1, false) < at(4, false) && at(4, false) < at(16, false));
        QVERIFY(at(16, true) < at(4, false)); // each micro-batch pays
        const auto steps = stepsForEfficiency(kTrue, { 8, 1, false, 4e6, 0 }, 0.8, 1000);
        QVERIFY(at(*steps, false) >= 0.8 && at(*steps - 1, false) < 0.8);
        QVERIFY(!stepsForEfficiency(kTrue, { 8, 1, true, 4e6, 0 }, 0.99, 1000));
    }

    // It is a range of 95 %.
    void theTruthIsWithinTheRangeOfAPrediction()
    {
        const ScalingPoint wanted { 64, 8, false, 4e6, 0 };
        const double truth = efficiency(kTrue, wanted);
        int within = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            const ScalingPrediction found = predicted(pointsOf(kTrue, 0.03, seed), wanted);
            QVERIFY(found.least <= found.efficiency && found.efficiency <= found.most);
            within += found.least <= truth && truth <= found.most ? 1 : 0;
        }
        QVERIFY2(within >= 36, qPrintable(QString::number(within)));
    }

    void tooFewPointsDetermineNothing()
    {
        QVERIFY(!fitScaling({}));
        QVERIFY(!fitScaling({ { 1, 2, false, 0, 1 }, { 2, 2, false, 0, 1 } }));
        QVERIFY(heldOutErrors({ { 1, 2, false, 0, 1 } }).empty());
        QVERIFY(std::isnan(medianOf({})));
    }
};

QTEST_GUILESS_MAIN(TestScalingLaw)
#include "tst_scaling_law.moc"
