// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/fastest_split.h"
#include "engine/experiment/finding.h"
#include "ui/run/backend.h"

#include <QFrame>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

QT_BEGIN_NAMESPACE
class QAction;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;
QT_END_NAMESPACE

namespace accrue {

class ElidedLabel;
class LawAnswers;
class LawCharts;
class ReservedLabel;

// Which micro-batch fits, and which is the fastest: the memory model of the experiment in the form,
// measured here or before, as charts, as answers for cards, and as buttons that put what it says
// into the form. Its parts keep their places while a fit begins, goes on and ends. GUI thread.
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
    QAction* useAction() const { return m_use; } // the largest that fits
    QAction* useFastestAction() const { return m_useFastest; }
    QAction* savePictureAction() const { return m_savePicture; } // of the chart in sight
    void saveShownPicture(const QString& path); // once a law is shown

    const std::optional<MemoryFit>& fit() const { return m_fit; } // that is shown
    QLabel* statusLabel() const;
    QLabel* formulaLabel() const;
    QLabel* fastestLabel() const;
    ElidedLabel* subjectLabel() const { return m_subject; }
    QPushButton* measureButton() const { return m_measureButton; }
    QPushButton* useButton() const { return m_useButton; }
    QPushButton* fastestButton() const { return m_fastestButton; }
    // Null until the card is shown.
    LawCharts* charts() const { return m_charts; }
    LawAnswers* answers() const { return m_answers; }

Q_SIGNALS:
    void lookRequested(); // the card is seen: its law may have been measured since, and elsewhere
    // Both ask for a change of the form.
    void useMicroRequested(const accrue::Fix& fix); // b, with B as it is
    void emulateRequested(const std::optional<accrue::Bytes>& budget); // empty: none
    // Of a fit whose question stands no more in the form.
    void said(const QString& text, accrue::RunMessage::Severity severity);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeActions();
    void connectBackend();
    QLayout* buildHead();
    void makeButtons();
    void addBody();
    void followAction(QPushButton* button, QAction* action, const QStringList& texts);

    void measureOrCancel();
    void savePicture();
    void take(const MemoryFit& fit, const QString& notKept);
    QString whyNotMeasure() const; // empty: it can
    QString whyNotUse() const;
    QString whyNotUseFastest() const;
    std::int64_t largestMicro() const; // that fits; 0: none does, or that is not known
    std::optional<SplitSpeed> fastest() const;
    std::optional<Fix> fixToUse() const; // the largest b that fits
    std::optional<Fix> fixToUseFastest() const;
    std::optional<std::int64_t> microOf(const std::optional<Fix>& fix) const;
    bool isInTheForm(std::int64_t micro) const;
    void request(std::optional<Fix> fix);
    bool isSameQuestion(const Experiment& one, const Experiment& other) const;
    std::string fingerprint(const Experiment& experiment) const;
    std::string deviceOf(const Experiment& experiment) const; // id; as it is written, if not known

    void showAll();
    void showActions();
    void showStatus();
    void showUse(
        QAction& action, const QString& text, const QString& meaning, const QString& whyNot);
    void showLaw();

    Backend& m_backend;
    Experiment m_experiment; // of the form
    QString m_formProblem;
    std::vector<std::filesystem::path> m_dataDirectories;
    std::optional<MemoryFit> m_fit; // of m_experiment
    std::string m_measured; // fingerprint of the last law that was measured by this window
    QString m_notKept; // why that could not be stored
    QString m_problem; // of the last fit
    QAction* m_measure = nullptr;
    QAction* m_use = nullptr;
    QAction* m_useFastest = nullptr;
    QAction* m_savePicture = nullptr;
    ElidedLabel* m_subject = nullptr;
    QPushButton* m_measureButton = nullptr;
    QToolButton* m_pictureButton = nullptr;
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
