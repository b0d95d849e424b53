// SPDX-License-Identifier: Apache-2.0
#include "ui/models/law_picture.h"

#include <algorithm>
#include <cmath>

namespace accrue {

namespace {

constexpr int kSamples = 64; // points of a line
constexpr double kFar = 12; // times what was measured: not visible on a linear axis
constexpr double kRoom = 1.15; // factor by which the x axis extends beyond the content

std::vector<SeriesPoint> pointsOf(const MemoryLaw& law)
{
    std::vector<SeriesPoint> points;
    for (const auto& [micro, bytes] : measuredPeaks(law))
        points.push_back({ static_cast<double>(micro), static_cast<double>(bytes) });
    return points;
}

// Whole sizes, in equal steps or in equal ratios.
std::vector<std::int64_t> sizesBetween(std::int64_t from, std::int64_t to, bool ratios)
{
    std::vector<std::int64_t> sizes;
    const auto low = static_cast<double>(from);
    const auto high = static_cast<double>(to);
    for (int i = 0; i <= kSamples && from <= to; ++i) {
        const double share = static_cast<double>(i) / kSamples;
        const double size = ratios ? low * std::pow(high / low, share) : low + (high - low) * share;
        const std::int64_t whole = std::clamp<std::int64_t>(std::llround(size), from, to);
        // Rounded sizes repeat if the range has fewer sizes than the line has points.
        if (sizes.empty() || sizes.back() != whole)
            sizes.push_back(whole);
    }
    return sizes;
}

std::vector<SeriesPoint> lineOf(const MemoryLaw& law, const std::vector<std::int64_t>& sizes)
{
    std::vector<SeriesPoint> points;
    points.reserve(sizes.size());
    for (const std::int64_t micro : sizes)
        points.push_back({ static_cast<double>(micro), static_cast<double>(law.peakAt(micro)) });
    return points;
}

std::vector<LawPicture::Band> bandOf(const MemoryLaw& law, const std::vector<std::int64_t>& sizes)
{
    std::vector<LawPicture::Band> band;
    for (const std::int64_t micro : sizes) {
        const std::optional<double> half = law.bandAt(micro);
        if (!half)
            return {};
        const auto peak = static_cast<double>(law.peakAt(micro));
        band.push_back({ static_cast<double>(micro), peak - *half, peak + *half });
    }
    return band;
}

std::int64_t lastShown(const MemoryFit& fit, std::int64_t fits, std::int64_t micro)
{
    const auto most = static_cast<double>(std::max({ fit.law.to, fits, micro }));
    return std::llround(std::ceil(most * kRoom));
}

} // namespace

CardAnswer answerFor(const MemoryFit& fit, const std::optional<BatchPlan>& plan, std::int64_t bytes)
{
    CardAnswer answer { .bytes = bytes, .micro = fittingMicro(fit, bytes) };
    answer.proved = answer.micro > 0 && isProvedFor(fit, bytes);
    // A prediction is limited to what is useful. A proved size was observed in a real window and is
    // not limited.
    if (!answer.proved)
        answer.micro = std::min(answer.micro, usefulMicro(fit, plan));
    answer.isAll = answer.micro > 0 && answer.micro == fit.trainSamples;
    answer.isWindow = !answer.proved && !answer.isAll && answer.micro > 0
        && answer.micro == usefulMicro(fit, plan);
    answer.extrapolated = !answer.proved && answer.micro > fit.law.to;
    return answer;
}

CardAnswer answerFor(const LawQuestion& question)
{
    const MemoryFit& fit = question.law.value();
    return answerFor(fit, question.plan, limitBytes(question.experiment, fit));
}

LawPicture lawPictureOf(const LawQuestion& question)
{
    const auto& [experiment, plan, problem, known] = question;
    const MemoryFit& fit = known.value();
    const std::int64_t micro = plan && !microFollowsBudget(experiment) ? plan->micro : 0;
    const MemoryLaw& law = fit.law;
    LawPicture picture;
    picture.card = answerFor(question);
    // The model describes what the run itself allocates; the rest of the device's memory is outside
    // of it.
    picture.limitBytes = picture.card.bytes - fit.outsideBytes;
    picture.last = lastShown(fit, picture.card.micro, micro);
    // The limit of a card of 24 GiB above windows of megabytes would press the line flat against
    // the axis.
    picture.limitIsNear = static_cast<double>(picture.limitBytes)
        <= kFar * static_cast<double>(law.peakAt(picture.last));
    // If far more fits than was measured, linear axes would show the measured points in one corner.
    picture.logarithmic = static_cast<double>(picture.last) > kFar * static_cast<double>(law.to);
    const auto sizes = [&](std::int64_t from, std::int64_t to) {
        return sizesBetween(from, to, picture.logarithmic);
    };
    picture.measured = pointsOf(law);
    picture.within = lineOf(law, sizes(law.from, law.to));
    if (law.from > 1)
        picture.below = lineOf(law, sizes(1, law.from));
    picture.beyond = lineOf(law, sizes(law.to, picture.last));
    picture.band = bandOf(law, sizes(1, picture.last));
    return picture;
}

} // namespace accrue
