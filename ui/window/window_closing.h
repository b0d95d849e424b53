// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMessageBox>
#include <QObject>
#include <QPointer>

#include <vector>

class QWidget;

namespace accrue {

class CsvExport;
class FitController;
class LogHost;
class QueueRunner;
class RunController;
class RunImporter;
struct Question;
struct Backend;

// How the window closes: at once, or, while a run trains, after a question, and after the run has
// been stopped, logged and saved; while memory is measured, an export is being written or runs are
// being imported, also after a question. It stays open once if the log lacks the end of the run.
// GUI thread.
class WindowClosing : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and outlive this.
    WindowClosing(Backend& backend, QWidget& window);
    void watch(CsvExport& exporter); // borrowed; outlives the window or ends with it
    void watch(RunImporter& importer); // likewise; there is one

    bool isTransferring() const; // exports or imports

    // For the close event. False: not yet; a question is open, or the window closes by itself as
    // soon as the run is saved or the measurement has ended.
    bool mayClose();
    // The open question; null: there is none.
    QMessageBox* question() const { return m_question; }

    // Stops and saves a run, stops a measurement, lets an export or an import end for 5 s, then
    // closes without a question. Must not block.
    void stopAndClose();
    // Stops a run and a measurement. Blocks until everything is logged, including changes requested
    // by the pages, and, for 5 s, until an export or import has ended; events are processed
    // meanwhile.
    void stopAndWait();

Q_SIGNALS:
    void stayed(); // a question was answered with “Stay”

private:
    using Act = void (WindowClosing::*)(); // what a question asks about
    void askAboutWhatIsInProgress();
    QString runInProgress() const;
    void ask(const Question& question, Act act);
    void takeBack(Act act); // closes the question about it, if it is open
    void stopThenClose();
    void closeWithoutTransfers();
    void runEnded();
    void fitEnded();
    void transferEnded();
    void waitForTransfers();

    RunController& m_controller;
    QueueRunner& m_queue;
    FitController& m_fits;
    LogHost& m_log;
    QWidget& m_window;
    QPointer<QMessageBox> m_question;
    Act m_act = nullptr; // of m_question
    std::vector<CsvExport*> m_exporters;
    RunImporter* m_importer = nullptr;
    bool m_closeWhenEnded = false; // when the run or the measurement has ended
    bool m_ending = false; // in any case, without a question
    bool m_dropsTransfers = false;
};

} // namespace accrue
