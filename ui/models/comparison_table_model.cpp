// SPDX-License-Identifier: Apache-2.0
#include "ui/models/comparison_table_model.h"

#include <QFont>

#include "ui/models/format.h"
#include "ui/models/memory_words.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

namespace {

bool isSetting(const ComparisonRow& row)
{
    return row.kind == ComparisonRow::Kind::Setting;
}

QString spokenText(const QString& value, ComparisonRow::Mark mark)
{
    if (mark == ComparisonRow::Mark::Best)
        return Ui::tr("%1, best").arg(value);
    return mark == ComparisonRow::Mark::Worst ? Ui::tr("%1, worst").arg(value) : value;
}

QVariant rowHeader(const ComparisonRow& row, int role)
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | Qt::AlignLeft);
    if (role == Qt::ToolTipRole)
        return row.category ? categoryMeaning(*row.category) : QString::fromStdString(row.help);
    return role == Qt::DisplayRole ? messageText(row.title) : QVariant();
}

} // namespace

void ComparisonTableModel::setRuns(const std::vector<RunRecord>& runs)
{
    const bool same = std::ranges::equal(runs, m_runs, {}, &RunRecord::id, &RunRecord::id);
    m_styles = stylesOf(runs, m_background);
    m_titles = legendTexts(runs);
    if (same) {
        m_runs = runs;
        show();
        if (!m_runs.empty())
            Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
        return;
    }
    beginResetModel();
    m_runs = runs;
    m_rows = shownRows();
    endResetModel();
}

void ComparisonTableModel::setSummaries(const std::vector<RunSummaries>& summaries)
{
    m_summaries = summaries;
    show();
}

void ComparisonTableModel::setIdenticalHidden(bool hidden)
{
    m_identicalHidden = hidden;
    show();
}

void ComparisonTableModel::setBackground(Background background)
{
    m_background = background;
    m_styles = stylesOf(m_runs, m_background);
    if (!m_runs.empty())
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

std::vector<ComparisonRow> ComparisonTableModel::shownRows() const
{
    RunComparison comparison = compareRuns(m_runs, m_summaries);
    putResultsFirst(comparison);
    std::vector<ComparisonRow> rows = settingRows(comparison);
    // A single run differs from nothing, and its table would be empty.
    const bool differing = m_identicalHidden && m_runs.size() > 1;
    std::erase_if(rows, [differing](const ComparisonRow& row) {
        return row.unread || (differing && row.identical);
    });
    const std::vector<ComparisonRow> measured = metricRows(comparison);
    rows.insert(rows.end(), measured.begin(), measured.end());
    return rows;
}

// While a run trains, only values change: without a reset the selection and the scroll position
// remain.
void ComparisonTableModel::show()
{
    std::vector<ComparisonRow> now = shownRows();
    // A row has no identity but its title: with equal titles only values can differ.
    const bool same =
        std::ranges::equal(now, m_rows, {}, &ComparisonRow::title, &ComparisonRow::title);
    if (!same)
        beginResetModel();
    m_rows = std::move(now);
    if (!same)
        endResetModel();
    else if (!m_rows.empty() && !m_runs.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ComparisonTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparisonTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

QVariant ComparisonTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ComparisonRow& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const auto column = static_cast<std::size_t>(index.column());
    const auto mark = row.marks.at(column);
    const QString value = QString::fromStdString(row.values.at(column));
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return value;
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | Qt::AlignRight);
    case Qt::AccessibleTextRole:
        return spokenText(value, mark);
    case Qt::FontRole: {
        QFont font;
        font.setBold(mark == ComparisonRow::Mark::Best);
        // Bold and italic in addition to the view's colours, for those who cannot distinguish
        // these.
        font.setItalic(mark == ComparisonRow::Mark::Worst);
        return mark != ComparisonRow::Mark::None ? QVariant(font) : QVariant();
    }
    case MarkRole:
        return static_cast<int>(mark);
    case SectionRole:
        return index.row() > 0
            && isSetting(m_rows[static_cast<std::size_t>(index.row()) - 1]) != isSetting(row);
    default:
        return {};
    }
}

QVariant ComparisonTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0)
        return {};
    const auto at = static_cast<std::size_t>(section);
    if (orientation == Qt::Vertical)
        return at < m_rows.size() ? rowHeader(m_rows[at], role) : QVariant();
    if (at >= m_runs.size())
        return {};
    const RunStyle& style = m_styles.at(at);
    switch (role) {
    case Qt::DisplayRole:
        return m_titles.at(section);
    case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2").arg(runTitle(m_runs[at]), m_titles.at(section));
    case StyleRole:
        return style.color;
    case LineRole:
        return static_cast<int>(style.line);
    default:
        return {};
    }
}

} // namespace accrue
