// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_picture.h"

#include <QBuffer>
#include <QPainter>
#include <QPointer>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QThreadPool>
#include <QWidget>

#include <utility>

namespace accrue {

QImage imageOf(const QSize& size, const PaintChart& paint)
{
    QImage image(size * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    QPainter painter(&image);
    paint(painter);
    return image;
}

QByteArray svgOf(const QSize& size, const QString& title, const PaintChart& paint)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(title);
    QPainter painter(&generator);
    paint(painter);
    painter.end();
    return buffer.data();
}

bool writePng(const QImage& image, const QString& path)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && image.save(&file, "PNG") && file.commit();
}

bool writeSvg(const QByteArray& svg, const QString& path)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(svg) == svg.size() && file.commit();
}

QString pictureFile(const QString& path)
{
    for (const QString& ending : { QStringLiteral(".svg"), QStringLiteral(".png") })
        if (path.endsWith(ending, Qt::CaseInsensitive))
            return path;
    return path + QStringLiteral(".svg");
}

void savePictureOf(QWidget* chart, const QString& path, const std::function<QImage()>& image,
    const std::function<QByteArray()>& svg, std::function<void(bool written)> done)
{
    std::function<bool()> write;
    if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive))
        write = [path, picture = image()] { return writePng(picture, path); };
    else
        write = [path, picture = svg()] { return writeSvg(picture, path); };
    QPointer<QWidget> self(chart);
    QThreadPool::globalInstance()->start([self, write, tell = std::move(done)] {
        const auto answer = [self, written = write(), tell] {
            if (self != nullptr)
                tell(written);
        };
        QMetaObject::invokeMethod(QThreadPool::globalInstance(), answer, Qt::QueuedConnection);
    });
}

} // namespace accrue
