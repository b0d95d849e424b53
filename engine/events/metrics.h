// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace accrue {

// Every metric is described once, by its row of the table in metrics.cpp. The columns and
// statements of the run log, the JSON of events, CSV, the summaries, the tables of the command line
// and the titles and choices of the window are derived from that row. All functions are pure and
// thread-safe.

// The metrics that code names, in the order of the table.
enum class MetricId : std::uint8_t {
    Loss,
    LearningRate,
    GradientNorm,
    StepMs,
    DataMs,
    ForwardMs,
    BackwardMs,
    OptimizerMs,
    PeakBytes,
    Throughput,
    TrainLoss,
    TrainAccuracy,
    TestLoss,
    TestAccuracy,
    ValidationLoss,
    ValidationAccuracy,
    TracedValue1,
    TracedValue2,
    TracedValue3,
    TracedValue4,
    TracedChecksum,
    UpdateRatio,
    // Any other: a row of the table that no code names, or a metric that the table lacks, because
    // another program or a later version named it.
    Elsewhere,
};

// When a metric has a value. The order is that of comparisons: what a run is judged by precedes its
// cost.
enum class MetricSection : std::uint8_t { Evaluation, Epoch, Step, Trace, Elsewhere };

// Which value is the better one. A metric with `Neither` has no best.
enum class Better : std::uint8_t { Lower, Higher, Neither };

enum class MetricFormat : std::uint8_t {
    Number,
    Share, // 0 to 1, shown in percent
    Milliseconds,
    Bytes,
    Rate, // samples per second
};

// Where a value comes from.
struct CarriedByName { }; // among the `values` of an event; stored in the table metric_values
struct TraceColumn { // a column of the table traces, by its name
    const char* name;
};
// Computed from a step whenever it is needed, so it has no column; empty: the step has no value.
using ComputedOfStep = std::optional<double> (*)(const StepDone&);
using MetricSource =
    std::variant<CarriedByName, double StepDone::*, std::int64_t StepDone::*, ComputedOfStep,
        double EpochDone::*, double Evaluated::*, std::optional<double> Evaluated::*, TraceColumn>;

struct MetricInfo {
    MetricId id = MetricId::Elsewhere;
    std::string name; // of the SQL column, the JSON field and the metric in CSV
    std::string title; // English, "Training loss"; titleOf of a report translates it
    std::string unit = {}; // "ms", "bytes", "samples/s"; empty: none, or unknown
    Better better = Better::Neither;
    MetricSection section = MetricSection::Elsewhere;
    MetricFormat format = MetricFormat::Number;
    int sinceFormat = 1; // of the run log
    MetricSource source = CarriedByName {};
    bool ofEachRank = false; // RanksMeasured has a value of each rank
};

// All metrics with summaries, in the table's order: without those of traces.
const std::vector<MetricInfo>& metrics();
// The metrics of trace.parameters, per micro-batch: first values and CRC-32, and of each of several
// ranks its CRC-32 and the bytes that it has sent. They are read and exported like the others and
// have no summaries.
const std::vector<MetricInfo>& tracedMetrics();

const MetricInfo& infoOf(MetricId id); // not for Elsewhere
inline const std::string& nameOf(MetricId id)
{
    return infoOf(id).name;
}
const MetricInfo* findMetric(std::string_view name); // null: the table lacks it
// For a metric that the table lacks: its name is its title, and nothing else is known about it.
MetricInfo metricNamed(const std::string& name);
// metrics(), followed by those of `names` that the table lacks, sorted by name.
std::vector<MetricInfo> metricsBeside(const std::set<std::string>& names);

inline bool hasBest(const MetricInfo& metric)
{
    return metric.better != Better::Neither;
}
// Its values are integers in SQL and JSON.
inline bool isWhole(const MetricInfo& metric)
{
    return std::holds_alternative<std::int64_t StepDone::*>(metric.source);
}
// Not every event of its section has a value.
inline bool isOptional(const MetricInfo& metric)
{
    return std::holds_alternative<std::optional<double> Evaluated::*>(metric.source);
}
inline bool isCarriedByName(const MetricInfo& metric)
{
    return std::holds_alternative<CarriedByName>(metric.source);
}

// The metrics that are fields of a section's event, in the table's order, neither computed nor
// carried by name. Each is a column of the section's table and a field of the event's JSON.
const std::vector<const MetricInfo*>& fieldsOf(MetricSection section);

// The value of a metric in an event; empty if the event has none, also for metrics of another event
// and for those that are carried by name.
std::optional<double> metricIn(const MetricInfo& metric, const StepDone& event);
std::optional<double> metricIn(const MetricInfo& metric, const EpochDone& event);
std::optional<double> metricIn(const MetricInfo& metric, const Evaluated& event);

// The metrics that judge a run: the first one of which it has values.
inline constexpr std::array kJudgedBy { MetricId::ValidationAccuracy, MetricId::TestAccuracy };

// The evaluation that a run is judged by.
struct BestEvaluation {
    std::string metric = {}; // the name of one of kJudgedBy
    double value = 0;
    std::int64_t step = 0;
};
// A result of one evaluation; its value may be non-finite.
BestEvaluation judgementOf(const Evaluated& event);

} // namespace accrue
