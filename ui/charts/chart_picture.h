// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/plot.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

class QMenu;

namespace accrue {

// How a chart becomes a file.

// The path, with .svg added if it ends in neither .svg nor .png: no other file is overwritten.
QString pictureFile(const QString& path);

// PNG by its extension, at twice that size, otherwise SVG. Must not block: the picture
// is painted at once, but a PNG is compressed, and both are written, on a thread of its own, which
// the chart waits for when it is destroyed. `done` is called on the GUI thread, unless the chart
// has been destroyed by then; false: the file could not be written.
using PaintPicture = std::function<void(QPainter& painter, Plot::Medium medium)>;
void savePictureOf(QWidget& chart, const QSize& size, const QString& title,
    const PaintPicture& paint, const QString& path, std::function<void(bool written)> done);

// What the signs in a picture mean, below it: the page states it elsewhere.
class PictureLegend {
public:
    void setEntries(std::vector<LegendEntry> entries) { m_entries = std::move(entries); }
    QSize sizeBelow(const QWidget& chart) const; // of the whole picture
    void paintBelow(const QWidget& chart, QPainter& painter) const;

private:
    PlotLegend laidOut(const QWidget& chart, double& height) const;

    std::vector<LegendEntry> m_entries; // none: nothing is below the picture
};

// A chart that can be saved and copied as it is drawn, without what is over it: hover box and
// buttons. GUI thread.
class PicturedChart : public QWidget {
    Q_OBJECT
public:
    void setTitle(const QString& title); // also the accessible name
    const QString& title() const { return m_title; }

    // Of saved and copied pictures.
    void setPictureLegend(std::vector<LegendEntry> entries);
    const PictureLegend& pictureLegend() const { return m_legend; }
    void savePicture(const QString& path, std::function<void(bool written)> done);
    void copyPicture(); // to the clipboard
    virtual void paintPicture(QPainter& painter, Plot::Medium medium) = 0; // of the chart's size
    void openMenu(const QPoint& globalPosition);

Q_SIGNALS:
    void pictureRequested(); // from the context menu: the page asks for the path
    void menuOpening(QMenu* menu); // the page may add what it can do with the chart

protected:
    using QWidget::QWidget;

    virtual void contentChanged() = 0; // the title, colours or the font
    virtual void addMenuActions(QMenu&) { } // before those of the picture
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void paintWhole(QPainter& painter, Plot::Medium medium); // with the legend

    QString m_title;
    PictureLegend m_legend;
};

} // namespace accrue
