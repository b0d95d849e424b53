// SPDX-License-Identifier: Apache-2.0
// What the Runs page's actions and menus do.
#include "ui/pages/runs_page.h"

#include <QAction>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QUrl>

#include "engine/runlog/run_tags.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/pages/file_dialogs.h"
#include "ui/pages/notice_slot.h"
#include "ui/pages/questions.h"
#include "ui/pages/run_details_pane.h"
#include "ui/pages/run_table.h"
#include "ui/run/csv_export.h"
#include "ui/run/log_words.h"

#include <algorithm>
#include <utility>

namespace accrue {

NoticeSlot& RunsPage::notice()
{
    return NoticeSlot::of(*this);
}

void RunsPage::open()
{
    if (const RunRecord* run = currentRun())
        Q_EMIT runActivated(run->id);
}

void RunsPage::compare()
{
    Q_EMIT compareRequested(chosenRuns());
}

void RunsPage::resume()
{
    if (const RunRecord* run = currentRun())
        Q_EMIT resumeRequested(*run);
}

void RunsPage::duplicate()
{
    if (const RunRecord* run = currentRun())
        Q_EMIT duplicateRequested(*run);
}

void RunsPage::rename()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows(RunTableModel::Name);
    if (rows.size() == 1)
        m_table->edit(rows.first());
}

void RunsPage::editNote()
{
    m_showDetails->setChecked(true);
    m_details->editNote();
}

void RunsPage::editTags()
{
    if (const RunRecord* run = currentRun())
        askTags(*run, tagLine(run->tags));
}

void RunsPage::askTags(const RunRecord& run, const QString& line)
{
    askLine(*this,
        { tr("Tags"),
            tr("Tags of %1, with commas between them:").arg(quotedRunTitle(run.name, run.id)), line,
            tr("Save") },
        [this, before = run, log = m_follower.file()](const QString& answer) {
            if (log == m_follower.file()) // otherwise the number is that of another run
                requestTags(before, answer);
        });
}

// Only what was changed: the command line may have changed others meanwhile.
void RunsPage::requestTags(const RunRecord& before, const QString& line)
{
    const std::vector<std::string> now = tagsInLine(line);
    for (const std::string& tag : now)
        if (const std::string problem = problemOfTag(tag); !problem.empty()) {
            notice().tellProblem(withWindowQuotes(QString::fromStdString(problem)));
            return askTags(before, line); // to be mended, not typed again
        }
    const auto without = [](std::vector<std::string> tags, const std::vector<std::string>& others) {
        return changedTags(std::move(tags), {}, others);
    };
    const auto added = without(now, before.tags);
    const auto removed = without(before.tags, now);
    if (!added.empty() || !removed.empty())
        Q_EMIT tagsRequested(before.id, added, removed);
}

void RunsPage::archive()
{
    const auto runs = selectedRuns();
    const RunRecord* first = runs.empty() ? nullptr : m_model->find(runs.front());
    if (!first)
        return;
    const bool live = std::any_of(runs.begin(), runs.end(), [this](RunId id) {
        const RunRecord* run = m_model->find(id);
        return run && isLive(*run);
    });
    const bool restore = areArchived(runs);
    if (live && !restore) {
        notice().tellProblem(
            tr("A run in progress cannot be archived. Stop it first, or leave it out."));
        return;
    }
    requestArchive(runs, !restore);
    offerUndo(runs, !restore);
}

void RunsPage::requestArchive(const std::vector<RunId>& runs, bool archived)
{
    for (const RunId run : runs)
        Q_EMIT archiveRequested(run, archived);
}

QString RunsPage::archivedText(const std::vector<RunId>& runs, bool archived) const
{
    const RunRecord* only = runs.size() == 1 ? m_model->find(runs.front()) : nullptr;
    const QString what = only
        ? quotedRunTitle(only->name, only->id)
        : countedText(static_cast<std::int64_t>(runs.size()), tr("1 run"), tr("%1 runs"));
    return (archived ? tr("Archived %1.") : tr("Restored %1.")).arg(what);
}

void RunsPage::offerUndo(const std::vector<RunId>& runs, bool archived)
{
    m_undoing = [this, runs, archived] {
        requestArchive(runs, !archived);
        notice().tell(archivedText(runs, !archived));
    };
    m_undoRuns = runs;
    m_undoText = archivedText(runs, archived);
    notice().tell(m_undoText, tr("Undo"), [this] { undo(); });
    updateActions();
}

