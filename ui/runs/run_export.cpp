// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_export.h"

#include <QAction>

#include "ui/actions/make_action.h"
#include "ui/exchange/outside_exports.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/run/csv_export.h"
#include "ui/run/run_log_follower.h"
#include "ui/runs/run_list_view.h"
#include "ui/widgets/export_notice.h"
#include "ui/widgets/file_dialogs.h"

// There are two CSV files about runs: every metric of every step, a line per step, or settings and
// results, a line per run. One CsvExport writes them, and what goes to other programs, on a thread
// of its own, so that one file is written at a time; meanwhile all actions are disabled.

namespace accrue {

RunExport::RunExport(const RunLogFollower& follower, const RunListView& list, QWidget& page)
    : QObject(&page)
    , m_follower(follower)
    , m_list(list)
    , m_page(page)
    , m_csv(new CsvExport(this))
    , m_series(makePageAction(page,
          { "export", tr("Export series as CSV…"), Qt::CTRL | Qt::Key_E,
              tr("Write every metric of every step of the chosen runs to a CSV file") },
          [this] { ask(/*wide=*/false); }))
    , m_rows(makePageAction(page,
          { "export", tr("Export one row per run as CSV…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E,
              tr("Write settings and results of the chosen runs to a CSV file") },
          [this] { ask(/*wide=*/true); }))
    , m_outside(new OutsideExports(follower, *m_csv, page, [&list] { return list.targetRuns(); }))
{
    tellOfExports(*m_csv, page);
    connect(m_csv, &CsvExport::started, this, &RunExport::update);
    connect(m_csv, &CsvExport::ended, this, &RunExport::update);
}

// The names state what would be exported: the checked or selected runs, otherwise all shown ones.
void RunExport::update()
{
    const auto count = static_cast<std::int64_t>(m_list.targetRuns().size());
    const bool can = count > 0 && !m_csv->isRunning();
    const auto name = [&](const QString& one, const QString& many) {
        return count == 1 ? one.arg(runNumber(m_list.targetRuns().front()))
                          : many.arg(countText(count));
    };
    m_series->setText(
        name(tr("Export series of run %1 as CSV…"), tr("Export series of %1 runs as CSV…")));
    m_rows->setText(
        name(tr("Export run %1 as one row of CSV…"), tr("Export %1 runs as CSV, one row each…")));
    m_series->setEnabled(can);
    m_rows->setEnabled(can);
    m_outside->update();
}

QList<QAction*> RunExport::actions() const
{
    return QList<QAction*> { m_series, m_rows } + m_outside->actions();
}

void RunExport::ask(bool wide)
{
    const QString ending = wide ? QStringLiteral(".csv") : QStringLiteral("-series.csv");
    askSave(m_page, (wide ? m_rows : m_series)->text(), fileNameOf(m_list.targetRuns()) + ending,
        tr("Comma-separated values (*.csv)"), exportOf(wide));
}

// The current targets, whatever is selected when the path is chosen.
std::function<void(const QString& path)> RunExport::exportOf(bool wide)
{
    return [this, log = m_follower.file(), runs = m_list.targetRuns(), wide](const QString& path) {
        m_csv->start(log, runs, path.toStdString(), wide ? exportRunsCsv : exportSeriesCsv);
    };
}

} // namespace accrue
