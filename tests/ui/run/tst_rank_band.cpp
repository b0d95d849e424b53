// SPDX-License-Identifier: Apache-2.0
#include "ui/run/rank_band.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace accrue;

namespace {
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
} // namespace

class TestRankBand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPlaceHasItsLowestItsHighestAndTheirRanks()
    {
        RankBand band(100);
        band.add({ .step = 3, .x = 3, .values = { 5, 2, 8, 5 } });
        QCOMPARE(band.spread(),
            (std::vector<RankSpread> {
                { .x = 3, .low = 2, .mean = 5, .high = 8, .lowRank = 1, .highRank = 2 } }));
    }

    void aRankWithoutAValueCountsNowhere()
    {
        RankBand band(100);
        band.add({ .step = 1, .x = 1, .values = { kNaN, 4, kNaN, 6 } });
        band.add({ .step = 2, .x = 2, .values = { kNaN, kNaN } });
        QCOMPARE(band.spread().size(), std::size_t { 1 });
        QCOMPARE(band.spread().front().mean, 5.0);
        QVERIFY(std::isnan(band.meansOfRanks()[0]));
        QCOMPARE(band.meansOfRanks()[3], 6.0);
    }

    // However long the run is, and no extreme is lost.
    void aLongRunNeedsNoMoreMemoryThanAShortOne()
    {
        constexpr int kPlaces = 100'000;
        RankBand band(50);
        for (int step = 1; step <= kPlaces; ++step) {
            const double base = step == 77'777 ? 900 : 10;
            band.add({ .step = step, .x = double(step), .values = { base, base + 1, base + 2 } });
        }
        const std::vector<RankSpread> spread = band.spread();
        QVERIFY(spread.size() <= 100 && spread.size() > 50);
        QCOMPARE(spread.back().x, double(kPlaces));
        double highest = 0;
        double lowest = 1000;
        for (const RankSpread& at : spread) {
            highest = std::max(highest, at.high);
            lowest = std::min(lowest, at.low);
            QVERIFY(at.low <= at.mean && at.mean <= at.high);
            QCOMPARE(at.highRank, 2);
        }
        QCOMPARE(highest, 902.0);
        QCOMPARE(lowest, 10.0);
        QVERIFY(std::abs(band.meansOfRanks()[1] - 11 - 890.0 / kPlaces) < 1e-9);
    }

    void theOthersWaitForTheSlowest()
    {
        const auto slowest = slowestOf({ 4, 1, 6 });
        QVERIFY(slowest.has_value());
        QCOMPARE(slowest->rank, 1);
        QCOMPARE(slowest->othersWaitLonger, 4.0);
        QVERIFY(!slowestOf({ 4 }));
        QVERIFY(!slowestOf({ kNaN, 4 }));
        QVERIFY(!slowestOf({}));
    }
};

QTEST_APPLESS_MAIN(TestRankBand)
#include "tst_rank_band.moc"
