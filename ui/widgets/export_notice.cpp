// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/export_notice.h"

#include "ui/models/format.h"
#include "ui/run/csv_export.h"
#include "ui/widgets/notice_slot.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

namespace accrue {

namespace {

void tellOfWritten(const QString& file, NoticeSlot& notice)
{
    const QFileInfo written(file);
    const QString folder = written.isDir() ? file : written.absolutePath();
    notice.tell(Ui::tr("Wrote %1").arg(QDir::toNativeSeparators(file)),
        written.isDir() ? Ui::tr("Show folder") : Ui::tr("Show file"),
        [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
}

} // namespace

// The slot is looked up at each signal: a page has no window yet while it is built, and would get a
// slot of its own.
void tellOfExports(CsvExport& csv, QWidget& page)
{
    QObject::connect(&csv, &CsvExport::started, &page, [&csv, &page](const QString& target) {
        NoticeSlot::of(page).begin(csv,
            Ui::tr("Writing %1 …").arg(QDir::toNativeSeparators(target)), [&csv] { csv.cancel(); });
    });
    QObject::connect(&csv, &CsvExport::progressed, &page,
        [&csv, &page](double share) { NoticeSlot::of(page).advance(csv, share); });
    QObject::connect(
        &csv, &CsvExport::ended, &page, [&csv, &page] { NoticeSlot::of(page).end(csv); });
    QObject::connect(&csv, &CsvExport::finished, &page,
        [&page](const QString& target) { tellOfWritten(target, NoticeSlot::of(page)); });
    QObject::connect(&csv, &CsvExport::cancelled, &page, [&page] {
        NoticeSlot::of(page).tell(Ui::tr("The export was cancelled; nothing was written."));
    });
    QObject::connect(&csv, &CsvExport::failed, &page,
        [&page](const QString& problem) { NoticeSlot::of(page).reportProblem(problem); });
}

} // namespace accrue
