// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_tab.h"
#include "ui/models/run_comparison.h"

#include <vector>

class QComboBox;

namespace accrue {

// The compared runs' peak memory over a setting, one point each. GUI thread.
class ComparePeaks : public CompareTab {
    Q_OBJECT
public:
    explicit ComparePeaks(QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void reset() override; // also for another setting
    bool needsSummaries() const override { return false; } // the peaks are in the records
    MetricChart* chart() const override { return m_chart; }
    QCheckBox* logYBox() const override { return m_logY; }
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    QComboBox* settingBox() const { return m_setting; }

private:
    PeakSetting setting() const;
    void draw();

    std::vector<RunRecord> m_runs;
    Background m_background = Background::Light;
    QComboBox* m_setting;
    MetricChart* m_chart;
    QCheckBox* m_logY;
};

} // namespace accrue
