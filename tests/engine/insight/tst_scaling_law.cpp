// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/scaling_law.h"

#include <cmath>
#include <random>

#include <QTest>

using namespace accrue;

namespace {

// A link of 1 Gbit/s, and one of ten times as much.
const ScalingLaw kTrue { .microBatchSeconds = 0.02,
    .updateSeconds = 0.004,
    .links = { { 60e-6, 1 / 125e6 }, { 8e-6, 1 / 1250e6 } } };

// Every combination of W, N, link and both ways to add up, of a gradient of 4 MB.
std::vector<ScalingPoint> pointsOf(const ScalingLaw& law, double noise, unsigned seed = 7)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> error(0, 1);
    std::vector<ScalingPoint> points;
    for (std::size_t link = 0; link < law.links.size(); ++link)
        for (const std::int64_t ranks : { 1, 2, 4 })
            for (const std::int64_t steps : { 1, 2, 4, 8 })
                for (const bool every : { false, true }) {
                    ScalingPoint point { ranks, steps, every, 4e6, 0 };
                    point.link = link;
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
        // 4 c + u; gradient, agreement, figures and verdict of 2 α each; 4 MB, and the 288 bytes of
        // the agreement.
        const double compute = 0.08 + 0.004;
        const double once = 4 * 2 * 60e-6 + (4e6 + 288) / 125e6;
        QVERIFY(isNear(windowSeconds(kTrue, point), compute + once, 1e-12));
        // Four gradients, and an agreement before each.
        const ScalingPoint every { 2, 4, true, 4e6, 0 };
        const double four = (4 + 5 + 2) * 2 * 60e-6 + (4 * 4e6 + 5 * 288) / 125e6;
        QVERIFY(isNear(windowSeconds(kTrue, every), compute + four, 1e-12));
    }

    void eachLinkHasItsOwnConstants()
    {
        ScalingPoint point { 4, 1, false, 4e6, 0 };
        point.perMachine = 2;
        point.linkWithin = 1;
        const WindowTraffic traffic = trafficOf(point);
        QVERIFY(isNear(windowSeconds(kTrue, point),
            0.024 + traffic.between.messages * 60e-6 + traffic.between.bytes / 125e6
                + traffic.within.messages * 8e-6 + traffic.within.bytes / 1250e6,
            1e-12));
    }

    void itsConstantsAreFound()
    {
        const ScalingLaw found = fitScaling(pointsOf(kTrue, 0)).value();
        QVERIFY(isNear(found.microBatchSeconds, kTrue.microBatchSeconds, 1e-6));
        QVERIFY(isNear(found.updateSeconds, kTrue.updateSeconds, 1e-6));
        for (std::size_t i = 0; i < 2; ++i) {
            const auto [latency, perByte] = kTrue.links[i];
            QVERIFY(isNear(found.links.at(i).latencySeconds, latency, 1e-4));
            QVERIFY(isNear(found.links.at(i).secondsPerByte, perByte, 1e-5));
        }
    }

    void noiseMovesItLittle()
    {
        const auto points = pointsOf(kTrue, 0.03);
        const ScalingLaw found = fitScaling(points).value();
        QVERIFY(isNear(found.microBatchSeconds, kTrue.microBatchSeconds, 0.05));
        QVERIFY(isNear(found.links[0].secondsPerByte, kTrue.links[0].secondsPerByte, 0.1));
        QVERIFY(medianOf(heldOutErrors(points)) < 0.05);
    }

    // Something else ran on the machine.
    void threeDisturbedWindowsMoveItLittle()
    {
        auto points = pointsOf(kTrue, 0.01);
        for (const std::size_t disturbed : { 3, 17, 40 })
            points[disturbed].windowSeconds *= 1.5;
        const ScalingLaw found = fitScaling(points).value();
        QVERIFY(isNear(found.microBatchSeconds, kTrue.microBatchSeconds, 0.02));
        QVERIFY(medianOf(heldOutErrors(points)) < 0.02);
    }

    void noConstantIsBelowZero()
    {
        ScalingLaw free = kTrue;
        free.links.front().latencySeconds = 0;
        free.updateSeconds = 0;
        const ScalingLaw found = fitScaling(pointsOf(free, 0.05)).value();
        QVERIFY(found.links.front().latencySeconds >= 0 && found.updateSeconds >= 0);
    }

    void moreStepsHideTheNetwork()
    {
        const auto at = [](std::int64_t steps, bool every) {
            return efficiency(kTrue, { 8, steps, every, 4e6, 0 });
        };
        QVERIFY(at(1, false) < at(4, false) && at(4, false) < at(16, false));
        QVERIFY(at(16, true) < at(4, false)); // each micro-batch pays
    }

    void machinesThatAddUpFirstAreFaster()
    {
        ScalingPoint point { 64, 4, false, 4e6, 0 };
        const double ring = efficiency(kTrue, point);
        point.perMachine = 8;
        point.linkWithin = 1;
        QVERIFY(efficiency(kTrue, point) > ring);
    }

    void tooFewPointsDetermineNothing()
    {
        QVERIFY(!fitScaling({}));
        QVERIFY(!fitScaling({ { 1, 2, false, 0, 1 }, { 2, 2, false, 0, 1 } }));
        QVERIFY(heldOutErrors({ { 1, 2, false, 0, 1 } }).empty());
    }
};

QTEST_GUILESS_MAIN(TestScalingLaw)
#include "tst_scaling_law.moc"
