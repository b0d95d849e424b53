// SPDX-License-Identifier: Apache-2.0
#include "engine/events/event_json.h"

#include "engine/events/json_list.h"
#include "engine/events/json_value.h"
#include "engine/events/metrics.h"

#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

// In the order in which fields are added: people read these lines, too.
using Json = nlohmann::ordered_json;

Json planObject(const RunStarted& started)
{
    const BatchPlan& plan = started.plan;
    const EpochPlan& epoch = started.epoch;
    return { { "event", "plan" }, { "effective", plan.effective }, { "micro", plan.micro },
        { "steps", plan.steps }, { "devices", plan.devices }, { "solved", nameOf(plan.solved) },
        { "epoch_samples", epoch.samples }, { "epoch_windows", epoch.windows },
        { "epoch_micro_batches", epoch.microBatches }, { "tail_samples", epoch.tailSamples },
        { "total_steps", started.totalSteps } };
}

// Every category, even an empty one, so that each line has the same fields.
Json bytesObject(const CategoryBytes& bytes)
{
    Json object = Json::object();
    for (std::size_t i = 0; i < bytes.size(); ++i)
        object[std::string(nameOf(static_cast<MemoryCategory>(i)))] = bytes.at(i);
    return object;
}

Json phaseObject(const PhaseMemory& phase)
{
    Json owners = Json::array();
    for (const MemoryOwner& owner : phase.owners)
        owners.push_back({ { "category", nameOf(owner.category) }, { "layer", owner.layer },
            { "operation", owner.operation }, { "bytes", owner.bytes } });
    Json kept = Json::array();
    for (const LayerBytes& each : phase.kept)
        kept.push_back({ { "layer", each.layer }, { "bytes", each.bytes } });
    return { { "phase", nameOf(phase.phase) }, { "micro_batch", phase.microBatch },
        { "samples", phase.samples }, { "begin_bytes", phase.beginBytes },
        { "end_bytes", phase.endBytes }, { "peak_bytes", phase.peakBytes },
        { "peak", bytesObject(phase.atPeak) }, { "end", bytesObject(phase.atEnd) },
        { "cached_bytes", phase.cachedBytes }, { "other_bytes", phase.otherBytes },
        { "owners", owners }, { "kept", kept } };
}

Json histogramObject(const ParameterHistogram& histogram)
{
    return { { "parameter", histogram.parameter }, { "kind", nameOf(histogram.of) },
        { "least", jsonOf(histogram.least) }, { "largest", jsonOf(histogram.largest) },
        { "mean", jsonOf(histogram.mean) }, { "deviation", jsonOf(histogram.deviation) },
        { "not_finite", histogram.notFinite }, { "counts", histogram.counts } };
}

// The place in the run, with the names that all events of a run's course use.
template <typename Event> void addCourse(Json& object, const Event& event)
{
    object["samples"] = event.samples;
    object["micro_batches"] = event.microBatches;
    object["seconds"] = jsonOf(event.seconds);
}

template <typename Event> void addMetrics(Json& object, MetricSection section, const Event& event)
{
    for (const MetricInfo* metric : fieldsOf(section))
        if (const std::optional<double> value = metricIn(*metric, event))
            // A count printed as 3.0 could not be parsed as an integer.
            object[metric->name] = isWhole(*metric) ? Json(std::llround(*value)) : jsonOf(*value);
}

// If the event already has a field of that name, emplace leaves the field as it is.
void addValues(Json& object, const std::vector<MetricValue>& values)
{
    for (const MetricValue& each : values)
        object.emplace(each.metric, jsonOf(each.value));
}

