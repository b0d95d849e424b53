// SPDX-License-Identifier: Apache-2.0
// What the run log costs: rows a second committed, opening a big log, reading curves. A small table
// on the standard output; exit 1 when a target is missed. `--smoke` does it all tiny and judges
// nothing; `--dir FOLDER` says where the log is made.

#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"
#include "tests/benchmarks/figures.h"
#include "tests/support/fake_memory.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <stdlib.h>

namespace {

using namespace accrue;

struct Size {
    std::int64_t rows = 2'000'000;
    int runs = 1000;
    std::int64_t steps = 1000;
    int curves = 20;
    int transactions = 400;
};

double secondsOf(const auto& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

StepDone stepAt(std::int64_t step)
{
    const auto x = static_cast<double>(step);
    return { .step = step,
        .epoch = 1 + step / 469,
        .samples = step * 128,
        .microBatches = step * 4,
        .seconds = x * 0.0125,
        .windowSamples = 128,
        .loss = 2.3 / std::sqrt(x) + 0.1 * std::sin(x),
        .learningRate = 0.04,
        .gradientNorm = 1 + std::cos(x),
        .stepMs = 12.5 + std::sin(x),
        .dataMs = 0.4,
        .forwardMs = 4.1,
        .backwardMs = 7.5,
        .optimizerMs = 0.5,
        .peakBytes = 8'800'000 + step % 7 };
}

RunId writeRun(RunLogWriter& log, const std::string& name, std::int64_t steps)
{
    Experiment experiment;
    experiment.name = name;
    const RunId run = log.beginRun(requireResolved(experiment));
    EventSink& sink = log.sink(run);
    RunStarted started;
    started.experiment = experiment;
    started.totalSteps = steps;
    started.trainSamples = 60000;
    sink.emitEvent(started);
    for (std::int64_t step = 1; step <= steps; ++step)
        sink.emitEvent(stepAt(step));
    sink.emitEvent(MemoryMeasured {
        .step = 1, .epoch = 1, .phases = fakeWindowMemory({ 32, 32, 32, 32 }, 60000, false) });
    sink.emitEvent(MemoryMeasured {
        .step = steps, .epoch = 1, .phases = { fakeEvaluationMemory(1000, 60000) } });
    sink.emitEvent(
        Evaluated { .epoch = 1, .step = steps, .testLoss = 0.05, .testAccuracy = 0.987 });
    RunEnded ended;
    ended.step = steps;
    sink.emitEvent(ended);
    return run;
}

Figure rowsPerSecond(const std::filesystem::path& folder, const Size& size)
{
    RunLogWriter log(folder / "rows.db");
    const double seconds = secondsOf([&] {
        writeRun(log, "rows", size.rows);
        log.flush();
    });
    return { "per-step rows committed", static_cast<double>(size.rows) / seconds, "rows/s", 300'000,
        Wanted::Floor };
}

// What the writer commits every 50 ms of a run that makes 100 steps a second, while it is trained.
Figure liveTransaction(const std::filesystem::path& folder, const Size& size)
{
    RunLogWriter log(folder / "live.db");
    const RunId run = writeRun(log, "live", 1);
    log.flush();
    std::vector<double> milliseconds;
    for (std::int64_t step = 2; step < 2 + 5 * size.transactions;) {
        for (int i = 0; i < 5; ++i)
            log.sink(run).emitEvent(stepAt(step++));
        milliseconds.push_back(secondsOf([&] { log.flush(); }) * 1000);
    }
    const auto middle = milliseconds.begin() + size.transactions / 2;
    std::nth_element(milliseconds.begin(), middle, milliseconds.end());
    return { "live transaction of 5 steps, median", *middle, "ms", 5 };
}

void makeBigLog(const std::filesystem::path& file, const Size& size)
{
    RunLogWriter log(file);
    for (int i = 0; i < size.runs; ++i)
        writeRun(log, "run-" + std::to_string(i), size.steps);
    log.flush();
}

std::vector<Figure> readBigLog(const std::filesystem::path& file, const Size& size)
{
    std::vector<RunRecord> runs;
    const double openSeconds = secondsOf([&] { runs = RunLogReader(file).runs(); });
    RunLogReader log(file);
    std::size_t points = 0;
    const double curveSeconds = secondsOf([&] {
        for (int i = 0; i < size.curves; ++i)
            points +=
                log.thinned(runs[static_cast<std::size_t>(i)].id, "loss", Axis::Step, 800).size();
    });
    log.changed();
    constexpr int kAsked = 10'000;
    const double changedSeconds = secondsOf([&] {
        for (int i = 0; i < kAsked; ++i)
            log.changed();
    });
    if (runs.size() != static_cast<std::size_t>(size.runs) || points == 0)
        throw std::runtime_error("The log that was read is not the log that was written.");
    return { { "open, list of " + std::to_string(size.runs) + " runs", openSeconds * 1000, "ms",
                 1000 },
        { std::to_string(size.curves) + " thinned loss curves", curveSeconds * 1000, "ms", 500 },
        { "changed(), nothing new", changedSeconds / kAsked * 1e6, "us", 100 } };
}

bool runAll(const std::filesystem::path& folder, const Size& size, bool judged)
{
    std::vector<Figure> figures { rowsPerSecond(folder, size), liveTransaction(folder, size) };
    const std::filesystem::path big = folder / "big.db";
    makeBigLog(big, size);
    for (Figure& figure : readBigLog(big, size))
        figures.push_back(std::move(figure));
    return report(figures, judged);
}

} // namespace

int main(int argc, char** argv)
{
    bool smoke = false;
    std::filesystem::path parent = std::filesystem::temp_directory_path();
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        smoke = smoke || argument == "--smoke";
        if (argument == "--dir" && i + 1 < argc)
            parent = argv[++i];
    }
    std::string folder = (parent / "accrue-bench-XXXXXX").string();
    if (!mkdtemp(folder.data()))
        return 2;
    const Size size = smoke
        ? Size { .rows = 5000, .runs = 20, .steps = 50, .curves = 5, .transactions = 20 }
        : Size {};
    int exitCode = 2;
    try {
        exitCode = runAll(folder, size, !smoke) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    std::filesystem::remove_all(folder);
    return exitCode;
}
