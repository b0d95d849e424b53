// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/run_comparison.h"
#include "ui/models/run_palette.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;

namespace accrue {

class MetricChart;

// The compared runs' peak memory over a setting, one point each. GUI thread.
class ComparePeaks : public QWidget {
    Q_OBJECT
public:
    explicit ComparePeaks(QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background);
    void reset(); // other runs or another setting: the axes are chosen again

    MetricChart* chart() const { return m_chart; }
    QComboBox* settingBox() const { return m_setting; }
    QCheckBox* logYBox() const { return m_logY; }

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
