// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/window_closing.h"

#include "ui/pages/questions.h"
#include "ui/run/backend.h"
#include "ui/run/csv_export.h"

#include <QEventLoop>
#include <QMessageBox>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace accrue {

namespace {

constexpr auto kPatience = std::chrono::seconds(5); // with an export, when nobody can be asked

} // namespace

WindowClosing::WindowClosing(Backend& backend, QWidget& window)
    : QObject(&window)
    , m_controller(backend.controller)
    , m_fits(backend.fits)
    , m_log(backend.log)
    , m_window(window)
{
    // Not runEnded and startFailed: a run that is stopped before it begins tells neither.
    connect(&m_controller, &RunController::stateChanged, this, [this] {
        if (!m_controller.isActive())
            runEnded();
    });
    connect(&m_fits, &FitController::stateChanged, this, [this] {
        if (!m_fits.isActive())
            fitEnded();
    });
}

QMessageBox* WindowClosing::question() const
{
    return m_question;
}

void WindowClosing::watch(CsvExport& exporter)
{
    m_exporters.push_back(&exporter);
    connect(&exporter, &CsvExport::ended, this, &WindowClosing::exportEnded);
}

bool WindowClosing::isExporting() const
{
    return std::any_of(m_exporters.begin(), m_exporters.end(),
        [](const CsvExport* exporter) { return exporter->isRunning(); });
}

bool WindowClosing::mayClose()
{
    if (m_controller.isActive()) {
        if (!m_closeWhenEnded)
            askAboutTheRun();
        return false;
    }
    if (m_fits.isActive()) {
        if (!m_closeWhenEnded)
            askAboutTheFit();
        return false;
    }
    if (!isExporting() || m_dropsExports)
        return true;
    if (!m_ending)
        askAboutTheExport();
    return false;
}

void WindowClosing::askAboutTheRun()
{
    ask(tr("A run is in progress"),
        tr("“%1” is in progress.").arg(QString::fromStdString(m_controller.experiment().name)),
        tr("Stopping saves the model and keeps everything that was logged."), tr("Stop and save"),
        &WindowClosing::stopThenClose);
}

void WindowClosing::askAboutTheFit()
{
    ask(tr("Memory is being measured"),
        tr("Which micro-batch fits is being measured: cancel it, or stay."),
        tr("Cancelling keeps nothing of it."), tr("Cancel and close"),
        &WindowClosing::stopThenClose);
}

void WindowClosing::askAboutTheExport()
{
    ask(tr("An export is being written"), tr("An export is being written: cancel it, or stay."),
        tr("Cancelling leaves no half-written file behind."), tr("Cancel the export"),
        &WindowClosing::closeWithoutExports);
}

void WindowClosing::ask(const QString& title, const QString& sentence, const QString& more,
    const QString& leave, Act act)
{
    if (m_question != nullptr && m_act == act) {
        m_question->activateWindow();
        return;
    }
    takeBack(m_act);
    m_act = act;
    m_question = askQuestion(m_window, { title, sentence, more, leave, tr("Stay") }, [this, act] {
        m_question.clear(); // answered: the next question is another one
        (this->*act)();
    });
    connect(m_question, &QMessageBox::rejected, this, &WindowClosing::stayed);
}

void WindowClosing::takeBack(Act act)
{
    if (m_question == nullptr || m_act != act)
        return;
    m_question->close(); // deletes it later: it may be what calls
    m_question.clear();
}

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

void WindowClosing::exportEnded()
{
    takeBack(&WindowClosing::closeWithoutExports);
    if (m_ending)
        m_window.close();
}

void WindowClosing::stopThenClose()
{
    m_closeWhenEnded = true;
    m_controller.stop();
    m_fits.stop();
    m_window.close(); // at once where nothing computes
}

void WindowClosing::closeWithoutExports()
{
    for (CsvExport* exporter : m_exporters)
        exporter->cancel();
    m_dropsExports = true;
    m_window.close();
    m_dropsExports = false;
}

void WindowClosing::stopAndClose()
{
    m_ending = true;
    takeBack(m_act);
    if (isExporting())
        QTimer::singleShot(kPatience, Qt::PreciseTimer, this, [this] {
            m_dropsExports = true;
            m_window.close();
        });
    stopThenClose();
}

void WindowClosing::stopAndWait()
{
    m_fits.stop(); // nothing of it is kept: its window need not end
    if (m_controller.isActive()) {
        QEventLoop loop;
        connect(&m_controller, &RunController::stateChanged, &loop, [this, &loop] {
            if (!m_controller.isActive())
                loop.quit();
        });
        m_controller.stop();
        loop.exec();
    }
    m_log.flushChanges();
    waitForExports();
}

void WindowClosing::waitForExports()
{
    QEventLoop loop;
    const auto endWhenWritten = [this, &loop] {
        if (!isExporting())
            loop.quit();
    };
    for (CsvExport* exporter : m_exporters)
        connect(exporter, &CsvExport::ended, &loop, endWhenWritten);
    QTimer::singleShot(kPatience, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    if (isExporting())
        loop.exec();
}

} // namespace accrue
