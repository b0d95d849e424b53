// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/engine_host.h"
#include "ui/run/fit_controller.h"
#include "ui/run/log_host.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_log_follower.h"

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

} // namespace accrue
