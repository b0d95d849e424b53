// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory.h"
#include "ui/models/run_palette.h"

#include <QFrame>

namespace accrue {

class BarChart;
class ReservedLabel;

// Which layers' activations a window holds for its backward pass, the largest first. GUI thread.
class LayersCard : public QFrame {
    Q_OBJECT
public:
    explicit LayersCard(QWidget* parent = nullptr);

    void showWindow(const MemoryMeasured& window, Background background);
    ReservedLabel* summaryLabel() const { return m_summary; }

private:
    ReservedLabel* m_summary;
    BarChart* m_chart;
};

} // namespace accrue
