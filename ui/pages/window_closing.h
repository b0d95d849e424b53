// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;
class QWidget;

namespace accrue {

class RunController;

// How the window ends: at once, or, while a run trains, after a question and a run that is stopped,
// logged and saved. GUI thread.
class WindowClosing : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    WindowClosing(RunController& controller, QWidget& window);

    // For the close event. False: not yet; the question stands, or the window closes by itself as
    // soon as the run is saved.
    bool mayClose();
    // The question that waits for an answer; null: none does.
    QMessageBox* question() const;

    // Stops and saves a run, then closes without asking. Must not block.
    void stopAndClose();
    // Stops a run. Blocks until everything is logged; events are processed meanwhile.
    void stopAndWait();

private:
    void ask();
    void runEnded();

    RunController& m_controller;
    QWidget& m_window;
    QPointer<QMessageBox> m_question;
    bool m_closeWhenEnded = false;
};

} // namespace accrue
