// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/group_summary.h"

#include <QFrame>

#include <set>
#include <string>
#include <vector>

class QComboBox;
class QLabel;

namespace accrue {

// What the runs say about groups: a sentence for each on its difference to the baseline group, or
// why there is none, by the paired test over shared seeds. Hidden where there is nothing to
// compare. GUI thread.
class GroupSentences : public QFrame {
    Q_OBJECT
public:
    explicit GroupSentences(QWidget* parent = nullptr);

    // `isGrouped`: otherwise there is nothing to say. The number of `request` is chosen here.
    void show(const std::vector<RunRecord>& runs, const std::vector<RunSummaries>& summaries,
        const SummaryRequest& request, bool isGrouped);

    QComboBox* numberBox() const { return m_number; }
    QString text() const;
    std::string number() const { return m_chosen; } // as runNumber reads it
    void setNumber(const std::string& number) { m_chosen = number; }

private:
    void offerNumbers();
    void say();

    std::vector<RunRecord> m_runs;
    std::vector<RunSummaries> m_summaries;
    SummaryRequest m_request;
    std::string m_chosen; // stays, also while no run has it
    QComboBox* m_number;
    QLabel* m_text;
    bool m_isFilling = false;
};

} // namespace accrue
