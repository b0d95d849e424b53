// SPDX-License-Identifier: Apache-2.0
#include "app/commands/scaling_outlook.h"

#include "engine/base/error.h"
#include "engine/base/sentences.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

namespace accrue {
namespace {

constexpr std::int64_t kMostRanks = 1 << 20; // that are tried within a critical batch

std::vector<std::string> namesOfLinks(const std::vector<ScaledWindows>& windows)
{
    std::vector<std::string> links;
    for (const ScaledWindows& one : windows)
        if (!one.sharesCores && one.point.ranks > 1
            && std::find(links.begin(), links.end(), one.link) == links.end())
            links.push_back(one.link);
    return links;
}

// One rank uses no link.
ScalingPoint withLink(const ScaledWindows& one, const std::vector<std::string>& links)
{
    ScalingPoint point = one.point;
    const auto found = std::find(links.begin(), links.end(), one.link);
    point.link = found == links.end() ? 0 : static_cast<std::size_t>(found - links.begin());
    return point;
}

// What was measured of any point.
ScalingPoint wayOf(const MeasuredScaling& measured, const std::string& link, std::int64_t ranks)
{
    ScalingPoint way { .ranks = ranks };
    way.gradientBytes = measured.windows().front().point.gradientBytes;
    way.link = measured.indexOf(link);
    return way;
}

std::vector<ScalingPoint> waysOf(const MeasuredScaling& measured, const OutlookRequest& request,
    const std::string& link, std::int64_t ranks)
{
    std::vector<ScalingPoint> ways;
    for (const Sharding sharding : { Sharding::None, Sharding::Optimizer, Sharding::Parameters }) {
        ScalingPoint way = wayOf(measured, link, ranks);
        way.sharding = sharding;
        for (const ScalingPoint& point : measured.points())
            if (point.sharding == sharding) {
                way.chunks = point.chunks;
                way.keptBytes = point.keptBytes;
            }
        ways.push_back(way);
        const bool isWithinOne = link == kLocalLink || ranks == request.perMachine;
        if (request.perMachine == 1 || ranks % request.perMachine != 0 || isWithinOne)
            continue;
        way.perMachine = request.perMachine;
        way.linkWithin = measured.indexOf(kLocalLink);
        ways.push_back(way);
    }
    return ways;
}

// The number in front of one of the units, in the unit; empty: it is none.
std::optional<double> amountOf(
    std::string_view text, const std::vector<std::pair<std::string_view, double>>& units)
{
    double amount = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    for (const auto& [name, factor] : units)
        if (error == std::errc() && unit == name && amount > 0 && amount <= 1e6)
            return amount * factor;
    return {};
}

LinkConstants constantsOf(const std::string& link)
{
    const std::string_view text(link);
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto latency = amountOf(text.substr(0, comma), { { "us", 1e-6 }, { "ms", 1e-3 } });
    const auto bytes = amountOf(text.substr(std::min(comma + 1, text.size())),
        { { "mbit", 1e6 / 8 }, { "gbit", 1e9 / 8 } });
    if (!latency || !bytes)
        throw InputError(Message("cli.wrong_link", { { "text", link } }));
    return { *latency, 1 / *bytes };
}

std::int64_t effectiveOf(
    const MeasuredScaling& measured, const ScalingPoint& way, std::int64_t steps)
{
    return measured.micro() * way.ranks * steps;
}

ScalingRange efficiencyAt(const MeasuredScaling& measured, ScalingPoint way, std::int64_t steps)
{
    way.steps = steps;
    return measured.forecast()->efficiencyAt(way);
}

Outlook::WithinCritical withinCritical(
    const MeasuredScaling& measured, const ScalingPoint& way, std::int64_t critical)
{
    const std::int64_t steps = critical / effectiveOf(measured, way, 1);
    if (steps == 0)
        return {};
    const ScalingRange efficiency = efficiencyAt(measured, way, steps);
    return { steps, efficiency, efficiency.value >= kWantedEfficiency };
}

Outlook outlookOf(const MeasuredScaling& measured, const OutlookRequest& request,
    const std::string& link, const ScalingPoint& way)
{
    Outlook outlook { link, way };
    for (const std::int64_t steps : request.steps) {
        const std::int64_t effective = effectiveOf(measured, way, steps);
        outlook.atSteps.push_back({ steps, effective, efficiencyAt(measured, way, steps),
            request.critical > 0 && effective > request.critical });
    }
    const auto batchOf = [&](const std::optional<std::int64_t>& steps) {
        return steps ? std::optional(effectiveOf(measured, way, *steps)) : std::nullopt;
    };
    const StepsRange needed = measured.forecast()->stepsFor(way, kWantedEfficiency);
    outlook.needed = needed;
    outlook.neededEffective = { batchOf(needed.value), batchOf(needed.least),
        batchOf(needed.most) };
    if (request.critical > 0)
        outlook.withinCritical = withinCritical(measured, way, request.critical);
    return outlook;
}

} // namespace

MeasuredScaling::MeasuredScaling(std::vector<ScaledWindows> windows)
    : m_windows(std::move(windows))
    , m_links(namesOfLinks(m_windows))
    , m_measuredLinks(m_links.size())
{
    for (const ScaledWindows& one : m_windows)
        if (!one.sharesCores)
            m_points.push_back(withLink(one, m_links));
    m_forecast = ScalingForecast::of(m_points);
}

void MeasuredScaling::assume(const std::string& link)
{
    const LinkConstants constants = constantsOf(link);
    if (!m_forecast)
        return;
    // Of points without a link, the law has one all the same.
    while (m_links.size() < m_forecast->law().links.size())
        m_links.emplace_back(kLocalLink);
    m_links.push_back(link);
    m_forecast->addLink(constants);
}

std::size_t MeasuredScaling::indexOf(const std::string& link) const
{
    const auto found = std::find(m_links.begin(), m_links.end(), link);
    if (found == m_links.end())
        throw InputError(
            Message("cli.no_such_link", { { "link", link }, { "links", commaList(m_links) } }));
    return static_cast<std::size_t>(found - m_links.begin());
}

std::int64_t MeasuredScaling::micro() const
{
    const ScaledWindows& one = m_windows.front();
    return one.effective / (one.point.ranks * one.point.steps);
}

std::vector<std::string> linksOf(const MeasuredScaling& measured, const OutlookRequest& request)
{
    if (request.link.empty())
        return measured.links();
    measured.indexOf(request.link); // throws
    return { request.link };
}

std::vector<Outlook> outlooks(const MeasuredScaling& measured, const OutlookRequest& request)
{
    std::vector<Outlook> all;
    if (!measured.forecast())
        return all;
    for (const std::string& link : linksOf(measured, request))
        for (const std::int64_t ranks : request.ranks)
            for (const ScalingPoint& way : waysOf(measured, request, link, ranks))
                all.push_back(outlookOf(measured, request, link, way));
    return all;
}

std::int64_t mostRanksWithin(
    const MeasuredScaling& measured, const std::string& link, std::int64_t critical)
{
    std::int64_t most = 0;
    for (std::int64_t ranks = 2; ranks <= kMostRanks; ranks *= 2) {
        const ScalingPoint way = wayOf(measured, link, ranks);
        const auto steps = stepsForEfficiency(measured.forecast()->law(), way, kWantedEfficiency);
        if (steps && effectiveOf(measured, way, *steps) <= critical)
            most = ranks;
    }
    return most;
}

} // namespace accrue
