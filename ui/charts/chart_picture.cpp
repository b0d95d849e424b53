// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_picture.h"

#include "ui/charts/plot_look.h"
#include "ui/run/task.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <cmath>
#include <utility>

namespace accrue {

namespace {

// Painting reads the chart and its palette, which belong to the GUI thread. Packing a PNG takes
// longer than to paint it, and needs the image alone.
QImage imageOf(const QSize& size, const PaintPicture& paint)
{
    // Twice the size of the screen, so that a picture is sharp in a document.
    QImage image(size * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    QPainter painter(&image);
    paint(painter, Plot::Medium::Raster);
    return image;
}

QByteArray svgOf(const QSize& size, const QString& title, const PaintPicture& paint)
{
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(title);
    QPainter painter(&generator);
    paint(painter, Plot::Medium::Vector);
    painter.end(); // writes the closing tag
    return buffer.data();
}

bool isPng(const QString& path)
{
    return path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive);
}

} // namespace

QString pictureFile(const QString& path)
{
    const bool isSvg = path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive);
    return isSvg || isPng(path) ? path : path + QStringLiteral(".svg");
}

PlotLegend PictureLegend::laidOut(const QWidget& chart, double& height) const
{
    // High enough for every entry that a page can read.
    constexpr double kRoom = 2000;
    PlotLegend legend;
    height = legend.layOut(
        m_entries, PlotLook(chart), { double(chart.width()), kRoom }, chart.height() + kPlotEdge);
    return legend;
}

QSize PictureLegend::sizeBelow(const QWidget& chart) const
{
    if (m_entries.empty())
        return chart.size();
    double height = 0;
    laidOut(chart, height);
    return chart.size() + QSize(0, static_cast<int>(std::ceil(height + kPlotEdge)));
}

void PictureLegend::paintBelow(const QWidget& chart, QPainter& painter) const
{
    if (m_entries.empty())
        return;
    const QRect all(QPoint(), sizeBelow(chart));
    painter.fillRect(all.adjusted(0, chart.height(), 0, 0), chart.palette().color(QPalette::Base));
    painter.setRenderHint(QPainter::Antialiasing);
    double height = 0;
    laidOut(chart, height).paint(painter, PlotLook(chart), all);
}

void savePictureOf(QWidget& chart, const QSize& size, const QString& title,
    const PaintPicture& paint, const QString& path, std::function<void(bool written)> done)
{
    std::function<bool(QSaveFile&)> fill;
    if (isPng(path))
        fill = [picture = imageOf(size, paint)](
                   QSaveFile& file) { return picture.save(&file, "PNG"); };
    else
        fill = [picture = svgOf(size, title, paint)](
                   QSaveFile& file) { return file.write(picture) == picture.size(); };
    const auto write = [path, fill] {
        QSaveFile file(path); // an unfinished picture does not replace the old file
        return file.open(QIODevice::WriteOnly) && fill(file) && file.commit();
    };
    // A task per picture, because a second start would drop the result of the first. The chart owns
    // it: if the chart is destroyed first, the task waits for the file and reports nothing.
    auto* task = new Task(&chart);
    const auto end = [task, done = std::move(done)](bool written) {
        // Later, because this is called by the task itself.
        task->deleteLater();
        done(written);
    };
    task->start(
        [write, end](
            const Task::Job&) -> Task::News { return [end, written = write()] { end(written); }; },
        [end](const Message&) { end(false); });
}

void PicturedChart::setTitle(const QString& title)
{
    if (std::exchange(m_title, title) == title)
        return;
    setAccessibleName(title);
    contentChanged();
}

void PicturedChart::setPictureLegend(std::vector<LegendEntry> entries)
{
    m_legend.setEntries(std::move(entries));
}

void PicturedChart::paintWhole(QPainter& painter, Plot::Medium medium)
{
    painter.save();
    paintPicture(painter, medium);
    painter.restore();
    m_legend.paintBelow(*this, painter);
}

void PicturedChart::savePicture(const QString& path, std::function<void(bool written)> done)
{
    const auto paint = [this](
                           QPainter& painter, Plot::Medium medium) { paintWhole(painter, medium); };
    savePictureOf(*this, m_legend.sizeBelow(*this), m_title, paint, path, std::move(done));
}

void PicturedChart::copyPicture()
{
    const auto paint = [this](
                           QPainter& painter, Plot::Medium medium) { paintWhole(painter, medium); };
    QApplication::clipboard()->setImage(imageOf(m_legend.sizeBelow(*this), paint));
}

void PicturedChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange)
        contentChanged();
}

void PicturedChart::contextMenuEvent(QContextMenuEvent* event)
{
    openMenu(event->globalPos());
}

void PicturedChart::openMenu(const QPoint& globalPosition)
{
    QMenu menu(this);
    addMenuActions(menu);
    Q_EMIT menuOpening(&menu);
    menu.addAction(tr("Copy picture"), this, &PicturedChart::copyPicture);
    menu.addAction(tr("Save picture…"), this, &PicturedChart::pictureRequested);
    menu.exec(globalPosition);
}

} // namespace accrue
