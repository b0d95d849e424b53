// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/histograms/histogram_maps.h"
#include "ui/histograms/histogram_readout.h"

#include <QWidget>

#include <vector>

class QTableView;

namespace accrue {

class MetricChart;

// The maps of runs, and below them their histograms at the chosen step: over each other, and as
// numbers. GUI thread.
class HistogramView : public QWidget {
    Q_OBJECT
public:
    explicit HistogramView(QWidget* parent = nullptr);

    struct Words {
        QString title; // of the maps
        QString values; // the title of the axis of values
    };
    void showRuns(HistogramPanels panels, const Words& words);
    void showNone(const QString& why); // instead of panels
    void setScales(const MapScales& scales);
    void setSelected(const std::vector<long long>& keys);
    void setPointedAt(const std::vector<long long>& keys);
    void resetAxes(); // for other runs or another parameter

    HistogramMaps& maps() const { return *m_maps; }
    MetricChart& overlay() const { return *m_overlay; }
    HistogramReadout& readout() const { return *m_readout; }
    QTableView& table() const { return *m_table; } // of the readout

Q_SIGNALS:
    void pointedAt(long long key); // by the mouse or keyboard here; 0: none
    void clicked(long long key, bool adds); // 0: where no run is
    void selectionRequested(const std::vector<long long>& keys); // in the table

private:
    void buildTable();
    void connectParts();
    void showStep();
    void takeRows();

    HistogramMaps* m_maps;
    MetricChart* m_overlay;
    HistogramReadout* m_readout;
    QTableView* m_table;
    QWidget* m_below; // overlay and table
    QString m_values;
    bool m_isSelecting = false; // rows, not the user
};

} // namespace accrue
