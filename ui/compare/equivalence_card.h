// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/run/equivalence_check.h"

#include <QFrame>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

class QLabel;

namespace accrue {

// Whether the two compared runs are the same training; hidden unless there are exactly two. GUI
// thread.
class EquivalenceCard : public QFrame {
    Q_OBJECT
public:
    explicit EquivalenceCard(QWidget* parent = nullptr);

    // Measures the parameters, too, also those of the runs that were requested before.
    void setDistance(EquivalenceCheck::Distance distance);
    // Also if the same runs have changed: the answer may be another one now.
    void setRuns(const std::filesystem::path& log, const std::vector<RunRecord>& runs);
    // Requests an answer, unless one was requested for the runs as they are now; called while
    // visible
    void ask();

private:
    void showAnswer(const EquivalenceAnswer& answer);

    using Question = std::pair<std::filesystem::path, RunPair>; // two runs of a log

    EquivalenceCheck m_check;
    std::optional<Question> m_question; // the request that the text is about
    bool m_asked = false; // for the runs as they are now
    QLabel* m_text;
    QLabel* m_why;
};

} // namespace accrue
