// SPDX-License-Identifier: Apache-2.0
#include "ui/table/comparison_table_model.h"

#include <QFont>

#include "ui/models/format.h"
#include "ui/models/key_words.h"
#include "ui/models/memory_words.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"

#include <algorithm>

namespace accrue {

namespace {

using Mark = ComparisonRow::Mark;
using Change = TableCell::Change;

// For a screen reader: everything that colours and fonts say.
QString spokenText(const TableCell& cell)
{
    QString text = QString::fromStdString(cell.text);
    if (cell.mark == Mark::Best)
        text = Ui::tr("%1, best").arg(text);
    else if (cell.mark == Mark::Worst)
        text = Ui::tr("%1, worst").arg(text);
    const QString difference = QString::fromStdString(cell.differenceText);
    if (cell.change == Change::Better)
        return Ui::tr("%1, %2 than the baseline, better").arg(text, difference);
    if (cell.change == Change::Worse)
        return Ui::tr("%1, %2 than the baseline, worse").arg(text, difference);
    return difference.isEmpty() ? text : Ui::tr("%1, %2 than the baseline").arg(text, difference);
}

// Bold and italic in addition to the view's colours, for those who cannot distinguish these.
QVariant fontOf(Mark mark)
{
    if (mark == Mark::None)
        return {};
    QFont font;
    font.setBold(mark == Mark::Best);
    font.setItalic(mark == Mark::Worst);
    return font;
}

QString helpOfRow(const TableRow& row)
{
    if (row.category)
        return categoryMeaning(*row.category);
    const KeyInfo* const key = row.isSetting ? findKey(row.key) : nullptr;
    return key != nullptr ? keyHelp(*key) : messageText(row.title);
}

bool isSameShape(const ComparisonTable& a, const ComparisonTable& b)
{
    return std::ranges::equal(a.rows, b.rows, {}, &TableRow::id, &TableRow::id)
        && std::ranges::equal(a.columns, b.columns, {}, &TableColumn::runs, &TableColumn::runs);
}

} // namespace

// ---- content ---------------------------------------------------------------------------------

void ComparisonTableModel::setTable(ComparisonTable table, const std::vector<RunRecord>& runs)
{
    const bool same = isSameShape(table, m_table)
        && std::ranges::equal(runs, m_runs, {}, &RunRecord::id, &RunRecord::id);
    if (!same)
        beginResetModel();
    m_table = std::move(table);
    m_runs = runs;
    m_styles = stylesIn(m_styling, runs, m_background);
    m_details = legendDetails(runs);
    m_hasDifferences = std::ranges::any_of(m_table.rows, [](const TableRow& row) {
        return std::ranges::any_of(
            row.cells, [](const TableCell& cell) { return cell.difference.has_value(); });
    });
    findLongest();
    if (!same)
        return endResetModel();
    if (m_table.rows.empty() || m_table.columns.empty())
        return;
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
}

void ComparisonTableModel::setTransposed(bool transposed)
{
    if (transposed == m_transposed)
        return;
    beginResetModel();
    m_transposed = transposed;
    findLongest();
    endResetModel();
}

void ComparisonTableModel::findLongest()
{
    m_longest.clear();
    for (int column = 0; column < columnCount(); ++column) {
        QString longest;
        for (int row = 0; row < rowCount(); ++row)
            if (const QString text = index(row, column).data(DifferenceRole).toString();
                text.size() > longest.size())
                longest = text;
        m_longest.append(longest);
    }
}

void ComparisonTableModel::setLooks(const RunStyling& styling, Background background)
{
    m_styling = styling;
    m_background = background;
    m_styles = stylesIn(m_styling, m_runs, m_background);
    const Qt::Orientation header = m_transposed ? Qt::Vertical : Qt::Horizontal;
    if (!m_table.columns.empty())
        Q_EMIT headerDataChanged(header, 0, static_cast<int>(m_table.columns.size()) - 1);
}

const RunStyle& ComparisonTableModel::styleOf(const TableColumn& column) const
{
    const std::size_t first = column.runs.front();
    return column.runs.size() > 1 && m_styling.groupOf.size() == m_runs.size()
        ? m_styling.ofGroups[m_styling.groupOf[first]]
        : m_styles[first];
}

bool ComparisonTableModel::isOfRuns(Qt::Orientation header) const
{
    return (header == Qt::Vertical) == m_transposed;
}

std::vector<RunId> ComparisonTableModel::runsOf(std::size_t column) const
{
    std::vector<RunId> runs;
    for (const std::size_t run : m_table.columns.at(column).runs)
        runs.push_back(m_runs[run].id);
    return runs;
}

std::vector<RunId> ComparisonTableModel::runsAt(const QModelIndex& index) const
{
    return index.isValid() ? runsOf(columnAt(index)) : std::vector<RunId> {};
}

std::size_t ComparisonTableModel::rowAt(const QModelIndex& index) const
{
    return static_cast<std::size_t>(m_transposed ? index.column() : index.row());
}

std::size_t ComparisonTableModel::columnAt(const QModelIndex& index) const
{
    return static_cast<std::size_t>(m_transposed ? index.row() : index.column());
}

// ---- cells -----------------------------------------------------------------------------------

int ComparisonTableModel::rowCount(const QModelIndex& parent) const
{
    const std::size_t count = m_transposed ? m_table.columns.size() : m_table.rows.size();
    return parent.isValid() ? 0 : static_cast<int>(count);
}

int ComparisonTableModel::columnCount(const QModelIndex& parent) const
{
    const std::size_t count = m_transposed ? m_table.rows.size() : m_table.columns.size();
    return parent.isValid() ? 0 : static_cast<int>(count);
}

QVariant ComparisonTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const TableRow& row = m_table.rows.at(rowAt(index));
    const TableCell& cell = row.cells.at(columnAt(index));
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(cell.text);
    case Qt::ToolTipRole:
        return tipOf(cell, columnAt(index));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | Qt::AlignRight);
    case Qt::AccessibleTextRole:
        return spokenText(cell);
    case Qt::FontRole:
        return fontOf(cell.mark);
    case MarkRole:
        return static_cast<int>(cell.mark);
    case SectionRole:
        return rowAt(index) > 0 && m_table.rows[rowAt(index) - 1].isSetting != row.isSetting;
    case DifferenceRole:
        return QString::fromStdString(cell.differenceText);
    case ChangeRole:
        return static_cast<int>(cell.change);
    default:
        return {};
    }
}

