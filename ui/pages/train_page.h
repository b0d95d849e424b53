// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/recipe.h"
#include "ui/run/backend.h"
#include "ui/run/data_set_probe.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <optional>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;

namespace accrue {

class ChecksPanel;
class ColorDot;
class ElidedLabel;
class ExperimentForm;
class InlineMessage;
class LiveCharts;
class RecipeBar;
class WindowView;

// The form on the left, the run on the right. Starts and steers runs through the controller.
class TrainPage : public QWidget {
    Q_OBJECT
public:
    // `backend` is borrowed and must outlive this.
    explicit TrainPage(Backend& backend, QWidget* parent = nullptr);

    // Searched for data sets, in this order.
    void setDataDirectories(const std::vector<std::filesystem::path>& directories);
    void setExperiment(const Experiment& experiment); // into the form; can be undone there
    void showRun(const std::optional<RunId>& run); // on the right: live or not
    const std::optional<RunId>& shownRun() const { return m_run; }

    ExperimentForm& form() const { return *m_form; }
    const QLabel& runHeading() const { return *m_runTitle; }
    const ElidedLabel& runSummary() const { return *m_runSummary; }
    RecipeBar& recipes() const { return *m_recipes; }
    LiveCharts& charts() const { return *m_charts; }
    const ChecksPanel& checks() const { return *m_checks; }
    InlineMessage& formMessage() const { return *m_formMessage; }
    QAction* startAction() const { return m_start; }
    QAction* pauseAction() const { return m_pause; }
    QAction* stopAction() const { return m_stop; }
    QAction* learningRateAction() const { return m_changeRate; } // puts the keyboard there
    QLineEdit* learningRateField() const { return m_rateField; }
    QPushButton* learningRateButton() const { return m_rateButton; }
    const QLabel& learningRateProblem() const { return *m_rateProblem; }

    QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void said(const QString& text, accrue::RunMessage::Severity severity);

protected:
    bool event(QEvent* event) override;

private:
    void makeActions();
    QWidget* makeFormColumn();
    QWidget* makeLiveColumn();
    QWidget* makeRunHeader();
    QWidget* makeWindowCard();
    QWidget* makeRateRow();
    void connectForm();
    void connectRun();
    void connectLog();

    void start();
    void takeRecipe(const Recipe& recipe);
    void replaceForm(const Experiment& experiment);
    void lookForData();
    void takeDataStatus(const DataSetStatus& status);
    void applyLearningRate();
    void showChecks();
    void showActions();
    void showStart();
    void showRunHeader();
    void showNoRun();
    void showProgress();
    void showRate();
    QString rateProblem() const;
    void showRateProblem(const QString& problem); // empty: none
    void takeRate();
    bool showsOwnRun() const; // the run on the right trains, and here
    QString whyNotStart() const; // empty: it can

    Backend& m_backend;
    DataSetProbe m_probe;
    std::vector<std::filesystem::path> m_dataDirectories;
    std::optional<RunId> m_run; // shown on the right
    LearningRateChanges m_rateChanges; // of the run that trains
    Experiment m_loaded; // what last replaced the form
    QString m_startProblem; // of the last start that failed
    QString m_logProblem; // the run log cannot be read
    QTimer m_dataTimer; // runs while the data set is being typed
    bool m_dataMissing = false; // what the form names was looked for and cannot be used
    QTimer m_progressTimer; // runs only while a run is active

    QAction* m_start = nullptr;
    QAction* m_pause = nullptr;
    QAction* m_stop = nullptr;
    QAction* m_changeRate = nullptr;
    QSplitter* m_splitter = nullptr;
    RecipeBar* m_recipes = nullptr;
    ExperimentForm* m_form = nullptr;
    InlineMessage* m_formMessage = nullptr;
    QPushButton* m_startButton = nullptr;
    QLabel* m_why = nullptr;
    ColorDot* m_dot = nullptr;
    QLabel* m_runTitle = nullptr;
    QLabel* m_runState = nullptr;
    ElidedLabel* m_runSummary = nullptr;
    LiveCharts* m_charts = nullptr;
    WindowView* m_windowView = nullptr;
    ElidedLabel* m_windowWords = nullptr;
    QWidget* m_rateRow = nullptr;
    QLabel* m_rateNow = nullptr;
    QLineEdit* m_rateField = nullptr;
    QPushButton* m_rateButton = nullptr;
    QLabel* m_rateProblem = nullptr;
    ChecksPanel* m_checks = nullptr;
};

} // namespace accrue
