// SPDX-License-Identifier: Apache-2.0
#include "app/run_tally.h"

#include "app/text_table.h"
#include "engine/experiment/format.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr double kMarkSpacing = 0.25; // seconds
constexpr double kPaceSpan = 10.0; // seconds

void append(std::string& text, const std::string& part)
{
    if (!part.empty())
        text += (text.empty() ? "" : "  ") + part;
}

std::string outOf(std::int64_t done, std::int64_t total, const char* between)
{
    return formatCount(done) + between + formatCount(total);
}

std::string lossPart(const RunTally& tally)
{
    return tally.step ? "loss " + formatNumber(tally.step->loss, 3) : std::string();
}

std::string evaluationPart(const RunTally& tally)
{
    if (!tally.evaluation)
        return {};
    std::string text;
    if (tally.evaluation->validationAccuracy)
        append(text, "validation " + formatPercent(*tally.evaluation->validationAccuracy));
    append(text, "test " + formatPercent(tally.evaluation->testAccuracy));
    return text;
}

std::string leftPart(const RunTally& tally)
{
    const double left = tally.secondsLeft();
    return left <= 0 ? std::string() : formatDuration(left) + " left";
}

std::string ratePart(const RunTally& tally)
{
    const double rate = tally.samplesPerSecond();
    return rate > 0 ? formatRate(rate) : std::string();
}

std::string epochPart(const RunTally& tally)
{
    if (!tally.started)
        return {};
    const std::int64_t current = tally.step ? tally.step->epoch : 1;
    return "epoch " + outOf(current, tally.started->experiment.run.epochs, "/");
}

std::string phasePart(const Progress& progress)
{
    switch (progress.phase) {
    case Phase::Preparing:
        return "preparing";
    case Phase::Evaluation:
        return "evaluating";
    case Phase::Checkpoint:
        return "saving";
    case Phase::Paused:
        return "paused";
    default:
        break;
    }
    if (progress.ofMicroBatches == 0)
        return {};
    return "micro-batch " + outOf(progress.microBatch, progress.ofMicroBatches, "/");
}

} // namespace

void RunTally::take(const Event& event)
{
    if (const auto* begun = std::get_if<RunStarted>(&event))
        started = *begun;
    else if (const auto* done = std::get_if<StepDone>(&event))
        takePace(*done);
    else if (const auto* pass = std::get_if<EpochDone>(&event))
        epoch = *pass;
    else if (const auto* cut = std::get_if<OutOfMemory>(&event))
        cutMicro = cut->toMicro;
    else if (const auto* saved = std::get_if<CheckpointSaved>(&event))
        checkpoint = saved->folder;
    else if (const auto* end = std::get_if<RunEnded>(&event))
        ended = *end;
    else if (const auto* memory = std::get_if<MemoryMeasured>(&event)) {
        for (const PhaseMemory& phase : memory->phases)
            if (phase.phase == MemoryPhase::Evaluation)
                evaluationPeakBytes = std::max(evaluationPeakBytes, phase.peakBytes);
    } else if (const auto* evaluated = std::get_if<Evaluated>(&event)) {
        evaluation = *evaluated;
        const double judged = evaluated->validationAccuracy.value_or(evaluated->testAccuracy);
        if (judged > bestAccuracy) {
            bestAccuracy = judged;
            bestStep = evaluated->step;
        }
    }
}

void RunTally::takePace(const StepDone& done)
{
    step = done;
    peakBytes = std::max(peakBytes, done.peakBytes);
    if (m_marks.empty() || done.seconds - m_marks.back().seconds >= kMarkSpacing)
        m_marks.push_back({ done.seconds, done.step, done.samples });
    while (m_marks.size() > 2 && done.seconds - m_marks[1].seconds > kPaceSpan)
        m_marks.pop_front();
}

double RunTally::samplesPerSecond() const
{
    if (!step || m_marks.empty() || step->seconds <= m_marks.front().seconds)
        return 0;
    return static_cast<double>(step->samples - m_marks.front().samples)
        / (step->seconds - m_marks.front().seconds);
}

double RunTally::secondsLeft() const
{
    if (!step || !started || m_marks.empty() || step->step <= m_marks.front().step)
        return -1;
    const double each = (step->seconds - m_marks.front().seconds)
        / static_cast<double>(step->step - m_marks.front().step);
    return each * static_cast<double>(std::max<std::int64_t>(0, started->totalSteps - step->step));
}

std::string progressText(const RunTally& tally, const Progress& progress)
{
    if (!tally.started)
        return "preparing …";
    const std::int64_t done = tally.step ? tally.step->step : 0;
    const std::int64_t total = tally.started->totalSteps;
    std::string text = "step " + outOf(done, total, " / ");
    if (total > 0)
        append(text, formatPercent(static_cast<double>(done) / static_cast<double>(total)));
    append(text, lossPart(tally));
    append(text, evaluationPart(tally));
    append(text, leftPart(tally));
    append(text, ratePart(tally));
    append(text, epochPart(tally));
    append(text, phasePart(progress));
    return text;
}

std::string epochText(const RunTally& tally)
{
    std::string text = epochPart(tally);
    if (tally.step && tally.started)
        append(text, "step " + outOf(tally.step->step, tally.started->totalSteps, "/"));
    if (tally.epoch) {
        append(text, "loss " + formatNumber(tally.epoch->trainLoss, 3));
        append(text, "train " + formatPercent(tally.epoch->trainAccuracy));
    }
    append(text, evaluationPart(tally));
    append(text, ratePart(tally));
    append(text, leftPart(tally));
    return text;
}

void addPeaks(TextTable& table, std::int64_t trainingBytes, std::int64_t evaluationBytes)
{
    if (trainingBytes > 0)
        table.addRow({ "Peak memory (training)", formatBytes(trainingBytes) });
    if (evaluationBytes > 0)
        table.addRow({ kEvaluationPeakTitle, formatBytes(evaluationBytes) });
}

std::string planText(const BatchPlan& plan)
{
    std::string text = "b " + std::to_string(plan.micro) + " × N " + std::to_string(plan.steps);
    if (plan.devices > 1)
        text += " × W " + std::to_string(plan.devices);
    return text + " = B " + std::to_string(plan.effective);
}

std::string cutText(const BatchPlan& plan, std::int64_t micro)
{
    if (micro == 0 || micro == plan.micro)
        return planText(plan);
    return planText(cutInto(plan, micro)) + ", cut from b " + std::to_string(plan.micro) + " × N "
        + std::to_string(plan.steps) + " where memory was short";
}

} // namespace accrue
