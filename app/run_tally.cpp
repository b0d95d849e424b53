// SPDX-License-Identifier: Apache-2.0
#include "app/run_tally.h"

#include "app/text_table.h"
#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "engine/report/comparison_rows.h"
#include "engine/runs/run_record.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

void append(std::string& text, const Message& part)
{
    if (!part.empty())
        text += (text.empty() ? "" : "  ") + part.text();
}

Message lossPart(const RunTally& tally)
{
    return tally.step
        ? Message("cli.progress_loss", { { "loss", formatNumber(tally.step->loss, 3) } })
        : Message();
}

// Two parts, the first of them only if samples are held out.
void appendEvaluation(std::string& text, const RunTally& tally)
{
    if (!tally.evaluation)
        return;
    if (tally.evaluation->validationAccuracy)
        append(text,
            Message("cli.progress_validation",
                { { "accuracy", Percent { *tally.evaluation->validationAccuracy } } }));
    append(text,
        Message(
            "cli.progress_test", { { "accuracy", Percent { tally.evaluation->testAccuracy } } }));
}

Message leftPart(const RunTally& tally)
{
    const double left = tally.secondsLeft();
    // Negative while it is unknown.
    return left <= 0 ? Message() : Message("cli.progress_left", { { "time", Duration { left } } });
}

Message ratePart(const RunTally& tally)
{
    const double rate = tally.samplesPerSecond();
    return rate > 0 ? Message::plain(formatRate(rate)) : Message();
}

Message epochPart(const RunTally& tally)
{
    if (!tally.started)
        return {};
    return Message("cli.progress_epoch",
        { { "epoch", tally.step ? tally.step->epoch : 1 },
            { "epochs", tally.started->experiment.run.epochs } });
}

Message phasePart(const Progress& progress)
{
    switch (progress.phase) {
    case Phase::Preparing:
        return Message("cli.progress_preparing");
    case Phase::Evaluation:
        return Message("cli.progress_evaluating");
    case Phase::Checkpoint:
        return Message("cli.progress_saving");
    case Phase::Paused:
        return Message("cli.progress_paused");
    default:
        break;
    }
    if (progress.ofMicroBatches == 0)
        return {};
    return Message("cli.progress_micro_batch",
        { { "number", progress.microBatch }, { "count", progress.ofMicroBatches } });
}

} // namespace

void RunTally::take(const Event& event)
{
    if (const auto* begun = std::get_if<RunStarted>(&event))
        started = *begun;
    else if (const auto* done = std::get_if<StepDone>(&event))
        takeStep(*done);
    else if (const auto* pass = std::get_if<EpochDone>(&event))
        epoch = *pass;
    else if (const auto* cut = std::get_if<OutOfMemory>(&event))
        // Later windows use it, too, so it stays in force.
        cutMicro = cut->toMicro;
    else if (const auto* memory = std::get_if<MemoryMeasured>(&event)) {
        for (const PhaseMemory& phase : memory->phases)
            if (phase.phase == MemoryPhase::Evaluation)
                evaluationPeakBytes = std::max(evaluationPeakBytes, phase.peakBytes);
    } else if (const auto* evaluated = std::get_if<Evaluated>(&event)) {
        evaluation = *evaluated;
        const BestEvaluation judged = judgementOf(*evaluated);
        // A NaN would stay the best one for ever: no later value compares as greater.
        if (std::isfinite(judged.value) && (!best || judged.value > best->value))
            best = judged;
    }
}

void RunTally::takeStep(const StepDone& done)
{
    step = done;
    peakBytes = std::max(peakBytes, done.peakBytes);
    m_pace.add(done.seconds, done.step, done.samples);
}

double RunTally::secondsLeft() const
{
    return started ? m_pace.secondsLeft(started->totalSteps).value_or(-1) : -1;
}

std::string progressText(const RunTally& tally, const Progress& progress)
{
    if (!tally.started)
        return Message("cli.progress_begins").text();
    const std::int64_t done = tally.step ? tally.step->step : 0;
    const std::int64_t total = tally.started->totalSteps;
    std::string text =
        Message("cli.progress_step", { { "step", done }, { "steps", total } }).text();
    // A run without a known length has no percentage.
    if (total > 0)
        append(text,
            Message::plain(formatPercent(static_cast<double>(done) / static_cast<double>(total))));
    // In the order of importance: a narrow terminal cuts off the end.
    append(text, lossPart(tally));
    appendEvaluation(text, tally);
    append(text, leftPart(tally));
    append(text, ratePart(tally));
    append(text, epochPart(tally));
    append(text, phasePart(progress));
    return text;
}

