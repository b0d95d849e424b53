// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/area_chart.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

#include "tests/support/waiting.h"

using namespace accrue;

namespace {

const QColor kRed(200, 0, 0);
const QColor kBlue(0, 0, 200);

// Two bands of three points; the top area is faint.
AreaContent example()
{
    return { .points = { { 0, QStringLiteral("forward of 1: begin") },
                 { 0.5, QStringLiteral("forward of 1: peak") },
                 { 1, QStringLiteral("forward of 1: end") },
                 { 1, QStringLiteral("backward of 1: begin") },
                 { 1.5, QStringLiteral("backward of 1: peak") },
                 { 2, QStringLiteral("backward of 1: end") } },
        .areas = { { QStringLiteral("Parameters"), QStringLiteral("Parameters: weights."), kRed,
                       false, { 1, 1, 1, 1, 1, 1 } },
            { QStringLiteral("EMA"), {}, Qt::green, false, { 0, 0, 0, 0, 0, 0 } },
            { QStringLiteral("Activations"), QStringLiteral("Activations: what is kept."), kBlue,
                false, { 0, 2, 2, 2, 3, 0 } },
            { QStringLiteral("Cached"), {}, Qt::gray, true, { 1, 1, 1, 1, 1, 1 } } },
        .bands = { { 0, 1, QStringLiteral("forward"), QStringLiteral("f"), Qt::cyan },
            { 1, 2, QStringLiteral("backward"), QStringLiteral("b"), Qt::yellow } } };
}

int pixelsNear(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += std::abs(pixel.red() - color.red()) < 60
                    && std::abs(pixel.green() - color.green()) < 60
                    && std::abs(pixel.blue() - color.blue()) < 60
                ? 1
                : 0;
        }
    return count;
}

} // namespace

class TestAreaChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNearestPointIsTold()
    {
        AreaChart chart;
        chart.setValueFormatter([](double value) { return QString::number(value); });
        QVERIFY(chart.valuesAt(0).isEmpty());
        chart.setContent(example());
        QCOMPARE(chart.valuesAt(0.4),
            QStringList({ QStringLiteral("forward of 1: peak"), QStringLiteral("Cached: 1"),
                QStringLiteral("Activations: 2"), QStringLiteral("Parameters: 1"),
                QStringLiteral("Sum: 3") }));
        QCOMPARE(chart.valuesAt(9).front(), QStringLiteral("backward of 1: end"));
    }

    void anAreaTakesItsShareOfThePicture()
    {
        AreaChart chart;
        AreaContent content = example();
        content.bands.clear();
        for (ChartArea& area : content.areas)
            area.values.assign(6, area.title == QStringLiteral("Parameters") ? 1 : 3);
        chart.setContent(content);
        chart.resize(600, 400);
        const QImage image = chart.grab().toImage();
        const double ratio =
            static_cast<double>(pixelsNear(image, kBlue)) / pixelsNear(image, kRed);
        QVERIFY2(ratio > 2.6 && ratio < 3.4, qPrintable(QString::number(ratio)));
    }

    void theLegendExplainsAnArea()
    {
        AreaChart chart;
        chart.setContent(example());
        chart.resize(600, 400);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QStringList told;
        for (int y = 0; y < 80; y += 4)
            for (int x = 0; x < 400; x += 8) {
                QHelpEvent help(QEvent::ToolTip, { x, y }, chart.mapToGlobal(QPoint(x, y)));
                QApplication::sendEvent(&chart, &help);
                if (!QToolTip::text().isEmpty() && !told.contains(QToolTip::text()))
                    told.append(QToolTip::text());
            }
        QVERIFY(told.contains(QStringLiteral("Parameters: weights.")));
        QVERIFY(told.contains(QStringLiteral("Activations: what is kept.")));
    }

    void theKeyboardExplainsAnAreaToo()
    {
        QAccessible::setActive(true);
        AreaChart chart;
        QAccessible::setActive(true);
        chart.setContent(example());
        chart.resize(600, 400);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        const QImage before = chart.grab().toImage();
        QTest::keyClick(&chart, Qt::Key_Down);
        QCOMPARE(QToolTip::text(), QStringLiteral("Parameters: weights."));
        QTRY_VERIFY(
            chart.accessibleDescription().startsWith(QStringLiteral("Parameters: weights.; ")));
        QVERIFY(chart.grab().toImage() != before); // it has a frame
        QTest::keyClick(&chart, Qt::Key_Down); // an area that is 0 everywhere is not in the legend
        QCOMPARE(QToolTip::text(), QStringLiteral("Activations: what is kept."));
        QTest::keyClick(&chart, Qt::Key_Up);
        QTest::keyClick(&chart, Qt::Key_Up); // there is no entry before the first
        QCOMPARE(QToolTip::text(), QStringLiteral("Parameters: weights."));
        QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(chart.grab().toImage(), before);
        QTRY_VERIFY(
            chart.accessibleDescription().startsWith(QStringLiteral("backward of 1: peak")));
        QTest::keyClick(&chart, Qt::Key_Up);
        chart.setContent({}); // the explained entry no longer exists
        QTRY_VERIFY(chart.accessibleDescription().isEmpty());
        QAccessible::setActive(false);
    }

    void theArrowKeysWalkThroughThePoints()
    {
        QAccessible::setActive(true);
        AreaChart chart;
        QAccessible::setActive(true);
        chart.setEmptyText(QStringLiteral("Nothing yet."));
        chart.resize(600, 400);
        QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("Nothing yet."));
        chart.setContent(example());
        // Without a chosen point: the description of the highest peak.
        QTRY_VERIFY(
            chart.accessibleDescription().startsWith(QStringLiteral("backward of 1: peak")));
        QTest::keyClick(&chart, Qt::Key_Left);
        QTRY_VERIFY(chart.accessibleDescription().startsWith(QStringLiteral("backward of 1: end")));
        for (int i = 0; i < 9; ++i)
            QTest::keyClick(&chart, Qt::Key_Left);
        QTRY_VERIFY(
            chart.accessibleDescription().startsWith(QStringLiteral("forward of 1: begin")));
        QTest::keyClick(&chart, Qt::Key_Right);
        QTRY_VERIFY(chart.accessibleDescription().startsWith(QStringLiteral("forward of 1: peak")));
        chart.setContent({}); // the point no longer exists
        QTRY_COMPARE(chart.accessibleDescription(), QStringLiteral("Nothing yet."));
        QAccessible::setActive(false);
    }
};

QTEST_MAIN(TestAreaChart)
#include "tst_area_chart.moc"
