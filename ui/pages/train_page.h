// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/recipe.h"
#include "ui/pages/checks_panel.h"
#include "ui/run/backend.h"
#include "ui/run/data_set_probe.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <optional>
#include <vector>

class QAction;
class QPushButton;
class QScrollArea;
class QSplitter;

namespace accrue {

class ElidedLabel;
class ExperimentForm;
class LearningRateRow;
class LiveCharts;
class RecipeBar;
class RunHeading;
class WindowView;

// The next run on the left: its settings, what the checks say of them, Start. A run of the log on
// the right, live or not, with what can be done with it. Starts and steers runs through the
// controller.
class TrainPage : public QWidget {
    Q_OBJECT
public:
    // `backend` is borrowed and must outlive this.
    explicit TrainPage(Backend& backend, QWidget* parent = nullptr);

    // Searched for data sets, in this order.
    void setDataDirectories(const std::vector<std::filesystem::path>& directories);
    void beginWith(const Experiment& experiment); // in the form, before anything is done there
    // Into the form, where it can be undone; `origin` is what a person calls these settings.
    void setExperiment(const Experiment& experiment, const QString& origin = {});
    void loadSettings(const RunRecord& run);
    void showRun(const std::optional<RunId>& run); // on the right: live or not
    // Where none is shown, the first of `wanted` that the log has, otherwise its newest run.
    void showFirst(const std::vector<RunId>& wanted);
    // Shows it and goes on with it; of one that has completed asks for how long.
    void resumeRun(const RunRecord& run);
    void setWhyNotWrite(const QString& why); // into the run log; empty: it can be written
    QString whyNotTrain() const; // nothing, whatever the form says; empty: it can
    const std::optional<RunId>& shownRun() const { return m_run; }

    ExperimentForm& form() const { return *m_form; }
    const RunHeading& heading() const { return *m_heading; }
    RecipeBar& recipes() const { return *m_recipes; }
    LiveCharts& charts() const { return *m_charts; }
    ChecksPanel& checks() const { return *m_checks; }
    QAction* startAction() const { return m_start; }
    QAction* pauseAction() const { return m_pause; }
    QAction* stopAction() const { return m_stop; }
    QAction* undoAction() const { return m_undo; } // of the form
    QAction* redoAction() const { return m_redo; }
    QAction* learningRateAction() const { return m_changeRate; } // puts the keyboard there
    // Of the run that is shown:
    QAction* resumeAction() const { return m_resume; }
    QAction* loadAction() const { return m_load; }
    QAction* comparePreviousAction() const { return m_comparePrevious; }
    QAction* showLiveAction() const { return m_showLive; } // in its place, the one that trains here
    const LearningRateRow& learningRate() const { return *m_rateRow; }

    // The keyboard goes to Start, or to the settings until it can start.
    void focusStart();

    QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void measureRequested(); // of the memory that the form's settings need
    void compareRequested(const std::vector<accrue::RunId>& runs);
    void explanationRequested(const QString& word); // of a field's label
    void said(const QString& text, accrue::RunMessage::Severity severity);

protected:
    bool event(QEvent* event) override;

private:
    void makeActions();
    void makeRunActions();
    void makeUndo();
    QWidget* makeFormColumn();
    QWidget* makeLiveColumn();
    QWidget* makeHeader();
    QWidget* makeFooter();
    QWidget* makeWindowCard();
    void connectForm();
    void connectRun();
    void connectLog();

    void start();
    void askHowLong(const RunRecord& run);
    void withdrawUndo();
    void askPastDamaged(
        const RunRecord& run, const ResumeChoice& choice, std::optional<std::int64_t> length);
    void takeRecipe(const Recipe& recipe, const QString& nameOrPath);
    void replaceForm(const Experiment& experiment, const QString& step, const QString& recipe = {});
    void showUndo();
    void lookForData();
    void takeDataStatus(const DataSetStatus& status);
    void showChecks();
    void showState();
    void offerData(std::vector<ChecksPanel::Line>& lines) const;
    void showActions();
    void showStart();
    const RunRecord* shownRecord() const; // null: none is shown, or the log does not tell of it
    QString variantOf(const RunRecord& run) const;
    const RunRecord* previousOf(const RunRecord& run) const; // the newest run before it; null: none
    void showHeading();
    void showRunActions(const RunRecord* shown);
    void compareWithPrevious(const RunRecord& run);
    void showNoRun();
    QString startingWords() const; // what it waits for
    void showProgress();
    void showRate();
    void takeRate();
    bool showsOwnRun() const; // the run on the right trains, and here
    QString whyNotStart() const; // empty: it can

    Backend& m_backend;
    DataSetProbe m_probe;
    std::vector<std::filesystem::path> m_dataDirectories;
    std::optional<RunId> m_run; // shown on the right
    Experiment m_loaded; // what last replaced the form
    QString m_startProblem; // of the last start that failed
    QString m_logProblem; // the run log cannot be read
    QString m_whyNotWrite; // into it
    QTimer m_dataTimer; // runs while the data set is being typed
    bool m_dataMissing = false; // what the form names was looked for and cannot be used
    QTimer m_progressTimer; // runs only while a run is active

    QAction* m_start = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_changeRate = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_resume = nullptr;
    QAction* m_load = nullptr;
    QAction* m_comparePrevious = nullptr;
    QAction* m_showLive = nullptr;
    QSplitter* m_splitter = nullptr;
    RecipeBar* m_recipes = nullptr;
    ExperimentForm* m_form = nullptr;
    QScrollArea* m_settings = nullptr; // the form scrolls in it
    QPushButton* m_startButton = nullptr;
    bool m_startWaits = false; // for the keyboard, until it is enabled
    RunHeading* m_heading = nullptr;
    LiveCharts* m_charts = nullptr;
    WindowView* m_windowView = nullptr;
    ElidedLabel* m_windowWords = nullptr;
    LearningRateRow* m_rateRow = nullptr;
    ChecksPanel* m_checks = nullptr;
};

} // namespace accrue
