// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_export.h"

#include <QAction>

#include "engine/compare/table_text.h"
#include "engine/exchange/export_check.h"
#include "ui/actions/make_action.h"
#include "ui/exchange/outside_exports.h"
#include "ui/models/run_words.h"
#include "ui/run/csv_export.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/export_notice.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/notice_slot.h"

// Files are written from the log on a thread of CsvExport, never from what the page shows: the page
// thins its curves, and reads the table only once it is seen.

namespace accrue {

CompareExport::CompareExport(const RunLogFollower& follower, QWidget& page)
    : QObject(&page)
    , m_follower(follower)
    , m_page(page)
    , m_csv(new CsvExport(this))
    , m_series(makePageAction(page,
          { "export", tr("Export series as CSV…"), Qt::CTRL | Qt::Key_E,
              tr("Write every metric of every step of these runs to a CSV file") },
          [this] {
              ask(tr("Export series"), QStringLiteral("-series.csv"),
                  &CompareExport::exportSeriesTo);
          }))
    , m_table(makePageAction(page,
          { "export", tr("Export table as CSV…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E,
              tr("Write the table as it is shown to a CSV file, with exact values") },
          [this] {
              ask(tr("Export table"), QStringLiteral("-comparison.csv"),
                  &CompareExport::exportTableTo);
          }))
    , m_outside(new OutsideExports(follower, *m_csv, page, [this] { return m_runs; }))
{
    tellOfExports(*m_csv, page);
    connect(m_csv, &CsvExport::started, this, &CompareExport::update);
    connect(m_csv, &CsvExport::ended, this, &CompareExport::update);
}

void CompareExport::setRuns(const std::vector<RunId>& runs)
{
    m_runs = runs;
    update();
}

void CompareExport::update()
{
    // CsvExport ignores a second file while one is written, so that none is offered.
    for (QAction* action : { m_table, m_series })
        action->setEnabled(!m_runs.empty() && !m_csv->isRunning());
    m_outside->update();
}

QList<QAction*> CompareExport::actions() const
{
    return QList<QAction*> { m_series, m_table } + m_outside->actions();
}

void CompareExport::ask(
    const QString& title, const QString& ending, void (CompareExport::*save)(const QString& path))
{
    const auto saveWhatIsShown = [this, save](const QString& path) {
        // The question is not modal. While it is open, runs can be deleted, or another log opened.
        if (m_runs.empty()) // by now
            NoticeSlot::of(m_page).reportProblem(
                tr("Nothing was written: there are no compared runs."));
        else
            (this->*save)(path);
    };
    askSave(m_page, title, fileNameOf(m_runs) + ending, tr("Comma-separated values (*.csv)"),
        saveWhatIsShown);
}

// What is seen of the table, but with the values of the log: the tab may not have been shown yet.
void CompareExport::exportTableTo(const QString& path)
{
    const auto table = [runs = m_runs, request = m_tableRequest()](RunLogReader& log) {
        std::vector<RunRecord> records;
        std::vector<RunSummaries> summaries;
        std::vector<StepValue> atStep;
        ExportCheck check(log, /*leftOut=*/nullptr);
        // One state of the log for all runs: a run that trains meanwhile must not have results of
        // two moments in one table.
        log.inOneState([&] {
            for (const RunId run : runs) {
                check.takes(run); // throws if it is damaged
                records.push_back(log.run(run));
                summaries.push_back({ run, log.summaries(run), {} });
            }
            if (request.step)
                atStep = readStepValues(log, runs, *request.step);
        });
        return exactLines(comparisonTable(records, summaries, atStep, request), request.transposed);
    };
    m_csv->startTable(m_follower.file(), table, path.toStdString());
}

void CompareExport::exportSeriesTo(const QString& path)
{
    m_csv->start(m_follower.file(), m_runs, path.toStdString(), exportSeriesCsv);
}

} // namespace accrue
