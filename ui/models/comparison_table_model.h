// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/comparison_rows.h"
#include "ui/models/run_palette.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace accrue {

// The table of a comparison: settings and metrics down, runs across. GUI thread.
class ComparisonTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        MarkRole = Qt::UserRole, // ComparisonRow::Mark as int
        SectionRole, // bool: the first row of settings or of metrics
        StyleRole, // QColor of the column's run, in its header
        LineRole // Qt::PenStyle as int, in its header
    };

    using QAbstractTableModel::QAbstractTableModel;

    // Resets the model if the runs are others; with the same runs only values change.
    void setRuns(const std::vector<RunRecord>& runs);
    void setSummaries(const std::vector<RunSummaries>& summaries);
    void setIdenticalHidden(bool hidden); // of settings; on at first
    void setBackground(Background background);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ComparisonRow> shownRows() const;
    void show(); // notifies the views only of what has changed

    std::vector<RunRecord> m_runs;
    QStringList m_titles; // of m_runs, as the curves' legend has them
    std::vector<RunStyle> m_styles; // of m_runs
    std::vector<RunSummaries> m_summaries;
    std::vector<ComparisonRow> m_rows; // shown
    bool m_identicalHidden = true;
    Background m_background = Background::Light;
};

} // namespace accrue
