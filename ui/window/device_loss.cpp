// SPDX-License-Identifier: Apache-2.0
#include "ui/window/device_loss.h"

#include "ui/models/run_words.h"
#include "ui/run/backend.h"
#include "ui/widgets/inline_message.h"

#include <QStringList>
#include <QWidget>

#include <utility>

// A process never gets a lost device back: its context is broken until the process ends. So the
// window offers to start the program again. closeForRestart() only notes what to do and closes the
// window like any other close, with its questions; the program (workbench.cpp) starts itself again
// once everything is saved.

namespace accrue {

DeviceLoss::DeviceLoss(Backend& backend, QWidget& window)
    : QObject(&window)
    , m_backend(backend)
    , m_window(window)
    , m_message(new InlineMessage(&window))
{
    connect(&m_backend.engine, &EngineHost::deviceLost, this, &DeviceLoss::takeLoss);
    show(); // of a window before this one
}

// Called before the end of the job that lost the device, so that a run that trained on it is still
// active.
void DeviceLoss::takeLoss()
{
    const RunController& controller = m_backend.controller;
    // Only the run that trained on the first lost device is offered to resume, and what the button
    // named is what the restart does.
    if (!m_run && !m_restarts && controller.isActive())
        m_run = controller.run();
    show();
}

void DeviceLoss::setRun(const std::optional<RunId>& run)
{
    m_run = run;
    show();
}

QString DeviceLoss::lostDevices() const
{
    QStringList lost;
    for (const DeviceInfo& device : m_backend.engine.devices())
        if (device.lost)
            lost << tr("%1 (%2)").arg(
                QString::fromStdString(device.id), QString::fromStdString(device.name));
    return lost.join(tr(", "));
}

void DeviceLoss::show()
{
    const QString lost = lostDevices();
    if (lost.isEmpty())
        return;
    m_message->reportProblem(
        tr("%1 has failed; restart Accrue to use it again. Everything that was logged and saved "
           "before is intact.")
            .arg(lost),
        m_run ? tr("Re&start and resume run %1").arg(runNumber(*m_run)) : tr("Re&start Accrue"),
        [this] { closeForRestart(); });
}

// If a question is still open before the window may close, its answer decides.
void DeviceLoss::closeForRestart()
{
    m_restarts = true;
    m_window.close();
}

// The button hid the message; it is offered again.
void DeviceLoss::stay()
{
    if (std::exchange(m_restarts, false))
        show();
}

} // namespace accrue
