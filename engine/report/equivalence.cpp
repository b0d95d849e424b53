// SPDX-License-Identifier: Apache-2.0
#include "engine/report/equivalence.h"

#include "engine/base/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

using Verdict = Equivalence::Verdict;

// Two losses that are NaN do not differ: both runs diverged at the same update.
double difference(double a, double b)
{
    if (sameValue(a, b))
        return 0;
    const double apart = std::abs(a - b);
    // A NaN would compare as no difference at all.
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

LossDifference differenceOf(
    const std::vector<SeriesRow>& a, const std::vector<SeriesRow>& b, std::size_t updates)
{
    LossDifference found { .updates = static_cast<std::int64_t>(updates) };
    for (std::size_t i = 0; i < updates; ++i) {
        const double apart = difference(a[i].value, b[i].value);
        if (apart <= found.greatest)
            continue;
        found.greatest = apart;
        found.step = a[i].step;
    }
    return found;
}

// The split of a window into micro-batches may differ; the samples after each update may not.
bool sawTheSame(
    const std::vector<SeriesRow>& a, const std::vector<SeriesRow>& b, std::size_t updates)
{
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(updates), b.begin(),
        [](const SeriesRow& one, const SeriesRow& other) {
            return one.step == other.step && one.samples == other.samples;
        });
}

Message atMost(const LossDifference& found)
{
    if (found.step == 0)
        return Message("runlog.losses_equal");
    if (!std::isfinite(found.greatest))
        return Message("runlog.loss_not_finite", { { "step", found.step } });
    return Message("runlog.losses_differ",
        { { "difference", formatNumber(found.greatest, 3) }, { "step", found.step } });
}

Message verdictOf(const Equivalence& found)
{
    return found.verdict == Verdict::Equal ? Message("runlog.equal") : Message("runlog.different");
}

Message sentenceOf(const Equivalence& found, Precision precision)
{
    if (found.verdict == Verdict::NotComparable)
        return Message("runlog.not_comparable");
    if (precision == Precision::Float64)
        return Message("runlog.equivalence_float64",
            { { "verdict", verdictOf(found) }, { "updates", found.all.updates },
                { "differ", atMost(found.all) }, { "bound", kFloat64Bound } });
    const Message first("runlog.equivalence_float32",
        { { "verdict", verdictOf(found) }, { "updates", found.first.updates },
            { "differ", atMost(found.first) }, { "bound", kFloat32Bound } });
    if (precision == Precision::Float32)
        return first;
    return Message("runlog.equivalence_reduced", { { "sentence", first } });
}

// From the highest: Float64, Float32, and the reduced ones, which count alike.
Precision lowerOf(Precision a, Precision b)
{
    if (a == Precision::Float64 || b == Precision::Float64)
        return a == Precision::Float64 ? b : a;
    return a == Precision::Float32 ? b : a;
}

} // namespace

Equivalence equivalenceOf(
    const std::vector<SeriesRow>& a, const std::vector<SeriesRow>& b, Precision precision)
{
    const std::size_t updates = std::min(a.size(), b.size());
    Equivalence found;
    if (updates > 0 && sawTheSame(a, b, updates)) {
        found.first = differenceOf(a, b, std::min<std::size_t>(updates, kFirstUpdates));
        found.all = differenceOf(a, b, updates);
        // In float32 rounding errors grow with every update, so only the first ones can prove
        // anything.
        const bool equal = precision == Precision::Float64 ? found.all.greatest <= kFloat64Bound
                                                           : found.first.greatest <= kFloat32Bound;
        found.verdict = equal ? Verdict::Equal : Verdict::Different;
    }
    found.sentence = sentenceOf(found, precision);
    return found;
}

Equivalence equivalenceOf(RunLogReader& log, RunId a, RunId b)
{
    Equivalence found;
    const std::string& loss = nameOf(MetricId::Loss);
    // Both runs at one moment, because one of them may still train.
    log.inOneState([&] {
        const RunRecord one = log.run(a);
        const RunRecord other = log.run(b);
        if (!hasRecipe(one) || !hasRecipe(other)) {
            found.sentence = Message("runlog.not_comparable_foreign");
            return;
        }
        const Precision precision =
            lowerOf(one.experiment.run.precision, other.experiment.run.precision);
        found = equivalenceOf(log.rows(a, loss), log.rows(b, loss), precision);
    });
    return found;
}

const char* nameOf(Equivalence::Verdict verdict)
{
    static constexpr std::array kWords { "equal", "different", "not_comparable" };
    return kWords.at(static_cast<std::size_t>(verdict));
}

} // namespace accrue
