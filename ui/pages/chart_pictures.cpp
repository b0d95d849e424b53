// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/chart_pictures.h"

#include "ui/charts/area_chart.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/metric_chart.h"
#include "ui/pages/file_dialogs.h"
#include "ui/pages/notice_slot.h"

#include <QCoreApplication>
#include <QDir>

namespace accrue {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ChartPictures)
};

template <typename Chart> void save(Chart& chart, const QString& path)
{
    const QString file = pictureFile(path);
    chart.savePicture(file, [&chart, file](bool written) {
        NoticeSlot& notice = NoticeSlot::of(chart);
        if (written)
            notice.tell(Words::tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
        else
            notice.tellProblem(
                Words::tr("“%1” could not be written. Choose a folder that you may write to.")
                    .arg(file));
    });
}

template <typename Chart> void askAndSave(QWidget& page, Chart& chart, const QString& name)
{
    askSave(page, Words::tr("Save chart"), name + QStringLiteral(".svg"),
        Words::tr("Vector picture (*.svg);;Picture (*.png)"),
        [&chart](const QString& path) { save(chart, path); });
}

} // namespace

void savePicture(MetricChart& chart, const QString& path)
{
    save(chart, path);
}

void savePicture(AreaChart& chart, const QString& path)
{
    save(chart, path);
}

void askAndSavePicture(QWidget& page, MetricChart& chart, const QString& name)
{
    askAndSave(page, chart, name);
}

void askAndSavePicture(QWidget& page, AreaChart& chart, const QString& name)
{
    askAndSave(page, chart, name);
}

} // namespace accrue
