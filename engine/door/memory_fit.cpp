// SPDX-License-Identifier: Apache-2.0
#include "engine/door/memory_fit.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/format.h"

#include <algorithm>

namespace accrue {

namespace {

// The most by which a real window was seen to need more than the law says half beyond its range.
constexpr std::int64_t kMarginPercent = 2;
constexpr std::int64_t kMarginPart = 100 / kMarginPercent;

// The law's bytes with the margin, and the most of them that leave room for it: each the other's
// inverse.
std::int64_t withMargin(std::int64_t bytes)
{
    return bytes + (bytes + kMarginPart - 1) / kMarginPart;
}

std::int64_t withoutMargin(std::int64_t bytes)
{
    return bytes / (kMarginPart + 1) * kMarginPart
        + bytes % (kMarginPart + 1) * kMarginPart / (kMarginPart + 1);
}

std::string samplesText(std::int64_t samples)
{
    return formatCount(samples) + (samples == 1 ? " sample" : " samples");
}

// Two sizes that differ are not written alike.
std::string bytesBeside(std::int64_t bytes, std::int64_t other)
{
    const std::string text = formatBytes(bytes);
    return text == formatBytes(other) ? formatCount(bytes) + " B" : text;
}

} // namespace

double shareOf(const FitProgress& now)
{
    if (now.ofSamples > 0)
        return static_cast<double>(now.samples) / static_cast<double>(now.ofSamples);
    return now.ofWindows > 0 ? static_cast<double>(now.windows) / now.ofWindows : 0;
}

std::optional<double> secondsLeft(const FitProgress& now, double seconds)
{
    const double share = shareOf(now);
    return share > 0 ? std::optional(seconds / share * (1 - share)) : std::nullopt;
}

std::int64_t predictedBytes(const MemoryFit& fit, std::int64_t micro)
{
    const bool isLeast = micro == fit.smallestMicro && fit.leastBytes > 0;
    const std::int64_t byLaw = isLeast ? fit.leastBytes : fit.law.peakAt(micro);
    return (micro > fit.law.to ? withMargin(byLaw) : byLaw) + fit.outsideBytes;
}

std::int64_t largestMicro(const MemoryFit& fit, std::int64_t cardBytes)
{
    if (predictedBytes(fit, fit.smallestMicro) > cardBytes)
        return 0;
    const std::int64_t forLaw = cardBytes - fit.outsideBytes;
    std::int64_t byLaw = fit.law.largestMicro(forLaw);
    if (byLaw > fit.law.to)
        byLaw = std::max(fit.law.to, fit.law.largestMicro(withoutMargin(forLaw)));
    return std::max(fit.smallestMicro, std::min(fit.trainSamples, byLaw));
}

bool isProvedFor(const MemoryFit& fit, std::int64_t budgetBytes)
{
    return fit.proof && fit.proof->budgetBytes == budgetBytes;
}

std::int64_t fittingMicro(const MemoryFit& fit, std::int64_t budgetBytes)
{
    return isProvedFor(fit, budgetBytes) ? fit.proof->micro : largestMicro(fit, budgetBytes);
}

bool fitsBudget(const MemoryFit& fit, std::int64_t micro, std::int64_t budgetBytes)
{
    return std::min(micro, fit.trainSamples) <= fittingMicro(fit, budgetBytes);
}

std::int64_t peakWithoutAccumulation(const MemoryFit& fit, std::int64_t samples)
{
    const auto at = [&](MemoryPhase phase) { return fit.law.peakAt(samples, phase); };
    return std::max(
        { at(MemoryPhase::Data) - fit.gradientBytes, at(MemoryPhase::Forward) - fit.gradientBytes,
            at(MemoryPhase::Backward), at(MemoryPhase::Optimizer) });
}

std::string sentenceOnSmallBudget(const MemoryFit& fit, std::int64_t budgetBytes)
{
    const std::int64_t least = fit.smallestMicro;
    const std::int64_t need = predictedBytes(fit, least);
    return "memory.budget is " + bytesBeside(budgetBytes, need) + ", but with micro-batches of "
        + samplesText(least) + " a window needs "
        + (need > budgetBytes ? bytesBeside(need, budgetBytes) : "more while it is prepared")
        + "; give a larger one, or choose a smaller model or data set.";
}

std::string sentenceOnBusyHost(std::int64_t budgetBytes, std::int64_t freeBytes)
{
    return "memory.budget is " + formatBytes(budgetBytes) + ", but only " + formatBytes(freeBytes)
        + " of this machine's memory are free, so what fits cannot be tried; close other programs, "
          "or give a smaller one.";
}

std::string sentenceOnLargeBudget(
    std::int64_t budgetBytes, const std::string& device, std::int64_t totalBytes)
{
    return "memory.budget is " + formatBytes(budgetBytes) + ", but " + device + " has "
        + formatBytes(totalBytes) + "; give a smaller one, or none for all that there is.";
}

std::int64_t usefulMicro(const MemoryFit& fit, const Experiment& experiment)
{
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    return plan && plan->schedule.empty()
        ? std::min(fit.trainSamples, plan->effective / plan->devices)
        : fit.trainSamples;
}

std::int64_t limitBytes(const Experiment& experiment, const MemoryFit& fit)
{
    return experiment.memory.budget ? experiment.memory.budget->count : fit.totalBytes;
}

std::string marginText()
{
    return "a " + std::to_string(kMarginPercent) + " % margin";
}

std::string sentenceOnMargin(const MemoryFit& fit)
{
    return "Beyond b = " + formatCount(fit.law.to) + " memory is predicted, not measured; "
        + marginText() + " is included.";
}

std::string sentenceOnExactLaw(const MemoryLaw& law)
{
    return "The model met all " + formatCount(static_cast<std::int64_t>(measuredPeaks(law).size()))
        + " measurements exactly.";
}

std::string sentenceOnCards(const MemoryFit& fit)
{
    if (fit.device == "cpu")
        return "Computed from the CPU's memory; a GPU also needs its context and cuDNN workspaces.";
    return "Computed from the memory of " + fit.device + ", " + fit.deviceName
        + "; its context and other programs, " + formatBytes(fit.outsideBytes)
        + ", count on every card.";
}

std::string sentenceOnEveryCard(const MemoryFit& fit, const Experiment& experiment)
{
    const std::int64_t useful = usefulMicro(fit, experiment);
    const std::int64_t smallest = cardSizes().front();
    if (fittingMicro(fit, smallest) < useful)
        return {};
    const char* const all =
        useful == fit.trainSamples ? "the whole training set" : "the whole effective batch";
    return "A card of " + std::to_string(smallest >> 30) + " GiB takes " + all + ", "
        + samplesText(useful) + ", as one micro-batch, and so does each larger one: it needs "
        + formatBytes(predictedBytes(fit, useful)) + ".";
}

const std::vector<std::int64_t>& cardSizes()
{
    constexpr std::int64_t kGiB = std::int64_t { 1 } << 30;
    static const std::vector<std::int64_t> sizes { 4 * kGiB, 6 * kGiB, 8 * kGiB, 12 * kGiB,
        16 * kGiB, 24 * kGiB };
    return sizes;
}

} // namespace accrue
