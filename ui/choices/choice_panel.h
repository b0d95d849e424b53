// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/choices/choice_model.h"
#include "ui/choices/search_panel.h"

#include <QStringList>

class QLabel;
class QPushButton;
class QToolButton;

namespace accrue {

// Choices in groups, of which those that match what is typed are listed, below a widget of the
// window. One is chosen and the panel closes; or, with several, each choice is made or taken back
// and it stays, and a button does so with all that match. GUI thread.
class ChoicePanel : public SearchPanel {
    Q_OBJECT
public:
    ChoicePanel(const QString& purpose, QWidget* window); // what is searched: "Search metrics"

    void setChoices(Choices choices); // also while it is open
    // Several at once, up to `most` of them; `limit` is the sentence that says so.
    void setSeveral(int most, const QString& limit);
    void openBelow(QWidget& widget, const QString& current = {}); // on which row it begins

    QToolButton* expressionButton() const { return m_expression; }
    QPushButton* allButton() const { return m_all; } // with several alone
    QLabel* sentence() const { return m_sentence; } // hidden: there is nothing to say

Q_SIGNALS:
    void chosen(const QString& id); // with several: or taken back, if it was marked
    void allRequested(const QStringList& ids, bool add); // false: they are taken back

protected:
    void search(const QString& text) override;
    void choose() override;
    void place() override;

private:
    void showState();
    QString stateText(int missing) const;
    int markedChoices() const;
    void chooseAll();

    ChoiceModel& m_model; // a child
    QPointer<QWidget> m_below;
    QToolButton* m_expression;
    QLabel* m_sentence;
    QPushButton* m_all;
    ChoiceSearch m_search;
    int m_most = 0; // of several; 0: one is chosen
    QString m_limit;

    ChoicePanel(const QString& purpose, ChoiceModel& model, QWidget* window);
};

} // namespace accrue
