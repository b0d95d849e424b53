// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/chart_pictures.h"

#include "ui/charts/chart_picture.h"
#include "ui/charts/plot_frame.h"
#include "ui/models/format.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/notice_slot.h"

#include <QDir>

namespace accrue {

void savePicture(PlotFrame& chart, const QString& path)
{
    const QString file = pictureFile(path);
    // The reference is valid: nothing is called once the chart is destroyed.
    chart.savePicture(file, [&chart, file](bool written) {
        NoticeSlot& notice = NoticeSlot::of(chart);
        if (written)
            notice.tell(Ui::tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
        else
            notice.reportProblem(
                Ui::tr("“%1” could not be written. Choose a folder with write permission.")
                    .arg(file));
    });
}

void askAndSavePicture(QWidget& page, PlotFrame& chart, const QString& name)
{
    askSave(page, Ui::tr("Save chart"), name + QStringLiteral(".svg"),
        Ui::tr("Vector picture (*.svg);;Picture (*.png)"),
        [&chart](const QString& path) { savePicture(chart, path); });
}

} // namespace accrue
