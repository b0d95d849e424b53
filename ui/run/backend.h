// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/engine_host.h"
#include "ui/run/fit_controller.h"
#include "ui/run/log_host.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_log_follower.h"

#include <QString>

#include <filesystem>

namespace accrue {

// What works behind the window; outlives it. Members die in the reverse order: the run is stopped
// and saved first, then the log is closed. GUI thread.
struct Backend {
    explicit Backend(const std::filesystem::path& runLog)
        : log(runLog)
        , controller(engine, log)
        , fits(engine)
    {
        follower.setFile(runLog);
    }

    EngineHost engine;
    RunLogFollower follower;
    LogHost log;
    RunController controller;
    FitController fits;
};

// Why no window can be computed now, a sentence: a run is in progress, or there is no engine.
// Empty: one can.
QString whyNotCompute(const Backend& backend);

} // namespace accrue
