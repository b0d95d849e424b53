// SPDX-License-Identifier: Apache-2.0
#include "engine/insight/memory_law.h"

#include "engine/insight/student_t.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <tuple>

namespace accrue {
namespace {

constexpr double kBandProbability = 0.95;
constexpr double kRelativeTolerance = 0.001; // of a peak

using Points = std::span<const MemoryPoint>; // of one phase, ascending in b

// For two or more points; one gives a flat line. One pass for the means and a second one for the
// sums about them: sums of squares of byte counts (1e10 and more) would cancel in a double.
MemoryLine lineThrough(Points points)
{
    MemoryLine line { .phase = points.front().phase,
        .points = static_cast<std::int64_t>(points.size()) };
    const auto count = static_cast<double>(points.size());
    double meanPeak = 0;
    for (const MemoryPoint& point : points) {
        line.meanMicro += static_cast<double>(point.micro) / count;
        meanPeak += static_cast<double>(point.peakBytes) / count;
    }
    double product = 0;
    for (const MemoryPoint& point : points) {
        const double distance = static_cast<double>(point.micro) - line.meanMicro;
        line.spread += distance * distance;
        product += distance * (static_cast<double>(point.peakBytes) - meanPeak);
    }
    // More samples never need less memory; only the noise of few points suggests it.
    line.perSample = line.spread > 0 ? std::max(0LL, std::llround(product / line.spread)) : 0;
    line.base = std::llround(meanPeak - static_cast<double>(line.perSample) * line.meanMicro);
    double squares = 0;
    for (const MemoryPoint& point : points)
        squares += std::pow(static_cast<double>(line.at(point.micro) - point.peakBytes), 2);
    if (points.size() > 2)
        line.deviation = std::sqrt(squares / (count - 2));
    return line;
}

struct Tolerance {
    std::int64_t granularity = 0;

