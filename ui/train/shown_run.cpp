// SPDX-License-Identifier: Apache-2.0
#include "ui/train/shown_run.h"

#include "ui/models/run_comparison.h"

#include <algorithm>

namespace accrue {

namespace {

// The run with the highest number for which `holds`; null: there is none.
template <typename Condition> const RunRecord* newestOf(const RunList& runs, const Condition& holds)
{
    // By number and not by position: the list may be in another order.
    const RunRecord* newest = nullptr;
    for (const RunRecord& run : runs)
        if (!run.archived && holds(run) && (newest == nullptr || newest->id < run.id))
            newest = &run;
    return newest;
}

} // namespace

const RunRecord* listedRun(const RunLogFollower& follower, const std::optional<RunId>& run)
{
    const std::shared_ptr<const RunList> runs = follower.runs(); // held by it until the next
    return runs != nullptr ? findRun(*runs, run) : nullptr;
}

ShownRun::ShownRun(RunLogFollower& follower, QObject* parent)
    : QObject(parent)
    , m_follower(follower)
{
    // Numbers identify runs in one log only.
    connect(&m_follower, &RunLogFollower::fileChanged, this, [this] { show(std::nullopt); });
    connect(&m_follower, &RunLogFollower::failed, this, &ShownRun::recordChanged);
    connect(&m_follower, &RunLogFollower::recovered, this, &ShownRun::recordChanged);
    connect(&m_follower, &RunLogFollower::runsChanged, this, &ShownRun::recordChanged);
}

void ShownRun::show(const std::optional<RunId>& run)
{
    m_run = run;
    Q_EMIT shown(run);
}

void ShownRun::showFirst(const std::vector<RunId>& wanted)
{
    const std::shared_ptr<const RunList> runs = m_follower.runs();
    // A run that is shown already, such as one that trains, is not replaced.
    if (m_run || runs == nullptr)
        return;
    const auto found = std::ranges::find_first_of(*runs, wanted, {}, &RunRecord::id);
    if (found != runs->end())
        show(found->id);
    else if (const RunRecord* newest = newestOf(*runs, [](const RunRecord&) { return true; }))
        show(newest->id);
}

const RunRecord* ShownRun::previous() const
{
    const std::shared_ptr<const RunList> runs = m_follower.runs();
    if (!m_run || runs == nullptr)
        return nullptr;
    return newestOf(*runs, [this](const RunRecord& run) { return run.id < *m_run; });
}

QString ShownRun::variant() const
{
    const RunRecord* const run = record();
    const RunRecord* const first =
        run != nullptr ? firstOfItsName(*m_follower.runs(), *run) : nullptr;
    return first != nullptr ? variantText(*run, *first) : QString();
}

} // namespace accrue