std::string epochText(const RunTally& tally)
{
    std::string text = epochPart(tally).text();
    if (tally.step && tally.started)
        append(text,
            Message("cli.epoch_step",
                { { "step", tally.step->step }, { "steps", tally.started->totalSteps } }));
    if (tally.epoch)
        append(text,
            Message("cli.epoch_results",
                { { "loss", formatNumber(tally.epoch->trainLoss, 3) },
                    { "accuracy", Percent { tally.epoch->trainAccuracy } } }));
    appendEvaluation(text, tally);
    append(text, ratePart(tally));
    append(text, leftPart(tally));
    return text;
}

Message countOfThreads(int threads)
{
    return Message("cli.count_of_threads", { { "threads", threads } });
}

std::string textOfOutcome(RunOutcome outcome)
{
    // The word of the runs list, so that a run has the same outcome everywhere.
    RunRecord ended;
    ended.state = RunState::Finished;
    ended.outcome = outcome;
    return conditionText(ended);
}

void addPeaks(TextTable& table, std::int64_t trainingBytes, std::int64_t evaluationBytes)
{
    if (trainingBytes > 0)
        table.addRow({ titleOf(infoOf(MetricId::PeakBytes)), formatBytes(trainingBytes) });
    if (evaluationBytes > 0)
        table.addRow({ evaluationPeak(), formatBytes(evaluationBytes) });
}

void addEvaluation(TextTable& table, const Evaluated& evaluated, const std::string& best)
{
    const bool isValidated = evaluated.validationAccuracy.has_value();
    if (isValidated)
        table.addRow({ titleOf(infoOf(MetricId::ValidationAccuracy)),
            formatPercent(*evaluated.validationAccuracy) + best });
    if (evaluated.validationLoss)
        table.addRow(
            { titleOf(infoOf(MetricId::ValidationLoss)), formatNumber(*evaluated.validationLoss) });
    table.addRow({ titleOf(infoOf(MetricId::TestAccuracy)),
        formatPercent(evaluated.testAccuracy) + (isValidated ? "" : best) });
    table.addRow({ titleOf(infoOf(MetricId::TestLoss)), formatNumber(evaluated.testLoss) });
}

std::string planText(const BatchPlan& plan)
{
    std::string text = "b " + std::to_string(plan.micro) + " × N " + std::to_string(plan.steps);
    if (plan.devices > 1)
        text += " × W " + std::to_string(plan.devices);
    return text + " = B " + std::to_string(plan.effective);
}

std::string planText(const RunRecord& run)
{
    if (hasRecipe(run))
        return planText(planInForce(run));
    // What it was logged with, as far as it says so in Accrue's words.
    const auto numberOf = [&run](const char* key) {
        const auto value = settledSetting(run, key);
        const auto* const number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
        return number != nullptr ? *number : 0;
    };
    BatchPlan plan { .effective = numberOf(key::batchEffective),
        .micro = numberOf(key::batchMicro),
        .steps = numberOf(key::batchSteps),
        .devices = 1 };
    if (plan.effective == 0 && plan.steps < 1'000'000 && plan.micro < 1'000'000)
        plan.effective = plan.micro * plan.steps;
    return plan.micro > 0 && plan.steps > 0 ? planText(plan) : "–";
}

std::string cutText(const RunRecord& run)
{
    return hasRecipe(run) ? cutText(run.plan, run.cutMicro) : planText(run);
}

std::string cutText(const BatchPlan& plan, std::int64_t micro)
{
    const BatchPlan inForce = planInForce(plan, micro);
    const std::string text = planText(inForce);
    if (inForce.micro == plan.micro)
        return text;
    return Message("cli.reduced_split",
        { { "split", text }, { "micro", std::to_string(plan.micro) },
            { "steps", std::to_string(plan.steps) } })
        .text();
}

} // namespace accrue
