// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_record.h"

#include "engine/events/event_json.h"

#include <algorithm>
#include <array>

namespace accrue {

namespace {

// The words in the file and in JSON, in the order of their enumerations.
constexpr std::array<std::string_view, 6> kStates { "queued", "running", "paused", "finished",
    "interrupted", "unknown" };
constexpr std::array<std::string_view, 4> kSources { "accrue", "script", "tensorboard", "csv" };
constexpr std::array<std::string_view, 5> kAxes { "step", "samples", "micro_batches", "epoch",
    "seconds" };
constexpr std::array<std::string_view, 8> kKinds { "checkpoint", "learning_rate", "paused",
    "resumed", "message", "ended", "continued", "out_of_memory" };

} // namespace

std::string_view nameOf(RunState state)
{
    return kStates.at(static_cast<std::size_t>(state));
}

std::string_view nameOf(RunSource source)
{
    return kSources.at(static_cast<std::size_t>(source));
}

std::string_view nameOf(Axis axis)
{
    return kAxes.at(static_cast<std::size_t>(axis));
}

std::string_view nameOf(RunMarker::Kind kind)
{
    return kKinds.at(static_cast<std::size_t>(kind));
}

RunMarker::Kind markerKind(std::string_view word)
{
    // A newer program may have written other kinds: their text is still shown.
    return enumNamed(word, RunMarker::Kind::OutOfMemory).value_or(RunMarker::Kind::Message);
}

std::optional<RunOutcome> bareOutcome(const RunMarker& marker)
{
    return marker.kind == RunMarker::Kind::Ended
        ? enumNamed(marker.text.english(), RunOutcome::Failed)
        : std::nullopt;
}

RunMessage::Severity severityOf(std::string_view word)
{
    // An unknown severity counts as the worst one, so that it is not overlooked.
    return enumNamed(word, RunMessage::Severity::Error).value_or(RunMessage::Severity::Error);
}

const std::vector<RunResult>& runResults()
{
    const auto result = [](const std::string& which, MetricId id, auto value) {
        return RunResult { id, which == "best_", which + nameOf(id), value };
    };
    static const std::vector<RunResult> all {
        result("last_", MetricId::Loss, &RunRecord::lastLoss),
        result("final_", MetricId::TrainLoss, &RunRecord::finalTrainLoss),
        result("final_", MetricId::TrainAccuracy, &RunRecord::finalTrainAccuracy),
        result("final_", MetricId::TestLoss, &RunRecord::finalTestLoss),
        result("final_", MetricId::TestAccuracy, &RunRecord::finalTestAccuracy),
        result("best_", MetricId::TestAccuracy, &RunRecord::bestTestAccuracy),
        result("final_", MetricId::ValidationLoss, &RunRecord::finalValidationLoss),
        result("final_", MetricId::ValidationAccuracy, &RunRecord::finalValidationAccuracy),
        result("best_", MetricId::ValidationAccuracy, &RunRecord::bestValidationAccuracy),
    };
    return all;
}

const RunRecord* findRun(const std::vector<RunRecord>& runs, const std::optional<RunId>& id)
{
    const auto found =
        std::ranges::find_if(runs, [&id](const RunRecord& run) { return run.id == id; });
    return found != runs.end() ? &*found : nullptr;
}

std::optional<std::int64_t> nextRung(const QueuePlace& place)
{
    if (place.rung < 0 || place.rung >= std::ssize(place.rungs))
        return std::nullopt;
    return place.rungs[static_cast<std::size_t>(place.rung)];
}

bool isLive(const RunRecord& run)
{
    return run.state == RunState::Running || run.state == RunState::Paused;
}

bool waitsAtRung(const RunRecord& run)
{
    return run.queue && run.queue->atRung && !isLive(run);
}

// The log may be anybody's: its numbers may be zero, negative, or too large to be multiplied.
BatchPlan planInForce(const BatchPlan& plan, std::int64_t cutMicro)
{
    const bool isPossible =
        cutMicro > 0 && plan.devices > 0 && cutMicro <= plan.effective / plan.devices;
    return isPossible && cutMicro != plan.micro ? cutInto(plan, cutMicro) : plan;
}

BatchPlan planInForce(const RunRecord& run)
{
    return planInForce(run.plan, run.cutMicro);
}

std::optional<BestEvaluation> bestOf(const RunRecord& run)
{
    // The first metric that the run has: validation before test.
    for (const MetricId id : kJudgedBy)
        for (const RunResult& result : runResults())
            if (const std::optional<double>& best = run.*result.value;
                result.metric == id && result.isBest && best)
                return BestEvaluation { nameOf(id), *best, run.bestStep };
    return std::nullopt;
}

std::optional<double> bestAccuracyOf(const RunRecord& run)
{
    const std::optional<BestEvaluation> best = bestOf(run);
    return best ? std::optional(best->value) : std::nullopt;
}

bool hasItsLength(const RunRecord& run)
{
    return run.outcome == RunOutcome::Completed && run.early == EarlyEnd::None;
}

Message whyNotResumable(const RunRecord& run, Length length)
{
    const std::string id = std::to_string(numberOf(run.id));
    if (!hasRecipe(run))
        return Message("runlog.resume_foreign", { { "run", id } });
    if (run.archived)
        return Message("runlog.resume_archived", { { "run", id } });
    if (hasItsLength(run) && length == Length::AsBefore)
        return Message("runlog.resume_completed", { { "run", id } });
    // It cannot be determined from here whether it is alive, and two processes would write one run.
    if (run.state == RunState::Unknown)
        return Message("runlog.resume_elsewhere", { { "run", id }, { "host", run.host } });
    if (run.state == RunState::Queued)
        return Message("runlog.resume_queued", { { "run", id } });
    if (run.state != RunState::Finished && run.state != RunState::Interrupted)
        return Message("runlog.resume_live", { { "run", id } });
    return {};
}

} // namespace accrue
