// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

#include <functional>

QT_BEGIN_NAMESPACE
class QPainter;
class QWidget;
QT_END_NAMESPACE

namespace accrue {

// How a chart becomes a file.

using PaintChart = std::function<void(QPainter& painter)>;
QImage imageOf(const QSize& size, const PaintChart& paint); // at twice the size
QByteArray svgOf(const QSize& size, const QString& title, const PaintChart& paint);

// False: the file could not be written.
bool writePng(const QImage& image, const QString& path);
bool writeSvg(const QByteArray& svg, const QString& path);

// The path, with .svg where it ends in neither .svg nor .png: no other file is written over.
QString pictureFile(const QString& path);

// PNG by its ending, otherwise SVG; only that one is made. Must not block: a PNG is packed, and
// either written, on a pool's thread. `done` is called on the GUI thread, unless the chart is gone
// by then.
void savePictureOf(QWidget* chart, const QString& path, const std::function<QImage()>& image,
    const std::function<QByteArray()>& svg, std::function<void(bool written)> done);

} // namespace accrue
