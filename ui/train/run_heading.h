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

// Two lines above the charts: which run they show, its state, and what can be done with it; beneath
// that, how it stands. Both keep their height whatever they say.
class RunHeading : public QWidget {
    Q_OBJECT
public:
    // `actions` are buttons at the right, in their order, there whether or not they can be used;
    // `sometimes` stands before them while it can. Without their words where there is no room.
    RunHeading(QAction* sometimes, const QList<QAction*>& actions, QWidget* parent = nullptr);

    // `variant` tells it from others of its name: "b=128, N=1".
    void showRun(const RunRecord& run, const QString& variant = {});
    // An empty title leaves the one before.
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
