// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_record.h"

namespace accrue {

std::string_view nameOf(RunState state)
{
    switch (state) {
    case RunState::Queued:
        return "queued";
    case RunState::Running:
        return "running";
    case RunState::Paused:
        return "paused";
    case RunState::Finished:
        return "finished";
    case RunState::Interrupted:
        return "interrupted";
    case RunState::Unknown:
        break;
    }
    return "unknown";
}

std::string_view nameOf(Axis axis)
{
    switch (axis) {
    case Axis::Step:
        return "step";
    case Axis::Samples:
        return "samples";
    case Axis::MicroBatches:
        return "micro_batches";
    case Axis::Epoch:
        return "epoch";
    case Axis::Seconds:
        break;
    }
    return "seconds";
}

const std::vector<MetricInfo>& metrics()
{
    static const std::vector<MetricInfo> all {
        { "loss", "Loss", "", true, false },
        { "learning_rate", "Learning rate", "", true, false },
        { "gradient_norm", "Gradient norm", "", true, false },
        { "step_ms", "Step time", "ms", true, false },
        { "data_ms", "Data time", "ms", true, false },
        { "forward_ms", "Forward time", "ms", true, false },
        { "backward_ms", "Backward time", "ms", true, false },
        { "optimizer_ms", "Optimizer time", "ms", true, false },
        { "peak_bytes", "Peak memory (training)", "bytes", true, false },
        { "throughput", "Throughput", "samples/s", true, true },
        { "train_loss", "Training loss", "", false, false },
        { "train_accuracy", "Training accuracy", "", false, true },
        { "test_loss", "Test loss", "", false, false },
        { "test_accuracy", "Test accuracy", "", false, true },
        { "validation_loss", "Validation loss", "", false, false },
        { "validation_accuracy", "Validation accuracy", "", false, true },
    };
    return all;
}

const std::vector<MetricInfo>& tracedMetrics()
{
    static const std::vector<MetricInfo> all {
        { "traced_value_1", "Traced value 1", "", true, false },
        { "traced_value_2", "Traced value 2", "", true, false },
        { "traced_value_3", "Traced value 3", "", true, false },
        { "traced_value_4", "Traced value 4", "", true, false },
        { "traced_checksum", "Traced checksum", "", true, false },
    };
    return all;
}

bool isLive(const RunRecord& run)
{
    return run.state == RunState::Running || run.state == RunState::Paused;
}

BatchPlan planInForce(const RunRecord& run)
{
    return run.cutMicro > 0 ? cutInto(run.plan, run.cutMicro) : run.plan;
}

std::optional<BestEvaluation> bestOf(const RunRecord& run)
{
    if (run.bestValidationAccuracy)
        return BestEvaluation { "validation_accuracy", *run.bestValidationAccuracy, run.bestStep };
    if (run.bestTestAccuracy)
        return BestEvaluation { "test_accuracy", *run.bestTestAccuracy, run.bestStep };
    return std::nullopt;
}

std::optional<double> bestAccuracyOf(const RunRecord& run)
{
    const std::optional<BestEvaluation> best = bestOf(run);
    return best ? std::optional(best->value) : std::nullopt;
}

std::string whyNotResumable(const RunRecord& run, Length length)
{
    const std::string name = "Run #" + std::to_string(numberOf(run.id));
    if (run.archived)
        return name + " is archived. Unarchive it before you resume it.";
    if (run.outcome == RunOutcome::Completed && length == Length::AsBefore)
        return name
            + " has completed, so there is nothing left to resume. It goes on only where it is made"
              " longer.";
    if (run.state == RunState::Unknown)
        return name + " was begun on the host " + run.host
            + ", and whether it still trains there cannot be seen from here. Resume it there.";
    if (run.state != RunState::Finished && run.state != RunState::Interrupted)
        return name + " is being trained at this moment. Stop it before you resume it.";
    return {};
}

} // namespace accrue
