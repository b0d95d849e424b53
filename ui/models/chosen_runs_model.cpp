// SPDX-License-Identifier: Apache-2.0
#include "ui/models/chosen_runs_model.h"

#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

void ChosenRunsModel::setRuns(const std::vector<RunRecord>& runs)
{
    const bool same = std::ranges::equal(runs, m_runs, {}, &RunRecord::id, &RunRecord::id);
    // The same runs arrive with every step of a live one; a reset would clear the selection each
    // time.
    if (!same)
        beginResetModel();
    m_runs = runs;
    m_details = legendTexts(runs);
    m_styles = stylesOf(runs, m_background);
    if (!same)
        endResetModel();
    else if (!m_runs.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void ChosenRunsModel::setBackground(Background background)
{
    m_background = background;
    m_styles = stylesOf(m_runs, m_background);
    if (!m_runs.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), { StyleRole });
}

int ChosenRunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

QVariant ChosenRunsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RunRecord& run = m_runs.at(static_cast<std::size_t>(index.row()));
    const RunStyle& style = m_styles.at(static_cast<std::size_t>(index.row()));
    const QString title = runTitle(run);
    const QString& detail = m_details.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return title;
    case Qt::ToolTipRole:
        return style == styleOf(run.id, m_background)
            ? QStringLiteral("%1\n%2").arg(title, detail)
            : tr("%1\n%2\nShown here in another colour, because another of these runs has the same "
                 "one.")
                  .arg(title, detail);
    case RunIdRole:
        return static_cast<qlonglong>(numberOf(run.id));
    case DetailRole: // the first line has its number already
        return detail == title ? stateText(run) : detail.section(QLatin1Char(' '), 1);
    case StyleRole:
        return style.color;
    case LineRole:
        return static_cast<int>(style.line);
    default:
        return {};
    }
}

} // namespace accrue
