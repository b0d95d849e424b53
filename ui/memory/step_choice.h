// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/run_log_follower.h"

#include <QWidget>

#include <cstddef>
#include <vector>

class QLabel;

namespace accrue {

class MarkedSlider;

// A slider over the steps at which the memory of a run changed, and the steps that its position
// represents. Steps after an out-of-memory error are marked. GUI thread.
class StepChoice : public QWidget {
    Q_OBJECT
public:
    explicit StepChoice(QWidget* parent = nullptr);

    void showSteps(const SeriesBatch::Memory& memory, std::size_t index); // `index`: the one shown

Q_SIGNALS:
    void chosen(int index); // by the user

private:
    void fixWidth();

    std::vector<std::int64_t> m_steps;
    MarkedSlider* m_slider;
    QLabel* m_label;
};

} // namespace accrue
