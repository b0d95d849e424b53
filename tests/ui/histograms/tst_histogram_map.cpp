// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_map.h"

#include <QTest>

#include "tests/ui/histograms/histogram_examples.h"

using namespace accrue;

class TestHistogramMap : public QObject {
    Q_OBJECT
private:
    static PlotAxes axesOf(double firstStep, double lastStep, double low, double high)
    {
        PlotAxes axes;
        axes.x.low = firstStep;
        axes.x.high = lastStep;
        axes.y.low = low;
        axes.y.high = high;
        return axes;
    }

    static QImage mapOf(const std::vector<HistogramAtStep>& steps, const PlotAxes& axes)
    {
        return histogramMap(
            panelOf(1, steps).data->columns, axes, { 100, 128 }, Qt::blue, Qt::white);
    }

private Q_SLOTS:
    void moreNumbersAreDarker()
    {
        QCOMPARE(shadeOf(0), 0.0);
        QVERIFY(shadeOf(1e-9) > 0); // a tail is seen
        QVERIFY(shadeOf(0.001) > shadeOf(0.0005));
        QCOMPARE(shadeOf(1), 1.0);
    }

    void valuesAreWhereTheAxisHasThem()
    {
        // All numbers between 2 and 3: a quarter of the axis, below its upper quarter.
        const QImage map =
            mapOf({ histogramAt(0, 2, 3, { 5, 5 }), histogramAt(10, 2, 3, { 5, 5 }) },
                axesOf(0, 10, 0, 4));
        QCOMPARE(map.pixelColor(50, 20), QColor(Qt::white)); // 3.4
        QVERIFY(map.pixelColor(50, 48) != QColor(Qt::white)); // 2.5
        QCOMPARE(map.pixelColor(50, 80), QColor(Qt::white)); // 1.5
        QCOMPARE(map.pixelColor(2, 48), map.pixelColor(97, 48));
    }

    void aColumnReachesHalfwayToItsNeighbours()
    {
        const QImage map = mapOf({ histogramAt(0, 0, 1, { 1 }), histogramAt(20, 3, 4, { 1 }),
                                     histogramAt(100, 0, 1, { 1 }) },
            axesOf(0, 100, 0, 4));
        const auto isUpper = [&](int x) { return map.pixelColor(x, 16) != QColor(Qt::white); };
        QVERIFY(!isUpper(9));
        QVERIFY(isUpper(11));
        QVERIFY(isUpper(58));
        QVERIFY(!isUpper(61));
    }

    void aRunThatEndedEarlierLeavesTheRestEmpty()
    {
        const QImage map = mapOf({ bellAt(0, 0, 1), bellAt(20, 0, 1) }, axesOf(0, 100, -4, 4));
        QVERIFY(map.pixelColor(28, 64) != QColor(Qt::white));
        QCOMPARE(map.pixelColor(32, 64), QColor(Qt::white));
    }

    void equalNumbersAreALineThatIsSeen()
    {
        const QImage map = mapOf({ histogramAt(5, 0, 0, { 9 }) }, axesOf(4.5, 5.5, -1, 1));
        int painted = 0;
        for (int y = 0; y < map.height(); ++y)
            painted += map.pixelColor(50, y) != QColor(Qt::white) ? 1 : 0;
        QCOMPARE(painted, 2);
        QCOMPARE(map.pixelColor(50, 63), QColor(Qt::blue));
    }
};

QTEST_GUILESS_MAIN(TestHistogramMap)
#include "tst_histogram_map.moc"
