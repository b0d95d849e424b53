// SPDX-License-Identifier: Apache-2.0
#include "app/commands/scaling_report.h"

#include "app/commands/scaling_points.h"
#include "app/text_table.h"
#include "engine/base/format.h"
#include "engine/events/json_value.h"
#include "engine/report/comparison_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

// ---- what was measured -------------------------------------------------------------------------

std::string percentOrNothing(double share)
{
    return std::isfinite(share) ? formatPercent(share) : std::string();
}

// Whether the points differ in their links or shards, and need columns for them.
bool needPlaces(const MeasuredScaling& measured)
{
    return measured.links().size() > 1
        || std::any_of(measured.points().begin(), measured.points().end(),
            [](const ScalingPoint& point) { return point.sharding != Sharding::None; });
}

std::vector<Cell> placesOf(const ScaledWindows& one)
{
    if (one.point.ranks == 1)
        return { "", "" };
    return { one.link, std::string(nameOf(one.point.sharding)) };
}

std::vector<Cell> figuresOf(const ScaledWindows& one, const MeasuredScaling& measured)
{
    const ScalingPoint& point = one.point;
    const double share = one.communicationMs / (1000 * point.windowSeconds);
    const bool isAlone = point.ranks == 1;
    return { formatCount(point.ranks) + (one.sharesCores ? " *" : ""), formatCount(point.steps),
        formatCount(one.effective), isAlone ? "" : wayOf(point.everyMicroBatch),
        formatNumber(1000 * point.windowSeconds, 3) + " ms", formatRate(one.samplesPerSecond),
        percentOrNothing(efficiencyOf(one, measured.windows())),
        isAlone ? "" : formatPercent(share), isAlone ? "" : formatBytes(std::llround(one.bytes)) };
}

std::string measuredText(const MeasuredScaling& measured, bool colours)
{
    std::vector<std::string> titles { label("Devices W"), "N", "B", label("Synchronised"),
        label("Window"), titleOf(infoOf(MetricId::Throughput)).text(), label("Efficiency"),
        label("Communication"), label("Bytes sent") };
    const bool withPlaces = needPlaces(measured);
    if (withPlaces)
        titles.insert(titles.end(), { label("Link"), label("Shard") });
    TextTable table(titles, { 0, 1, 2, 4, 5, 6, 7, 8 });
    for (const ScaledWindows& one : measured.windows()) {
        std::vector<Cell> row = figuresOf(one, measured);
        const std::vector<Cell> places = placesOf(one);
        if (withPlaces)
            row.insert(row.end(), places.begin(), places.end());
        table.addRow(std::move(row));
    }
    return table.render(colours);
}

// ---- the law -----------------------------------------------------------------------------------

// Without those of points that the others do not determine.
std::vector<double> errorsOf(const MeasuredScaling& measured)
{
    std::vector<double> errors = heldOutErrors(measured.points());
    std::erase_if(errors, [](double error) { return !std::isfinite(error); });
    return errors;
}

std::string rateText(double secondsPerByte)
{
    constexpr double kLeast = 1e-18; // faster than anything that a number of bytes can state
    if (secondsPerByte < kLeast)
        return "∞";
    return formatBytes(std::llround(1 / secondsPerByte)) + "/s";
}

std::string nameOfLink(const MeasuredScaling& measured, std::size_t link)
{
    const std::string& name = measured.links()[link];
    return measured.isAssumed(link) ? name + " (" + label("assumed") + ")" : name;
}

std::string sharedText(const MeasuredScaling& measured)
{
    const bool areAllFitted = measured.points().size() == measured.windows().size();
    return areAllFitted ? "" : Message("cli.scaling_shares_cores").text() + "\n";
}

std::string lawText(const MeasuredScaling& measured, bool colours)
{
    if (!measured.forecast())
        return Message("cli.scaling_undetermined").text() + "\n";
    const ScalingLaw& law = measured.forecast()->law();
    const std::vector<double> errors = errorsOf(measured);
    const double most = errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
    const Message fitted("cli.scaling_law",
        { { "micro", formatNumber(1000 * law.microBatchSeconds, 3) },
            { "update", formatNumber(1000 * law.updateSeconds, 3) },
            { "error", Percent { medianOf(errors) } }, { "most", Percent { most } } });
    TextTable table(
        { label("Link"), label("Latency of a message"), label("Bytes per second") }, { 1, 2 });
    for (std::size_t i = 0; i < measured.links().size(); ++i) {
        const auto [latency, perByte] = law.links.at(i);
        table.addRow(
            { nameOfLink(measured, i), formatNumber(1e6 * latency, 3) + " µs", rateText(perByte) });
    }
    return fitted.text() + "\n" + sharedText(measured)
        + (table.empty() ? "" : table.render(colours));
}

