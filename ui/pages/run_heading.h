// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <QWidget>

class QLabel;

namespace accrue {

class ColorDot;
class ElidedLabel;

// One line above the charts: which run they show, its state, and how it stands.
class RunHeading : public QWidget {
    Q_OBJECT
public:
    explicit RunHeading(QWidget* parent = nullptr);

    void showRun(const RunRecord& run);
    // An empty title leaves the one before.
    void showNoRun(const QString& title, const QString& summary, bool isProblem);

    const QLabel& title() const { return *m_title; }
    const ElidedLabel& summary() const { return *m_summary; }

private:
    void showSummary(const QString& text, bool isProblem);

    ColorDot* m_dot;
    QLabel* m_title;
    QLabel* m_state;
    ElidedLabel* m_summary;
};

} // namespace accrue
