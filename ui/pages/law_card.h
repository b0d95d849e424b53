// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/charts/metric_chart.h"
#include "ui/models/law_picture.h"
#include "ui/run/backend.h"

#include <QFrame>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;
class QTabWidget;
class QToolButton;
QT_END_NAMESPACE

namespace accrue {

class ElidedLabel;
class InlineMessage;
class MetricChart;

// Which micro-batch fits: the law of memory of the experiment in the form, measured here or before,
// as a chart, as a table of cards, and as buttons that put what it says into the form. GUI thread.
class LawCard : public QFrame {
    Q_OBJECT
public:
    // `backend` is borrowed and must outlive this.
    explicit LawCard(Backend& backend, QWidget* parent = nullptr);

    // What stands in the form, and the law that is known for it. `problem` says why it could not be
    // trained; empty: it could.
    void setExperiment(
        const Experiment& experiment, const QString& problem, const std::optional<MemoryFit>& law);
    void setDataDirectories(const std::vector<std::filesystem::path>& directories);

    QAction* measureAction() const { return m_measure; } // or cancel what is being measured
    QAction* useAction() const { return m_use; }
    QAction* savePictureAction() const { return m_savePicture; } // of the chart in sight
    void saveShownPicture(const QString& path); // once a law is shown

    const std::optional<MemoryFit>& fit() const { return m_fit; } // that is shown
    QLabel* statusLabel() const { return m_status; }
    ElidedLabel* subjectLabel() const { return m_subject; }
    QPushButton* measureButton() const { return m_measureButton; }
    // Null until a law is shown, or measured.
    QTabWidget* charts() const { return m_charts; }
    MetricChart* chart() const { return m_chart; } // peak by micro-batch
    MetricChart* stepsChart() const { return m_stepsChart; } // peak by N
    QTableWidget* cardTable() const { return m_table; }
    QComboBox* cardBox() const { return m_cards; } // which card is emulated
    QPushButton* useButton() const { return m_useButton; }

Q_SIGNALS:
    void lookRequested(); // the card is seen: its law may have been measured since, and elsewhere
    // Both ask for a change of the form.
    void useMicroRequested(const accrue::Fix& fix); // b, with B as it is
    void emulateRequested(const std::optional<accrue::Bytes>& budget); // empty: none
    // Of a fit whose question stands no more in the form.
    void said(const QString& text, accrue::RunMessage::Severity severity);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    class Layout;
    class CardTable;

    void makeActions();
    void connectBackend();
    QLayout* buildHead();
    void addBody();
    QWidget* buildBody();
    QWidget* buildCharts();
    QWidget* buildSteps();
    QWidget* buildAnswers();
    void buildTable(QWidget* parent);
    void followAction(QPushButton* button, QAction* action);

    void measureOrCancel();
    void savePicture();
    void take(const MemoryFit& fit, const QString& notKept);
    QString whyNotMeasure() const; // empty: it can
    QString whyNotUse() const;
    std::optional<BatchPlan> plan() const; // of the form; empty where its b follows the budget
    std::int64_t largestMicro() const; // that fits; 0: none does, or that is not known
    std::optional<Fix> fixToUse() const; // the largest b that fits
    std::optional<std::int64_t> microToUse() const;
    bool isSameQuestion(const Experiment& one, const Experiment& other) const;
    std::string fingerprint(const Experiment& experiment) const;
    std::string deviceOf(const Experiment& experiment) const; // id; as it is written, if not known

    void showAll();
    void showActions();
    void showStatus();
    void showLaw();
    void showChart();
    void showNoLaw(); // while the first is measured
    void showSteps();
    ChartLevel limit() const;
    void showTable();
    void showCards();

    Backend& m_backend;
    Experiment m_experiment; // of the form
    QString m_formProblem;
    std::vector<std::filesystem::path> m_dataDirectories;
    std::optional<MemoryFit> m_fit; // of m_experiment
    std::string m_measured; // fingerprint of the last law that was measured by this window
    QString m_notKept; // why that could not be stored
    QString m_problem; // of the last fit
    Layout* m_layout;
    QAction* m_measure = nullptr;
    QAction* m_use = nullptr;
    QAction* m_savePicture = nullptr;
    ElidedLabel* m_subject = nullptr;
    QPushButton* m_measureButton = nullptr;
    QToolButton* m_pictureButton = nullptr;
    QLabel* m_status = nullptr;
    QWidget* m_body = nullptr; // made for the first fit or law, hidden without one
    QWidget* m_answers = nullptr; // of the law: its part beside the charts
    QTabWidget* m_charts = nullptr;
    MetricChart* m_chart = nullptr;
    ElidedLabel* m_lawText = nullptr;
    MetricChart* m_stepsChart = nullptr;
    QLabel* m_stepsText = nullptr;
    QTableWidget* m_table = nullptr;
    QComboBox* m_cards = nullptr;
    QPushButton* m_useButton = nullptr;
    InlineMessage* m_message = nullptr; // what became of a picture
};

} // namespace accrue
