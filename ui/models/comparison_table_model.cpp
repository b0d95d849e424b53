// SPDX-License-Identifier: Apache-2.0
#include "ui/models/comparison_table_model.h"

#include <QFont>

#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

ComparisonTableModel::ComparisonTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void ComparisonTableModel::setRuns(const std::vector<RunRecord>& runs)
{
    const bool same = std::equal(runs.begin(), runs.end(), m_runs.begin(), m_runs.end(),
        [](const RunRecord& a, const RunRecord& b) { return a.id == b.id; });
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

void ComparisonTableModel::setSummaries(const std::vector<SeriesBatch::Summaries>& summaries)
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
    std::vector<ComparisonRow> rows = settingRows(m_runs);
    const bool differing = m_identicalHidden && m_runs.size() > 1;
    std::erase_if(rows, [differing](const ComparisonRow& row) {
        return row.unread || (differing && row.identical);
    });
    const std::vector<ComparisonRow> measured = metricRows(m_runs, m_summaries);
    rows.insert(rows.end(), measured.begin(), measured.end());
    return rows;
}

void ComparisonTableModel::show()
{
    std::vector<ComparisonRow> now = shownRows();
    const bool same = std::equal(now.begin(), now.end(), m_rows.begin(), m_rows.end(),
        [](const ComparisonRow& a, const ComparisonRow& b) { return a.title == b.title; });
    if (!same) {
        beginResetModel();
        m_rows = std::move(now);
        endResetModel();
        return;
    }
    m_rows = std::move(now);
    if (!m_rows.empty() && !m_runs.empty())
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

QString ComparisonTableModel::spokenText(const QString& value, ComparisonRow::Mark mark)
{
    switch (mark) {
    case ComparisonRow::Mark::Best:
        return tr("%1, best").arg(value);
    case ComparisonRow::Mark::Worst:
        return tr("%1, worst").arg(value);
    case ComparisonRow::Mark::None:
        break;
    }
    return value;
}

QVariant ComparisonTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const ComparisonRow& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const auto mark = row.marks.at(static_cast<std::size_t>(index.column()));
    switch (role) {
    case Qt::DisplayRole:
        return row.values.at(index.column());
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | Qt::AlignRight);
    case Qt::ToolTipRole:
        return row.values.at(index.column());
    case Qt::AccessibleTextRole:
        return spokenText(row.values.at(index.column()), mark);
    case Qt::FontRole: {
        QFont font;
        font.setBold(mark == ComparisonRow::Mark::Best);
        font.setItalic(mark == ComparisonRow::Mark::Worst);
        return mark != ComparisonRow::Mark::None ? QVariant(font) : QVariant();
    }
    case MarkRole:
        return static_cast<int>(mark);
    case SectionRole:
        return index.row() > 0
            && m_rows[static_cast<std::size_t>(index.row()) - 1].kind != row.kind;
    default:
        return {};
    }
}

QVariant ComparisonTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0)
        return {};
    const auto at = static_cast<std::size_t>(section);
    if (orientation == Qt::Vertical) {
        if (at >= m_rows.size())
            return {};
        if (role == Qt::TextAlignmentRole)
            return int(Qt::AlignVCenter | Qt::AlignLeft);
        if (role == Qt::ToolTipRole)
            return m_rows[at].help;
        return role == Qt::DisplayRole ? QVariant(m_rows[at].title) : QVariant();
    }
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
