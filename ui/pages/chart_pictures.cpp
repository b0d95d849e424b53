// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/chart_pictures.h"

#include "ui/charts/area_chart.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/metric_chart.h"
#include "ui/pages/file_dialogs.h"
#include "ui/pages/inline_message.h"

#include <QCoreApplication>
#include <QDir>

namespace accrue {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(ChartPictures)
};

template <typename Chart> void save(Chart& chart, InlineMessage& message, const QString& path)
{
    const QString file = pictureFile(path);
    chart.savePicture(file, [&message, file](bool written) {
        if (written)
            message.tell(Words::tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
        else
            message.tellProblem(
                Words::tr("“%1” could not be written. Choose a folder that you may write to.")
                    .arg(file));
    });
}

template <typename Chart>
void askAndSave(QWidget& page, Chart& chart, InlineMessage& message, const QString& name)
{
    askSave(page, Words::tr("Save chart"), name + QStringLiteral(".svg"),
        Words::tr("Vector picture (*.svg);;Picture (*.png)"),
        [&chart, &message](const QString& path) { save(chart, message, path); });
}

} // namespace

void savePicture(MetricChart& chart, InlineMessage& message, const QString& path)
{
    save(chart, message, path);
}

void savePicture(AreaChart& chart, InlineMessage& message, const QString& path)
{
    save(chart, message, path);
}

void askAndSavePicture(
    QWidget& page, MetricChart& chart, InlineMessage& message, const QString& name)
{
    askAndSave(page, chart, message, name);
}

void askAndSavePicture(QWidget& page, AreaChart& chart, InlineMessage& message, const QString& name)
{
    askAndSave(page, chart, message, name);
}

} // namespace accrue
