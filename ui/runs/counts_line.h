// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QToolButton;

namespace accrue {

class RunListView;

// How many runs there are, and how many of them are shown and checked, with a button that unchecks
// them. GUI thread.
class CountsLine : public QWidget {
    Q_OBJECT
public:
    explicit CountsLine(RunListView& list, QWidget* parent = nullptr);

    void showCounts(); // of the list, as it is now
    QToolButton* button() const { return m_uncheck; }
    // "2 of 3 runs · 2 checked, 1 not shown"; empty: there are none.
    static QString textOf(const RunListView& list);

private:
    RunListView& m_list;
    QLabel* m_text;
    QToolButton* m_uncheck;
};

} // namespace accrue
