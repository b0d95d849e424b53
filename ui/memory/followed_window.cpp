// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/followed_window.h"

#include <algorithm>
#include <utility>

// Which window is shown follows from three things: whether the run trains, whether the user chose a
// step, and whether the page is seen. They become one query; the log answers with the steps at
// which memory changed and the one window that is drawn.

namespace accrue {

FollowedWindow::FollowedWindow(RunLogFollower& follower, QObject* parent)
    : QObject(parent)
    , m_follower(follower)
    , m_query(follower.addQuery())
{
    connect(&follower, &RunLogFollower::seriesChanged, this, &FollowedWindow::receive);
}

FollowedWindow::~FollowedWindow()
{
    // The follower outlives this object and would continue to read for the query.
    m_follower.removeQuery(m_query);
}

std::size_t FollowedWindow::index() const
{
    const std::vector<std::int64_t>& steps = m_memory.steps;
    const auto at =
        std::lower_bound(steps.begin(), steps.end(), m_step.value_or(m_memory.window.step));
    const std::ptrdiff_t last = std::max<std::ptrdiff_t>(std::ssize(steps) - 1, 0);
    return static_cast<std::size_t>(std::min(at - steps.begin(), last));
}

void FollowedWindow::setRun(const RunRecord* run)
{
    const auto id = run != nullptr ? std::optional(run->id) : std::nullopt;
    m_isLive = run != nullptr && isLive(*run);
    // Another run's memory must not be visible under the name of this one while the log is read.
    if (id != m_run) {
        m_run = id;
        m_step.reset();
        m_memory = {};
        Q_EMIT changed();
    }
    ask();
}

void FollowedWindow::setSeen(bool seen)
{
    m_seen = seen;
    ask();
}

void FollowedWindow::choose(int index)
{
    if (index < 0 || index >= std::ssize(m_memory.steps))
        return;
    // The right end means “the newest” while the run trains, and that step once it has ended.
    const bool follows = m_isLive && index + 1 == std::ssize(m_memory.steps);
    m_step =
        follows ? std::nullopt : std::optional(m_memory.steps[static_cast<std::size_t>(index)]);
    ask();
}

void FollowedWindow::ask()
{
    FollowQuery query;
    if (m_seen && m_run) {
        FollowMemory& memory = query.memoryOf.emplace_back(FollowMemory { .run = *m_run });
        if (m_step)
            memory.step = *m_step;
        else
            // A run that has ended opens at its highest peak: its last window is often a smaller
            // rest of an epoch, which says nothing about what the run needed.
            memory.highest = !m_isLive;
    }
    m_follower.setQuery(m_query, std::move(query));
}

void FollowedWindow::receive(int query, const std::shared_ptr<const SeriesBatch>& batch)
{
    // The empty query of a hidden page has an empty answer, which must not clear the chart.
    if (query != m_query || batch->memory.empty() || batch->memory.front().run != m_run)
        return;
    if (batch->memory.front() == m_memory)
        return; // another step of a live run, five times a second
    m_memory = batch->memory.front();
    Q_EMIT changed();
}

} // namespace accrue
