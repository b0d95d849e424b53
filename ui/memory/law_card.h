// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/memory/law_measurement.h"

#include <QFrame>

class QAction;
class QPushButton;
class QVBoxLayout;

namespace accrue {

class ElidedLabel;
class LawAnswers;
class LawCharts;
class ReservedLabel;

// Which micro-batch fits, and which is the fastest: the memory model of the experiment in the form,
// measured here or before, as charts, as answers for cards, and as buttons that apply its advice to
// the form. Its parts stay in their places from the begin of a fit to its end. GUI thread.
class LawCard : public QFrame {
    Q_OBJECT
public:
    // `backend` is borrowed and must outlive this.
    explicit LawCard(Backend& backend, QWidget* parent = nullptr);

    void setQuestion(const LawQuestion& question) { m_measurement->setQuestion(question); }

    QAction* measureAction() const { return m_measure; } // or cancels the measurement in progress
    QAction* useAction() const { return m_use; } // the largest that fits
    QAction* useFastestAction() const { return m_useFastest; }
    QAction* savePictureAction() const { return m_savePicture; } // of the visible chart

    // That is shown
    const std::optional<MemoryFit>& fit() const { return m_measurement->question().law; }
    ReservedLabel* statusLabel() const { return m_status; }
    ReservedLabel* fastestLabel() const { return m_fastest; }
    ElidedLabel* subjectLabel() const { return m_subject; }
    QPushButton* measureButton() const { return m_measureButton; }
    QPushButton* useButton() const { return m_useButton; }
    QPushButton* fastestButton() const { return m_fastestButton; }
    // Null until the card is shown.
    LawCharts* charts() const { return m_charts; }
    LawAnswers* answers() const { return m_answers; }

Q_SIGNALS:
    // The card is visible: its memory model may have been measured elsewhere since
    void lookRequested();
    // Both request a change of the form.
    void useMicroRequested(const accrue::Fix& fix); // b, with B as it is
    void emulateRequested(const std::optional<accrue::Bytes>& budget); // empty: none
    // About a measurement whose experiment is no longer that of the form.
    void reported(const QString& text, accrue::RunMessage::Severity severity);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeActions();
    QLayout* buildHead();
    QLayout* buildBody();
    void makeButtons();
    void addBody();

    void savePicture();
    void request(const LawAdvice& advice);
    void showAll();
    void showActions();
    void showMeasure();
    void showStatus();
    void showLaw();

    Backend& m_backend;
    LawMeasurement* m_measurement;
    QAction* m_measure = nullptr;
    QAction* m_use = nullptr;
    QAction* m_useFastest = nullptr;
    QAction* m_savePicture = nullptr;
    ElidedLabel* m_subject = nullptr;
    QPushButton* m_measureButton = nullptr;
    ReservedLabel* m_status = nullptr;
    ReservedLabel* m_formula = nullptr;
    ReservedLabel* m_fastest = nullptr;
    QPushButton* m_useButton = nullptr;
    QPushButton* m_fastestButton = nullptr;
    QVBoxLayout* m_texts = nullptr; // and the charts, from the first look at the card on
    QVBoxLayout* m_choices = nullptr; // likewise the answers
    LawCharts* m_charts = nullptr;
    LawAnswers* m_answers = nullptr;
};

} // namespace accrue
