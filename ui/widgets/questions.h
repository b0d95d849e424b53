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
    QString yes; // text of the button that continues
    QString no; // text of the button that changes nothing; Return and Escape press it
};

// A question in a window of its own that is not modal: a run stays visible and can be stopped
// meanwhile. `act` is called when the answer is yes. The question is deleted when it is answered,
// and with `window`. GUI thread.
QMessageBox* askQuestion(QWidget& window, const Question& question, std::function<void()> act);

// Requests a whole number, likewise not modal; `act` receives it when it is accepted.
struct CountQuestion {
    QString title;
    QString sentence;
    int least = 1;
    int most = 1;
    int proposed = 1;
    QString yes; // text of the button that accepts
};
void askCount(QWidget& window, const CountQuestion& question, std::function<void(int)> act);

// Requests a line of text, likewise.
struct LineQuestion {
    QString title;
    QString sentence;
    QString proposed;
    QString yes; // text of the button that accepts
};
void askLine(
    QWidget& window, const LineQuestion& question, std::function<void(const QString& line)> act);

} // namespace accrue
