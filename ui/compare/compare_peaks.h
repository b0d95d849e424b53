// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/points_tab.h"
#include "ui/models/run_comparison.h"

class QComboBox;

namespace accrue {

// The compared runs' peak memory over a setting. GUI thread.
class ComparePeaks : public PointsTab {
    Q_OBJECT
public:
    explicit ComparePeaks(RunSelection& selection, QWidget* parent = nullptr); // borrowed

    void reset() override; // also for another setting
    bool needsSummaries() const override { return false; } // the peaks are in the records
    QCheckBox* logYBox() const override { return m_logY; }
    std::vector<std::vector<std::string>> drawnNumbers() const override;
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    QComboBox* settingBox() const { return m_setting; }

protected:
    void draw() override;

private:
    PeakSetting setting() const;
    void placeBesideEachOther(std::vector<ScatterPoint>& points);

    QComboBox* m_setting;
    QCheckBox* m_logY;
    NumberColumn m_places; // of each run, on the horizontal axis
    NumberColumn m_peaks;
};

} // namespace accrue