// One function per event; jsonObjects inserts `event` before its fields.
struct Fields {
    Json operator()(const RunStarted& e) const
    {
        return { { "name", e.experiment.name }, { "settings", settingsJson(e.experiment) },
            { "data", e.dataDescription.english() }, { "train_samples", e.trainSamples },
            { "test_samples", e.testSamples }, { "parameters", e.parameters },
            { "device", e.device }, { "device_name", e.deviceName }, { "threads", e.threads },
            { "memory_format", e.memoryFormat },
            { "versions", { { "torch", e.torchVersion }, { "cuda", e.cudaVersion } } } };
    }
    Json operator()(const StepDone& e) const
    {
        Json object { { "step", e.step }, { "epoch", e.epoch } };
        addCourse(object, e);
        object["window_samples"] = e.windowSamples;
        addMetrics(object, MetricSection::Step, e);
        object["updated"] = e.updated;
        // Last, because a field of the event has priority over a metric of the same name.
        addValues(object, e.values);
        return object;
    }
    Json operator()(const ParameterTraced& e) const
    {
        const auto object = [](const TracedMicroBatch& traced) -> Json {
            return { { "samples", traced.samples }, { "micro_batches", traced.microBatches },
                { "seconds", jsonOf(traced.seconds) }, { "checksum", traced.checksum },
                { "values", jsonList(traced.values, [](double value) { return jsonOf(value); }) } };
        };
        return { { "step", e.step }, { "epoch", e.epoch },
            { "traced", jsonList(e.microBatches, object) } };
    }
    Json operator()(const EpochDone& e) const
    {
        Json object { { "epoch", e.epoch }, { "step", e.step } };
        addCourse(object, e);
        addMetrics(object, MetricSection::Epoch, e);
        addValues(object, e.values);
        return object;
    }
    Json operator()(const Evaluated& e) const
    {
        Json object { { "epoch", e.epoch }, { "step", e.step } };
        addCourse(object, e);
        addMetrics(object, MetricSection::Evaluation, e);
        object["evaluation_ms"] = jsonOf(e.evaluationMs);
        addValues(object, e.values);
        return object;
    }
    Json operator()(const RanksMeasured& e) const
    {
        Json object { { "step", e.step }, { "epoch", e.epoch } };
        addCourse(object, e);
        std::vector<Json> ranks;
        for (const MetricValue& each : e.values) {
            if (ranks.empty() || ranks.back().at("rank") != each.rank)
                ranks.push_back({ { "rank", each.rank } });
            ranks.back()[each.metric] = jsonOf(each.value);
        }
        object["ranks"] = std::move(ranks);
        return object;
    }
    Json operator()(const HistogramsMeasured& e) const
    {
        Json object { { "step", e.step }, { "epoch", e.epoch } };
        addCourse(object, e);
        object["histograms"] = jsonList(e.histograms, histogramObject);
        return object;
    }
    Json operator()(const CheckpointSaved& e) const
    {
        return { { "step", e.step }, { "seconds", jsonOf(e.seconds) }, { "checkpoint", e.folder } };
    }
    Json operator()(const LearningRateChanged& e) const
    {
        return { { "step", e.step }, { "seconds", jsonOf(e.seconds) },
            { "factor", jsonOf(e.factor) },
            { nameOf(MetricId::LearningRate), jsonOf(e.learningRate) } };
    }
    Json operator()(const MemoryMeasured& e) const
    {
        return { { "step", e.step }, { "epoch", e.epoch }, { "seconds", jsonOf(e.seconds) },
            { "phases", jsonList(e.phases, phaseObject) } };
    }
    Json operator()(const OutOfMemory& e) const
    {
        return { { "step", e.step }, { "epoch", e.epoch }, { "seconds", jsonOf(e.seconds) },
            { "from_micro", e.fromMicro }, { "to_micro", e.toMicro }, { "phase", e.phase },
            { "text", e.text.english() }, { "code", e.text.code() },
            { "arguments", e.text.toJson() } };
    }
    Json operator()(const RunPaused& e) const { return place(e.step, e.seconds); }
    Json operator()(const RunResumed& e) const { return place(e.step, e.seconds); }
    Json operator()(const RunMessage& e) const
    {
        return { { "severity", nameOf(e.severity) }, { "step", e.step },
            { "seconds", jsonOf(e.seconds) }, { "text", e.text.english() },
            { "code", e.text.code() }, { "arguments", e.text.toJson() } };
    }
    Json operator()(const RunEnded& e) const
    {
        Json object { { "outcome", nameOf(e.outcome) }, { "step", e.step },
            { "samples", e.samples }, { "micro_batches", e.microBatches }, { "epoch", e.epoch },
            { "seconds", jsonOf(e.seconds) }, { "message", e.message.english() },
            { "message_code", e.message.code() }, { "message_arguments", e.message.toJson() },
            { "checkpoint", e.checkpoint } };
        if (e.early != EarlyEnd::None)
            object["early"] = nameOf(e.early);
        return object;
    }

private:
    static Json place(std::int64_t step, double seconds)
    {
        return { { "step", step }, { "seconds", jsonOf(seconds) } };
    }
};

} // namespace

std::string_view nameOf(RunOutcome outcome)
{
    constexpr std::array<std::string_view, 5> kNames { "completed", "stopped", "diverged",
        "out_of_memory", "failed" };
    return kNames.at(static_cast<std::size_t>(outcome));
}

std::string_view nameOf(EarlyEnd early)
{
    constexpr std::array<std::string_view, 4> kNames { "", "rule", "patience", "halving" };
    return kNames.at(static_cast<std::size_t>(early));
}

std::string_view nameOf(BatchPlan::Solved solved)
{
    constexpr std::array<std::string_view, 5> kNames { "none", "effective", "micro", "steps",
        "devices" };
    return kNames.at(static_cast<std::size_t>(solved));
}

std::string_view nameOf(RunMessage::Severity severity)
{
    constexpr std::array<std::string_view, 3> kNames { "information", "warning", "error" };
    return kNames.at(static_cast<std::size_t>(severity));
}

std::string_view nameOf(MemoryCategory category)
{
    constexpr std::array<std::string_view, kMemoryCategories> kNames { "data_set", "parameters",
        "gradients", "optimizer_state", "average", "buffers", "input", "activations", "workspace" };
    return kNames.at(static_cast<std::size_t>(category));
}

// Indexed by the place of the kind in the variant.
std::string_view nameOf(const Event& event)
{
    static constexpr std::string_view kNames[] = { "run_started", "step", "epoch", "evaluation",
        "checkpoint", "learning_rate", "paused", "resumed", "message", "run_ended", "trace",
        "memory", "out_of_memory", "ranks", "histograms" };
    static_assert(std::size(kNames) == std::variant_size_v<Event>);
    return kNames[event.index()];
}

std::vector<Json> jsonObjects(const Event& event)
{
    Json object { { "event", nameOf(event) } };
    object.update(std::visit(Fields {}, event));
    std::vector<Json> objects { std::move(object) };
    if (const RunStarted* started = std::get_if<RunStarted>(&event))
        objects.push_back(planObject(*started));
    return objects;
}

void addMetrics(Json& object, const Evaluated& event)
{
    addMetrics(object, MetricSection::Evaluation, event);
}

// Names of folders and classes may contain any bytes; dump() alone would throw.
std::string jsonLine(const Json& object)
{
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string toJsonLines(const Event& event)
{
    std::string lines;
    for (const Json& object : jsonObjects(event))
        lines += (lines.empty() ? "" : "\n") + jsonLine(object);
    return lines;
}

} // namespace accrue
