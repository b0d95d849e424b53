// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/memory_changes.h"
#include "engine/events/metrics.h"
#include "engine/events/resume_point.h"
#include "engine/runs/run_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// One metric of a run so far: a row of the table `summaries`.
struct MetricTally {
    bool seen = false;
    bool touched = false; // since it was last written
    double final = 0;
    double best = 0; // NaN until there was a finite value; so are min and max
    std::int64_t bestStep = 0;
    double min = 0;
    double max = 0;

    // A metric without a better direction counts its lowest value as best here, as the file always
    // did.
    void add(double value, std::int64_t step, Better better);
    bool hasFinite() const { return seen && std::isfinite(best); }
};

// The final and best values of a run, and their only copy while it is written. The columns of
// `runs` and the rows of `summaries` are both derived from these. A value.
class MetricTallies {
public:
    void add(const MetricInfo& metric, double value, std::int64_t step);
    // Every metric that is a field of the event, computed from it or carried by it.
    template <typename Event> void add(const Event& event)
    {
        for (const MetricInfo& metric : metrics())
            if (const std::optional<double> value = metricIn(metric, event))
                add(metric, *value, event.step);
        addCarried(event.values, event.step);
    }

    // The values of rank 0 that an event carries by name.
    void addCarried(const std::vector<MetricValue>& values, std::int64_t step);

    const MetricTally& of(MetricId id) const { return m_known.at(static_cast<std::size_t>(id)); }
    std::optional<double> valueOf(const RunResult& result) const;
    std::int64_t bestStep() const; // of the metric by which the run is judged; 0: none yet

    // Calls `visit(name, tally)` for each metric that has a value, first for those of the table.
    template <typename Visit> void visitSeen(const Visit& visit) { visitIn(*this, visit); }
    template <typename Visit> void visitSeen(const Visit& visit) const { visitIn(*this, visit); }

private:
    template <typename Tallies, typename Visit>
    static void visitIn(Tallies& tallies, const Visit& visit)
    {
        for (std::size_t i = 0; i < tallies.m_known.size(); ++i)
            if (tallies.m_known[i].seen)
                visit(nameOf(static_cast<MetricId>(i)), tallies.m_known[i]);
        for (auto& [name, tally] : tallies.m_others)
            visit(name, tally);
    }
    std::array<MetricTally, static_cast<std::size_t>(MetricId::Elsewhere)> m_known; // by MetricId
    std::map<std::string, MetricTally> m_others; // MetricId::Elsewhere, by name
};

// What the writer remembers of a run that it writes, so that it reads no row back. A value: copied
// before a transaction and restored if that fails.
struct LoggedProgress : ResumePoint {
    int attempt = 1;
    bool paused = false;
    bool ended = false;
    MemoryChanges memory; // in this attempt
    MetricTallies tallies;

    // The run has reached the place of this event.
    template <typename Position> void advance(const Position& position)
    {
        step = std::max(step, position.step);
        samples = position.samples;
        microBatches = position.microBatches;
        epoch = position.epoch;
        seconds = position.seconds;
    }
    std::int64_t peakBytes() const; // highest of all windows; 0: none yet
};

} // namespace accrue
