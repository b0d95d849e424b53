// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/metric_chart.h"
#include "ui/charts/rank_curves.h"

#include <QTest>

using namespace accrue;

namespace {

// Of three ranks, over two steps.
SeriesCurve measured()
{
    return { .points = { { 1, 20 }, { 2, 30 } },
        .smoothed = {},
        .spread = { { .x = 1, .low = 10, .mean = 20, .high = 30, .lowRank = 2, .highRank = 0 },
            { .x = 2, .low = 20, .mean = 30, .high = 40, .lowRank = 1, .highRank = 0 } },
        .meansOfRanks = { 35, 20, 20 } };
}

} // namespace

class TestRankCurves : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theRibbonReachesFromTheLowestRankToTheHighest()
    {
        const RankCurves drawn = rankCurves(measured(), { QStringLiteral("mean"), Qt::blue });
        QCOMPARE(
            drawn.ribbon.edges, (std::vector<ChartRibbon::Edge> { { 1, 10, 30 }, { 2, 20, 40 } }));
        QCOMPARE(drawn.curves.size(), std::size_t { 3 });
        QCOMPARE(drawn.curves[1].points, measured().points);
        QVERIFY(drawn.ribbon.color.alpha() < 128); // curves and grid are visible behind it
    }

    void theHoverBoxNamesTheRanks()
    {
        MetricChart chart;
        chart.resize(500, 300);
        RankCurves drawn = rankCurves(measured(), { QStringLiteral("Waiting, mean"), Qt::blue });
        chart.setCurves(drawn.curves);
        QCOMPARE(chart.valuesAt(1),
            (QStringList { QStringLiteral("highest: rank 0: 30"), QStringLiteral("mean: 20"),
                QStringLiteral("lowest: rank 2: 10") }));
        QCOMPARE(chart.valuesAt(2).last(), QStringLiteral("lowest: rank 1: 20"));
    }

    void theRowsOfSeveralRunsNameTheRun()
    {
        const QString run = QStringLiteral("a %1 name"); // no place for a number
        const RankCurves drawn = rankCurves(measured(), { run, Qt::blue }, run);
        QCOMPARE(drawn.curves[0].pointTitles.front(), QStringLiteral("a %1 name, highest: rank 0"));
        QCOMPARE(drawn.curves[1].pointTitles.front(), QStringLiteral("a %1 name, mean"));
    }

    void theMeanIsSmoothedIfTheCurvesAre()
    {
        SeriesCurve smooth = measured();
        smooth.smoothed = { { 1, 21 }, { 2, 22 } };
        QCOMPARE(rankCurves(smooth, { QStringLiteral("mean"), Qt::blue }).curves[1].points,
            smooth.smoothed);
    }

    void withoutValuesNothingIsDrawn()
    {
        const RankCurves drawn = rankCurves({}, { QStringLiteral("mean"), Qt::blue });
        QVERIFY(drawn.curves.empty() && drawn.ribbon.edges.empty());
    }
};

QTEST_MAIN(TestRankCurves)
#include "tst_rank_curves.moc"
