// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QCheckBox;
class QTableView;

namespace accrue {

class ComparisonTableModel;

// Settings and results of the compared runs side by side. GUI thread.
class CompareTable : public QWidget {
    Q_OBJECT
public:
    explicit CompareTable(QWidget* parent = nullptr);

    ComparisonTableModel& model() const { return *m_model; }
    QCheckBox* hideIdenticalBox() const { return m_hideIdentical; } // settings that are the same

private:
    QTableView* buildView();

    ComparisonTableModel* m_model;
    QCheckBox* m_hideIdentical;
};

} // namespace accrue
