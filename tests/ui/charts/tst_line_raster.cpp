// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/line_raster.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>

using namespace accrue;

namespace {

QImage drawn(const std::vector<QPointF>& line, const QPen& pen, double ratio = 1)
{
    QImage image(QSize(100, 60) * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::white);
    QPainter painter(&image);
    LineRaster raster(QRectF(10, 10, 80, 40), ratio);
    raster.draw(line, pen);
    raster.paintOn(painter);
    return image;
}

int dark(const QImage& image, const QRect& where)
{
    int count = 0;
    for (int y = where.top(); y <= where.bottom(); ++y)
        for (int x = where.left(); x <= where.right(); ++x)
            count += image.pixelColor(x, y).lightness() < 128 ? 1 : 0;
    return count;
}

} // namespace

class TestLineRaster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLevelLineIsAsWideAsItsPen()
    {
        const QImage image = drawn({ { 10, 30.5 }, { 90, 30.5 } }, QPen(Qt::black, 1));
        for (int x = 12; x < 88; ++x)
            QCOMPARE(dark(image, { x, 10, 1, 40 }), 1);
        const QImage wide = drawn({ { 10, 30 }, { 90, 30 } }, QPen(Qt::black, 4));
        QCOMPARE(dark(wide, { 50, 10, 1, 40 }), 4);
    }

    void aSteepLineHasNoHoles()
    {
        const QImage image = drawn({ { 49.5, 12 }, { 50.5, 48 } }, QPen(Qt::black, 1));
        for (int y = 13; y < 47; ++y)
            QVERIFY(dark(image, { 48, y, 4, 1 }) >= 1);
    }

    void nothingIsDrawnOutsideOfTheArea()
    {
        const QImage image =
            drawn({ { -500, -300 }, { 50, 30 }, { 800, 400 } }, QPen(Qt::black, 2));
        QCOMPARE(dark(image, { 0, 0, 100, 10 }), 0);
        QCOMPARE(dark(image, { 0, 0, 10, 60 }), 0);
        QCOMPARE(dark(image, { 90, 0, 10, 60 }), 0);
        QVERIFY(dark(image, { 40, 20, 20, 20 }) > 10);
    }

    void whatIsNotFiniteIsAGap()
    {
        const QImage image =
            drawn({ { 10, 30 }, { 40, 30 }, { 50, std::nan("") }, { 60, 30 }, { 90, 30 } },
                QPen(Qt::black, 2));
        QCOMPARE(dark(image, { 43, 10, 14, 40 }), 0);
        QVERIFY(dark(image, { 20, 10, 10, 40 }) > 0 && dark(image, { 70, 10, 10, 40 }) > 0);
    }

    void dashesAndDotsAreTold()
    {
        const auto columns = [](Qt::PenStyle style) {
            QPen pen(Qt::black, 2);
            pen.setStyle(style);
            const QImage image = drawn({ { 10, 30 }, { 90, 30 } }, pen);
            int count = 0;
            for (int x = 10; x < 90; ++x)
                count += dark(image, { x, 10, 1, 40 }) > 0 ? 1 : 0;
            return count;
        };
        QCOMPARE(columns(Qt::SolidLine), 80);
        QVERIFY(columns(Qt::DashLine) < 60 && columns(Qt::DashLine) > 40);
        QVERIFY(columns(Qt::DotLine) < columns(Qt::DashLine));
    }

    void aPictureOfTwiceTheSizeHasTwiceTheWidth()
    {
        const QImage image = drawn({ { 10, 30 }, { 90, 30 } }, QPen(Qt::black, 2), 2);
        QCOMPARE(dark(image, { 100, 20, 1, 80 }), 4);
    }
};

QTEST_MAIN(TestLineRaster)
#include "tst_line_raster.moc"
