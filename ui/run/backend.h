// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/engine_host.h"
#include "ui/run/fit_controller.h"
#include "ui/run/log_host.h"
#include "ui/run/queue_runner.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_log_follower.h"

#include <QCoreApplication>
#include <QString>

#include <filesystem>
#include <vector>

namespace accrue {

// Everything that works behind the window. It outlives the window. Members are destroyed in reverse
// order: the run is stopped and saved first, then the log is closed. GUI thread.
struct Backend {
    explicit Backend(const std::filesystem::path& runLog)
        : log(runLog)
        , controller(engine, log)
        , queue(controller, log, [this] { return dataDirectories; })
        , fits(engine)
    {
        follower.setFile(runLog);
    }

    EngineHost engine;
    RunLogFollower follower;
    LogHost log;
    RunController controller;
    QueueRunner queue;
    FitController fits;
    std::vector<std::filesystem::path> dataDirectories {}; // searched for data sets, in this order
};

// Why no window can be computed now, as a sentence: a run is in progress, or the engine is missing.
// Empty: one can be computed.
inline QString whyNotCompute(const Backend& backend)
{
    if (backend.controller.isActive())
        return QCoreApplication::translate(
            "Backend", "A run is in progress. Stop it or wait for it to finish.");
    return backend.engine.state() == EngineHost::State::Missing ? backend.engine.problem()
                                                                : QString();
}

} // namespace accrue
