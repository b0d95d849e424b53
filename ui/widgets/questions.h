// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>

class QMessageBox;
class QWidget;

namespace accrue {

struct Question {
    QString title;
    QString sentence; // shown as it is, without markup
    QString more;
    QString yes; // what the button does that goes on
    QString no; // the button that leaves everything as it is; Return and Escape press it
};

// Asks in a window of its own that is not modal: what trains is seen and can be stopped meanwhile.
// `act` is called when the answer is yes. The question dies when it is answered, and with `window`.
// GUI thread.
QMessageBox* askQuestion(QWidget& window, const Question& question, std::function<void()> act);

// Asks for a whole number, likewise not modal; `act` gets it when it is accepted.
struct CountQuestion {
    QString title;
    QString sentence;
    int least = 1;
    int most = 1;
    int proposed = 1;
    QString yes; // what the button does that accepts
};
void askCount(QWidget& window, const CountQuestion& question, std::function<void(int)> act);

// Asks for a line of text, likewise.
struct LineQuestion {
    QString title;
    QString sentence;
    QString proposed;
    QString yes; // what the button does that accepts
};
void askLine(
    QWidget& window, const LineQuestion& question, std::function<void(const QString& line)> act);

} // namespace accrue
