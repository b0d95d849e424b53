// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot.h"

#include <QString>

#include <functional>

class QWidget;

namespace accrue {

// How a chart becomes a file.

// The path, with .svg added if it ends in neither .svg nor .png: no other file is overwritten.
QString pictureFile(const QString& path);

// PNG by its extension, at twice the size of the chart, otherwise SVG. Must not block: the picture
// is painted at once, but a PNG is compressed, and both are written, on a thread of its own, which
// the chart waits for when it is destroyed. `done` is called on the GUI thread, unless the chart
// has been destroyed by then; false: the file could not be written.
using PaintPicture = std::function<void(QPainter& painter, Plot::Medium medium)>;
void savePictureOf(QWidget& chart, const QString& title, const PaintPicture& paint,
    const QString& path, std::function<void(bool written)> done);

} // namespace accrue
