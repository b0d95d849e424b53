// SPDX-License-Identifier: Apache-2.0
// example_log FILE RUNS STEPS [SECONDS]: adds finished runs to a run log, and one that goes on for
// SECONDS, for looking at the window by hand and for tests of a log that another process writes.
#include "tests/support/example_log.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace accrue;

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fprintf(stderr, "usage: example_log FILE RUNS STEPS [SECONDS]\n");
        return 2;
    }
    try {
        RunLogWriter log(argv[1]);
        const int count = std::atoi(argv[2]);
        const std::int64_t steps = std::atoll(argv[3]);
        int index = 0;
        for (const Experiment& experiment : exampleExperiments(count)) {
            ExampleRun run { experiment, steps, std::max<std::int64_t>(1, steps / 10), 0.01,
                RunOutcome::Completed, 0 };
            ++index;
            run.meters = true;
            if (index % 17 == 0) {
                run.outcome = RunOutcome::Diverged;
                run.notFiniteAt = steps;
            } else if (index % 13 == 0)
                run.outcome = RunOutcome::Stopped;
            if (index % 23 == 0) // its process is gone by the time anyone looks
                ExampleRunInLog(log, run).advance(steps / 2);
            else
                writeExampleRun(log, run);
        }
        const double seconds = argc > 4 ? std::atof(argv[4]) : 0;
        if (seconds > 0) {
            Experiment experiment = exampleExperiments(1).front();
            experiment.name = "live-run";
            const std::int64_t total = static_cast<std::int64_t>(seconds * 100);
            experiment.memory.metering = Metering::Full;
            ExampleRunInLog live(
                log, { experiment, total, 200, 0.01, RunOutcome::Completed, 0, /*meters=*/true });
            for (; live.step() < total; live.advance(1))
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            live.end();
        }
        return log.flush() ? 0 : 1;
    } catch (const RunLogError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