void RunsPage::undo()
{
    if (const auto undoing = std::exchange(m_undoing, {}))
        undoing();
    updateActions();
}

// It means runs of another log, or such as were deleted.
void RunsPage::forgetUndo()
{
    m_undoing = {};
    m_undoRuns.clear();
    notice().withdraw(m_undoText);
    updateActions();
}

void RunsPage::exportSeries()
{
    askAndExport(false);
}

void RunsPage::exportWide()
{
    askAndExport(true);
}

void RunsPage::askAndExport(bool wide)
{
    askSave(*this, wide ? m_exportWide->text() : m_export->text(), exportName(wide),
        tr("Comma-separated values (*.csv)"), exportOf(wide));
}

QString RunsPage::exportName(bool wide) const
{
    const QString ending = wide ? QStringLiteral(".csv") : QStringLiteral("-series.csv");
    return fileNameOf(targetRuns()) + ending;
}

bool RunsPage::isExporting() const
{
    return m_csv->isRunning();
}

void RunsPage::exportTo(const QString& path, bool wide)
{
    exportOf(wide)(path);
}

// Of the runs that are meant now, whatever is selected by the time there is a path.
std::function<void(const QString& path)> RunsPage::exportOf(bool wide)
{
    const auto form = wide ? CsvExport::Form::Runs : CsvExport::Form::Series;
    return [this, log = m_follower.file(), runs = targetRuns(), form](
               const QString& path) { m_csv->start(log, runs, path.toStdString(), form); };
}

void RunsPage::reveal()
{
    const RunRecord* run = currentRun();
    QString folder = run ? QString::fromStdString(run->checkpoint) : QString();
    if (folder.isEmpty() || !QFileInfo::exists(folder))
        folder = QString::fromStdString(m_follower.file().parent_path().string());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        notice().tellProblem(
            tr("No file manager could be opened. The files are in %1.").arg(folder));
}

void RunsPage::focusSearch()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void RunsPage::toggleChecked()
{
    std::vector<RunId> now = m_model->checked();
    const auto selected = selectedRuns();
    const auto isChecked = [&](RunId id) {
        return std::find(now.begin(), now.end(), id) != now.end();
    };
    const bool off = std::all_of(selected.begin(), selected.end(), isChecked);
    for (const RunId run : selected) {
        std::erase(now, run);
        if (!off)
            now.push_back(run);
    }
    m_followsNewest = false;
    m_model->setChecked(now);
}

void RunsPage::fitColumns()
{
    m_table->fitColumns();
}

void RunsPage::sortByStart()
{
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
}

void RunsPage::showTableMenu(const QPoint& position)
{
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    menu.addActions({ m_open, m_compare, m_check, m_resume, m_duplicate });
    menu.addSeparator();
    menu.addActions({ m_rename, m_note, m_tags, m_archive });
    menu.addSeparator();
    menu.addActions({ m_export, m_exportWide, m_reveal });
    menu.addSeparator();
    menu.addAction(m_showArchived);
    actOnSelection(!isCheckedAt(position));
    menu.exec(m_table->viewport()->mapToGlobal(position));
    actOnSelection(false);
}

bool RunsPage::isCheckedAt(const QPoint& position) const
{
    const QModelIndex pointed = m_table->indexAt(position);
    const QModelIndex at = pointed.isValid() ? pointed : m_table->currentIndex();
    return at.siblingAtColumn(RunTableModel::Name).data(Qt::CheckStateRole).toInt() == Qt::Checked;
}

void RunsPage::actOnSelection(bool selection)
{
    m_actsOnSelection = selection;
    updateActions();
}

void RunsPage::showHeaderMenu(const QPoint& position)
{
    QMenu menu(this);
    for (int column = 0; column < RunTableModel::ColumnCount; ++column) {
        QAction* action =
            menu.addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setToolTip(m_model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(column));
        action->setEnabled(column != RunTableModel::Name);
        connect(action, &QAction::toggled, m_table, [this, column](bool shown) {
            m_table->setColumnHidden(column, !shown);
            m_table->stretchName();
        });
    }
    menu.setToolTipsVisible(true);
    menu.addSeparator();
    menu.addActions({ m_fitColumns, m_sortByStart });
    menu.exec(m_table->horizontalHeader()->mapToGlobal(position));
}

void RunsPage::showFailedChange(const QString& problem)
{
    notice().tellProblem(problem);
    m_model->takeBack();
    if (m_follower.runs())
        setRuns(m_follower.runs());
}

void RunsPage::showNote(const QString& note)
{
    notice().tell(note);
}

} // namespace accrue
