// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/curve_picture.h"

#include <QTest>

#include <cmath>

using namespace accrue;

class TestCurvePicture : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCurveFillsItsPlace()
    {
        const QPolygonF curve = curveIn(QRectF(10, 20, 100, 50), { { 1, 4 }, { 2, 2 }, { 5, 0 } });
        QCOMPARE(curve, QPolygonF({ { 10, 20 }, { 35, 45 }, { 110, 70 } }));
    }

    void whatIsNotFiniteIsLeftOut()
    {
        const QPolygonF curve =
            curveIn(QRectF(0, 0, 10, 10), { { 0, NAN }, { 1, 1 }, { 2, 3 }, { 3, INFINITY } });
        QCOMPARE(curve, QPolygonF({ { 0, 10 }, { 10, 0 } }));
        QVERIFY(curveIn(QRectF(0, 0, 10, 10), { { 0, NAN } }).isEmpty());
        QVERIFY(curveIn(QRectF(0, 0, 10, 10), {}).isEmpty());
    }

    void aLevelCurveAndASinglePointAreInTheMiddle()
    {
        QCOMPARE(curveIn(QRectF(0, 0, 10, 10), { { 0, 7 }, { 4, 7 } }),
            QPolygonF({ { 0, 5 }, { 10, 5 } }));
        QCOMPARE(curveIn(QRectF(0, 0, 10, 10), { { 3, 7 } }), QPolygonF({ { 5, 5 } }));
    }
};

QTEST_GUILESS_MAIN(TestCurvePicture)
#include "tst_curve_picture.moc"
