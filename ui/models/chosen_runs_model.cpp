// SPDX-License-Identifier: Apache-2.0
#include "ui/models/chosen_runs_model.h"

#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

bool has(const std::vector<RunId>& runs, RunId run)
{
    return std::ranges::find(runs, run) != runs.end();
}

} // namespace

void ChosenRunsModel::setRuns(const std::vector<RunRecord>& runs)
{
    const bool same = std::ranges::equal(runs, m_runs, {}, &RunRecord::id, &RunRecord::id);
    // The same runs arrive with every step of a live one; a reset would clear the selection each
    // time.
    if (!same)
        beginResetModel();
    m_runs = runs;
    useOwnLooks();
    if (!same)
        m_groups.clear();
    makeRows();
    if (same)
        changed();
    else
        endResetModel();
}

void ChosenRunsModel::setGroups(const std::vector<Group>& groups)
{
    const auto same = [](const Group& a, const Group& b) {
        return a.title == b.title && a.runs == b.runs;
    };
    if (std::ranges::equal(groups, m_groups, same))
        return;
    beginResetModel();
    m_groups = groups;
    m_groupStyles.clear(); // until others are set
    makeRows();
    endResetModel();
}

void ChosenRunsModel::makeRows()
{
    m_rows.clear();
    m_details = legendDetails(m_runs);
    for (std::size_t run = 0; m_groups.empty() && run < m_runs.size(); ++run)
        m_rows.push_back({ nullptr, run });
    for (const Group& group : m_groups) {
        const bool hasRow = group.runs.size() > 1;
        if (hasRow) {
            m_rows.push_back({ &group, group.runs.front() });
            describeMembers(group);
        }
        for (const std::size_t run : group.runs)
            m_rows.push_back({ nullptr, run, hasRow });
    }
}

void ChosenRunsModel::describeMembers(const Group& group)
{
    std::vector<RunRecord> members;
    for (const std::size_t run : group.runs)
        members.push_back(m_runs[run]);
    const QStringList texts = legendDetails(members);
    for (std::size_t i = 0; i < group.runs.size(); ++i)
        m_details[static_cast<qsizetype>(group.runs[i])] = texts[static_cast<qsizetype>(i)];
}

void ChosenRunsModel::changed(const QList<int>& roles)
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), roles);
}

void ChosenRunsModel::setBackground(Background background)
{
    m_background = background;
    useOwnLooks();
    changed({ StyleRole, LineRole });
}

void ChosenRunsModel::useOwnLooks()
{
    m_hasOwnLooks = true;
    m_styles = stylesOf(m_runs, m_background);
    m_groupStyles.clear();
}

void ChosenRunsModel::setStyles(std::vector<RunStyle> ofRuns, std::vector<RunStyle> ofGroups)
{
    m_hasOwnLooks = false;
    m_styles = std::move(ofRuns);
    m_groupStyles = std::move(ofGroups);
    changed({ StyleRole, LineRole });
}

const RunStyle& ChosenRunsModel::styleAt(const Row& row) const
{
    if (row.group == nullptr || m_groupStyles.empty())
        return m_styles.at(row.run);
    return m_groupStyles.at(static_cast<std::size_t>(row.group - m_groups.data()));
}

void ChosenRunsModel::setHidden(const std::function<bool(RunId)>& isHidden)
{
    std::vector<RunId> hidden;
    for (const RunRecord& run : m_runs)
        if (isHidden(run.id))
            hidden.push_back(run.id);
    if (std::exchange(m_hidden, hidden) != hidden)
        changed({ ShownRole });
}

void ChosenRunsModel::setPointedAt(const std::vector<RunId>& runs)
{
    if (std::exchange(m_pointedAt, runs) != runs)
        changed({ PointedAtRole });
}

std::vector<RunId> ChosenRunsModel::runsAt(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    if (row.group == nullptr)
        return { m_runs[row.run].id };
    std::vector<RunId> runs;
    for (const std::size_t run : row.group->runs)
        runs.push_back(m_runs[run].id);
    return runs;
}

int ChosenRunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QString ChosenRunsModel::detailOf(const Row& row) const
{
    if (row.group != nullptr)
        return tr("n = %1").arg(row.group->runs.size());
    return m_details.at(static_cast<qsizetype>(row.run));
}

QVariant ChosenRunsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const RunRecord& run = m_runs.at(row.run);
    const RunStyle& style = styleAt(row);
    const QString title = row.group != nullptr ? row.group->title : runTitle(run);
    const std::vector<RunId> runs = runsAt(index);
    const auto anyIn = [&runs](const std::vector<RunId>& others) {
        return std::ranges::any_of(runs, [&](RunId each) { return has(others, each); });
    };
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return title;
    case Qt::ToolTipRole:
        return !m_hasOwnLooks || style == styleOf(run.id, m_background) || row.group != nullptr
            ? QStringLiteral("%1\n%2").arg(title, detailOf(row))
            : tr("%1\n%2\nShown here in another colour, because another of these runs has the same "
                 "one.")
                  .arg(title, detailOf(row));
    case RunIdRole:
        return static_cast<qlonglong>(numberOf(run.id));
    case DetailRole:
        return detailOf(row);
    case StyleRole:
        return style.color;
    case LineRole:
        return static_cast<int>(style.line);
    case GroupRole:
        return row.group != nullptr;
    case MemberRole:
        return row.isMember;
    case ShownRole:
        return std::ranges::any_of(runs, [this](RunId each) { return !has(m_hidden, each); });
    case PointedAtRole:
        return anyIn(m_pointedAt);
    default:
        return {};
    }
}

} // namespace accrue
