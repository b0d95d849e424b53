// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/scaling_forecast.h"

#include <cmath>
#include <random>

#include <QTest>

using namespace accrue;

namespace {

const ScalingLaw kTrue {
    .microBatchSeconds = 0.02, .updateSeconds = 0.004, .links = { { 60e-6, 1 / 125e6 } }
};

std::vector<ScalingPoint> measured(double noise, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> error(0, 1);
    std::vector<ScalingPoint> points;
    for (const std::int64_t ranks : { 1, 2 })
        for (const std::int64_t steps : { 1, 2, 4, 8 })
            for (const bool every : { false, true }) {
                ScalingPoint point { ranks, steps, every, 4e6, 0 };
                point.windowSeconds = windowSeconds(kTrue, point) * (1 + noise * error(random));
                points.push_back(point);
            }
    return points;
}

} // namespace

class TestScalingForecast : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // It is a range of 95 %.
    void theTruthIsWithinTheRangeOfAPrediction()
    {
        const ScalingPoint wanted { 64, 8, false, 4e6, 0 };
        const double truth = efficiency(kTrue, wanted);
        const auto steps = stepsForEfficiency(kTrue, wanted, 0.6).value();
        int within = 0;
        int withinOfSteps = 0;
        for (unsigned seed = 1; seed <= 60; ++seed) {
            const ScalingForecast forecast = ScalingForecast::of(measured(0.03, seed)).value();
            const ScalingRange found = forecast.efficiencyAt(wanted);
            QVERIFY(found.least <= found.value && found.value <= found.most);
            within += found.least <= truth && truth <= found.most ? 1 : 0;
            const StepsRange needed = forecast.stepsFor(wanted, 0.6);
            withinOfSteps +=
                needed.least && *needed.least <= steps && (!needed.most || steps <= *needed.most)
                ? 1
                : 0;
        }
        QVERIFY2(within >= 50, qPrintable(QString::number(within)));
        QVERIFY2(withinOfSteps >= 50, qPrintable(QString::number(withinOfSteps)));
    }

    void theFewestStepsAreTheFirstThatReachIt()
    {
        const ScalingPoint point { 8, 1, false, 4e6, 0 };
        const auto at = [&](std::int64_t steps) {
            ScalingPoint other = point;
            other.steps = steps;
            return efficiency(kTrue, other);
        };
        for (const double wanted : { 0.3, 0.5, 0.8, 0.9 }) {
            const std::int64_t steps = stepsForEfficiency(kTrue, point, wanted).value();
            QVERIFY(at(steps) >= wanted);
            QVERIFY(steps == 1 || at(steps - 1) < wanted);
        }
    }

    void whatEachMicroBatchPaysNoStepsHide()
    {
        const ScalingPoint every { 8, 1, true, 4e6, 0 };
        QVERIFY(!stepsForEfficiency(kTrue, every, 0.9));
        ScalingPoint inParts { 8, 1, false, 4e6, 0 };
        inParts.sharding = Sharding::Parameters;
        QVERIFY(!stepsForEfficiency(kTrue, inParts, 0.9));
        const auto forecast = ScalingForecast::of(measured(0.01, 1));
        QVERIFY(!forecast->stepsFor(inParts, 0.9).value);
    }

    void withoutALawThereIsNoForecast() { QVERIFY(!ScalingForecast::of({})); }
};

QTEST_GUILESS_MAIN(TestScalingForecast)
#include "tst_scaling_forecast.moc"
