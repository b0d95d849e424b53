// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QToolButton;

namespace accrue {

class ColorDot;
class ElidedLabel;

// Two lines above the charts: which run they show, its state, and what can be done with it; below,
// its progress. Both lines have a fixed height.
class RunHeading : public QWidget {
    Q_OBJECT
public:
    // `actions` are buttons at the right, in their order, visible even if they are disabled;
    // `sometimes` precedes them while it is enabled. Without text if there is too little space.
    RunHeading(QAction* sometimes, const QList<QAction*>& actions, QWidget* parent = nullptr);

    // `variant` distinguishes it from others of its name: "b=128, N=1".
    void showRun(const RunRecord& run, const QString& variant = {});
    // An empty title does not replace the current one.
    void showNoRun(const QString& title, const QString& summary, bool isProblem);

    const ElidedLabel& title() const { return *m_title; }
    const ElidedLabel& summary() const { return *m_summary; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* makeButton(QAction* action);
    void showSummary(const QString& text, bool isProblem);
    void showWords(bool words); // of the buttons

    ColorDot* m_dot;
    ElidedLabel* m_title;
    QLabel* m_state;
    ElidedLabel* m_summary;
    QList<QToolButton*> m_buttons;
};

} // namespace accrue
