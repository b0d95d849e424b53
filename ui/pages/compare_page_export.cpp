// SPDX-License-Identifier: Apache-2.0
// How the Compare page writes tables, series and pictures to files.
#include "ui/pages/compare_page.h"

#include <QAction>
#include <QCheckBox>

#include "engine/runlog/export_check.h"
#include "ui/charts/metric_chart.h"
#include "ui/models/run_comparison.h"
#include "ui/pages/chart_pictures.h"
#include "ui/pages/file_dialogs.h"
#include "ui/pages/notice_slot.h"
#include "ui/run/csv_export.h"
#include "ui/run/run_title.h"

namespace accrue {

void ComparePage::askAndExport(
    const QString& title, const QString& name, void (ComparePage::*save)(const QString& path))
{
    const auto saveWhatIsShown = [this, save](const QString& path) {
        if (m_records.empty()) // by now
            NoticeSlot::of(*this).tellProblem(
                tr("Nothing was written: no run is compared any more."));
        else
            (this->*save)(path);
    };
    askSave(*this, title, name, tr("Comma-separated values (*.csv)"), saveWhatIsShown);
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
    askAndExport(tr("Export table"), fileNameOf(shownRuns()) + QStringLiteral("-comparison.csv"),
        &ComparePage::exportTableTo);
}

void ComparePage::exportSeries()
{
    askAndExport(tr("Export series"), fileNameOf(shownRuns()) + QStringLiteral("-series.csv"),
        &ComparePage::exportSeriesTo);
}

void ComparePage::savePicture()
{
    const bool peaks = &shownChart() == m_peaks;
    const QString what =
        peaks ? QStringLiteral("peak-memory") : QString::fromStdString(shownMetric());
    askAndSavePicture(*this, shownChart(), fileNameOf(shownRuns()) + QLatin1Char('-') + what);
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
        ExportCheck check(log, /*leftOut=*/nullptr);
        log.inOneState([&] {
            for (const RunId run : runs) {
                check.takes(run); // throws where it is damaged
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
    accrue::savePicture(shownChart(), chosen);
}

} // namespace accrue