QString ComparisonTableModel::tipOf(const TableCell& cell, std::size_t column) const
{
    QStringList lines { QString::fromStdString(cell.text) };
    const auto baseline = std::ranges::find_if(m_table.columns, &TableColumn::isBaseline);
    if (cell.difference && baseline != m_table.columns.end())
        lines.append(
            Ui::tr("%1 against %2")
                .arg(QString::fromStdString(cell.differenceText), messageText(baseline->title)));
    if (!cell.note.empty())
        lines.append(messageText(cell.note));
    lines.append(messageText(m_table.columns[column].title));
    return lines.join(QLatin1Char('\n'));
}

// ---- headers ---------------------------------------------------------------------------------

QVariant ComparisonTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const int count = orientation == Qt::Vertical ? rowCount() : columnCount();
    if (section < 0 || section >= count)
        return {};
    const auto at = static_cast<std::size_t>(section);
    return isOfRuns(orientation) ? runHeader(at, role) : rowHeader(at, role);
}

QVariant ComparisonTableModel::runHeader(std::size_t column, int role) const
{
    const TableColumn& shown = m_table.columns[column];
    const std::size_t first = shown.runs.front();
    const bool isGroup = shown.runs.size() > 1;
    const QString title = isGroup ? messageText(shown.title) : runTitle(m_runs[first]);
    const QString detail = isGroup ? Ui::tr("n = %1").arg(shown.runs.size())
                                   : m_details[static_cast<qsizetype>(first)];
    switch (role) {
    case Qt::DisplayRole:
        return title;
    case Qt::ToolTipRole:
        return shown.isBaseline
            ? Ui::tr("%1\n%2\nThe others are compared with it.").arg(title, detail)
            : QStringLiteral("%1\n%2").arg(title, detail);
    case DetailRole:
        return detail;
    case StyleRole:
        return styleOf(shown).color;
    case LineRole:
        return static_cast<int>(styleOf(shown).line);
    case BaselineRole:
        return shown.isBaseline;
    default:
        return {};
    }
}

QVariant ComparisonTableModel::rowHeader(std::size_t row, int role) const
{
    const TableRow& shown = m_table.rows[row];
    const auto fold = !shown.canUnfold ? Fold::None
        : shown.isUnfolded             ? Fold::Unfolded
                                       : Fold::Folded;
    const auto sort = shown.id != m_table.sortedBy ? Sort::None
        : m_table.reversed                         ? Sort::WorstFirst
                                                   : Sort::BestFirst;
    switch (role) {
    case Qt::DisplayRole:
        return messageText(shown.title);
    case Qt::ToolTipRole:
        return Ui::tr("%1\nClick to sort by it, the best first.").arg(helpOfRow(shown));
    case FoldRole:
        return static_cast<int>(fold);
    case SortRole:
        return static_cast<int>(sort);
    case IndentRole:
        return shown.isDetail;
    default:
        return {};
    }
}

} // namespace accrue
