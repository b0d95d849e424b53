// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/outside_exports.h"

#include "ui/actions/make_action.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/run/csv_export.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/file_dialogs.h"

#include <QAction>
#include <QWidget>

#include <utility>

namespace accrue {

OutsideExports::OutsideExports(
    const RunLogFollower& follower, CsvExport& writer, QWidget& page, Runs runs)
    : QObject(&page)
    , m_follower(follower)
    , m_writer(writer)
    , m_page(page)
    , m_runs(std::move(runs))
    , m_report(makePageAction(page,
          { "export", tr("Report as HTML…"), Qt::CTRL | Qt::ALT | Qt::Key_H,
              tr("Write curves, results and settings of these runs to one HTML file, which any "
                 "browser shows") },
          [this] { askForReport(); }))
    , m_tensorBoard(makePageAction(page,
          { "export", tr("Export to TensorBoard…"), Qt::CTRL | Qt::ALT | Qt::Key_B,
              tr("Write event files of these runs, a folder for each, as TensorBoard reads them") },
          [this] { askForFolder(); }))
{
    connect(&m_writer, &CsvExport::started, this, &OutsideExports::update);
    connect(&m_writer, &CsvExport::ended, this, &OutsideExports::update);
}

void OutsideExports::update()
{
    const std::vector<RunId> runs = m_runs();
    const auto count = static_cast<std::int64_t>(runs.size());
    const auto name = [&](QAction& action, const QString& none, const QString& one,
                          const QString& many) {
        action.setText(count == 0 ? none
                : count == 1      ? one.arg(runNumber(runs.front()))
                                  : many.arg(countText(count)));
        action.setEnabled(count > 0 && !m_writer.isRunning());
    };
    name(*m_report, tr("Report as HTML…"), tr("Report on run %1 as HTML…"),
        tr("Report on %1 runs as HTML…"));
    name(*m_tensorBoard, tr("Export to TensorBoard…"), tr("Export run %1 to TensorBoard…"),
        tr("Export %1 runs to TensorBoard…"));
}

// The runs of now: while the question is open, others can be selected, or another log opened.
void OutsideExports::askForReport()
{
    askSave(m_page, m_report->text(), fileNameOf(m_runs()) + QStringLiteral("-report.html"),
        tr("Web pages (*.html)"),
        [this, log = m_follower.file(), runs = m_runs()](
            const QString& path) { m_writer.startReport(log, runs, {}, path.toStdString()); });
}

void OutsideExports::askForFolder()
{
    askFolder(m_page, m_tensorBoard->text(), saveFolder(),
        [this, log = m_follower.file(), runs = m_runs()](const QString& path) {
            setSaveFolder(path);
            m_writer.startTensorBoard(log, runs, path.toStdString());
        });
}

void OutsideExports::reportTo(const QString& file)
{
    m_writer.startReport(m_follower.file(), m_runs(), {}, file.toStdString());
}

void OutsideExports::tensorBoardTo(const QString& folder)
{
    m_writer.startTensorBoard(m_follower.file(), m_runs(), folder.toStdString());
}

} // namespace accrue
