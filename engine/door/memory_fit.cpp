// SPDX-License-Identifier: Apache-2.0
#include "engine/door/memory_fit.h"

#include "engine/experiment/format.h"

#include <algorithm>

namespace accrue {

std::int64_t predictedBytes(const MemoryFit& fit, std::int64_t micro)
{
    return fit.law.peakAt(micro) + fit.outsideBytes;
}

std::int64_t largestMicro(const MemoryFit& fit, std::int64_t cardBytes)
{
    const std::int64_t largest =
        std::min(fit.trainSamples, fit.law.largestMicro(cardBytes - fit.outsideBytes));
    return largest < fit.smallestMicro ? 0 : largest;
}

std::int64_t fittingMicro(const MemoryFit& fit, std::int64_t budgetBytes)
{
    const bool isProved = fit.proof && fit.proof->budgetBytes == budgetBytes;
    return isProved ? fit.proof->micro : largestMicro(fit, budgetBytes);
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
    return "memory.budget is " + formatBytes(budgetBytes) + ", but with micro-batches of "
        + formatCount(least) + (least == 1 ? " sample" : " samples") + " a window needs "
        + formatBytes(predictedBytes(fit, least))
        + "; give a larger one, or choose a smaller model or data set.";
}

std::string sentenceOnLargeBudget(
    std::int64_t budgetBytes, const std::string& device, std::int64_t totalBytes)
{
    return "memory.budget is " + formatBytes(budgetBytes) + ", but " + device + " has "
        + formatBytes(totalBytes) + "; give a smaller one, or none for all that there is.";
}

const std::vector<std::int64_t>& cardSizes()
{
    constexpr std::int64_t kGiB = std::int64_t { 1 } << 30;
    static const std::vector<std::int64_t> sizes { 4 * kGiB, 6 * kGiB, 8 * kGiB, 12 * kGiB,
        16 * kGiB, 24 * kGiB };
    return sizes;
}

} // namespace accrue