// In the order of the windows; null of those that the law is not fitted to.
Json errorsJson(const MeasuredScaling& measured)
{
    const std::vector<double> errors = heldOutErrors(measured.points());
    Json all = Json::array();
    std::size_t next = 0;
    for (const ScaledWindows& one : measured.windows())
        all.push_back(one.sharesCores || next >= errors.size() ? Json() : jsonOf(errors[next++]));
    return all;
}

Json lawJson(const MeasuredScaling& measured)
{
    if (!measured.forecast())
        return {};
    const ScalingLaw& law = measured.forecast()->law();
    Json links = Json::array();
    for (std::size_t i = 0; i < measured.links().size(); ++i) {
        const auto [latency, perByte] = law.links.at(i);
        links.push_back({ { "link", measured.links()[i] }, { "latency_seconds", latency },
            { "bytes_per_second", perByte > 0 ? Json(1 / perByte) : Json() },
            { "assumed", measured.isAssumed(i) } });
    }
    return { { "micro_batch_seconds", law.microBatchSeconds },
        { "update_seconds", law.updateSeconds }, { "links", std::move(links) },
        { "median_held_out_error", jsonOf(medianOf(errorsOf(measured))) },
        { "held_out_errors", errorsJson(measured) } };
}

// ---- what is extrapolated ----------------------------------------------------------------------

std::string reductionOf(const ScalingPoint& way)
{
    return way.perMachine == 1 ? label("ring")
                               : Message("cli.by_machines", { { "ranks", way.perMachine } }).text();
}

std::string bandText(const ScalingRange& range)
{
    const auto percent = [](double share) { return formatNumber(100 * share, 3); };
    return percent(range.value) + " (" + percent(range.least) + "–" + percent(range.most) + ") %";
}

std::string countOrNone(const std::optional<std::int64_t>& count)
{
    return count ? formatCount(*count) : label("none");
}

std::string stepsText(const StepsRange& steps)
{
    if (steps.least == steps.most)
        return countOrNone(steps.value);
    return countOrNone(steps.value) + " (" + countOrNone(steps.least) + "–"
        + countOrNone(steps.most) + ")";
}

// Each number of steps is a column; without shards.
std::string efficienciesText(const std::vector<Outlook>& all, bool colours)
{
    std::vector<std::string> titles { label("Link"), label("Devices W"), label("Reduction") };
    for (const Outlook::AtSteps& at : all.front().atSteps)
        titles.push_back("N " + formatCount(at.steps));
    TextTable table(titles, { 1 });
    for (const Outlook& one : all) {
        if (one.way.sharding != Sharding::None)
            continue;
        std::vector<Cell> row { one.link, formatCount(one.way.ranks), reductionOf(one.way) };
        for (const Outlook::AtSteps& at : one.atSteps)
            row.emplace_back(bandText(at.efficiency) + (at.isBeyondCritical ? " *" : ""));
        table.addRow(std::move(row));
    }
    return table.render(colours);
}

std::string withinText(const Outlook::WithinCritical& within)
{
    if (within.steps == 0)
        return label("no") + ", " + label("N 1 is beyond it");
    return (within.isEnough ? label("yes") : label("no")) + ", N " + formatCount(within.steps)
        + ": " + bandText(within.efficiency);
}

std::string neededText(const std::vector<Outlook>& all, bool colours)
{
    std::vector<std::string> titles { label("Link"), label("Devices W"), label("Reduction"),
        label("Shard"), label("Fewest N for 90 %"), "B" };
    const bool isBounded = all.front().withinCritical.has_value();
    if (isBounded)
        titles.push_back(label("Within the critical batch"));
    TextTable table(titles, { 1, 5 });
    for (const Outlook& one : all) {
        std::vector<Cell> row { one.link, formatCount(one.way.ranks), reductionOf(one.way),
            std::string(nameOf(one.way.sharding)), stepsText(one.needed),
            countOrNone(one.neededEffective.value) };
        if (isBounded)
            row.emplace_back(withinText(*one.withinCritical));
        table.addRow(std::move(row));
    }
    return table.render(colours);
}

