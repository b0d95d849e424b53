// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_undo.h"

#include "ui/actions/make_action.h"
#include "ui/models/run_table_model.h"
#include "ui/widgets/notice_slot.h"

#include <QAction>

#include <algorithm>

namespace accrue {

namespace {

constexpr std::size_t kMost = 50;

} // namespace

RunUndo::RunUndo(const RunTableModel& runs, QWidget& page)
    : QObject(&page)
    , m_runs(runs)
    , m_page(page)
    , m_action(makePageAction(page,
          { "undo", tr("Undo change of runs"), QKeySequence(QKeySequence::Undo),
              tr("Take back the last change of runs: archiving, tags, names") },
          [this] { undo(); }))
{
    update();
}

void RunUndo::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    update();
}

// A log that cannot be written is the reason to show, whatever else is lacking.
void RunUndo::update()
{
    const QString nothing = m_changes.empty() ? tr("There is nothing to undo.") : QString();
    enable(*m_action, m_whyNotWrite.isEmpty() ? nothing : m_whyNotWrite);
}

void RunUndo::add(const Change& change)
{
    m_changes.push_back(change);
    if (m_changes.size() > kMost)
        m_changes.erase(m_changes.begin());
    NoticeSlot::of(m_page).tell(change.done, tr("Undo"), [this] { undo(); });
    update();
}

// Once: undoing is not a change that could be undone.
void RunUndo::undo()
{
    if (m_changes.empty())
        return;
    const Change last = m_changes.back();
    m_changes.pop_back();
    last.undo();
    NoticeSlot::of(m_page).tell(last.undone);
    update();
}

void RunUndo::drop(const Change& change)
{
    NoticeSlot::of(m_page).withdraw(change.done);
}

// Also if only one of them was deleted: the notice is about all of them.
void RunUndo::forgetMissingRuns()
{
    const auto isListed = [this](RunId run) { return m_runs.rowOf(run) >= 0; };
    std::erase_if(m_changes, [&](const Change& change) {
        const bool whole = std::all_of(change.runs.begin(), change.runs.end(), isListed);
        if (!whole)
            drop(change);
        return !whole;
    });
    update();
}

void RunUndo::forget()
{
    for (const Change& change : m_changes)
        drop(change);
    m_changes.clear();
    update();
}

} // namespace accrue
