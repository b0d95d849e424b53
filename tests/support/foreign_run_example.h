// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_import.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace accrue {

// A run that a script logged: loss 1 / step and one metric of its own in every step, accuracy every
// tenth; one of its settings is spelled as a key of Accrue's, one as its short name.
inline ForeignRun exampleOfScript(std::int64_t steps = 100)
{
    ForeignRun run;
    run.token = "0123456789abcdef0123456789abcdef";
    run.source = RunSource::Script;
    run.name = "loop";
    run.createdMs = 1'700'000'000'000;
    run.endedMs = run.createdMs + 60'000;
    run.settings = { { "batch.micro", std::int64_t { 8 } }, { "dropout", 0.25 }, { "lr", 0.5 },
        { "model", std::string("mine") } };
    ForeignSeries accuracy { .metric = "test_accuracy", .points = {} };
    ForeignSeries gradient { .metric = "grad/mean", .points = {} };
    ForeignSeries loss { .metric = "loss", .points = {} };
    for (std::int64_t step = 1; step <= steps; ++step) {
        const double seconds = 0.5 * static_cast<double>(step);
        loss.points.push_back({ step, seconds, 1.0 / static_cast<double>(step) });
        gradient.points.push_back({ step, seconds, -static_cast<double>(step) });
        if (step % 10 == 0)
            accuracy.points.push_back({ step, seconds, static_cast<double>(step) / 1000 });
    }
    run.series = { gradient, loss, accuracy }; // by metric
    return run;
}

inline RunId addForeign(const std::filesystem::path& log, const ForeignRun& run)
{
    return RunImport(log).add(run).run;
}

} // namespace accrue
