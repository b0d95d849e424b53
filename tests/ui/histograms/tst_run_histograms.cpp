// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/run_histograms.h"

#include <QTest>

#include "tests/ui/histograms/histogram_examples.h"

#include <limits>

using namespace accrue;

class TestRunHistograms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aColumnHasItsPercentiles()
    {
        const HistogramColumn column = columnOf(histogramAt(3, 0, 10, { 1, 1, 1, 1 }));
        QCOMPARE(column.step, 3);
        QCOMPARE(column.below5, 0.5);
        QCOMPARE(column.median, 5.0);
        QCOMPARE(column.below95, 9.5);
    }

    void theNearestColumnIsFound()
    {
        const HistogramPanel panel =
            panelOf(1, { bellAt(10, 0, 1), bellAt(20, 0, 1), bellAt(50, 0, 1) });
        for (const auto& [step, nearest] : std::vector<std::pair<std::int64_t, std::int64_t>> {
                 { 0, 10 }, { 15, 10 }, { 16, 20 }, { 34, 20 }, { 36, 50 }, { 900, 50 } })
            QCOMPARE(columnAt(panel, step).step, nearest);
    }

    void stepsAreThoseOfAllPanels()
    {
        const HistogramPanels panels { panelOf(1, { bellAt(10, 0, 1), bellAt(30, 0, 1) }),
            panelOf(2, { bellAt(10, 0, 1), bellAt(20, 0, 1) }) };
        QCOMPARE(stepsOf(panels), (std::vector<std::int64_t> { 10, 20, 30 }));
    }

    void theRangeHoldsEveryNumber()
    {
        const HistogramPanels panels { panelOf(1, { histogramAt(1, -1, 2, { 1, 1 }) }),
            panelOf(2, { histogramAt(1, 0, 7, { 1, 1 }), histogramAt(2, -3, 1, { 1, 1 }) }) };
        const ValueRange all = valueRange(panels, Outliers::Shown);
        QVERIFY(all.low < -3 && all.low > -4);
        QVERIFY(all.high > 7 && all.high < 8);
        const ValueRange first = valueRange(panels, Outliers::Shown, 1);
        QVERIFY(first.low < -1 && first.low > -2);
    }

    void oneStepThatExplodesIsAnOutlier()
    {
        std::vector<HistogramAtStep> steps;
        for (std::int64_t step = 1; step <= 100; ++step)
            steps.push_back(bellAt(step, 0, step == 50 ? 1e6 : 1));
        const HistogramPanels panels { panelOf(1, steps) };
        QVERIFY(valueRange(panels, Outliers::Shown).high > 1e6);
        const ValueRange inner = valueRange(panels, Outliers::Ignored);
        QVERIFY(inner.high < 3.2 && inner.high > 2);
        QVERIFY(inner.low > -3.2 && inner.low < -2);
    }

    void aRangeIsNeverEmpty()
    {
        const ValueRange zeros =
            valueRange({ panelOf(1, { histogramAt(1, 0, 0, { 9 }) }) }, Outliers::Shown);
        QVERIFY(zeros.low < 0 && zeros.high > 0);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const ValueRange none =
            valueRange({ panelOf(1, { histogramAt(1, nan, nan, {}) }) }, Outliers::Shown);
        QVERIFY(none.low < none.high);
    }
};

QTEST_GUILESS_MAIN(TestRunHistograms)
#include "tst_run_histograms.moc"
