// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <optional>
#include <vector>

namespace accrue {

// The runs of the queue, in the order in which they are trained. Rows are moved by dragging; the
// model only requests that, and shows what the log holds then. GUI thread.
class QueueModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Position, Name, Batch, Peak, TimeLeft, State, ColumnCount };

    explicit QueueModel(QObject* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs); // of the whole log
    const std::vector<RunRecord>& queue() const { return m_queue; }
    RunId runAt(int row) const;
    int rowOf(RunId run) const; // -1: it is not in the queue
    bool hasPeaks() const; // the memory of some run could be predicted

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    Qt::ItemFlags flags(const QModelIndex& index) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
        const QModelIndex& parent) override;

Q_SIGNALS:
    // `before` empty: behind all.
    void moveRequested(
        const std::vector<accrue::RunId>& runs, const std::optional<accrue::RunId>& before);

private:
    QString textOf(const RunRecord& run, int row, int column) const;

    std::vector<RunRecord> m_queue;
};

} // namespace accrue
