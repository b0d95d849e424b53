// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_query.h"

#include <QLineEdit>

class QTimer;

namespace accrue {

class ElidedLabel;

// Searches runs by words and conditions, with a line that gives examples or states what is wrong
// with this search. It waits for a pause in the typing, so that a long table is filtered once.
class RunSearch : public QLineEdit {
    Q_OBJECT
public:
    explicit RunSearch(QWidget* parent = nullptr);

    void search(const QString& text); // at once
    void toggleTerm(const QString& term); // adds it, or removes it if it is there
    void apply(); // what is typed, at once
    void setOtherKeys(std::vector<std::string> keys); // keysOfOthers, of the runs that are searched
    void showKeys(const QKeySequence& keys); // that lead here, in the tip
    ElidedLabel* helpLabel() const { return m_help; } // the caller lays it out

Q_SIGNALS:
    void searched(const accrue::RunQuery& filter);
    void left(); // to the runs that were found, by Return or Down

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::vector<std::string> m_otherKeys;
    QTimer* m_typing; // runs while letters may follow
    ElidedLabel* m_help;
};

} // namespace accrue
