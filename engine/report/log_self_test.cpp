// SPDX-License-Identifier: Apache-2.0
#include "engine/report/log_self_test.h"

#include "engine/base/sentences.h"
#include "engine/exchange/csv.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runlog/run_log_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace accrue {

namespace {

// SQLite stores NaN as NULL, and text round trips can lose the last bit, the sign of zero or a
// subnormal number. This test writes such values through the same writer as every run and compares
// bits, on the machine and the disk where the log will be.
constexpr std::int64_t kSteps = 1000;

// Values that a log could lose: every seventh is one that text or SQL treats apart.
double lossOf(std::int64_t step)
{
    using Limits = std::numeric_limits<double>;
    constexpr double kSpecial[] { Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
        Limits::denorm_min(), -0.0, Limits::max(), 0.1 };
    if (step % 7 == 0)
        return kSpecial[(step / 7) % 7];
    return std::exp(-static_cast<double>(step) / 300.0) / 3.0;
}

StepDone stepOf(std::int64_t number)
{
    StepDone step;
    step.step = number;
    step.epoch = 1;
    step.samples = number * 128;
    step.windowSamples = 128;
    step.microBatches = number * 4;
    step.seconds = static_cast<double>(number) / 7.0;
    step.loss = lossOf(number);
    step.learningRate = 0.1 / static_cast<double>(number);
    step.gradientNorm = std::sqrt(static_cast<double>(number));
    step.stepMs = 1.0 / 3.0;
    step.peakBytes = number;
    return step;
}

RunStarted startOf()
{
    RunStarted started;
    // The plan of the default recipe, so that the reader finds the run as consistent as any other.
    static_cast<ResolvedExperiment&>(started) = requireResolved(started.experiment);
    started.experiment.name = "self-test";
    started.epoch = planEpoch(started.plan, kSteps * started.plan.effective);
    started.totalSteps = kSteps;
    started.device = "cpu";
    return started;
}

RunId writeRun(const std::filesystem::path& file)
{
    RunLogWriter writer(file);
    const RunStarted started = startOf();
    const RunId id = writer.beginRun(started);
    EventSink& sink = writer.sink(id);
    sink.emitEvent(started);
    for (std::int64_t step = 1; step <= kSteps; ++step)
        sink.emitEvent(stepOf(step));
    RunEnded ended;
    ended.step = kSteps;
    sink.emitEvent(ended);
    if (!writer.flush())
        throw RunLogError(writer.problem());
    return id;
}

// NaN is one value here: a log stores that it is one, not its payload.
bool sameBits(double a, double b)
{
    return (std::isnan(a) && std::isnan(b))
        || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

template <typename Expected>
std::int64_t countDifferent(RunLogReader& log, RunId id, MetricId metric, Expected expected)
{
    const std::vector<SeriesPoint> points = log.series(id, nameOf(metric), Axis::Step);
    std::int64_t different = kSteps - static_cast<std::int64_t>(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!sameBits(points[i].y, expected(static_cast<std::int64_t>(i) + 1)))
            ++different;
    return different;
}

SelfTestRow row(const Message& check, std::int64_t different)
{
    return { check,
        Message("selftest.log_differs", { { "different", different }, { "steps", kSteps } }),
        Message("selftest.none"), different == 0, false };
}

std::int64_t linesOf(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n');
}

std::vector<SelfTestRow> roundTrip(const std::filesystem::path& scratch)
{
    const std::filesystem::path file = scratch / "self-test.db";
    const RunId id = writeRun(file);
    RunLogReader log(file);
    std::vector<SelfTestRow> rows {
        row(Message("selftest.log_loss"), countDifferent(log, id, MetricId::Loss, lossOf)),
        row(Message("selftest.log_norm"),
            countDifferent(log, id, MetricId::GradientNorm,
                [](std::int64_t step) { return stepOf(step).gradientNorm; })),
    };
    const RunRecord run = log.run(id);
    const bool completed = run.state == RunState::Finished && run.outcome == RunOutcome::Completed;
    rows.push_back({ Message("selftest.log_state"),
        Message("selftest.log_state_found", { { "state", std::string(nameOf(run.state)) } }),
        Message("selftest.log_state_finished"), completed, false });
    exportSeriesCsv(log, { id }, scratch / "self-test.csv");
    const std::int64_t lines = linesOf(scratch / "self-test.csv");
    // Every step has at least ten metrics, each with a line of its own.
    rows.push_back(
        { Message("selftest.csv_rows"), Message("selftest.csv_lines", { { "lines", lines } }),
            Message("selftest.csv_at_least", { { "lines", 10 * kSteps } }), lines >= 10 * kSteps,
            false });
    return rows;
}

} // namespace

std::vector<SelfTestRow> testRunLog(const std::filesystem::path& scratch)
{
    try {
        return roundTrip(scratch);
        // A self test reports what fails instead of ending; the other checks continue.
    } catch (const std::exception& error) {
        return { { Message("selftest.log_failed"), messageOf(error), Message("selftest.no_error"),
            false, false } };
    }
}

} // namespace accrue
