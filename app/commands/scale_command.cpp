// SPDX-License-Identifier: Apache-2.0
#include "app/argument_parser.h"
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/requested_recipe.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/format.h"
#include "engine/base/json_reader.h"
#include "engine/base/places.h"
#include "engine/events/json_value.h"
#include "engine/report/comparison_rows.h"
#include "engine/report/scaling_windows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

constexpr double kWantedEfficiency = 0.9;
constexpr std::int64_t kMostSteps = 100'000; // that are tried for it

std::vector<std::int64_t> countsOf(const std::vector<std::string>& texts, const char* option,
    const std::vector<std::int64_t>& byDefault)
{
    std::vector<std::int64_t> counts;
    for (const std::string& text : texts) {
        const auto count = positiveNumber(text);
        if (!count)
            throw InputError(Message(
                "cli.wrong_count", { { "option", std::string(option) }, { "text", text } }));
        counts.push_back(*count);
    }
    return counts.empty() ? byDefault : counts;
}

std::int64_t countOf(
    const std::optional<std::string>& text, const char* option, std::int64_t byDefault)
{
    return text ? countsOf({ *text }, option, {}).front() : byDefault;
}

// What the command was asked for, in numbers.
struct Wanted {
    explicit Wanted(const Arguments& arguments)
        : ranks(countsOf(arguments.rankCounts, "--ranks", { 1, 2 }))
        , steps(countsOf(arguments.stepCounts, "--steps", { 1, 2, 4, 8 }))
        , updates(countOf(arguments.updates, "--updates", 10))
        , predict(countsOf(arguments.predicted, "--predict", {}))
        , critical(countOf(arguments.criticalBatch, "--critical-batch", 0))
    {
    }

    // With one rank nothing is added up, and with one step both ways are the same.
    std::vector<ScalingCase> cases() const
    {
        std::vector<ScalingCase> all;
        for (const std::int64_t ranksOfCase : ranks)
            for (const std::int64_t stepsOfCase : steps)
                for (const bool every : { false, true })
                    if (!every || (ranksOfCase > 1 && stepsOfCase > 1))
                        all.push_back({ ranksOfCase, stepsOfCase, every });
        return all;
    }

    std::vector<std::int64_t> ranks;
    std::vector<std::int64_t> steps;
    std::int64_t updates;
    std::vector<std::int64_t> predict;
    std::int64_t critical; // 0: none
};

std::string wayOf(bool everyMicroBatch)
{
    return label(everyMicroBatch ? "each micro-batch" : "once per window");
}

void sayCase(const ScalingCase& one, std::size_t number, std::size_t all, Console& console)
{
    console.say(Message("cli.scaling_case",
        { { "number", number }, { "count", all }, { "ranks", one.ranks }, { "steps", one.steps },
            { "way", wayOf(one.everyMicroBatch) } }));
}

// Throws CommandEnd if a signal ends it.
std::vector<ScaledWindows> measured(const Wanted& wanted, const RequestedRecipe& asked,
    const Arguments& arguments, Console& console)
{
    Engine& engine = requireEngine();
    RunControl control;
    const StopSignals signals([&](int) { control.requestStop(); }, [](int) {});
    const std::vector<ScalingCase> cases = wanted.cases();
    std::vector<ScaledWindows> all;
    for (const ScalingCase& one : cases) {
        sayCase(one, all.size() + 1, cases.size(), console);
        const auto windows =
            measureWindows(engine, experimentOf(one, asked.experiment(), asked.resolved.plan),
                dataDirectories(arguments.data), wanted.updates, control);
        if (!windows)
            throw CommandEnd(exitCodeOf(signals.received()));
        all.push_back(*windows);
    }
    return all;
}

// ---- a file of points, as --json prints it -----------------------------------------------------

ScaledWindows windowsIn(const Json& object)
{
    ScaledWindows windows;
    windows.point = { object.at("ranks").get<std::int64_t>(),
        object.at("steps").get<std::int64_t>(),
        object.at("synchronize").get<std::string>() == "micro_batch",
        object.at("gradient_bytes").get<double>(), object.at("window_seconds").get<double>() };
    windows.effective = object.at("effective").get<std::int64_t>();
    windows.samplesPerSecond = object.at("samples_per_second").get<double>();
    windows.communicationMs = object.at("communication_ms").get<double>();
    windows.waitMs = object.at("wait_ms").get<double>();
    windows.bytes = object.at("bytes").get<double>();
    const ScalingPoint& point = windows.point;
    if (point.ranks < 1 || point.steps < 1 || !(point.windowSeconds > 0)
        || !(point.gradientBytes >= 0))
        throw InputError(Message("cli.points_impossible"));
    return windows;
}

