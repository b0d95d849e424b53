// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/run_choice.h"

#include "ui/models/run_words.h"

#include <QAbstractItemView>
#include <QSignalBlocker>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kWidth = 300;
constexpr int kListWidth = 420;
constexpr int kRuns = 1; // entry of the first run; the entry before it is the latest run

// A live run counts as the latest even if a later one has ended: its memory changes while it is
// viewed.
int rankOf(const RunRecord& run)
{
    return isLive(run) ? 0 : run.archived ? 2 : 1;
}

} // namespace

RunChoice::RunChoice(QWidget* parent)
    : FormComboBox(parent)
{
    setAccessibleName(tr("Run"));
    setToolTip(tr("Run whose memory is shown. “Latest” follows each new run. Runs without measured "
                  "memory are not listed."));
    setFixedWidth(kWidth);
    // The open list is wider than the box, because titles of runs are long.
    view()->setMinimumWidth(kListWidth);
    view()->setTextElideMode(Qt::ElideMiddle);
    connect(this, &QComboBox::activated, this, &RunChoice::takeEntry);
}

void RunChoice::setRuns(const RunList& runs)
{
    m_runs.clear();
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(m_runs),
        [](const RunRecord& run) { return run.metered; });
    // Stable, so that runs of the same rank remain in the order of the list, newest first.
    std::stable_sort(m_runs.begin(), m_runs.end(),
        [](const RunRecord& a, const RunRecord& b) { return rankOf(a) < rankOf(b); });
    // A run that was deleted cannot be shown; the box follows the latest again.
    if (find(m_chosen) == m_runs.end())
        m_chosen.reset();
    apply();
}

void RunChoice::choose(RunId run)
{
    if (find(run) == m_runs.end())
        return;
    m_chosen = run;
    apply();
}

void RunChoice::followLatest()
{
    m_chosen.reset();
    apply();
}

const RunRecord* RunChoice::shown() const
{
    if (m_runs.empty())
        return nullptr;
    const auto at = find(m_chosen);
    return at == m_runs.end() ? &m_runs.front() : &*at;
}

std::vector<RunRecord>::const_iterator RunChoice::find(const std::optional<RunId>& id) const
{
    return std::find_if(
        m_runs.begin(), m_runs.end(), [&id](const RunRecord& run) { return run.id == id; });
}

void RunChoice::takeEntry(int index)
{
    if (index < kRuns)
        followLatest();
    else
        choose(m_runs.at(static_cast<std::size_t>(index - kRuns)).id);
}

void RunChoice::apply()
{
    fill();
    Q_EMIT shownChanged();
}

QString RunChoice::titleOf(const RunRecord& run) const
{
    const QString title = tr("%1, %2").arg(runTitle(run), stateText(run));
    return run.archived ? tr("%1, archived").arg(title) : title;
}

// Called with every list: only what has changed is set.
void RunChoice::fill()
{
    QStringList titles;
    if (!m_runs.empty())
        titles.append(tr("Latest: %1").arg(titleOf(m_runs.front())));
    for (const RunRecord& run : m_runs)
        titles.append(titleOf(run));
    const QSignalBlocker blocker(this);
    while (count() > titles.size())
        removeItem(count() - 1);
    for (int i = 0; i < titles.size(); ++i)
        if (i >= count())
            addItem(titles[i]);
        else if (itemText(i) != titles[i])
            setItemText(i, titles[i]);
    const auto at = find(m_chosen);
    if (at != m_runs.end())
        setCurrentIndex(kRuns + static_cast<int>(at - m_runs.begin()));
    else
        setCurrentIndex(m_runs.empty() ? -1 : 0);
}

} // namespace accrue
