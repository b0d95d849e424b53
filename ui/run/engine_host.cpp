// SPDX-License-Identifier: Apache-2.0
#include "ui/run/engine_host.h"

#include "engine/door/named_device.h"

#include <algorithm>

namespace accrue {

EngineHost::EngineHost(QObject* parent)
    : QObject(parent)
    , m_loaded(m_promise.get_future().share())
{
}

EngineHost::~EngineHost()
{
    if (m_thread.joinable())
        m_thread.join();
}

void EngineHost::load()
{
    if (m_state != State::NotLoaded)
        return;
    m_state = State::Loading;
    m_thread = std::thread([this] {
        const Answer answer = loaded();
        m_promise.set_value(answer.loaded);
        QMetaObject::invokeMethod(
            this, [this, answer] { take(answer); }, Qt::QueuedConnection);
        if (answer.loaded.engine != nullptr)
            answer.loaded.engine->warmUp(); // a run that begins meanwhile waits for it
    });
}

EngineHost::Answer EngineHost::loaded()
{
    Answer answer;
    answer.loaded = loadEngine();
    if (answer.loaded.engine == nullptr)
        return answer;
    answer.versions = answer.loaded.engine->versions();
    answer.devices = answer.loaded.engine->devices();
    return answer;
}

void EngineHost::setDevices(const std::vector<DeviceInfo>& devices)
{
    const auto lost = [](const std::vector<DeviceInfo>& all) {
        return std::count_if(
            all.begin(), all.end(), [](const DeviceInfo& device) { return device.lost; });
    };
    const bool more = lost(devices) > lost(m_devices);
    m_devices = devices;
    if (more)
        Q_EMIT deviceLost();
}

const DeviceInfo* EngineHost::deviceFor(const std::string& wanted) const
{
    const std::string id = deviceNamed(wanted, m_devices);
    for (const DeviceInfo& device : m_devices)
        if (device.id == id)
            return &device;
    return nullptr;
}

void EngineHost::take(const Answer& answer)
{
    m_versions = answer.versions;
    m_devices = answer.devices;
    m_problem = QString::fromStdString(answer.loaded.problem);
    m_state = answer.loaded.engine != nullptr ? State::Ready : State::Missing;
    if (m_state == State::Ready)
        Q_EMIT engineLoaded();
    else
        Q_EMIT engineMissed(m_problem);
}

} // namespace accrue