    double of(const MemoryPoint& point) const
    {
        return std::max(static_cast<double>(granularity),
            kRelativeTolerance * static_cast<double>(point.peakBytes));
    }
};

bool isStraight(Points points, Tolerance tolerance)
{
    const MemoryLine line = lineThrough(points);
    return std::all_of(points.begin(), points.end(), [&](const MemoryPoint& point) {
        return std::abs(static_cast<double>(line.at(point.micro) - point.peakBytes))
            <= tolerance.of(point);
    });
}

// The longest straight stretch at the end of `points`.
Points lastStretch(Points points, Tolerance tolerance)
{
    // Two points are always straight, so a stretch has two at least where there are two.
    std::size_t length = std::min<std::size_t>(2, points.size());
    while (length < points.size() && isStraight(points.last(length + 1), tolerance))
        ++length;
    return points.last(length);
}

// Whether a line of smaller b is above the measurements at larger ones.
bool overshoots(const MemoryLine& line, Points larger, Tolerance tolerance)
{
    return std::any_of(larger.begin(), larger.end(), [&](const MemoryPoint& point) {
        return static_cast<double>(line.at(point.micro) - point.peakBytes) > tolerance.of(point);
    });
}

struct PhaseLaw {
    std::vector<MemoryLine> lines {}; // descending in b
    std::int64_t from = 0;
};

// Stretches from the largest b down, until one does not belong to a convex function.
PhaseLaw fitPhase(Points points, Tolerance tolerance)
{
    const Points all = points;
    PhaseLaw law { .from = points.back().micro };
    while (!points.empty()) {
        Points stretch = lastStretch(points, tolerance);
        // A single remaining point is joined to its neighbour: between them a convex function is
        // lower.
        const bool alone = stretch.size() == 1 && all.size() > 1;
        const MemoryLine line = lineThrough(alone ? all.first(2) : stretch);
        if (overshoots(line, all.subspan(points.size()), tolerance))
            break;
        law.lines.push_back(line);
        law.from = stretch.front().micro;
        points = points.first(points.size() - stretch.size());
    }
    return law;
}

// The largest b of one line.
std::int64_t largestOf(const MemoryLine& line, std::int64_t budget)
{
    if (line.base > budget)
        return 0;
    if (line.perSample == 0)
        return kLargestMicro;
    return std::min(kLargestMicro, (budget - line.base) / line.perSample);
}

} // namespace

std::int64_t MemoryLaw::peakAt(std::int64_t micro) const
{
    std::int64_t peak = 0;
    for (const MemoryLine& line : lines)
        if (line.isOfLaw())
            peak = std::max(peak, line.at(micro));
    return peak;
}

std::int64_t MemoryLaw::peakAt(std::int64_t micro, MemoryPhase phase) const
{
    std::int64_t peak = 0;
    for (const MemoryLine& line : lines)
        if (line.phase == phase)
            peak = std::max(peak, line.at(micro));
    return peak;
}

std::optional<double> MemoryLaw::bandAt(std::int64_t micro) const
{
    const MemoryLine* greatest = nullptr;
    for (const MemoryLine& line : lines)
        if (line.isOfLaw() && (greatest == nullptr || line.at(micro) > greatest->at(micro)))
            greatest = &line;
    if (greatest == nullptr || greatest->points < 3)
        return std::nullopt;
    const auto count = static_cast<double>(greatest->points);
    const double distance = static_cast<double>(micro) - greatest->meanMicro;
    return studentT(kBandProbability, greatest->points - 2) * greatest->deviation
        * std::sqrt(1 + 1 / count + distance * distance / greatest->spread);
}

std::int64_t MemoryLaw::largestMicro(std::int64_t budgetBytes) const
{
    std::int64_t largest = kLargestMicro;
    for (const MemoryLine& line : lines)
        if (line.isOfLaw())
            largest = std::min(largest, largestOf(line, budgetBytes));
    return largest;
}

MemoryLaw fitMemoryLaw(std::vector<MemoryPoint> points, std::int64_t granularity)
{
    std::sort(points.begin(), points.end(), [](const MemoryPoint& a, const MemoryPoint& b) {
        return std::tie(a.phase, a.micro) < std::tie(b.phase, b.micro);
    });
    MemoryLaw law { .points = std::move(points) };
    // Each phase is fitted separately: its peak has its own lines, and the window's is the greatest
    // of all.
    for (auto begin = law.points.begin(); begin != law.points.end();) {
        const auto end = std::find_if(begin, law.points.end(),
            [phase = begin->phase](const MemoryPoint& point) { return point.phase != phase; });
        const PhaseLaw phase = fitPhase(Points(begin, end), { granularity });
        law.lines.insert(law.lines.end(), phase.lines.rbegin(), phase.lines.rend());
        if (phase.lines.front().isOfLaw()) {
            law.from = std::max(law.from, phase.from);
            law.to = std::max(law.to, std::prev(end)->micro);
        }
        begin = end;
    }
    return law;
}

std::vector<MemoryLine> greatestLines(const MemoryLaw& law)
{
    // Another line can become the greatest only where two lines cross.
    std::vector<std::int64_t> sizes { law.from, law.to };
    for (const MemoryLine& a : law.lines)
        for (const MemoryLine& b : law.lines)
            if (a.perSample > b.perSample)
                for (const std::int64_t beside : { 0, 1 })
                    sizes.push_back(
                        std::clamp((b.base - a.base) / (a.perSample - b.perSample) + beside,
                            law.from, law.to));
    std::vector<MemoryLine> greatest;
    std::copy_if(law.lines.begin(), law.lines.end(), std::back_inserter(greatest),
        [&](const MemoryLine& line) {
            return line.isOfLaw()
                && std::any_of(sizes.begin(), sizes.end(),
                    [&](std::int64_t micro) { return line.at(micro) == law.peakAt(micro); });
        });
    return greatest;
}

std::map<std::int64_t, std::int64_t> measuredPeaks(const MemoryLaw& law)
{
    std::map<std::int64_t, std::int64_t> peaks;
    for (const MemoryPoint& point : law.points)
        if (point.phase != MemoryPhase::Evaluation)
            peaks[point.micro] = std::max(peaks[point.micro], point.peakBytes);
    return peaks;
}

bool meetsMeasurements(const MemoryLaw& law)
{
    const auto peaks = measuredPeaks(law);
    return std::all_of(peaks.begin(), peaks.end(),
        [&law](const auto& peak) { return law.peakAt(peak.first) == peak.second; });
}

std::vector<std::int64_t> residualsOf(const MemoryLaw& law)
{
    std::vector<std::int64_t> residuals;
    residuals.reserve(law.points.size());
    for (const MemoryPoint& point : law.points)
        residuals.push_back(law.peakAt(point.micro, point.phase) - point.peakBytes);
    return residuals;
}

} // namespace accrue
