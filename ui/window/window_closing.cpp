// SPDX-License-Identifier: Apache-2.0
#include "ui/window/window_closing.h"

#include "ui/exchange/run_importer.h"
#include "ui/models/run_words.h"
#include "ui/run/backend.h"
#include "ui/run/csv_export.h"
#include "ui/widgets/questions.h"

#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

// Only stopAndWait() waits in the GUI thread. Closing is refused while something is in progress. An
// answer stops it, and its end closes the window again, so that mayClose() is called again: if
// several things are in progress, the questions about them follow one after the other. Each may end
// by itself meanwhile, which closes its question.

namespace accrue {

namespace {

// For an export or import, when no question can be answered
constexpr auto kPatience = std::chrono::seconds(5);

} // namespace

WindowClosing::WindowClosing(Backend& backend, QWidget& window)
    : QObject(&window)
    , m_controller(backend.controller)
    , m_queue(backend.queue)
    , m_fits(backend.fits)
    , m_log(backend.log)
    , m_window(window)
{
    // Not runEnded and startFailed: a run that is stopped before it begins emits neither.
    connect(&m_controller, &RunController::stateChanged, this, [this] {
        if (!m_controller.isActive())
            runEnded();
    });
    connect(&m_fits, &FitController::stateChanged, this, [this] {
        if (!m_fits.isActive())
            fitEnded();
    });
}

void WindowClosing::watch(CsvExport& exporter)
{
    m_exporters.push_back(&exporter);
    connect(&exporter, &CsvExport::ended, this, &WindowClosing::transferEnded);
}

void WindowClosing::watch(RunImporter& importer)
{
    m_importer = &importer;
    connect(&importer, &RunImporter::ended, this, &WindowClosing::transferEnded);
}

bool WindowClosing::isTransferring() const
{
    return (m_importer != nullptr && m_importer->isRunning())
        || std::any_of(m_exporters.begin(), m_exporters.end(),
            [](const CsvExport* exporter) { return exporter->isRunning(); });
}

bool WindowClosing::mayClose()
{
    const bool computes = m_controller.isActive() || m_fits.isActive();
    if (!computes && (!isTransferring() || m_dropsTransfers))
        return true;
    const bool answered = computes ? m_closeWhenEnded : m_ending;
    if (!answered)
        askAboutWhatIsInProgress();
    return false;
}

// The run first, because its loss costs the most.
void WindowClosing::askAboutWhatIsInProgress()
{
    const QString stay = tr("Keep open");
    if (m_controller.isActive())
        ask({ tr("A run is in progress"),
                tr("“%1” is in progress. Stop it and close Accrue?").arg(runInProgress()),
                tr("Stopping saves a checkpoint; everything logged so far is stored."),
                tr("Stop and close"), stay },
            &WindowClosing::stopThenClose);
    else if (m_fits.isActive())
        ask({ tr("A memory measurement is in progress"),
                tr("Accrue is measuring which micro-batch fits."),
                tr("Cancelling discards the measurement."), tr("Cancel and close"), stay },
            &WindowClosing::stopThenClose);
    else if (m_importer != nullptr && m_importer->isRunning())
        ask({ tr("An import is in progress"), tr("Accrue is importing runs."),
                tr("Those that are imported by then stay. Importing again adds the others."),
                tr("Cancel import"), stay },
            &WindowClosing::closeWithoutTransfers);
    else
        ask({ tr("An export is in progress"), tr("Accrue is writing an export."),
                tr("Cancelling leaves no partial file."), tr("Cancel export"), stay },
            &WindowClosing::closeWithoutTransfers);
}

// With its number, once the log has assigned one.
QString WindowClosing::runInProgress() const
{
    const std::string& name = m_controller.experiment().name;
    return m_controller.run() ? runTitle(name, *m_controller.run()) : QString::fromStdString(name);
}

// Closing once more raises the open question; a question about something else is closed.
void WindowClosing::ask(const Question& question, Act act)
{
    if (m_question != nullptr && m_act == act) {
        m_question->activateWindow();
        return;
    }
    takeBack(m_act);
    m_act = act;
    m_question = askQuestion(m_window, question, [this, act] {
        m_question.clear(); // answered: the next question is another one
        (this->*act)();
    });
    // Also when it is closed by its cross or by Escape.
    connect(m_question, &QMessageBox::rejected, this, &WindowClosing::stayed);
}

void WindowClosing::takeBack(Act act)
{
    if (m_question == nullptr || m_act != act)
        return;
    m_question->close(); // deletes it later: it may be the caller
    m_question.clear();
}

// If the log lacks the end of the run, the window stays open once, so that the message is read: the
// next close is not refused. Nobody reads it if a signal has requested the end.
void WindowClosing::runEnded()
{
    takeBack(&WindowClosing::stopThenClose);
    const bool close = std::exchange(m_closeWhenEnded, false);
    const QString& unwritten = m_controller.unwritten();
    if (m_ending && !unwritten.isEmpty())
        qWarning("%s", qUtf8Printable(unwritten)); // nobody sees the window any more
    if (m_ending || (close && unwritten.isEmpty()))
        m_window.close();
}

void WindowClosing::fitEnded()
{
    takeBack(&WindowClosing::stopThenClose);
    if (std::exchange(m_closeWhenEnded, false))
        m_window.close();
}

void WindowClosing::transferEnded()
{
    takeBack(&WindowClosing::closeWithoutTransfers);
    if (m_ending)
        m_window.close();
}

// Both, of which at most one is active.
void WindowClosing::stopThenClose()
{
    m_closeWhenEnded = true;
    m_queue.setOn(false);
    m_controller.stop(RunController::Stop::Waits);
    m_fits.stop();
    m_window.close(); // at once if nothing computes
}

// For this close only: if the window stays open after all, a later one needs its own question.
void WindowClosing::closeWithoutTransfers()
{
    for (CsvExport* exporter : m_exporters)
        exporter->cancel();
    if (m_importer != nullptr)
        m_importer->cancel();
    m_dropsTransfers = true;
    m_window.close();
    m_dropsTransfers = false;
}

void WindowClosing::stopAndClose()
{
    m_ending = true;
    takeBack(m_act);
    if (isTransferring())
        QTimer::singleShot(kPatience, Qt::PreciseTimer, this, [this] {
            m_dropsTransfers = true;
            m_window.close();
        });
    stopThenClose();
}

// For the end of a session: the program is ended when this returns. A nested loop, because the
// run's end arrives as queued signals.
void WindowClosing::stopAndWait()
{
    m_fits.stop(); // its results are discarded: its window need not end
    if (m_controller.isActive()) {
        QEventLoop loop;
        connect(&m_controller, &RunController::stateChanged, &loop, [this, &loop] {
            if (!m_controller.isActive())
                loop.quit();
        });
        m_queue.setOn(false);
        m_controller.stop(RunController::Stop::Waits);
        loop.exec();
    }
    m_log.flushChanges();
    waitForTransfers();
}

// Connected before checking whether there is one, and entered only if there is one: a loop
// that nobody ends would last as long as the patience.
void WindowClosing::waitForTransfers()
{
    QEventLoop loop;
    const auto endWhenWritten = [this, &loop] {
        if (!isTransferring())
            loop.quit();
    };
    for (CsvExport* exporter : m_exporters)
        connect(exporter, &CsvExport::ended, &loop, endWhenWritten);
    if (m_importer != nullptr)
        connect(m_importer, &RunImporter::ended, &loop, endWhenWritten);
    QTimer::singleShot(kPatience, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    if (isTransferring())
        loop.exec();
}

} // namespace accrue
