// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_actions.h"

#include <QAction>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include "engine/runs/run_tags.h"
#include "ui/actions/make_action.h"
#include "ui/models/format.h"
#include "ui/models/run_sort_filter_model.h"
#include "ui/models/run_words.h"
#include "ui/run/log_words.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_log_follower.h"
#include "ui/runs/run_list_view.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/questions.h"

#include <algorithm>
#include <utility>

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
        { "compare", tr("Compare"), Qt::CTRL | Qt::Key_Return, tr("Compare the checked runs") },
        [this] { Q_EMIT compareRequested(m_list.chosenRuns()); });
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
    m_actions.reveal = makePageAction(m_page,
        { "folder", tr("Show files"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
            tr("Open the folder of this run's checkpoint or of the run log") },
        [this] { reveal(); });
}

void RunActions::makeChanging()
{
    m_actions.rename = makePageAction(m_page,
        { "rename", tr("Rename"), Qt::Key_F2, tr("Rename this run") }, [this] { m_list.rename(); });
    m_actions.note = makePageAction(m_page,
        { "text", tr("Edit note"), Qt::CTRL | Qt::SHIFT | Qt::Key_N, tr("Describe this run") },
        [this] { Q_EMIT noteRequested(); });
    m_actions.tags = makePageAction(m_page,
        { nullptr, tr("Tags…"), Qt::CTRL | Qt::SHIFT | Qt::Key_G, tr("Edit the tags of this run") },
        withRun(m_list, [this](const RunRecord& run) { askTags(run, tagLine(run.tags)); }));
    m_actions.archive = makePageAction(m_page,
        { "archive", tr("Archive"), QKeySequence(QKeySequence::Delete),
            tr("Hide the selected runs; nothing is deleted") },
        [this] { archive(); });
    m_actions.undo = makePageAction(m_page,
        { "undo", tr("Undo archiving"), QKeySequence(QKeySequence::Undo),
            tr("Restore the runs archived last") },
        [this] { undo(); });
}

void RunActions::update()
{
    const std::vector<RunId> selected = m_list.selectedRuns();
    const bool one = selected.size() == 1;
    // Not the checked runs while a menu is open on a run that is not checked.
    const std::size_t checked = m_list.isAnyChecked() ? m_list.runs().checked().size() : 0;
    m_actions.compare->setEnabled(checked > 0 || !selected.empty());
    m_actions.compare->setText(checked > 0 ? tr("Compare %1").arg(checked) : tr("Compare"));
    m_actions.check->setEnabled(!selected.empty());
    m_actions.open->setEnabled(one);
    m_actions.duplicate->setEnabled(one);
    m_actions.reveal->setEnabled(one || m_list.shown().rowCount() > 0);
    updateResume();
    const QString whyNot = m_whyNotWrite.isEmpty() && !one
        ? tr("Select one run on the Runs page first.")
        : m_whyNotWrite;
    for (QAction* action : { m_actions.rename, m_actions.note, m_actions.tags })
        enable(*action, whyNot);
    updateArchiving();
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

// A log that cannot be written is the reason to show, whatever else is lacking.
void RunActions::updateArchiving()
{
    const std::vector<RunId> selected = m_list.selectedRuns();
    const auto orReadOnly = [&](bool can, const QString& why) {
        return m_whyNotWrite.isEmpty() && !can ? why : m_whyNotWrite;
    };
    enable(*m_actions.archive,
        orReadOnly(!selected.empty(), tr("Select runs on the Runs page first.")));
    m_actions.archive->setText(areArchived(selected) ? tr("Unarchive") : tr("Archive"));
    enable(*m_actions.undo, orReadOnly(m_last.has_value(), tr("There is nothing to undo.")));
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

// ---- tags -------------------------------------------------------------------------------------

// The question is not modal: another log may be opened before it is answered.
void RunActions::askTags(const RunRecord& run, const QString& line)
{
    askLine(m_page,
        { tr("Tags"), tr("Tags of %1, separated by commas:").arg(quotedRunTitle(run)), line,
            tr("Save") },
        [this, before = run, log = m_follower.file()](const QString& answer) {
            if (log == m_follower.file()) // otherwise the number identifies another run
                requestTags(before, answer);
        });
}

void RunActions::requestTags(const RunRecord& before, const QString& line)
{
    const std::vector<std::string> now = tagsInLine(line);
    for (const std::string& tag : now)
        if (const Message problem = problemOfTag(tag); !problem.empty()) {
            NoticeSlot::of(m_page).reportProblem(
                withWindowQuotes(QString::fromStdString(problem.text())));
            return askTags(before, line); // to be corrected, not typed again
        }
    // Compared with the text that the line began with, not with the run's current tags: a tag that
    // the command line has added meanwhile was not removed by this answer.
    const auto without = [](std::vector<std::string> tags, const std::vector<std::string>& others) {
        return changedTags(std::move(tags), {}, others);
    };
    const auto added = without(now, before.tags);
    const auto removed = without(before.tags, now);
    if (!added.empty() || !removed.empty())
        Q_EMIT tagsRequested(before.id, added, removed);
}

// ---- the archive ------------------------------------------------------------------------------

bool RunActions::areArchived(const std::vector<RunId>& runs) const
{
    return !runs.empty() && std::ranges::all_of(runs, [this](RunId run) {
        return m_list.runs().find(run)->archived;
    });
}

// Unarchives only if all are archived; a mixed selection is archived.
void RunActions::archive()
{
    const auto runs = m_list.selectedRuns();
    if (runs.empty())
        return;
    // The archive hides a run, and one that trains must stay visible.
    const bool live =
        std::ranges::any_of(runs, [this](RunId run) { return isLive(*m_list.runs().find(run)); });
    const bool restore = areArchived(runs);
    if (live && !restore) {
        NoticeSlot::of(m_page).reportProblem(
            tr("A run in progress cannot be archived. Stop it first or unselect it."));
        return;
    }
    const Archiving archiving { runs, !restore, textOf(runs, !restore) };
    request(archiving);
    m_last = archiving;
    NoticeSlot::of(m_page).tell(archiving.text, tr("Undo"), [this] { undo(); });
    updateArchiving();
}

void RunActions::request(const Archiving& archiving)
{
    for (const RunId run : archiving.runs)
        Q_EMIT archiveRequested(run, archiving.archived);
}

QString RunActions::textOf(const std::vector<RunId>& runs, bool archived) const
{
    const RunRecord* only = runs.size() == 1 ? m_list.runs().find(runs.front()) : nullptr;
    const QString what = only
        ? quotedRunTitle(*only)
        : countedText(static_cast<std::int64_t>(runs.size()), tr("1 run"), tr("%1 runs"));
    return (archived ? tr("Archived %1.") : tr("Restored %1.")).arg(what);
}

// Once: undoing is not a change that could be undone.
void RunActions::undo()
{
    if (const std::optional<Archiving> last = std::exchange(m_last, std::nullopt)) {
        request({ last->runs, !last->archived, {} });
        NoticeSlot::of(m_page).tell(textOf(last->runs, !last->archived));
    }
    updateArchiving();
}

// Also if only one of them was deleted: the notice is about all of them.
void RunActions::forgetMissingRuns()
{
    const auto isListed = [this](RunId run) { return m_list.runs().find(run) != nullptr; };
    if (m_last && !std::ranges::all_of(m_last->runs, isListed))
        forgetArchiving();
}

void RunActions::forgetArchiving()
{
    if (const std::optional<Archiving> last = std::exchange(m_last, std::nullopt))
        NoticeSlot::of(m_page).withdraw(last->text);
    updateArchiving();
}

} // namespace accrue
