// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/selection_actions.h"

#include <QAction>
#include <QWidget>

#include "ui/actions/make_action.h"
#include "ui/curves/run_selection.h"

#include <algorithm>

namespace accrue {

namespace {

bool has(const std::vector<RunId>& runs, RunId run)
{
    return std::ranges::find(runs, run) != runs.end();
}

} // namespace

SelectionActions::SelectionActions(RunSelection& selection, QWidget& page)
    : QObject(&page)
    , m_selection(selection)
    , m_remove(makePageAction(page,
          { "close", tr("Remove from comparison"), Qt::Key_Delete,
              tr("Remove the selected runs from the comparison") },
          [this] { compareSelected(false); }))
    , m_keep(makePageAction(page,
          { "compare", tr("Compare only the selected runs"), Qt::CTRL | Qt::Key_Return,
              tr("Begin a new comparison of the selected runs") },
          [this] { compareSelected(true); }))
    , m_inTable(makePageAction(page,
          { "columns", tr("Show the selected runs in the table"), Qt::CTRL | Qt::ALT | Qt::Key_S,
              tr("Hide the other runs and open the table") },
          [this] { hideOthers(); }))
    , m_stop(makePageAction(page,
          { "stop", tr("Stop the run"), Qt::CTRL | Qt::SHIFT | Qt::Key_K,
              tr("Stop the selected runs that are being trained; they can be resumed") },
          [this] { Q_EMIT stopRequested(runsToStop()); }))
{
    connect(&m_selection, &RunSelection::selectedChanged, this, &SelectionActions::update);
    update();
}

void SelectionActions::setRuns(const std::vector<RunRecord>& runs)
{
    m_live.clear();
    for (const RunRecord& run : runs)
        if (isLive(run))
            m_live.push_back(run.id);
    update();
}

void SelectionActions::update()
{
    for (QAction* action : { m_remove, m_keep, m_inTable })
        action->setEnabled(!m_selection.selected().empty());
    m_stop->setEnabled(!runsToStop().empty());
}

// In the order of the list, not in that of the clicks.
void SelectionActions::compareSelected(bool selected)
{
    std::vector<RunId> kept = m_selection.runs();
    std::erase_if(kept, [&](RunId run) { return has(m_selection.selected(), run) != selected; });
    if (selected)
        m_selection.showAll();
    Q_EMIT comparisonRequested(kept);
}

void SelectionActions::hideOthers()
{
    std::vector<RunId> others = m_selection.runs();
    std::erase_if(others, [this](RunId run) { return has(m_selection.selected(), run); });
    m_selection.showAll();
    m_selection.setHidden(others, true);
    Q_EMIT tableRequested();
}

std::vector<RunId> SelectionActions::runsToStop() const
{
    std::vector<RunId> live = m_live;
    const bool isClear = m_selection.selected().empty() && live.size() == 1;
    if (!isClear)
        std::erase_if(live, [this](RunId run) { return !has(m_selection.selected(), run); });
    return live;
}

} // namespace accrue