std::vector<ScaledWindows> windowsInFile(const std::string& file)
try {
    const TextFile read = readTextFile(file);
    if (!read.problem.empty())
        throw InputError(read.problem);
    const Json json = readOrderedJson(read.text);
    std::vector<ScaledWindows> all;
    for (const Json& object : json.at("points"))
        all.push_back(windowsIn(object));
    return all;
} catch (const Json::exception& error) {
    throw InputError(Message(
        "cli.points_unreadable", { { "file", file }, { "reason", std::string(error.what()) } }));
} catch (const JsonError& error) {
    throw InputError(
        Message("cli.points_unreadable", { { "file", file }, { "reason", error.message() } }));
}

std::vector<ScaledWindows> requireSome(std::vector<ScaledWindows> windows)
{
    if (windows.empty())
        throw InputError(Message("cli.no_points"));
    return windows;
}

Json pointJson(const ScaledWindows& windows)
{
    const ScalingPoint& point = windows.point;
    return { { "ranks", point.ranks }, { "steps", point.steps },
        { "synchronize", point.everyMicroBatch ? "micro_batch" : "window" },
        { "effective", windows.effective }, { "gradient_bytes", point.gradientBytes },
        { "window_seconds", point.windowSeconds },
        { "samples_per_second", windows.samplesPerSecond },
        { "communication_ms", windows.communicationMs }, { "wait_ms", windows.waitMs },
        { "bytes", windows.bytes } };
}

// ---- what is printed ---------------------------------------------------------------------------

// Against as many single ranks with the same N; NaN: N was not measured on one.
double efficiencyOf(const ScaledWindows& one, const std::vector<ScaledWindows>& all)
{
    for (const ScaledWindows& alone : all)
        if (alone.point.ranks == 1 && alone.point.steps == one.point.steps)
            return one.samplesPerSecond
                / (static_cast<double>(one.point.ranks) * alone.samplesPerSecond);
    return std::nan("");
}

std::string percentOrNothing(double share)
{
    return std::isfinite(share) ? formatPercent(share) : std::string();
}

std::string measuredText(const std::vector<ScaledWindows>& all, bool colours)
{
    TextTable table({ label("Devices W"), "N", "B", label("Synchronised"), label("Window"),
                        titleOf(infoOf(MetricId::Throughput)).text(), label("Efficiency"),
                        label("Communication"), label("Bytes sent") },
        { 0, 1, 2, 4, 5, 6, 7, 8 });
    for (const ScaledWindows& one : all) {
        const ScalingPoint& point = one.point;
        const double share = one.communicationMs / (1000 * point.windowSeconds);
        table.addRow({ formatCount(point.ranks), formatCount(point.steps),
            formatCount(one.effective), point.ranks == 1 ? "" : wayOf(point.everyMicroBatch),
            formatNumber(1000 * point.windowSeconds, 3) + " ms", formatRate(one.samplesPerSecond),
            percentOrNothing(efficiencyOf(one, all)), point.ranks == 1 ? "" : formatPercent(share),
            point.ranks == 1 ? "" : formatBytes(std::llround(one.bytes)) });
    }
    return table.render(colours);
}

std::vector<ScalingPoint> pointsOf(const std::vector<ScaledWindows>& all)
{
    std::vector<ScalingPoint> points;
    points.reserve(all.size());
    for (const ScaledWindows& one : all)
        points.push_back(one.point);
    return points;
}

// Of the samples of a micro-batch of one rank.
std::int64_t microOf(const ScaledWindows& one)
{
    return one.effective / (one.point.ranks * one.point.steps);
}

// One number of devices that is not measured: at each N the efficiency that is predicted.
struct Predicted {
    std::int64_t ranks = 0;
    struct AtSteps {
        std::int64_t steps = 0;
        std::int64_t effective = 0; // B
        ScalingPrediction prediction;
        bool isBeyondCritical = false;
    };
    std::vector<AtSteps> atSteps {};
    std::optional<std::int64_t> needed {}; // N for 90 %; empty: none
};

std::vector<Predicted> predictions(const Wanted& wanted, const std::vector<ScaledWindows>& all)
{
    const std::vector<ScalingPoint> points = pointsOf(all);
    const auto law = fitScaling(points);
    std::vector<Predicted> found;
    for (const std::int64_t ranks : wanted.predict) {
        if (!law)
            break;
        Predicted one { ranks };
        const double bytes = points.front().gradientBytes;
        for (const std::int64_t steps : wanted.steps) {
            const std::int64_t effective = microOf(all.front()) * ranks * steps;
            one.atSteps.push_back(
                { steps, effective, predicted(points, { ranks, steps, false, bytes, 0 }),
                    wanted.critical > 0 && effective > wanted.critical });
        }
        one.needed =
            stepsForEfficiency(*law, { ranks, 1, false, bytes, 0 }, kWantedEfficiency, kMostSteps);
        found.push_back(std::move(one));
    }
    return found;
}

