// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/export_notice.h"

#include "ui/run/csv_export.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

namespace accrue {

ExportNotice::ExportNotice(CsvExport& csv, QWidget* parent)
    : InlineMessage(parent)
{
    connect(&csv, &CsvExport::started, this, [this, &csv](const QString& target) {
        tellProgress(
            tr("Writing %1 …").arg(QDir::toNativeSeparators(target)), [&csv] { csv.cancel(); });
    });
    connect(&csv, &CsvExport::progressed, this, &InlineMessage::setProgress);
    connect(&csv, &CsvExport::finished, this, [this](const QString& target) {
        tell(tr("Wrote %1").arg(QDir::toNativeSeparators(target)), tr("Show file"), [target] {
            QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(target).absolutePath()));
        });
    });
    connect(&csv, &CsvExport::cancelled, this,
        [this] { tell(tr("The export was cancelled; nothing was written.")); });
    connect(&csv, &CsvExport::failed, this, &InlineMessage::tellProblem);
}

} // namespace accrue
