// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_json.h"

#include "engine/events/event_json.h"
#include "engine/events/json_value.h"
#include "engine/runs/settled_settings.h"

#include <array>
#include <ctime>

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

using Json = nlohmann::ordered_json;

Json jsonNumber(const std::optional<double>& value)
{
    return value ? jsonOf(*value) : Json(nullptr);
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

Json timeOrNull(std::int64_t unixMs)
{
    return unixMs == 0 ? Json(nullptr) : Json(isoTime(unixMs));
}

// Both the requested plan and the micro-batch that memory allowed.
Json planJson(const RunRecord& run)
{
    if (!hasRecipe(run))
        return nullptr;
    return { { "effective", run.plan.effective }, { "micro", run.plan.micro },
        { "steps", run.plan.steps }, { "devices", run.plan.devices },
        { "micro_in_force", planInForce(run).micro },
        { "solved", std::string(nameOf(run.plan.solved)) },
        { "epoch_windows", run.epochPlan.windows }, { "tail_samples", run.epochPlan.tailSamples },
        { "epoch_micro_batches", run.epochPlan.microBatches }, { "total_steps", run.totalSteps } };
}

Json versionsJson(const RunRecord& run)
{
    return { { "accrue", run.programVersion }, { "revision", run.codeRevision },
        { "torch", textOrNull(run.torchVersion) }, { "cuda", textOrNull(run.cudaVersion) } };
}

Json bestJson(const RunRecord& run)
{
    const std::optional<BestEvaluation> best = bestOf(run);
    if (!best)
        return nullptr;
    return { { "metric", best->metric }, { "value", jsonOf(best->value) }, { "step", best->step } };
}

// Metrics that not every run can have are left out if they are missing; the others become null.
Json finalJson(const RunRecord& run)
{
    Json json = Json::object();
    for (const RunResult& result : runResults()) {
        const MetricInfo& metric = infoOf(result.metric);
        const std::optional<double>& value = run.*result.value;
        const bool isOfStep = metric.section == MetricSection::Step;
        if (!result.isBest && !isOfStep && (value || !isOptional(metric)))
            json[metric.name] = jsonNumber(value);
    }
    return json;
}

Json queueJson(const RunRecord& run)
{
    if (!run.queue)
        return nullptr;
    const QueuePlace& place = *run.queue;
    return { { "held", place.held }, { "begun", place.begun }, { "rungs", place.rungs },
        { "rung", place.rung }, { "at_rung", waitsAtRung(run) },
        { "predicted_bytes", jsonNumber(place.predictedBytes) },
        { "predicted_seconds", jsonNumber(place.predictedSeconds) },
        { "added", timeOrNull(place.addedMs) } };
}

} // namespace

std::string isoTime(std::int64_t unixMs)
{
    const std::time_t seconds = static_cast<std::time_t>(unixMs / 1000);
    std::tm utc {};
    // gmtime would share one buffer among all threads.
    gmtime_r(&seconds, &utc);
    std::array<char, 32> text {};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    // 1000 + keeps the leading zeros: "1050" gives ".050".
    std::string milliseconds = std::to_string(1000 + unixMs % 1000);
    return std::string(text.data(), length) + "." + milliseconds.substr(1) + "Z";
}

Json jsonOf(const RunRecord& run)
{
    // Programs recognise a message by its code and arguments, which stay the same when its text is
    // reworded.
    return { { "id", numberOf(run.id) }, { "name", run.name },
        { "state", std::string(nameOf(run.state)) },
        { "outcome", run.outcome ? Json(std::string(nameOf(*run.outcome))) : Json(nullptr) },
        { "ended_early", textOrNull(std::string(nameOf(run.early))) },
        { "sweep", run.sweep != 0 ? Json(run.sweep) : Json(nullptr) }, { "queue", queueJson(run) },
        { "attempt", run.attempt }, { "created", timeOrNull(run.createdMs) },
        { "ended", timeOrNull(run.endedMs) }, { "archived", run.archived }, { "step", run.step },
        { "samples", run.samples }, { "micro_batches", run.microBatches }, { "epoch", run.epoch },
        { "seconds", jsonOf(run.seconds) },
        { nameOf(MetricId::Throughput), jsonOf(run.throughput) },
        { "settings", settingsJson(requestedSettings(run)) }, { "plan", planJson(run) },
        { "data", textOrNull(run.dataDescription.english()) },
        { "data_identity", jsonOf(run.data) }, { "parameters", run.parameters },
        { "device", textOrNull(run.device) }, { "device_name", textOrNull(run.deviceName) },
        { "threads", run.threads }, { "memory_format", textOrNull(run.memoryFormat) },
        { "versions", versionsJson(run) }, { "host", run.host },
        { "source", std::string(nameOf(run.source)) }, { "origin", textOrNull(run.origin) },
        { "best", bestJson(run) }, { "final", finalJson(run) },
        { "last_loss", jsonNumber(run.lastLoss) }, { nameOf(MetricId::PeakBytes), run.peakBytes },
        { "evaluation_peak_bytes",
            run.evaluationPeakBytes > 0 ? Json(run.evaluationPeakBytes) : Json(nullptr) },
        { "checkpoint", textOrNull(run.checkpoint) },
        { "message", textOrNull(run.message.english()) },
        { "message_code", textOrNull(run.message.code()) },
        { "message_arguments", run.message.toJson() }, { "tags", run.tags }, { "note", run.note } };
}

} // namespace accrue