Message mostRanksText(const std::string& link, std::int64_t ranks, std::int64_t critical)
{
    return ranks > 0
        ? Message("cli.most_within_critical",
            { { "link", link }, { "ranks", ranks }, { "critical", critical } })
        : Message("cli.none_within_critical", { { "link", link }, { "critical", critical } });
}

std::string criticalText(const MeasuredScaling& measured, const OutlookRequest& request)
{
    if (request.critical == 0)
        return {};
    std::string text = Message("cli.beyond_critical", { { "critical", request.critical } }).text();
    for (const std::string& link : linksOf(measured, request))
        text += "\n"
            + mostRanksText(
                link, mostRanksWithin(measured, link, request.critical), request.critical)
                  .text();
    return text + "\n";
}

std::string outlookText(
    const MeasuredScaling& measured, const OutlookRequest& request, bool colours)
{
    const std::vector<Outlook> all = outlooks(measured, request);
    if (all.empty())
        return {};
    const Message inputs("cli.scaling_predicted",
        { { "micro", measured.micro() },
            { "bytes",
                ByteCount { std::llround(measured.windows().front().point.gradientBytes) } } });
    return "\n" + inputs.text() + "\n\n" + efficienciesText(all, colours) + "\n"
        + neededText(all, colours) + criticalText(measured, request);
}

Json rangeJson(const ScalingRange& range)
{
    return { { "value", range.value }, { "least", range.least }, { "most", range.most } };
}

Json stepsJson(const StepsRange& steps)
{
    const auto each = [](const std::optional<std::int64_t>& count) {
        return count ? Json(*count) : Json();
    };
    return { { "value", each(steps.value) }, { "least", each(steps.least) },
        { "most", each(steps.most) } };
}

Json withinJson(const std::optional<Outlook::WithinCritical>& within)
{
    if (!within)
        return {};
    return { { "steps", within->steps },
        { "efficiency", within->steps > 0 ? rangeJson(within->efficiency) : Json() },
        { "is_enough", within->isEnough } };
}

Json outlookJson(const Outlook& one)
{
    Json atSteps = Json::array();
    for (const Outlook::AtSteps& at : one.atSteps)
        atSteps.push_back({ { "steps", at.steps }, { "effective", at.effective },
            { "efficiency", rangeJson(at.efficiency) },
            { "beyond_critical_batch", at.isBeyondCritical } });
    return { { "link", one.link }, { "ranks", one.way.ranks },
        { "per_machine", one.way.perMachine }, { "shard", nameOf(one.way.sharding) },
        { "steps", std::move(atSteps) }, { "steps_for_90_percent", stepsJson(one.needed) },
        { "effective_for_90_percent", stepsJson(one.neededEffective) },
        { "within_critical_batch", withinJson(one.withinCritical) } };
}

Json mostRanksJson(const MeasuredScaling& measured, const OutlookRequest& request)
{
    if (request.critical == 0 || !measured.forecast())
        return {};
    Json all = Json::object();
    for (const std::string& link : linksOf(measured, request))
        all[link] = mostRanksWithin(measured, link, request.critical);
    return all;
}

} // namespace

double efficiencyOf(const ScaledWindows& one, const std::vector<ScaledWindows>& all)
{
    for (const ScaledWindows& alone : all)
        if (alone.point.ranks == 1 && alone.point.steps == one.point.steps)
            return one.samplesPerSecond
                / (static_cast<double>(one.point.ranks) * alone.samplesPerSecond);
    return std::nan("");
}

std::string wayOf(bool everyMicroBatch)
{
    return label(everyMicroBatch ? "each micro-batch" : "once per window");
}

std::string scalingText(
    const MeasuredScaling& measured, const OutlookRequest& request, bool colours)
{
    return measuredText(measured, colours) + "\n" + lawText(measured, colours)
        + outlookText(measured, request, colours);
}

Json scalingJson(const MeasuredScaling& measured, const OutlookRequest& request)
{
    Json object { { "points", Json::array() }, { "law", lawJson(measured) },
        { "predictions", Json::array() },
        { "most_devices_within_critical_batch", mostRanksJson(measured, request) } };
    for (const ScaledWindows& one : measured.windows())
        object["points"].push_back(jsonOf(one));
    for (const Outlook& one : outlooks(measured, request))
        object["predictions"].push_back(outlookJson(one));
    return object;
}

} // namespace accrue
