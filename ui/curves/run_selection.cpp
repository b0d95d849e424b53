// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/run_selection.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

bool has(const RunSelection::Runs& runs, RunId run)
{
    return std::ranges::find(runs, run) != runs.end();
}

// Those of `runs` that `others` has.
RunSelection::Runs common(RunSelection::Runs runs, const RunSelection::Runs& others)
{
    std::erase_if(runs, [&](RunId run) { return !has(others, run); });
    return runs;
}

} // namespace

void RunSelection::setRuns(const Runs& runs)
{
    if (std::exchange(m_runs, runs) == runs)
        return;
    setHiddenRuns(common(m_hidden, runs));
    select(common(m_selected, runs));
    pointAt(common(m_pointedAt, runs));
    Q_EMIT runsChanged();
}

bool RunSelection::isShown(RunId run) const
{
    return !has(m_hidden, run);
}

RunSelection::Runs RunSelection::shownOf(const Runs& runs) const
{
    Runs shown = runs;
    std::erase_if(shown, [this](RunId run) { return !isShown(run); });
    return shown;
}

void RunSelection::setHiddenRuns(const Runs& hidden)
{
    if (std::exchange(m_hidden, hidden) != hidden)
        Q_EMIT hiddenChanged();
}

void RunSelection::setHidden(const Runs& runs, bool hidden)
{
    Runs now = m_hidden;
    std::erase_if(now, [&](RunId run) { return has(runs, run); });
    if (hidden)
        now.insert(now.end(), runs.begin(), runs.end());
    setHiddenRuns(now);
}

void RunSelection::showAlone(const Runs& runs)
{
    Runs others = m_runs;
    std::erase_if(others, [&](RunId run) { return has(runs, run); });
    const bool isAlone = shownOf(others).empty() && shownOf(runs) == runs;
    setHiddenRuns(isAlone ? Runs() : others);
}

void RunSelection::showAll()
{
    setHiddenRuns({});
}

void RunSelection::select(const Runs& runs)
{
    if (std::exchange(m_selected, runs) != runs)
        Q_EMIT selectedChanged();
}

void RunSelection::pointAt(const Runs& runs)
{
    if (std::exchange(m_pointedAt, runs) != runs)
        Q_EMIT pointedAtChanged();
}

void RunSelection::setBaseline(std::optional<RunId> run)
{
    if (std::exchange(m_baseline, run) != run)
        Q_EMIT baselineChanged();
}

void RunSelection::setGroupBy(const std::string& by)
{
    if (std::exchange(m_groupBy, by) != by)
        Q_EMIT groupByChanged();
}

void RunSelection::setStyleChoice(const StyleChoice& choice)
{
    if (std::exchange(m_style, choice) != choice)
        Q_EMIT styleChoiceChanged();
}

void RunSelection::setDistinction(const RunDistinction& distinction)
{
    setGroupBy(distinction.groupBy);
    setStyleChoice(distinction.style);
}

} // namespace accrue
