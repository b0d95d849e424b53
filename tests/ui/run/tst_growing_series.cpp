// SPDX-License-Identifier: Apache-2.0
#include "ui/run/growing_series.h"

#include <QTest>

#include "engine/runlog/run_log_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace accrue;

class TestGrowingSeries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aShortSeriesIsThinnedExactly();
    void aLongSeriesKeepsItsRoomAndItsSpikes();
    void valuesThatAreNotFiniteTakeNoMoreRoom();
};

static SeriesPoint wave(int i)
{
    return { double(i), std::sin(i * 0.37) };
}

static bool has(const std::vector<SeriesPoint>& points, const SeriesPoint& wanted)
{
    return std::find(points.begin(), points.end(), wanted) != points.end();
}

void TestGrowingSeries::aShortSeriesIsThinnedExactly()
{
    GrowingSeries series(50);
    std::vector<SeriesPoint> all;
    for (int i = 0; i < 700; ++i) {
        series.add(wave(i));
        all.push_back(wave(i));
        QCOMPARE(series.thinned(), thin(all, 50));
    }
}

void TestGrowingSeries::aLongSeriesKeepsItsRoomAndItsSpikes()
{
    constexpr int kBuckets = 180;
    constexpr int kPoints = 1'000'000;
    constexpr int kBetweenSpikes = 20'011;
    GrowingSeries series(kBuckets);
    std::vector<SeriesPoint> spikes;
    std::size_t most = 0;
    for (int i = 0; i < kPoints; ++i) {
        SeriesPoint point = wave(i);
        if (i % kBetweenSpikes == 77) {
            point.y = 5 + i * 1e-6;
            spikes.push_back(point);
        }
        series.add(point);
        most = std::max(most, series.kept());
    }
    QVERIFY2(most <= 16 * kBuckets, qPrintable(QString::number(most)));
    const std::vector<SeriesPoint> shown = series.thinned();
    QVERIFY(shown.size() <= 2 * kBuckets + 2);
    QVERIFY(has(shown, wave(0)));
    QVERIFY(has(shown, wave(kPoints - 1)));
    for (const SeriesPoint& spike : spikes)
        QVERIFY2(has(shown, spike), qPrintable(QString::number(spike.x)));
}

void TestGrowingSeries::valuesThatAreNotFiniteTakeNoMoreRoom()
{
    GrowingSeries series(10);
    for (int i = 0; i < 10'000; ++i) {
        series.add({ double(i), i % 2 == 0 ? NAN : double(i % 100) });
        QVERIFY(series.kept() <= 160);
    }
    const auto shown = series.thinned();
    QVERIFY(std::any_of(
        shown.begin(), shown.end(), [](const SeriesPoint& point) { return std::isnan(point.y); }));
}

QTEST_GUILESS_MAIN(TestGrowingSeries)
#include "tst_growing_series.moc"
