// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_overlay.h"

#include <QTest>

#include "tests/ui/histograms/histogram_examples.h"

#include <cmath>

using namespace accrue;

class TestHistogramOverlay : public QObject {
    Q_OBJECT
private:
    static double areaOf(const ChartCurve& curve)
    {
        double area = 0;
        for (const SeriesPoint& point : curve.points)
            area += point.y;
        return area;
    }

private Q_SLOTS:
    void eachCurveHasAllNumbersInTheSameBins()
    {
        const HistogramPanels panels { panelOf(1, { bellAt(10, 0, 1) }),
            panelOf(2, { bellAt(10, 2, 0.2) }) };
        const HistogramOverlay overlay = histogramOverlay(panels, 10, Outliers::Shown);
        QCOMPARE(overlay.curves.size(), std::size_t { 2 });
        for (const ChartCurve& curve : overlay.curves) {
            QVERIFY(std::abs(areaOf(curve) - 1) < 1e-9);
            QVERIFY(std::abs(curve.points[1].x - curve.points[0].x - overlay.binWidth) < 1e-9);
        }
        // About as narrow as the bins of the narrower run.
        QVERIFY(std::abs(overlay.binWidth - 0.02188) < 0.0005); // 2 ∛25038 of them
    }

    void fewNumbersHaveFewBins()
    {
        std::vector<std::int64_t> counts(64, 0);
        for (std::size_t bin = 0; bin < counts.size(); bin += 3)
            counts[bin] = 1; // 22 numbers
        const HistogramPanels panels { panelOf(1, { histogramAt(10, 0, 1, counts) }) };
        const ChartCurve curve = histogramOverlay(panels, 10, Outliers::Shown).curves.front();
        QVERIFY(curve.points.size() <= 18);
        QVERIFY(std::abs(areaOf(curve) - 1) < 1e-9);
    }

    void aRunIsShownAtItsNearestStep()
    {
        const HistogramPanels panels { panelOf(1, { bellAt(10, 0, 1), bellAt(20, 5, 1) }) };
        const auto middleAt = [&](std::int64_t step) {
            const ChartCurve curve = histogramOverlay(panels, step, Outliers::Shown).curves[0];
            double mean = 0;
            for (const SeriesPoint& point : curve.points)
                mean += point.x * point.y;
            return mean;
        };
        QVERIFY(std::abs(middleAt(12)) < 0.01);
        QVERIFY(std::abs(middleAt(900) - 5) < 0.01);
    }

    void emptySpaceBesideARunHasNoLine()
    {
        const HistogramPanels panels { panelOf(1, { bellAt(10, 0, 0.1) }),
            panelOf(2, { bellAt(10, 100, 1) }) };
        const ChartCurve narrow = histogramOverlay(panels, 10, Outliers::Shown).curves.front();
        QVERIFY(narrow.points.back().x < 1);
        QCOMPARE(narrow.points.back().y, 0.0); // it ends at the axis
    }

    void withoutPanelsThereIsNoCurve()
    {
        QVERIFY(histogramOverlay({}, 1, Outliers::Shown).curves.empty());
    }
};

QTEST_GUILESS_MAIN(TestHistogramOverlay)
#include "tst_histogram_overlay.moc"
