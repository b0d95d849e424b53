// SPDX-License-Identifier: Apache-2.0
#include "engine/events/event_json.h"

#include "engine/events/json_value.h"

#include <array>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

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

// One function an event; `event` itself is put in front by toJsonLines.
struct Fields {
    Json operator()(const RunStarted& e) const
    {
        return { { "name", e.experiment.name }, { "settings", settingsJson(e.experiment) },
            { "data", e.dataDescription }, { "train_samples", e.trainSamples },
            { "test_samples", e.testSamples }, { "parameters", e.parameters },
            { "device", e.device }, { "device_name", e.deviceName }, { "threads", e.threads },
            { "memory_format", e.memoryFormat },
            { "versions", { { "torch", e.torchVersion }, { "cuda", e.cudaVersion } } } };
    }
    Json operator()(const StepDone& e) const
    {
        return { { "step", e.step }, { "epoch", e.epoch }, { "samples", e.samples },
            { "micro_batches", e.microBatches }, { "seconds", jsonOf(e.seconds) },
            { "window_samples", e.windowSamples }, { "loss", jsonOf(e.loss) },
            { "learning_rate", jsonOf(e.learningRate) },
            { "gradient_norm", jsonOf(e.gradientNorm) }, { "step_ms", jsonOf(e.stepMs) },
            { "data_ms", jsonOf(e.dataMs) }, { "forward_ms", jsonOf(e.forwardMs) },
            { "backward_ms", jsonOf(e.backwardMs) }, { "optimizer_ms", jsonOf(e.optimizerMs) },
            { "peak_bytes", e.peakBytes }, { "updated", e.updated } };
    }
    Json operator()(const ParameterTraced& e) const
    {
        Json all = Json::array();
        for (const TracedMicroBatch& traced : e.microBatches) {
            Json values = Json::array();
            for (const double value : traced.values)
                values.push_back(jsonOf(value));
            all.push_back({ { "samples", traced.samples }, { "micro_batches", traced.microBatches },
                { "seconds", jsonOf(traced.seconds) }, { "checksum", traced.checksum },
                { "values", values } });
        }
        return { { "step", e.step }, { "epoch", e.epoch }, { "traced", all } };
    }
    Json operator()(const EpochDone& e) const
    {
        return { { "epoch", e.epoch }, { "step", e.step }, { "samples", e.samples },
            { "micro_batches", e.microBatches }, { "seconds", jsonOf(e.seconds) },
            { "train_loss", jsonOf(e.trainLoss) }, { "train_accuracy", jsonOf(e.trainAccuracy) } };
    }
    Json operator()(const Evaluated& e) const
    {
        Json object { { "epoch", e.epoch }, { "step", e.step }, { "samples", e.samples },
            { "micro_batches", e.microBatches }, { "seconds", jsonOf(e.seconds) },
            { "test_loss", jsonOf(e.testLoss) }, { "test_accuracy", jsonOf(e.testAccuracy) } };
        if (e.validationLoss)
            object["validation_loss"] = jsonOf(*e.validationLoss);
        if (e.validationAccuracy)
            object["validation_accuracy"] = jsonOf(*e.validationAccuracy);
        object["evaluation_ms"] = jsonOf(e.evaluationMs);
        return object;
    }
    Json operator()(const CheckpointSaved& e) const
    {
        return { { "step", e.step }, { "seconds", jsonOf(e.seconds) }, { "checkpoint", e.folder } };
    }
    Json operator()(const LearningRateChanged& e) const
    {
        return { { "step", e.step }, { "seconds", jsonOf(e.seconds) },
            { "factor", jsonOf(e.factor) }, { "learning_rate", jsonOf(e.learningRate) } };
    }
    Json operator()(const MemoryMeasured& e) const
    {
        Json phases = Json::array();
        for (const PhaseMemory& phase : e.phases)
            phases.push_back(phaseObject(phase));
        return { { "step", e.step }, { "epoch", e.epoch }, { "seconds", jsonOf(e.seconds) },
            { "phases", phases } };
    }
    Json operator()(const OutOfMemory& e) const
    {
        return { { "step", e.step }, { "epoch", e.epoch }, { "seconds", jsonOf(e.seconds) },
            { "from_micro", e.fromMicro }, { "to_micro", e.toMicro }, { "phase", e.phase },
            { "text", e.text } };
    }
    Json operator()(const RunPaused& e) const { return place(e.step, e.seconds); }
    Json operator()(const RunResumed& e) const { return place(e.step, e.seconds); }
    Json operator()(const RunMessage& e) const
    {
        return { { "severity", nameOf(e.severity) }, { "step", e.step },
            { "seconds", jsonOf(e.seconds) }, { "text", e.text } };
    }
    Json operator()(const RunEnded& e) const
    {
        return { { "outcome", nameOf(e.outcome) }, { "step", e.step }, { "samples", e.samples },
            { "micro_batches", e.microBatches }, { "epoch", e.epoch },
            { "seconds", jsonOf(e.seconds) }, { "message", e.message },
            { "checkpoint", e.checkpoint } };
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
    switch (outcome) {
    case RunOutcome::Completed:
        return "completed";
    case RunOutcome::Stopped:
        return "stopped";
    case RunOutcome::Diverged:
        return "diverged";
    case RunOutcome::OutOfMemory:
        return "out_of_memory";
    case RunOutcome::Failed:
        return "failed";
    }
    return {};
}

std::string_view nameOf(BatchPlan::Solved solved)
{
    switch (solved) {
    case BatchPlan::Solved::None:
        return "none";
    case BatchPlan::Solved::Effective:
        return "effective";
    case BatchPlan::Solved::Micro:
        return "micro";
    case BatchPlan::Solved::Steps:
        return "steps";
    case BatchPlan::Solved::Devices:
        return "devices";
    }
    return {};
}

std::string_view nameOf(RunMessage::Severity severity)
{
    switch (severity) {
    case RunMessage::Severity::Information:
        return "information";
    case RunMessage::Severity::Warning:
        return "warning";
    case RunMessage::Severity::Error:
        return "error";
    }
    return {};
}

std::string_view nameOf(MemoryCategory category)
{
    constexpr std::array<std::string_view, kMemoryCategories> kNames { "data_set", "parameters",
        "gradients", "optimizer_state", "average", "buffers", "input", "activations", "workspace" };
    return kNames.at(static_cast<std::size_t>(category));
}

std::string_view nameOf(MemoryPhase phase)
{
    return memoryPhaseName(phase);
}

std::string_view nameOf(const Event& event)
{
    static constexpr std::string_view kNames[] = { "run_started", "step", "epoch", "evaluation",
        "checkpoint", "learning_rate", "paused", "resumed", "message", "run_ended", "trace",
        "memory", "out_of_memory" };
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
