// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_actions.h"

#include <QAction>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include "ui/actions/make_action.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_log_follower.h"
#include "ui/runs/run_list_view.h"
#include "ui/runs/run_tagging.h"
#include "ui/runs/run_undo.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/questions.h"

#include <algorithm>
#include <utility>
#include <vector>

// The actions know the runs only by the list's selection when they are triggered: that may be from
// the menu bar or the command palette while another page is shown. A record is copied before a
// question is shown, because the next list of the follower replaces it.

namespace accrue {

namespace {

// What an action does with the selected run, if there is one.
template <typename Act> auto withRun(const RunListView& list, Act act)
{
    return [&list, act] {
        if (const RunRecord* run = list.currentRun())
            act(*run);
    };
}

} // namespace

RunActions::RunActions(const RunLogFollower& follower, RunListView& list, QWidget& page)
    : QObject(&page)
    , m_follower(follower)
    , m_list(list)
    , m_page(page)
    , m_undo(new RunUndo(list.runs(), page))
    , m_tagging(new RunTagging(follower, list, *m_undo, page))
{
    make();
    makeChanging();
    // Through the actions, so that a key of the table does only what the action can do now.
    connect(&list, &RunListView::openRequested, m_actions.open, &QAction::trigger);
    connect(&list, &RunListView::checkRequested, m_actions.check, &QAction::trigger);
}

void RunActions::make()
{
    m_actions.open = makePageAction(m_page,
        { "train", tr("Open"), Qt::CTRL | Qt::SHIFT | Qt::Key_Return,
            tr("Show the curves of this run on the Train page (Enter or double-click)") },
        withRun(m_list, [this](const RunRecord& run) { Q_EMIT opened(run.id); }));
    m_actions.compare = makePageAction(m_page,
        { "compare", tr("Compare"), Qt::CTRL | Qt::Key_Return,
            tr("Compare the selected runs if there are several, otherwise the checked ones") },
        [this] { Q_EMIT compareRequested(m_list.chosenRuns()); });
    m_actions.addToCompare = makePageAction(m_page,
        { "add", tr("Add to Compare"), Qt::CTRL | Qt::Key_J,
            tr("Compare these runs beside those that are compared already") },
        [this] { Q_EMIT addToCompareRequested(m_list.chosenRuns()); });
    m_actions.baseline = makePageAction(m_page,
        { "pin", tr("Pin as baseline"), Qt::CTRL | Qt::Key_B,
            tr("Show the differences of all runs to this one") },
        withRun(m_list, [this](const RunRecord& run) { Q_EMIT baselineToggled(run.id); }));
    m_actions.check = makePageAction(m_page,
        { "check", tr("Check for comparison"), Qt::Key_Insert,
            tr("Check or uncheck the selected runs (Space in the table)") },
        [this] { m_list.toggleChecked(); });
    m_actions.resume = makePageAction(m_page,
        { "start", tr("Resume"), Qt::CTRL | Qt::Key_R,
            tr("Continue this run from its last checkpoint; a completed run continues for more "
               "epochs") },
        withRun(m_list, [this](const RunRecord& run) { Q_EMIT resumeRequested(run); }));
    m_actions.duplicate = makePageAction(m_page,
        { "duplicate", tr("Copy settings to the form"), Qt::CTRL | Qt::Key_D,
            tr("Fill the Train form with the settings of this run") },
        withRun(m_list, [this](const RunRecord& run) { Q_EMIT duplicateRequested(run); }));
    m_actions.stop = makePageAction(m_page,
        { "stop", tr("Stop the run"), Qt::CTRL | Qt::SHIFT | Qt::Key_K,
            tr("Stop the selected runs that are in progress; what was trained is saved") },
        [this] { Q_EMIT stopRequested(liveRuns()); });
    m_actions.sweep = makePageAction(m_page,
        { "group", tr("Sweep of this run…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
            tr("Train several runs that differ from this one in some settings") },
        withRun(m_list, [this](const RunRecord& run) { Q_EMIT sweepRequested(run); }));
    m_actions.reveal = makePageAction(m_page,
        { "folder", tr("Show files"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
            tr("Open the folder of this run's checkpoint or of the run log") },
        [this] { reveal(); });
}

void RunActions::makeChanging()
{
    m_actions.rename = makePageAction(m_page,
        { "rename", tr("Rename"), Qt::Key_F2,
            tr("Rename this run, or several runs with a number each") },
        [this] { rename(); });
    m_actions.note = makePageAction(m_page,
        { "text", tr("Edit note"), Qt::CTRL | Qt::SHIFT | Qt::Key_N, tr("Describe this run") },
        [this] { Q_EMIT noteRequested(); });
    m_actions.tags = m_tagging->action();
    m_actions.archive = makePageAction(m_page,
        { "archive", tr("Archive"), QKeySequence(QKeySequence::Delete),
            tr("Hide the selected runs; nothing is deleted") },
        [this] { archive(); });
    m_actions.remove = makePageAction(m_page,
        { "delete", tr("Delete permanently…"), Qt::CTRL | Qt::SHIFT | Qt::Key_B,
            tr("Delete the selected runs with their curves and checkpoints") },
        [this] { Q_EMIT deleteRequested(m_list.selectedRuns()); });
    m_actions.undo = m_undo->action();
}

void RunActions::update()
{
    const std::vector<RunId> selected = m_list.selectedRuns();
    const bool one = selected.size() == 1;
    const std::size_t chosen = m_list.chosenRuns().size();
    m_actions.compare->setEnabled(chosen > 0);
    m_actions.compare->setText(chosen > 1 ? tr("Compare %1").arg(chosen) : tr("Compare"));
    m_actions.addToCompare->setEnabled(chosen > 0);
    m_actions.check->setEnabled(!selected.empty());
    for (QAction* action : { m_actions.open, m_actions.baseline })
        action->setEnabled(one);
    const RunRecord* const run = one ? m_list.currentRun() : nullptr;
    for (QAction* action : { m_actions.duplicate, m_actions.sweep })
        enable(*action,
            run != nullptr ? whyNoRecipe(*run) : tr("Select one run on the Runs page first."));
    enable(*m_actions.stop,
        liveRuns().empty() ? tr("None of the selected runs is in progress.") : QString());
    m_actions.baseline->setText(one && m_list.runs().baseline() == selected.front()
            ? tr("Unpin baseline")
            : tr("Pin as baseline"));
    m_actions.reveal->setEnabled(one || m_list.shown().rowCount() > 0);
    updateResume();
    updateChanging();
}

std::vector<RunId> RunActions::liveRuns() const
{
    std::vector<RunId> live;
    for (const RunId run : m_list.selectedRuns())
        if (const RunRecord* const record = m_list.runs().find(run); record && isLive(*record))
            live.push_back(run);
    return live;
}

void RunActions::setWhyNotTrain(const QString& why)
{
    m_whyNotTrain = why;
    updateResume();
}

// A problem of the run precedes a temporary obstacle.
void RunActions::updateResume()
{
    const RunRecord* run = m_list.selectedRuns().size() == 1 ? m_list.currentRun() : nullptr;
    QString why = tr("Select one run to resume.");
    if (run)
        why = RunController::whyNotResume(*run);
    if (run && why.isEmpty())
        why = m_whyNotTrain;
    enable(*m_actions.resume, why);
}

// Deleting rewrites the file, and a run would have to wait for that.
QString RunActions::whyNotDelete() const
{
    for (int row = 0; row < m_list.runs().rowCount(); ++row)
        if (isLive(m_list.runs().run(row)))
            return tr("A run is in progress. Stop it or wait for it to finish.");
    return {};
}

// A log that cannot be written is the reason to show, whatever else is lacking.
void RunActions::updateChanging()
{
    const std::vector<RunId> selected = m_list.selectedRuns();
    const auto orReadOnly = [&](bool can, const QString& why) {
        return m_whyNotWrite.isEmpty() && !can ? why : m_whyNotWrite;
    };
    enable(*m_actions.note,
        orReadOnly(selected.size() == 1, tr("Select one run on the Runs page first.")));
    const QString some = orReadOnly(!selected.empty(), tr("Select runs on the Runs page first."));
    for (QAction* action : { m_actions.rename, m_actions.archive })
        enable(*action, some);
    enable(*m_actions.remove, some.isEmpty() ? whyNotDelete() : some);
    m_actions.archive->setText(areArchived(selected) ? tr("Unarchive") : tr("Archive"));
    m_tagging->update(m_whyNotWrite);
    m_undo->setWhyNotWrite(m_whyNotWrite);
}

// Without a checkpoint, or if it was deleted by hand, the folder of the log.
void RunActions::reveal()
{
    const RunRecord* run = m_list.currentRun();
    QString folder = run ? QString::fromStdString(run->checkpoint) : QString();
    if (folder.isEmpty() || !QFileInfo::exists(folder))
        folder = QString::fromStdString(m_follower.file().parent_path().string());
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        NoticeSlot::of(m_page).reportProblem(
            tr("No file manager could be opened. The files are in %1.").arg(folder));
}

// ---- names ------------------------------------------------------------------------------------

// One is renamed in its row.
void RunActions::rename()
{
    const std::vector<RunId> runs = m_list.selectedRuns();
    if (runs.size() < 2)
        return m_list.rename();
    askLine(m_page,
        { tr("Rename"),
            tr("Name of %1; each gets a number after it, in the order shown:").arg(wordsFor(runs)),
            QString::fromStdString(m_list.runs().find(runs.front())->name), tr("Rename") },
        [this, runs, log = m_follower.file()](const QString& name) {
            if (log == m_follower.file()) // otherwise the numbers identify other runs
                renameAll(runs, name.simplified());
        });
}

// By the model, which shows a name before the log has it.
void RunActions::renameAll(const std::vector<RunId>& runs, const QString& name)
{
    if (name.isEmpty())
        return;
    RunTableModel& model = m_list.runs();
    const auto set = [&model](RunId run, const QString& text) {
        if (const int row = model.rowOf(run); row >= 0)
            model.setData(model.index(row, RunTableModel::Name), text, Qt::EditRole);
    };
    std::vector<std::pair<RunId, QString>> before;
    int number = 0;
    for (const RunId run : runs)
        if (const RunRecord* record = model.find(run)) {
            before.emplace_back(run, QString::fromStdString(record->name));
            set(run, QStringLiteral("%1-%2").arg(name).arg(++number));
        }
    const QString words = wordsFor(runs);
    m_undo->add({ runs, tr("Renamed %1.").arg(words), tr("Restored the names of %1.").arg(words),
        [set, before] {
            for (const auto& [run, text] : before)
                set(run, text);
        } });
}

// ---- the archive ------------------------------------------------------------------------------

bool RunActions::areArchived(const std::vector<RunId>& runs) const
{
    return !runs.empty() && std::ranges::all_of(runs, [this](RunId run) {
        const RunRecord* const record = m_list.runs().find(run);
        return record != nullptr && record->archived;
    });
}

// Unarchives only if all are archived; a mixed selection is archived.
void RunActions::archive()
{
    const auto runs = m_list.selectedRuns();
    if (runs.empty())
        return;
    // The archive hides a run, and one that trains must stay visible.
    const bool live = std::ranges::any_of(runs, [this](RunId run) {
        const RunRecord* const record = m_list.runs().find(run);
        return record != nullptr && isLive(*record);
    });
    const bool restore = areArchived(runs);
    if (live && !restore) {
        NoticeSlot::of(m_page).reportProblem(
            tr("A run in progress cannot be archived. Stop it first or unselect it."));
        return;
    }
    const QString words = wordsFor(runs);
    const QString archived = tr("Archived %1.").arg(words);
    const QString restored = tr("Restored %1.").arg(words);
    request(runs, !restore);
    m_undo->add({ runs, restore ? restored : archived, restore ? archived : restored,
        [this, runs, restore] { request(runs, restore); } });
}

void RunActions::request(const std::vector<RunId>& runs, bool archived)
{
    for (const RunId run : runs)
        Q_EMIT archiveRequested(run, archived);
}

QString RunActions::wordsFor(const std::vector<RunId>& runs) const
{
    const RunRecord* only = runs.size() == 1 ? m_list.runs().find(runs.front()) : nullptr;
    return only ? quotedRunTitle(*only)
                : countedText(static_cast<std::int64_t>(runs.size()), tr("1 run"), tr("%1 runs"));
}

} // namespace accrue