std::string bandText(const ScalingPrediction& prediction)
{
    return formatPercent(prediction.efficiency) + " (" + formatPercent(prediction.least) + " – "
        + formatPercent(prediction.most) + ")";
}

std::string predictedText(const std::vector<Predicted>& all, std::int64_t micro, bool colours)
{
    TextTable table({ label("Devices W"), "N", "B", label("Efficiency"), "" }, { 0, 1, 2 });
    for (const Predicted& one : all) {
        for (const Predicted::AtSteps& at : one.atSteps)
            table.addRow({ formatCount(one.ranks), formatCount(at.steps), formatCount(at.effective),
                bandText(at.prediction),
                at.isBeyondCritical ? label("beyond the critical batch") : "" });
        table.addRow({ formatCount(one.ranks), one.needed ? formatCount(*one.needed) : "–",
            one.needed ? formatCount(*one.needed * one.ranks * micro) : "–",
            label("fewest N for 90 %"), "" });
    }
    return table.render(colours);
}

Json predictionJson(const Predicted& one)
{
    Json atSteps = Json::array();
    for (const Predicted::AtSteps& at : one.atSteps)
        atSteps.push_back({ { "steps", at.steps }, { "effective", at.effective },
            { "efficiency", at.prediction.efficiency }, { "least", at.prediction.least },
            { "most", at.prediction.most }, { "beyond_critical_batch", at.isBeyondCritical } });
    return { { "ranks", one.ranks }, { "steps", atSteps },
        { "steps_for_90_percent", one.needed ? Json(*one.needed) : Json() } };
}

Json lawJson(const std::vector<ScalingPoint>& points)
{
    const auto law = fitScaling(points);
    if (!law)
        return {};
    return { { "micro_batch_seconds", law->microBatchSeconds },
        { "update_seconds", law->updateSeconds }, { "latency_seconds", law->latencySeconds },
        { "bytes_per_second", law->secondsPerByte > 0 ? Json(1 / law->secondsPerByte) : Json() },
        { "median_held_out_error", jsonOf(medianOf(heldOutErrors(points))) } };
}

Message lawText(const std::vector<ScalingPoint>& points)
{
    const auto law = fitScaling(points);
    if (!law)
        return Message("cli.scaling_undetermined");
    return Message("cli.scaling_law",
        { { "micro", formatNumber(1000 * law->microBatchSeconds, 3) },
            { "update", formatNumber(1000 * law->updateSeconds, 3) },
            { "latency", formatNumber(1e6 * law->latencySeconds, 3) },
            { "rate",
                law->secondsPerByte > 0 ? formatBytes(std::llround(1 / law->secondsPerByte))
                                        : "∞" },
            { "error", Percent { medianOf(heldOutErrors(points)) } } });
}

int print(const Wanted& wanted, const std::vector<ScaledWindows>& all, const Arguments& arguments,
    Console& console)
{
    const std::vector<Predicted> found = predictions(wanted, all);
    const std::vector<ScalingPoint> points = pointsOf(all);
    if (arguments.json) {
        Json object { { "points", Json::array() }, { "law", lawJson(points) },
            { "predictions", Json::array() } };
        for (const ScaledWindows& one : all)
            object["points"].push_back(pointJson(one));
        for (const Predicted& one : found)
            object["predictions"].push_back(predictionJson(one));
        console.printJson(object);
        return kExitDone;
    }
    const bool colours = console.terminal().colours;
    console.print(measuredText(all, colours) + "\n" + lawText(points).text() + "\n");
    if (!found.empty())
        console.print("\n" + Message("cli.scaling_predicted").text() + "\n"
            + predictedText(found, microOf(all.front()), colours));
    return kExitDone;
}

void warnOfSharedCores(const Wanted& wanted, Console& console)
{
    const std::int64_t most = *std::max_element(wanted.ranks.begin(), wanted.ranks.end());
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    if (most > cores)
        console.warn(Message("cli.ranks_share_cores", { { "ranks", most }, { "cores", cores } }));
}

} // namespace

int scaleCommand(const Arguments& arguments, Console& console)
{
    const Wanted wanted(arguments);
    if (arguments.points)
        return print(wanted, requireSome(windowsInFile(*arguments.points)), arguments, console);
    const RequestedRecipe asked =
        askedRecipe(arguments, console, Message("cli.recipe_to_scale_needed"));
    requireTrainable(asked, arguments, console);
    warnOfSharedCores(wanted, console);
    return print(wanted, measured(wanted, asked, arguments, console), arguments, console);
}

} // namespace accrue
