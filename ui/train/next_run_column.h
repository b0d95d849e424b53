// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/train/checks_panel.h"

#include <QFrame>

#include <vector>

class QAction;
class QPushButton;
class QScrollArea;

namespace accrue {

class ExperimentDraft;
class ExperimentForm;
class RecipeBar;
class RunStart;

// The left column of the Train page: the draft of the next run, with its recipe, its settings, the
// findings of the checks and the button that starts it. GUI thread.
class NextRunColumn : public QFrame {
    Q_OBJECT
public:
    struct Actions { // what the buttons trigger
        QAction& start;
        QAction& sweep;
    };
    // All are borrowed and must outlive this.
    NextRunColumn(
        ExperimentDraft& draft, RunStart& start, const Actions& actions, QWidget* parent = nullptr);

    ExperimentForm& form() const { return *m_form; }
    RecipeBar& recipes() const { return *m_recipes; }
    ChecksPanel& checks() const { return *m_checks; }
    // Gives the focus to Start, or to the settings until Start is enabled.
    void focusMainPart();
    void focusSettings();
    void showChecks();

private:
    QWidget* makeHeader();
    QWidget* makeSettings();
    QWidget* makeFooter();
    void connectForm();
    void showStart();
    void offerData(std::vector<ChecksPanel::Line>& lines) const;

    ExperimentDraft& m_draft;
    RunStart& m_start;
    Actions m_actions;
    RecipeBar* m_recipes = nullptr;
    ExperimentForm* m_form = nullptr;
    QScrollArea* m_settings = nullptr; // the form scrolls in it
    ChecksPanel* m_checks = nullptr;
    QPushButton* m_startButton = nullptr;
    QPushButton* m_sweepButton = nullptr;
    bool m_startWaits = false; // for the focus, until it is enabled
};

} // namespace accrue
