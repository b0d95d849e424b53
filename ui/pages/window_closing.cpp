// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/window_closing.h"

#include "ui/pages/icons.h"
#include "ui/pages/theme.h"
#include "ui/run/run_controller.h"

#include <QEventLoop>
#include <QMessageBox>
#include <QPushButton>

namespace accrue {

namespace {

constexpr int kQuestionIcon = 32;

} // namespace

WindowClosing::WindowClosing(RunController& controller, QWidget& window)
    : QObject(&window)
    , m_controller(controller)
    , m_window(window)
{
    connect(&controller, &RunController::runEnded, this, &WindowClosing::runEnded);
    connect(&controller, &RunController::startFailed, this, &WindowClosing::runEnded);
}

QMessageBox* WindowClosing::question() const
{
    return m_question;
}

bool WindowClosing::mayClose()
{
    if (!m_controller.isActive())
        return true;
    if (!m_closeWhenEnded)
        ask();
    return false;
}

void WindowClosing::ask()
{
    if (m_question != nullptr) {
        m_question->raise();
        return;
    }
    m_question = new QMessageBox(QMessageBox::Question, tr("A run trains"),
        tr("“%1” still trains.").arg(QString::fromStdString(m_controller.experiment().name)),
        QMessageBox::NoButton, &m_window);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    m_question->setIconPixmap(iconPixmap(QLatin1String("warning"), themeColors().warning,
        kQuestionIcon, m_window.devicePixelRatioF()));
    m_question->setInformativeText(
        tr("Stopping saves the model and keeps everything that was logged."));
    QPushButton* stop = m_question->addButton(tr("Stop and save"), QMessageBox::AcceptRole);
    QPushButton* stay = m_question->addButton(tr("Stay"), QMessageBox::RejectRole);
    m_question->setDefaultButton(stay);
    m_question->setEscapeButton(stay);
    connect(stop, &QPushButton::clicked, this, &WindowClosing::stopAndClose);
    m_question->open(); // the run and its charts go on
}

void WindowClosing::runEnded()
{
    delete m_question;
    if (m_closeWhenEnded)
        m_window.close();
}

void WindowClosing::stopAndClose()
{
    m_closeWhenEnded = true;
    if (m_controller.isActive())
        m_controller.stop();
    else
        m_window.close();
}

void WindowClosing::stopAndWait()
{
    if (!m_controller.isActive())
        return;
    QEventLoop loop;
    connect(&m_controller, &RunController::runEnded, &loop, &QEventLoop::quit);
    connect(&m_controller, &RunController::startFailed, &loop, &QEventLoop::quit);
    m_controller.stop();
    loop.exec();
}

} // namespace accrue
