// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/law_picture.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QStackedWidget;
class QTableWidget;

namespace accrue {

class ReservedLabel;

// What a memory model predicts for cards: which card the form emulates, to be chosen or typed, and
// the largest micro-batch of each card that is sold, or one sentence if everything useful fits
// each. Its parts have fixed places. GUI thread.
class LawAnswers : public QWidget {
    Q_OBJECT
public:
    explicit LawAnswers(QWidget* parent = nullptr);

    void showAnswers(const LawQuestion& question);

    QComboBox* cardBox() const { return m_cards; } // which card is emulated
    QTableWidget* table() const { return m_table; }
    // Instead of the table; empty while that is shown
    ReservedLabel* sentenceLabel() const { return m_sentence; }
    // Whose memory it is computed from, or what is wrong with the typed text
    ReservedLabel* noteLabel() const { return m_note; }

Q_SIGNALS:
    void emulateRequested(const std::optional<accrue::Bytes>& budget); // empty: none

private:
    void buildCards();
    void buildTable();
    void takeText(); // reads the text of m_cards
    void showCards(const Experiment& experiment);
    void showTable(const std::optional<MemoryFit>& fit, const std::optional<BatchPlan>& plan);
    void showNote(const QString& text, bool isProblem);

    std::optional<Bytes> m_budget; // of the form
    QString m_source; // whose memory
    QComboBox* m_cards;
    QTableWidget* m_table;
    ReservedLabel* m_sentence;
    QStackedWidget* m_either; // table or sentence
    ReservedLabel* m_note;
};

} // namespace accrue
