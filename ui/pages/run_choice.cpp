// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_choice.h"

#include "ui/models/run_words.h"

#include <QAbstractItemView>
#include <QSignalBlocker>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kWidth = 300;
constexpr int kListWidth = 420;
constexpr int kRuns = 1; // entry of the first run; before it stands the latest

int rankOf(const RunRecord& run)
{
    return isLive(run) ? 0 : run.archived ? 2 : 1;
}

} // namespace

RunChoice::RunChoice(QWidget* parent)
    : FormComboBox(parent)
{
    setAccessibleName(tr("Run"));
    setToolTip(tr("Whose memory is shown. “Latest” follows each new run; a run that is chosen "
                  "stays. Runs without measured memory are not listed."));
    setFixedWidth(kWidth);
    view()->setMinimumWidth(kListWidth);
    view()->setTextElideMode(Qt::ElideMiddle);
    connect(this, &QComboBox::activated, this, &RunChoice::takeEntry);
}

void RunChoice::setRuns(const RunList& runs)
{
    m_runs.clear();
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(m_runs),
        [](const RunRecord& run) { return run.metered; });
    std::stable_sort(m_runs.begin(), m_runs.end(),
        [](const RunRecord& a, const RunRecord& b) { return rankOf(a) < rankOf(b); });
    const auto isChosen = [this](const RunRecord& run) { return run.id == m_chosen; };
    if (std::none_of(m_runs.begin(), m_runs.end(), isChosen))
        m_chosen.reset();
    apply();
}

void RunChoice::choose(RunId run)
{
    const auto isIt = [run](const RunRecord& each) { return each.id == run; };
    if (std::none_of(m_runs.begin(), m_runs.end(), isIt))
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
    const auto at = std::find_if(
        m_runs.begin(), m_runs.end(), [this](const RunRecord& run) { return run.id == m_chosen; });
    return at == m_runs.end() ? &m_runs.front() : &*at;
}

void RunChoice::takeEntry(int index)
{
    if (index < kRuns)
        followLatest();
    else if (index - kRuns < static_cast<int>(m_runs.size()))
        choose(m_runs[static_cast<std::size_t>(index - kRuns)].id);
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

// As often as the list is told: only what has changed is set.
void RunChoice::fill()
{
    QStringList titles;
    if (!m_runs.empty())
        titles.append(tr("Latest: %1").arg(titleOf(m_runs.front())));
    for (const RunRecord& run : m_runs)
        titles.append(titleOf(run));
    const QSignalBlocker blocker(this);
    while (count() > static_cast<int>(titles.size()))
        removeItem(count() - 1);
    for (int i = 0; i < static_cast<int>(titles.size()); ++i)
        if (i >= count())
            addItem(titles[i]);
        else if (itemText(i) != titles[i])
            setItemText(i, titles[i]);
    const auto at = std::find_if(
        m_runs.begin(), m_runs.end(), [this](const RunRecord& run) { return run.id == m_chosen; });
    if (at != m_runs.end())
        setCurrentIndex(kRuns + static_cast<int>(at - m_runs.begin()));
    else
        setCurrentIndex(m_runs.empty() ? -1 : 0);
}

} // namespace accrue
