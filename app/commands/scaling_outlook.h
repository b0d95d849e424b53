// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/scaling_forecast.h"
#include "engine/report/scaling_windows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

constexpr double kWantedEfficiency = 0.9;

// Measured windows and the law of their time.
class MeasuredScaling {
public:
    explicit MeasuredScaling(std::vector<ScaledWindows> windows);
    // A link that was not measured: its latency and rate, "25us,10gbit", which is also its name.
    // Throws InputError if it is not of that form.
    void assume(const std::string& link);

    const std::vector<ScaledWindows>& windows() const { return m_windows; }
    // Those that the law is fitted to: not of ranks that shared cores.
    const std::vector<ScalingPoint>& points() const { return m_points; }
    // By the index of points(); those that are assumed are the last.
    const std::vector<std::string>& links() const { return m_links; }
    bool isAssumed(std::size_t link) const { return link >= m_measuredLinks; }
    // Throws InputError if it was not measured.
    std::size_t indexOf(const std::string& link) const;
    // Empty if the points determine no law.
    const std::optional<ScalingForecast>& forecast() const { return m_forecast; }
    std::int64_t micro() const; // samples of a micro-batch

private:
    std::vector<ScaledWindows> m_windows;
    std::vector<std::string> m_links {};
    std::size_t m_measuredLinks = 0;
    std::vector<ScalingPoint> m_points {};
    std::optional<ScalingForecast> m_forecast {};
};

// What is extrapolated from them.
struct OutlookRequest {
    std::vector<std::int64_t> ranks {}; // empty: nothing
    std::vector<std::int64_t> steps {};
    std::int64_t critical = 0; // the largest effective batch that is of use; 0: unknown
    std::int64_t perMachine = 1; // ranks that add up among themselves first, over kLocalLink
    std::string link {}; // between machines; empty: each that was measured
};

// One number of devices, a link, a way to add up, and what each device has a part of.
struct Outlook {
    struct AtSteps {
        std::int64_t steps = 0;
        std::int64_t effective = 0; // B
        ScalingRange efficiency;
        bool isBeyondCritical = false;
    };
    // With the most accumulation steps that the critical batch allows.
    struct WithinCritical {
        std::int64_t steps = 0; // 0: even one is too many
        ScalingRange efficiency {};
        bool isEnough = false; // kWantedEfficiency is reached
    };

    std::string link;
    ScalingPoint way;
    std::vector<AtSteps> atSteps {};
    StepsRange needed {}; // for kWantedEfficiency
    StepsRange neededEffective {}; // B of it
    std::optional<WithinCritical> withinCritical {}; // if a critical batch is known
};

// Empty without a law. For each link, number of devices and shard mode one with a ring, and with
// perMachine above 1, where it divides the devices into several machines, one with the hierarchical
// all-reduce.
std::vector<Outlook> outlooks(const MeasuredScaling& measured, const OutlookRequest& request);

// The largest power of two of devices, in a ring without shards, that reach kWantedEfficiency with
// an effective batch of at most `critical`; 0: not even two.
std::int64_t mostRanksWithin(
    const MeasuredScaling& measured, const std::string& link, std::int64_t critical);
std::vector<std::string> linksOf(const MeasuredScaling& measured, const OutlookRequest& request);

} // namespace accrue
