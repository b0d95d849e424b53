// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/comparison_table.h"
#include "ui/curves/run_styling.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace accrue {

// The table of a comparison for its views: settings and results down, runs or groups across, or
// transposed. GUI thread.
class ComparisonTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        MarkRole = Qt::UserRole, // ComparisonRow::Mark as int
        SectionRole, // bool: the first of settings or of results
        DifferenceRole, // to the baseline, behind the value; empty: none
        ChangeRole, // TableCell::Change as int
        // In headers of runs and groups:
        StyleRole, // QColor
        LineRole, // Qt::PenStyle as int
        DetailRole, // the second line: what differs, or how many runs
        BaselineRole, // bool
        // In headers of settings and results:
        FoldRole, // Fold as int
        SortRole, // Sort as int
        IndentRole // bool: a detail
    };
    enum class Fold { None, Folded, Unfolded };
    enum class Sort { None, BestFirst, WorstFirst };

    using QAbstractTableModel::QAbstractTableModel;

    // `runs` are those that the table was made of. Resets the model if rows or columns are others;
    // otherwise selection and scroll position remain.
    void setTable(ComparisonTable table, const std::vector<RunRecord>& runs);
    void setTransposed(bool transposed);
    void setLooks(const RunStyling& styling, Background background);

    const ComparisonTable& table() const { return m_table; }
    bool isTransposed() const { return m_transposed; }
    bool hasDifferences() const { return m_hasDifferences; }
    // Of a column of this model; empty: it has none. Its cells have room for it.
    QString longestDifference(int column) const { return m_longest.value(column); }
    bool isOfRuns(Qt::Orientation header) const; // otherwise of settings and results
    std::vector<RunId> runsOf(std::size_t column) const; // of the table, not of the model
    std::vector<RunId> runsAt(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::size_t rowAt(const QModelIndex& index) const; // of the table
    std::size_t columnAt(const QModelIndex& index) const;
    const RunStyle& styleOf(const TableColumn& column) const;
    QVariant runHeader(std::size_t column, int role) const;
    QVariant rowHeader(std::size_t row, int role) const;
    QString tipOf(const TableCell& cell, std::size_t column) const;
    void findLongest();

    ComparisonTable m_table;
    std::vector<RunRecord> m_runs;
    QStringList m_details; // of each run
    QStringList m_longest; // difference of each column
    std::vector<RunStyle> m_styles; // of each run
    RunStyling m_styling;
    Background m_background = Background::Light;
    bool m_transposed = false;
    bool m_hasDifferences = false;
};

} // namespace accrue
