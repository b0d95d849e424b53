// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/memory_fit.h"

#include "engine/base/format.h"
#include "engine/experiment/resolved.h"
#include "engine/insight/device_info.h"

#include <algorithm>

namespace accrue {

namespace {

// The most by which a real window needed more than the memory model predicts half beyond its range.
// Of 27 such windows one needed 1.95 % more (docs/decisions.md, 2026-11-23).
constexpr std::int64_t kMarginPercent = 2;
constexpr std::int64_t kMarginPart = 100 / kMarginPercent;

// The model's bytes with the margin, and the largest number of bytes that leaves room for it:
// inverses of each other.
std::int64_t withMargin(std::int64_t bytes)
{
    return bytes + (bytes + kMarginPart - 1) / kMarginPart;
}

std::int64_t withoutMargin(std::int64_t bytes)
{
    return bytes / (kMarginPart + 1) * kMarginPart
        + bytes % (kMarginPart + 1) * kMarginPart / (kMarginPart + 1);
}

// A size that would look the same as a different one is given in bytes.
MessageArgument::Value bytesBeside(std::int64_t bytes, std::int64_t other)
{
    if (formatBytes(bytes) != formatBytes(other))
        return ByteCount { bytes };
    return Message("memory_fit.bytes", { { "n", bytes } });
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
    // Few samples are computed by other algorithms than those of the model's measurements, so the
    // smallest window is measured separately, and its own figure is used.
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
    // The margin applies beyond the measured range, not within it; so the result is at least the
    // end of the range, which fits without one.
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
    // A proof is a window that was computed, so it takes precedence over the prediction, whichever
    // is larger.
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

Message tooSmallBudget(const MemoryFit& fit, std::int64_t budgetBytes)
{
    const std::int64_t least = fit.smallestMicro;
    const std::int64_t need = predictedBytes(fit, least);
    // The model describes windows only; preparing the run needs memory, too.
    if (need <= budgetBytes)
        return Message("memory_fit.budget_too_small_to_prepare",
            { { "budget", bytesBeside(budgetBytes, need) }, { "least", least } });
    return Message("memory_fit.budget_too_small",
        { { "budget", bytesBeside(budgetBytes, need) }, { "least", least },
            { "need", bytesBeside(need, budgetBytes) } });
}

Message busyHost(std::int64_t budgetBytes, std::int64_t freeBytes)
{
    return Message("memory_fit.busy_host",
        { { "budget", ByteCount { budgetBytes } }, { "free", ByteCount { freeBytes } } });
}

Message tooLargeBudget(std::int64_t budgetBytes, const std::string& device, std::int64_t totalBytes)
{
    return Message("memory_fit.budget_too_large",
        { { "budget", ByteCount { budgetBytes } }, { "device", device },
            { "total", ByteCount { totalBytes } } });
}

std::int64_t usefulMicro(const MemoryFit& fit, const std::optional<BatchPlan>& plan)
{
    return plan && plan->schedule.empty()
        ? std::min(fit.trainSamples, plan->effective / plan->devices)
        : fit.trainSamples;
}

std::int64_t ranksSharing(const Experiment& experiment, const MemoryFit& fit, std::int64_t ranks)
{
    return ranksOn(fit.device, experiment.run.device, ranks > 0 ? ranks : devicesOf(experiment));
}

std::int64_t limitBytes(const Experiment& experiment, const MemoryFit& fit, std::int64_t ranks)
{
    const auto& budget = experiment.memory.budget;
    return budget ? budget->count : fit.totalBytes / ranksSharing(experiment, fit, ranks);
}

Message marginText()
{
    return Message("memory_fit.margin", { { "percent", kMarginPercent } });
}

Message marginSentence(const MemoryFit& fit)
{
    return Message(
        "memory_fit.margin_beyond", { { "to", fit.law.to }, { "margin", marginText() } });
}

Message exactModel(const MemoryLaw& law)
{
    return Message("memory_fit.exact", { { "n", measuredPeaks(law).size() } });
}

Message sourceOfCards(const MemoryFit& fit)
{
    if (fit.device == "cpu")
        return Message("memory_fit.cards_from_cpu");
    return Message("memory_fit.cards_from_gpu",
        { { "device", fit.device }, { "name", fit.deviceName },
            { "outside", ByteCount { fit.outsideBytes } } });
}

Message everyCardFits(const MemoryFit& fit, const std::optional<BatchPlan>& plan)
{
    const std::int64_t useful = usefulMicro(fit, plan);
    const std::int64_t smallest = cardSizes().front();
    if (fittingMicro(fit, smallest) < useful)
        return {};
    const std::int64_t gib = smallest >> 30;
    const ByteCount need { predictedBytes(fit, useful) };
    return Message(useful == fit.trainSamples ? "memory_fit.training_set_fits_every_card"
                                              : "memory_fit.batch_fits_every_card",
        { { "samples", useful }, { "gib", gib }, { "need", need } });
}

const std::vector<std::int64_t>& cardSizes()
{
    constexpr std::int64_t kGiB = std::int64_t { 1 } << 30;
    static const std::vector<std::int64_t> sizes { 4 * kGiB, 6 * kGiB, 8 * kGiB, 12 * kGiB,
        16 * kGiB, 24 * kGiB };
    return sizes;
}

} // namespace accrue
