// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/rows/run_grouping.h"

#include <QToolButton>

class QMenu;

namespace accrue {

// Chooses how the table groups its runs; its text is the choice. GUI thread.
class GroupButton : public QToolButton {
    Q_OBJECT
public:
    explicit GroupButton(QWidget* parent = nullptr);

    const RunGrouping& grouping() const { return m_grouping; }
    void setGrouping(const RunGrouping& grouping); // emits chosen() if it is another one
    void setOtherKeys(std::vector<std::string> keys); // keysOfOthers, of the runs in the table

Q_SIGNALS:
    void chosen(const accrue::RunGrouping& grouping);
    void foldRequested(bool folded); // all groups

private:
    void fill();
    void addGrouping(const QString& title, const QString& text);
    void addKey(const QString& title, const std::string& key);
    void toggle(const std::string& key);
    void askKeys();

    RunGrouping m_grouping;
    std::vector<std::string> m_others;
};

} // namespace accrue
