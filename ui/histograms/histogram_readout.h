// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/histograms/run_histograms.h"

#include <QAbstractTableModel>

#include <cstdint>

namespace accrue {

// The numbers of each run's histogram at the step of it that is nearest to one. GUI thread.
class HistogramReadout : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Run, Step, Mean, Deviation, Least, Below5, Median, Below95, Largest, NotFinite };
    static constexpr int kColumns = NotFinite + 1;
    using QAbstractTableModel::QAbstractTableModel;

    void show(const HistogramPanels& panels, std::int64_t step);
    const HistogramPanels& panels() const { return m_panels; } // a row for each

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(
        int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    HistogramPanels m_panels;
    std::int64_t m_step = 0;
};

} // namespace accrue
