// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/compare/compare_tab.h"

class QTableView;

namespace accrue {

class ComparisonTableModel;

// Settings and results of the compared runs side by side. GUI thread.
class CompareTable : public CompareTab {
    Q_OBJECT
public:
    explicit CompareTable(QWidget* parent = nullptr);

    void setRuns(const std::vector<RunRecord>& runs, Background background) override;
    void setSummaries(const std::vector<RunSummaries>& summaries) override;
    QJsonObject state() const override;
    void restore(const QJsonObject& state) override;

    ComparisonTableModel& model() const { return *m_model; }
    QCheckBox* hideIdenticalBox() const { return m_hideIdentical; } // settings that are the same

private:
    QTableView* buildView();

    ComparisonTableModel* m_model;
    QCheckBox* m_hideIdentical;
};

} // namespace accrue
