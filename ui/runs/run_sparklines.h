// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/rows/run_curves.h"

#include <QWidget>

#include <optional>

namespace accrue {

// Loss and accuracy of one run side by side, each with the value that it ended with. GUI thread.
class RunSparklines : public QWidget {
    Q_OBJECT
public:
    // `curves` is borrowed and outlives this.
    explicit RunSparklines(RunCurves& curves, QWidget* parent = nullptr);

    void showRun(const RunRecord* run); // null: none
    QSize sizeHint() const override;
    // "Loss 0.52, accuracy 98.37 %": for a screen reader, and the tooltip.
    QString words() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintOne(QPainter& painter, const QRect& place, RunCurves::Kind kind);
    QString titleOf(RunCurves::Kind kind) const;

    RunCurves& m_curves;
    std::optional<RunRecord> m_run;
};

} // namespace accrue
