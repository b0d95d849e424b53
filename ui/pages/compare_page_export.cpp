// SPDX-License-Identifier: Apache-2.0
// How the Compare page writes tables, series and pictures to files.
#include "ui/pages/compare_page.h"

#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "ui/charts/metric_chart.h"
#include "ui/models/run_comparison.h"
#include "ui/pages/inline_message.h"
#include "ui/run/csv_export.h"

namespace accrue {

void ComparePage::askPath(const QString& title, const QString& name, const QString& filter,
    void (ComparePage::*save)(const QString& path))
{
    auto* dialog = new QFileDialog(this, title, {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(name).suffix());
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& kind) {
        const QString ending =
            kind.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
        const QString file = dialog->selectedFiles().value(0);
        dialog->setDefaultSuffix(ending);
        dialog->selectFile(QFileInfo(file).completeBaseName() + QLatin1Char('.') + ending);
    });
    connect(dialog, &QFileDialog::fileSelected, this,
        [this, save](const QString& path) { (this->*save)(path); });
    dialog->open();
}

bool ComparePage::isExporting() const
{
    return m_csv->isRunning();
}

void ComparePage::updateExportActions()
{
    m_savePicture->setEnabled(!m_records.empty());
    for (QAction* action : { m_exportTable, m_exportSeries })
        action->setEnabled(!m_records.empty() && !isExporting());
}

void ComparePage::exportTable()
{
    askPath(tr("Export table"), QStringLiteral("comparison.csv"),
        tr("Comma-separated values (*.csv)"), &ComparePage::exportTableTo);
}

void ComparePage::exportSeries()
{
    askPath(tr("Export series"), QStringLiteral("series.csv"), tr("Comma-separated values (*.csv)"),
        &ComparePage::exportSeriesTo);
}

void ComparePage::savePicture()
{
    askPath(tr("Save chart"), QStringLiteral("%1.svg").arg(QString::fromStdString(shownMetric())),
        tr("Vector picture (*.svg);;Picture (*.png)"), &ComparePage::savePictureTo);
}

std::vector<RunId> ComparePage::shownRuns() const
{
    std::vector<RunId> runs;
    for (const RunRecord& run : m_records)
        runs.push_back(run.id);
    return runs;
}

void ComparePage::exportTableTo(const QString& path)
{
    // From the log and not from the tab, which may not have been shown yet.
    const auto table = [runs = shownRuns(), hidden = m_hideIdentical->isChecked()](
                           RunLogReader& log) {
        std::vector<RunRecord> records;
        std::vector<SeriesBatch::Summaries> summaries;
        log.inOneState([&] {
            for (const RunId run : runs) {
                records.push_back(log.run(run));
                summaries.push_back({ run, log.summaries(run) });
            }
        });
        return comparisonCsv(records, summaries, hidden);
    };
    m_csv->startTable(m_follower.file(), table, path.toStdString());
}

void ComparePage::exportSeriesTo(const QString& path)
{
    m_csv->start(m_follower.file(), shownRuns(), path.toStdString(), CsvExport::Form::Series);
}

void ComparePage::savePictureTo(const QString& chosen)
{
    const QString path = MetricChart::pictureFile(chosen);
    m_chart->savePicture(path, [this, path](bool written) {
        if (written)
            m_message->tell(tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
        else
            m_message->tellProblem(
                tr("“%1” could not be written. Choose a folder that you may write to.").arg(path));
    });
}

} // namespace accrue
