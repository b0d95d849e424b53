// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/device_loss.h"

#include "ui/models/run_words.h"
#include "ui/pages/inline_message.h"
#include "ui/run/backend.h"

#include <QStringList>
#include <QWidget>

namespace accrue {

DeviceLoss::DeviceLoss(Backend& backend, QWidget& window)
    : QObject(&window)
    , m_backend(backend)
    , m_window(window)
    , m_message(new InlineMessage(&window))
{
    connect(&m_backend.engine, &EngineHost::devicesChanged, this, &DeviceLoss::show);
}

void DeviceLoss::show()
{
    QStringList lost;
    for (const DeviceInfo& device : m_backend.engine.devices())
        if (device.lost)
            lost << tr("%1 (%2)").arg(
                QString::fromStdString(device.id), QString::fromStdString(device.name));
    if (lost.isEmpty())
        return;
    const std::optional<RunId> run = m_backend.controller.run();
    m_message->offerRemedy(
        tr("%1 has failed and can be used again once Accrue is started anew. What was logged and "
           "saved before is whole.")
            .arg(lost.join(tr(", "))),
        run ? tr("Re&start and resume run %1").arg(runNumber(*run)) : tr("Re&start Accrue"),
        [this, run] { closeForRestart(run); });
}

// Where something still asks before the window may close, the button comes back.
void DeviceLoss::closeForRestart(const std::optional<RunId>& run)
{
    m_restart = Restart { run };
    if (m_window.close())
        return;
    m_restart.reset();
    show();
}

} // namespace accrue
