// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/equivalence.h"

#include "engine/experiment/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

using Verdict = Equivalence::Verdict;

double difference(double a, double b)
{
    if (sameValue(a, b))
        return 0;
    const double apart = std::abs(a - b);
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

bool sawTheSame(
    const std::vector<SeriesRow>& a, const std::vector<SeriesRow>& b, std::size_t updates)
{
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(updates), b.begin(),
        [](const SeriesRow& one, const SeriesRow& other) {
            return one.step == other.step && one.samples == other.samples;
        });
}

std::string atMost(const LossDifference& found)
{
    if (found.step == 0)
        return "by nothing";
    return (std::isfinite(found.greatest) ? "by at most " + formatNumber(found.greatest, 3)
                                          : std::string("because one is not finite"))
        + ", at step " + formatCount(found.step);
}

std::string sentenceOf(const Equivalence& found, Precision precision)
{
    if (found.verdict == Verdict::NotComparable)
        return "Not comparable: the updates of the two runs are not made of the same numbers of "
               "samples.";
    const std::string verdict = found.verdict == Verdict::Equal ? "Equal: " : "Different: ";
    if (precision == Precision::Float64)
        return verdict + "the losses of " + formatCount(found.all.updates) + " updates differ "
            + atMost(found.all) + "; in float64 one training cut differently stays within "
            + formatNumber(kFloat64Bound) + " to the end.";
    const std::string sentence = verdict + "the losses of the first "
        + formatCount(found.first.updates) + " updates differ " + atMost(found.first)
        + "; in float32 one training cut differently stays within " + formatNumber(kFloat32Bound)
        + " there, after that its rounding grows.";
    return precision == Precision::Float32
        ? sentence
        : sentence + " These runs computed in fewer bits, which round more.";
}

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
    log.inOneState([&] {
        const Precision precision =
            lowerOf(log.run(a).experiment.run.precision, log.run(b).experiment.run.precision);
        found = equivalenceOf(log.rows(a, "loss"), log.rows(b, "loss"), precision);
    });
    return found;
}

const char* nameOf(Equivalence::Verdict verdict)
{
    switch (verdict) {
    case Verdict::Equal:
        return "equal";
    case Verdict::Different:
        return "different";
    case Verdict::NotComparable:
        break;
    }
    return "not_comparable";
}

} // namespace accrue
