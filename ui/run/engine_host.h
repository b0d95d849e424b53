// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/loader.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <future>
#include <vector>

namespace accrue {

// Loads the engine on a worker thread, so that the window appears first, reports the devices, and
// warms the engine up, in this order. Lives on the GUI thread. A missing engine is a state, not an
// error: everything except training works. The destructor blocks until the engine is loaded and
// warm: about a second, several seconds if libraries of gigabytes are read for the first time.
class EngineHost : public QObject {
    Q_OBJECT
public:
    enum class State { NotLoaded, Loading, Ready, Missing };

    EngineHost();

    void load(); // starts loading once; later calls do nothing. Must not block.
    // The loaded engine. Call after load(), on any thread except the GUI thread. Blocks.
    LoadedEngine await() const { return m_loaded.get(); }

    State state() const { return m_state; }
    QString problem() const; // one sentence while Missing, in the language of now
    const EngineVersions& versions() const { return m_versions; } // meaningful while Ready
    const std::vector<DeviceInfo>& devices() const { return m_devices; } // "cpu" first
    // `devices` as the engine reports them after a job, in which a device may have been lost.
    void setDevices(const std::vector<DeviceInfo>& devices);

Q_SIGNALS:
    void engineLoaded();
    void deviceLost(); // devices() marks which one
    void engineMissed(const QString& problem);

private:
    LoadedEngine loadAndAnswer();
    void miss(const Message& problem);

    State m_state = State::NotLoaded;
    Message m_problem;
    EngineVersions m_versions;
    std::vector<DeviceInfo> m_devices;
    std::promise<LoadedEngine> m_promise;
    std::shared_future<LoadedEngine> m_loaded;
    Task m_task;
};

} // namespace accrue
