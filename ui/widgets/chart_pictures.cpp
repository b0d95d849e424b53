// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/chart_pictures.h"

#include "ui/charts/chart_picture.h"
#include "ui/models/format.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/notice_slot.h"

#include <QDir>
#include <QPainter>
#include <QPointer>

#include <functional>
#include <utility>

namespace accrue {

namespace {

// Tells of the result where it was asked for.
std::function<void(bool)> tellerOf(QWidget& widget, const QString& file)
{
    // The reference is valid: nothing is called once the chart is destroyed.
    return [&widget, file](bool written) {
        NoticeSlot& notice = NoticeSlot::of(widget);
        if (written)
            notice.tell(Ui::tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
        else
            notice.reportProblem(
                Ui::tr("“%1” could not be written. Choose a folder with write permission.")
                    .arg(file));
    };
}

void ask(QWidget& page, const QString& name, QLatin1String kind, TakePath then)
{
    const QString vector = Ui::tr("Vector picture (*.svg)");
    const QString raster = Ui::tr("Picture (*.png)");
    const bool isVector = kind == QLatin1String(".svg");
    askSave(page, Ui::tr("Save chart"), name + kind,
        QStringLiteral("%1;;%2").arg(isVector ? vector : raster, isVector ? raster : vector),
        std::move(then));
}

} // namespace

void savePicture(PicturedChart& chart, const QString& path)
{
    const QString file = pictureFile(path);
    chart.savePicture(file, tellerOf(chart, file));
}

void askAndSavePicture(QWidget& page, PicturedChart& chart, const QString& name, QLatin1String kind)
{
    // A chart of a grid can be removed while the question is open.
    ask(page, name, kind, [chart = QPointer(&chart)](const QString& path) {
        if (chart != nullptr)
            savePicture(*chart, path);
    });
}

void askAndSaveCharts(QWidget& page, QWidget& area, const std::vector<PicturedChart*>& charts,
    const QString& name, QLatin1String kind)
{
    // One of them can be removed while the question is open.
    const std::vector<QPointer<PicturedChart>> present(charts.begin(), charts.end());
    // Of one of them: all show the same runs.
    const PictureLegend legend = charts.empty() ? PictureLegend() : charts.front()->pictureLegend();
    const auto paint = [&area, present, legend](QPainter& painter, Plot::Medium medium) {
        painter.fillRect(area.rect(), area.palette().color(QPalette::Window));
        for (PicturedChart* chart : present) {
            if (chart == nullptr || !chart->isVisibleTo(&area))
                continue;
            painter.save();
            painter.translate(chart->mapTo(&area, QPoint()));
            chart->paintPicture(painter, medium);
            painter.restore();
        }
        legend.paintBelow(area, painter);
    };
    ask(page, name, kind, [&area, name, paint, legend](const QString& path) {
        const QString file = pictureFile(path);
        savePictureOf(area, legend.sizeBelow(area), name, paint, file, tellerOf(area, file));
    });
}

} // namespace accrue
