// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/drawn_table.h"

#include <QAction>

#include "ui/actions/make_action.h"
#include "ui/compare/compare_tab.h"
#include "ui/models/run_words.h"
#include "ui/run/csv_export.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/notice_slot.h"

#include <utility>

namespace accrue {

DrawnTable::DrawnTable(
    const RunLogFollower& follower, CsvExport& csv, QWidget& page, ShownTab shown)
    : QObject(&page)
    , m_follower(follower)
    , m_csv(csv)
    , m_page(page)
    , m_shown(std::move(shown))
    , m_action(makePageAction(page,
          { "export", tr("Export what is drawn as CSV…"), Qt::CTRL | Qt::ALT | Qt::Key_E,
              tr("Write the numbers that the shown chart draws to a CSV file") },
          [this] { ask(); }))
{
    connect(&m_csv, &CsvExport::started, this, &DrawnTable::update);
    connect(&m_csv, &CsvExport::ended, this, &DrawnTable::update);
}

void DrawnTable::setRuns(const std::vector<RunId>& runs)
{
    m_runs = runs;
    update();
}

void DrawnTable::update()
{
    m_action->setEnabled(!m_runs.empty() && m_shown().drawsNumbers() && !m_csv.isRunning());
}

void DrawnTable::ask()
{
    const QString name =
        QStringLiteral("%1-%2.csv").arg(fileNameOf(m_runs), m_shown().objectName());
    askSave(m_page, tr("Export what is drawn"), name, tr("Comma-separated values (*.csv)"),
        [this](const QString& path) { saveTo(path); });
}

// The tab is read now: while the question was open, another one may have been opened.
void DrawnTable::saveTo(const QString& path)
{
    const std::vector<std::vector<std::string>> table = m_shown().drawnNumbers();
    if (table.empty())
        NoticeSlot::of(m_page).reportProblem(tr("Nothing was written: this tab draws no numbers."));
    else
        m_csv.startTable(
            m_follower.file(), [table](RunLogReader&) { return table; }, path.toStdString());
}

} // namespace accrue
