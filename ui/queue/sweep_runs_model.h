// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/queue/sweep_planner.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <memory>
#include <string>
#include <vector>

namespace accrue {

// The runs of a planned sweep: a column for each key that varies, then what is predicted, then what
// is wrong with the run. Those that cannot be trained are grey. GUI thread.
class SweepRunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit SweepRunsModel(QObject* parent = nullptr);

    // How a time comes to be predicted.
    static QString meaningOfTime();
    void setPlan(std::shared_ptr<const PlannedSweep> plan); // null: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    enum Fixed { Batch, Updates, Peak, Time, Remark, FixedCount }; // behind those of the keys
    const SweepRun& runAt(int row) const;
    int fixedAt(int column) const { return column - 1 - static_cast<int>(m_keys.size()); }
    QString textOf(const SweepRun& run, int row, int column) const;
    bool isNumber(int column) const;

    std::shared_ptr<const PlannedSweep> m_plan;
    std::vector<std::string> m_keys; // that vary, in their order
};

// What is to be known about the run: the first reason why it cannot be trained, or its warnings.
QString remarkOn(const SweepRun& run);

} // namespace accrue
