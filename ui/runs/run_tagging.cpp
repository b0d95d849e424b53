// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_tagging.h"

#include "ui/actions/make_action.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/run/run_log_follower.h"
#include "ui/runs/run_list_view.h"
#include "ui/runs/run_undo.h"

#include <QAction>

#include <algorithm>
#include <map>

namespace accrue {

namespace {

bool has(const std::vector<std::string>& tags, const std::string& tag)
{
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

// Every tag of the log, the most used first, and how many of `runs` have it.
std::vector<TagDialog::Tag> tagsOf(const RunTableModel& log, const std::vector<RunId>& runs)
{
    std::map<std::string, int> used;
    for (int row = 0; row < log.rowCount(); ++row)
        for (const std::string& tag : log.run(row).tags)
            ++used[tag];
    std::vector<TagDialog::Tag> tags;
    for (const auto& [name, count] : used) {
        const auto with = std::count_if(runs.begin(), runs.end(),
            [&, &tag = name](RunId run) { return has(log.find(run)->tags, tag); });
        const bool all = with == static_cast<std::ptrdiff_t>(runs.size());
        tags.push_back({ name, count,
            with == 0 ? Qt::Unchecked
                : all ? Qt::Checked
                      : Qt::PartiallyChecked });
    }
    std::stable_sort(
        tags.begin(), tags.end(), [](const auto& a, const auto& b) { return a.used > b.used; });
    return tags;
}

} // namespace

RunTagging::RunTagging(
    const RunLogFollower& follower, const RunListView& list, RunUndo& undo, QWidget& page)
    : QObject(&page)
    , m_follower(follower)
    , m_list(list)
    , m_undo(undo)
    , m_page(page)
    , m_action(makePageAction(page,
          { "tag", tr("Tags…"), Qt::CTRL | Qt::SHIFT | Qt::Key_G,
              tr("Add tags to the selected runs, or remove them") },
          [this] { ask(); }))
{
}

void RunTagging::update(const QString& whyNotWrite)
{
    const bool any = m_list.selectionModel()->hasSelection();
    enable(*m_action,
        whyNotWrite.isEmpty() && !any ? tr("Select runs on the Runs page first.") : whyNotWrite);
}

QString RunTagging::wordsFor(const std::vector<RunId>& runs) const
{
    return runs.size() == 1
        ? quotedRunTitle(*m_list.runs().find(runs.front()))
        : countedText(static_cast<std::int64_t>(runs.size()), tr("1 run"), tr("%1 runs"));
}

// The question is not modal: another log may be opened before it is answered.
void RunTagging::ask()
{
    const std::vector<RunId> runs = m_list.selectedRuns();
    if (runs.empty())
        return;
    delete m_dialog;
    m_dialog = new TagDialog(m_page, wordsFor(runs), tagsOf(m_list.runs(), runs));
    connect(m_dialog, &TagDialog::saved, this,
        [this, runs, log = m_follower.file()](
            const std::vector<std::string>& added, const std::vector<std::string>& removed) {
            if (log == m_follower.file()) // otherwise the numbers identify other runs
                apply(runs, added, removed);
        });
    m_dialog->show();
}

void RunTagging::apply(const std::vector<RunId>& runs, const std::vector<std::string>& added,
    const std::vector<std::string>& removed)
{
    std::vector<Change> changes;
    std::vector<RunId> changed;
    for (const RunId id : runs) {
        const RunRecord* const run = m_list.runs().find(id);
        if (run == nullptr) // deleted meanwhile
            continue;
        Change change { id, added, removed };
        std::erase_if(change.added, [run](const auto& tag) { return has(run->tags, tag); });
        std::erase_if(change.removed, [run](const auto& tag) { return !has(run->tags, tag); });
        if (change.added.empty() && change.removed.empty())
            continue;
        changes.push_back(change);
        changed.push_back(id);
    }
    if (changes.empty())
        return;
    const QString words = wordsFor(changed);
    for (const Change& change : changes)
        Q_EMIT tagsRequested(change.run, change.added, change.removed);
    m_undo.add({ changed, tr("Changed the tags of %1.").arg(words),
        tr("Restored the tags of %1.").arg(words), [this, changes] {
            for (const Change& change : changes)
                Q_EMIT tagsRequested(change.run, change.removed, change.added);
        } });
}

} // namespace accrue
