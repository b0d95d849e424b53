// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/bar_chart.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

#include "tests/support/waiting.h"

using namespace accrue;

namespace {

const QColor kRed(200, 0, 0);
const QColor kBlue(0, 0, 200);

// The pixels of that colour in a picture of the chart.
int pixelsOf(BarChart& chart, const QColor& color)
{
    const QImage image = chart.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    return count;
}

} // namespace

class TestBarChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aBarIsAsLongAsItsShare()
    {
        BarChart chart;
        chart.setBars({ { QStringLiteral("conv1"), 4, QStringLiteral("4 MiB"), kRed },
            { QStringLiteral("conv2"), 1, QStringLiteral("1 MiB"), kBlue } });
        chart.resize(500, chart.sizeHint().height());
        const double ratio = static_cast<double>(pixelsOf(chart, kRed)) / pixelsOf(chart, kBlue);
        QVERIFY2(ratio > 3.6 && ratio < 4.4, qPrintable(QString::number(ratio)));
    }

    void itIsAsHighAsItsBars()
    {
        BarChart chart;
        std::vector<BarChart::Bar> bars(40);
        chart.setBars(bars);
        const int many = chart.minimumSizeHint().height();
        bars.resize(20);
        chart.setBars(bars);
        QCOMPARE(many, 2 * chart.minimumSizeHint().height());
    }

    void eachBarHasATooltip()
    {
        BarChart chart;
        chart.setBars({ { QStringLiteral("conv1"), 4, QStringLiteral("4 MiB"), kRed },
            { QStringLiteral("no layer"), 1, QStringLiteral("1 MiB"), kBlue,
                QStringLiteral("Kept elsewhere") } });
        chart.resize(500, 2 * chart.sizeHint().height());
        chart.show();
        const auto toolTipAt = [&](int y) {
            QHelpEvent help(QEvent::ToolTip, QPoint(10, y), chart.mapToGlobal(QPoint(10, y)));
            QCoreApplication::sendEvent(&chart, &help);
            return QToolTip::text();
        };
        const int row = chart.sizeHint().height() / 3; // that of three
        QCOMPARE(toolTipAt(row / 2), QStringLiteral("conv1: 4 MiB"));
        QCOMPARE(toolTipAt(row + row / 2), QStringLiteral("no layer: 1 MiB\nKept elsewhere"));
        toolTipAt(2 * row + row / 2);
        QTRY_VERIFY(!QToolTip::isVisible());
    }

    void aScreenReaderIsToldAllBars()
    {
        QAccessible::setActive(true);
        BarChart chart;
        QAccessible::setActive(true);
        chart.setEmptyText(QStringLiteral("None."));
        QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("None."));
        chart.setBars({ { QStringLiteral("conv1"), 4, QStringLiteral("4 MiB"), kRed },
            { QStringLiteral("conv2"), 1, QStringLiteral("1 MiB"), kBlue } });
        QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("conv1: 4 MiB; conv2: 1 MiB"));
        QAccessible::setActive(false);
    }
};

QTEST_MAIN(TestBarChart)
#include "tst_bar_chart.moc"
