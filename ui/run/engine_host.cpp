// SPDX-License-Identifier: Apache-2.0
#include "ui/run/engine_host.h"

#include "engine/base/sentences.h"
#include "engine/insight/device_info.h"

#include <algorithm>
#include <exception>

namespace accrue {

// The first load of LibTorch reads gigabytes, and the first kernels take long. So both happen while
// the user looks at the window. The devices are reported before the warm-up, which is for the CPU
// only, so that only a run that begins meanwhile waits for it.

EngineHost::EngineHost()
    : m_loaded(m_promise.get_future().share())
{
}

void EngineHost::load()
{
    if (m_state != State::NotLoaded)
        return;
    m_state = State::Loading;
    const auto work = [this](const Task::Job& job) -> Task::News {
        const LoadedEngine loaded = loadAndAnswer();
        if (loaded.engine == nullptr)
            return [this, problem = loaded.problem] { miss(problem); };
        const auto known = [this, versions = loaded.engine->versions(),
                               devices = loaded.engine->devices()] {
            m_versions = versions;
            m_devices = devices;
            m_state = State::Ready;
            Q_EMIT engineLoaded();
        };
        job.post(known);
        loaded.engine->warmUp(); // a run that begins meanwhile waits for it
        return {};
    };
    m_task.start(work, [this](const Message& problem) { miss(problem); });
}

// On the task's thread. Who awaits the engine gets an answer whatever fails, here and later:
// otherwise its thread would wait for ever, and who joins that thread, too.
LoadedEngine EngineHost::loadAndAnswer()
{
    LoadedEngine loaded;
    try {
        loaded = loadEngine();
    } catch (const std::exception& error) {
        loaded.problem = messageOf(error);
    }
    m_promise.set_value(loaded);
    return loaded;
}

void EngineHost::setDevices(const std::vector<DeviceInfo>& devices)
{
    // A lost device stays lost in this process, so that only a higher count is news.
    const bool more = std::ranges::count(devices, true, &DeviceInfo::lost)
        > std::ranges::count(m_devices, true, &DeviceInfo::lost);
    m_devices = devices;
    if (more)
        Q_EMIT deviceLost();
}

void EngineHost::miss(const Message& problem)
{
    m_problem = problem;
    m_state = State::Missing;
    Q_EMIT engineMissed(this->problem());
}

QString EngineHost::problem() const
{
    return QString::fromStdString(m_problem.text());
}

} // namespace accrue
