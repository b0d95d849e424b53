// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/curves/curve_groups.h"
#include "ui/curves/run_styling.h"

#include <QWidget>

#include <vector>

class QComboBox;

namespace accrue {

class RunSelection;
class StyleKeyView;

// Which of the compared runs are shown as one, what their colours and lines show, and which one the
// others are compared with: of all tabs. GUI thread.
class GroupBar : public QWidget {
    Q_OBJECT
public:
    explicit GroupBar(RunSelection& selection, QWidget* parent = nullptr); // borrowed

    void offer(const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups,
        const StyleKey& key);

    QComboBox* groupBox() const { return m_group; }
    QComboBox* colorBox() const { return m_color; }
    QComboBox* lineBox() const { return m_line; }
    QComboBox* baselineBox() const { return m_baseline; }

private:
    QComboBox* makeBox(const QString& name, const QString& tip);
    void offerGroupings(const std::vector<RunRecord>& runs);
    void offerStyles(const std::vector<RunRecord>& runs);
    void takeStyle(std::string StyleChoice::*by, const QComboBox& box);
    void offerBaselines(const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups);
    void showBaseline();

    RunSelection& m_selection;
    QComboBox* m_group;
    QComboBox* m_color;
    QComboBox* m_line;
    StyleKeyView* m_key;
    QComboBox* m_baseline;
    std::vector<std::vector<RunId>> m_baselines; // of the second choice on
    bool m_isFilling = false;
};

} // namespace accrue
