// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/curves/curve_groups.h"

#include <QWidget>

#include <vector>

class QComboBox;

namespace accrue {

class RunSelection;

// Which of the compared runs are shown as one, and which one the others are compared with: of all
// tabs. GUI thread.
class GroupBar : public QWidget {
    Q_OBJECT
public:
    explicit GroupBar(RunSelection& selection, QWidget* parent = nullptr); // borrowed

    void offer(const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups);

    QComboBox* groupBox() const { return m_group; }
    QComboBox* baselineBox() const { return m_baseline; }

private:
    QComboBox* makeBox(const QString& name, const QString& tip);
    void offerGroupings(const std::vector<RunRecord>& runs);
    void offerBaselines(const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups);
    void showBaseline();

    RunSelection& m_selection;
    QComboBox* m_group;
    QComboBox* m_baseline;
    std::vector<std::vector<RunId>> m_baselines; // of the second choice on
    bool m_isFilling = false;
};

} // namespace accrue
