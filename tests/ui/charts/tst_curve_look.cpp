// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/curve_look.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace accrue;

namespace {

ChartCurve curveOf(int points)
{
    ChartCurve curve;
    curve.title = QStringLiteral("a");
    for (int i = 1; i <= points; ++i)
        curve.points.push_back({ double(i), 0.5 * i });
    return curve;
}

} // namespace

class TestCurveLook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCurveThatGrewIsDrawnFromItsLastPoint();
    void aPointThatMovedIsDrawnFromTheOneBefore();
    void nothingIsDrawnWhereNothingChanged();
    void aLineStartsFromAFinitePoint();
    void theEarliestChangeOfAllCurvesCounts();
    void allIsDrawnWhenTheLookChanges_data();
    void allIsDrawnWhenTheLookChanges();
    void aFormulaHasNoDotsAndDotsAloneAlwaysHaveThem();
};

void TestCurveLook::aCurveThatGrewIsDrawnFromItsLastPoint()
{
    QCOMPARE(grownFrom({ curveOf(60) }, { curveOf(70) }), std::optional(60.0));
}

void TestCurveLook::aPointThatMovedIsDrawnFromTheOneBefore()
{
    ChartCurve moved = curveOf(60);
    moved.points[29].y = 7;
    QCOMPARE(grownFrom({ curveOf(60) }, { moved }), std::optional(29.0));
    moved.points[0].y = 7;
    QVERIFY(!grownFrom({ curveOf(60) }, { moved }));
}

void TestCurveLook::nothingIsDrawnWhereNothingChanged()
{
    ChartCurve broken = curveOf(60);
    broken.points[9].y = std::numeric_limits<double>::quiet_NaN();
    broken.line = Qt::DashLine;
    const auto from = grownFrom({ broken, {} }, { broken, {} });
    QVERIFY(from && std::isinf(*from));
}

void TestCurveLook::aLineStartsFromAFinitePoint()
{
    ChartCurve broken = curveOf(60);
    broken.points[58].y = broken.points[59].y = std::numeric_limits<double>::quiet_NaN();
    ChartCurve grown = broken;
    grown.points.push_back({ 61, 1 });
    QCOMPARE(grownFrom({ broken }, { grown }), std::optional(58.0));
}

void TestCurveLook::theEarliestChangeOfAllCurvesCounts()
{
    QCOMPARE(
        grownFrom({ curveOf(80), curveOf(50) }, { curveOf(90), curveOf(51) }), std::optional(50.0));
}

void TestCurveLook::allIsDrawnWhenTheLookChanges_data()
{
    QTest::addColumn<ChartCurve>("now");
    ChartCurve now = curveOf(61);
    now.title = QStringLiteral("b");
    QTest::newRow("title") << now;
    now = curveOf(61);
    now.color = Qt::red;
    QTest::newRow("colour") << now;
    now = curveOf(61);
    now.faint = true;
    QTest::newRow("faint") << now;
    QTest::newRow("dots") << curveOf(30);
    QTest::newRow("width") << curveOf(301);
    QTest::newRow("smoothness") << curveOf(6001);
}

void TestCurveLook::allIsDrawnWhenTheLookChanges()
{
    QFETCH(const ChartCurve, now);
    QVERIFY(!grownFrom({ curveOf(60) }, { now }));
    QVERIFY(!grownFrom({ curveOf(60) }, { now, now }));
    ChartCurve dashed = curveOf(60);
    dashed.line = Qt::DashLine;
    ChartCurve grown = curveOf(61);
    grown.line = Qt::DashLine;
    QVERIFY(!grownFrom({ dashed }, { grown }));
}

void TestCurveLook::aFormulaHasNoDotsAndDotsAloneAlwaysHaveThem()
{
    ChartCurve few = curveOf(5);
    QVERIFY(hasDots(few));
    few.isFormula = true;
    QVERIFY(!hasDots(few));
    ChartCurve alone = curveOf(100);
    QVERIFY(!hasDots(alone));
    alone.line = Qt::NoPen;
    QVERIFY(hasDots(alone));
}

QTEST_MAIN(TestCurveLook)
#include "tst_curve_look.moc"
